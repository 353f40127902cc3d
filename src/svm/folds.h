/* Rounds of training on some rows and testing on the others: one split, or folds. */
#ifndef PT_FOLDS_H
#define PT_FOLDS_H

#include "core/comm.h"
#include "data/data.h"
#include "partan/svm.h"

typedef struct pt_folds {
    partan_context *context;
    pt_comm *comm; /* of processes that each have a part of the rows; NULL: one has all */
    const partan_data *data;
    size_t rounds;  /* folds, or 1 */
    int32_t *round; /* in which each row is held out, from 0; -1: in none */

    /* What trainings start from (fold_start.h), set by who has it; NULL: from scratch. */
    const partan_model *whole; /* a model of all rows, */
    const int64_t *whole_rows; /* the numbers of the data's rows in its training data (NULL: the same), */
    uint64_t whole_before;     /* and how many of that are in processes before this one */
} pt_folds;

/* So many folds, in which classes have their shares. Fails where a class has fewer than `least` rows: as many as there
 * are folds, so that all classes can be tested in each, or at least 2, so that each round has rows of all classes to
 * train on. To be freed also on failure, as what follows. */
partan_status pt_folds_deal(pt_folds *folds, partan_context *context, pt_comm *comm, const partan_data *data,
                            size_t count, size_t least, uint64_t seed);

/* pt_data_deal of the rows of all processes, by their classes (folds_shared.c). */
partan_status pt_folds_deal_shared(partan_context *context, pt_comm *comm, const partan_data *part,
                                   const pt_labels *labels, const int32_t *class_of, size_t count, uint64_t seed,
                                   int32_t *round);

/* For any problem: `count` folds or, if it is 0, one split that holds out this share of the rows. */
partan_status pt_folds_make(pt_folds *folds, partan_context *context, const partan_data *data, partan_problem problem,
                            size_t count, double share, uint64_t seed);
void pt_folds_free(pt_folds *folds);

/* The rows of a round: those to train on, and those held out, both in the order of the data. */
partan_status pt_folds_take(const pt_folds *folds, size_t round, partan_data **train, partan_data **held);

/* Trains in each round, and hands the model and the rows held out to `test`. The time limit is that of all rounds. A
 * training that is cut short is not tested, and ends the run, as does a test that returns another status than
 * PARTAN_OK. Returns why it ended early, else the first positive status of a training, else PARTAN_OK. `points`: rounds
 * are points of what progress tells (pt_progress_points). */
typedef partan_status pt_round_test(void *user, size_t round, const partan_model *model, const partan_data *held);
partan_status pt_folds_run(const pt_folds *folds, const partan_settings *settings, bool points, pt_round_test *test,
                           void *user);
/* One of these rounds. */
partan_status pt_folds_run_round(const pt_folds *folds, size_t round, const partan_settings *settings,
                                 pt_round_test *test, void *user);

/* Evaluations over rounds: counts are added up, areas and R^2 are means over rounds, errors means over rows. */
void pt_evaluation_begin(partan_evaluation *sum);
void pt_evaluation_add(partan_evaluation *sum, const partan_evaluation *one);
void pt_evaluation_finish(partan_evaluation *sum, size_t rounds);
/* Trainings over rounds, of which `round` is the number from 0: sums, the worst gap and the first status that is not
 * OK. Begins with a sum of zeros. */
void pt_result_add(partan_result *sum, const partan_result *one, size_t round);

/* A training that somebody or the time limit ended: its score would say nothing of its setting. */
static inline bool pt_is_cut_short(partan_status status)
{
    return status == PARTAN_INTERRUPTED || status == PARTAN_TIME_LIMIT;
}

#endif
