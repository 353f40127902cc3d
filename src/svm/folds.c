#include "svm/folds.h"

#include <math.h>

#include "core/agree.h"
#include "core/clock.h"
#include "svm/fold_start.h"
#include "svm/many/many.h"
#include "svm/together.h"

static partan_status begin(pt_folds *folds, partan_context *context, const partan_data *data, size_t rounds)
{
    *folds = (pt_folds){.context = context, .data = data, .rounds = rounds};
    folds->round = pt_alloc(context, data->matrix.rows, sizeof *folds->round);
    return folds->round ? PARTAN_OK : pt_out_of_memory(context, "the folds of the rows");
}

static partan_status split(pt_folds *folds, partan_context *context, const partan_data *data, double share,
                           uint64_t seed, bool stratify)
{
    size_t rows = data->matrix.rows, taken;
    partan_status status = begin(folds, context, data, 1);
    unsigned char *second = status ? NULL : pt_alloc_zero(context, rows, 1);
    if (!status && !second)
        status = pt_out_of_memory(context, "a split");
    if (!status)
        status = pt_data_draw(data, share, seed, stratify, second, &taken);
    for (size_t row = 0; row < rows && !status; row++)
        folds->round[row] = second[row] ? 0 : -1;
    pt_free(context, second);
    return status;
}

static partan_status refuse_class(partan_context *context, const partan_data *data, const char *label, size_t rows,
                                  size_t count, size_t least)
{
    if (least == count)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "%s: class '%s' has %zu rows, expected at least one for each of %zu folds", data->name, label,
                       rows, count);
    return pt_fail(context, PARTAN_ERROR_DATA,
                   "%s: class '%s' has %zu row%s, expected at least %zu, since some are held out while others are "
                   "trained on",
                   data->name, label, rows, rows == 1 ? "" : "s", least);
}

static partan_status check_classes(partan_context *context, pt_comm *comm, const partan_data *data,
                                   const pt_labels *labels, const int32_t *class_of, size_t count, size_t least)
{
    uint64_t *rows = pt_alloc_zero(context, labels->count, sizeof *rows);
    partan_status status = pt_agree(context, comm, rows ? PARTAN_OK : pt_out_of_memory(context, "the classes of rows"));
    for (size_t row = 0; row < data->matrix.rows && !status; row++)
        rows[class_of[row]]++;
    if (!status)
        pt_add_up(comm, rows, labels->count);
    for (size_t i = 0; i < labels->count && !status; i++)
        if (rows[i] < least)
            status = refuse_class(context, data, labels->text[i], (size_t)rows[i], count, least);
    pt_free(context, rows);
    return pt_agree(context, comm, status);
}

static partan_status check_count(partan_context *context, const partan_data *data, size_t rows, size_t count)
{
    if (count < 2 || count > INT32_MAX)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found %zu folds, expected 2 or more", count);
    if (count > rows)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found %zu rows, expected at least one for each of %zu folds",
                       data->name, rows, count);
    return PARTAN_OK;
}

static partan_status deal(pt_folds *folds, partan_context *context, const partan_data *data, size_t count,
                          uint64_t seed)
{
    *folds = (pt_folds){.context = context};
    partan_status status = check_count(context, data, data->matrix.rows, count);
    if (!status)
        status = begin(folds, context, data, count);
    return status ? status : pt_data_deal(data, count, seed, false, folds->round);
}

partan_status pt_folds_deal(pt_folds *folds, partan_context *context, pt_comm *comm, const partan_data *data,
                            size_t count, size_t least, uint64_t seed)
{
    pt_labels labels = {0};
    int32_t *class_of = NULL;
    uint64_t rows = data->matrix.rows;
    *folds = (pt_folds){.context = context};
    pt_add_up(comm, &rows, 1);
    partan_status status = pt_agree(context, comm, check_count(context, data, (size_t)rows, count));
    if (!status)
        status = pt_labels_of_all(data, comm, &labels, &class_of);
    if (!status)
        status = check_classes(context, comm, data, &labels, class_of, count, least);
    if (!status)
        status = pt_agree(context, comm, begin(folds, context, data, count));
    folds->comm = comm;
    if (!status)
        status = comm ? pt_folds_deal_shared(context, comm, data, &labels, class_of, count, seed, folds->round)
                      : pt_data_deal(data, count, seed, true, folds->round);
    pt_free(data->context, class_of);
    pt_labels_free(data->context, &labels);
    return status;
}

/* Outliers are found without labels, but what is found is compared with them. */
static partan_status check_outliers(partan_context *context, const partan_data *data)
{
    bool found[2] = {false, false};
    for (size_t row = 0; row < data->matrix.rows && !data->words; row++) {
        double label = partan_data_label(data, row);
        found[0] |= label == -1;
        found[1] |= label == 1;
    }
    return found[0] && found[1]
               ? PARTAN_OK
               : pt_fail(context, PARTAN_ERROR_DATA,
                         "%s: to compare models of outliers, labels -1 (outliers) and 1 are needed", data->name);
}

partan_status pt_folds_make(pt_folds *folds, partan_context *context, const partan_data *data, partan_problem problem,
                            size_t count, double share, uint64_t seed)
{
    bool stratify = problem == PARTAN_CLASSIFICATION;
    partan_status status = problem == PARTAN_OUTLIER ? check_outliers(context, data) : PARTAN_OK;
    *folds = (pt_folds){.context = context};
    if (status)
        return status;
    if (count == 0)
        return split(folds, context, data, share, seed, stratify);
    return stratify ? pt_folds_deal(folds, context, NULL, data, count, count, seed)
                    : deal(folds, context, data, count, seed);
}

void pt_folds_free(pt_folds *folds)
{
    if (folds->context)
        pt_free(folds->context, folds->round);
    *folds = (pt_folds){0};
}

partan_status pt_folds_take(const pt_folds *folds, size_t round, partan_data **train, partan_data **held)
{
    size_t rows = folds->data->matrix.rows, count[2] = {0, 0};
    int64_t *lists[2];
    *train = *held = NULL;
    lists[0] = pt_alloc(folds->context, 2 * rows, sizeof *lists[0]);
    if (!lists[0])
        return pt_out_of_memory(folds->context, "the rows of a fold");
    lists[1] = lists[0] + rows;
    for (size_t row = 0; row < rows; row++) {
        bool out = folds->round[row] == (int32_t)round;
        lists[out][count[out]++] = (int64_t)row;
    }
    partan_status status = pt_data_gather(folds->data, lists[0], count[0], train);
    if (!status)
        status = pt_data_gather(folds->data, lists[1], count[1], held);
    if (status) {
        partan_data_free(*train);
        *train = NULL;
    }
    pt_free(folds->context, lists[0]);
    return status;
}

/* ---- Training in each round ---- */

static partan_status train_round(const pt_folds *folds, const partan_data *train, const partan_settings *settings,
                                 const partan_model *start, partan_model **model)
{
    partan_train_options options;
    partan_train_options_init(&options);
    options.start = start;
    return folds->comm ? pt_train_together(folds->context, folds->comm, train, settings, &options, model)
                       : pt_train(folds->context, train, settings, start, model);
}

partan_status pt_folds_run_round(const pt_folds *folds, size_t round, const partan_settings *settings,
                                 pt_round_test *test, void *user)
{
    partan_data *train = NULL, *held = NULL;
    partan_model *model = NULL;
    pt_fold_start start = {0};
    partan_status trained = PARTAN_OK, status = pt_folds_take(folds, round, &train, &held);
    if (!status && folds->whole)
        status = pt_fold_start_open(&start, folds, round, train);
    if (!status)
        trained = status = train_round(folds, train, settings, start.any ? &start.model : NULL, &model);
    if (status >= 0 && !pt_is_cut_short(status))
        status = test(user, round, model, held);
    partan_model_free(model);
    partan_data_free(train);
    partan_data_free(held);
    pt_fold_start_close(&start);
    return status ? status : trained;
}

partan_status pt_folds_run(const pt_folds *folds, const partan_settings *settings, bool points, pt_round_test *test,
                           void *user)
{
    partan_status worst = PARTAN_OK;
    partan_settings s = *settings;
    double deadline = s.time_limit > 0 ? pt_clock() + s.time_limit : 0;
    for (size_t round = 0; round < folds->rounds; round++) {
        if (points)
            pt_progress_next_point(folds->context);
        if (deadline > 0)
            s.time_limit = fmax(deadline - pt_clock(), 1e-9);
        partan_status status = pt_folds_run_round(folds, round, &s, test, user);
        if (status < 0 || pt_is_cut_short(status))
            return status;
        worst = worst ? worst : status;
    }
    return worst;
}

/* ---- Sums over rounds ---- */

void pt_evaluation_begin(partan_evaluation *sum)
{
    partan_evaluation_init(sum);
    sum->r2 = sum->mse = sum->mae = 0;
}

void pt_evaluation_add(partan_evaluation *sum, const partan_evaluation *one)
{
    sum->labelled += one->labelled;
    sum->correct += one->correct;
    sum->other += one->other;
    for (int i = 0; i < 4; i++)
        sum->confusion[i / 2][i % 2] += one->confusion[i / 2][i % 2];
    sum->classes = one->classes;
    if (one->classes > 2) { /* else they follow from the counts */
        sum->balanced_accuracy += one->balanced_accuracy;
        sum->macro_f1 += one->macro_f1;
    }
    double judged = (double)(one->labelled - one->other); /* of which there are probabilities */
    sum->log_loss += judged * one->log_loss;
    sum->brier += judged * one->brier;
    sum->auc += one->auc;
    sum->average_precision += one->average_precision;
    if (one->classes == 0) {
        sum->r2 += one->r2;
        sum->mse += one->mse * (double)one->labelled;
        sum->mae += one->mae * (double)one->labelled;
    }
}

void pt_evaluation_finish(partan_evaluation *sum, size_t rounds)
{
    if (sum->classes > 2) {
        sum->accuracy = sum->labelled ? (double)sum->correct / (double)sum->labelled : (double)NAN;
        sum->balanced_accuracy /= (double)rounds;
        sum->macro_f1 /= (double)rounds;
    } else
        partan_evaluation_measure(sum);
    sum->log_loss /= (double)(sum->labelled - sum->other);
    sum->brier /= (double)(sum->labelled - sum->other);
    sum->auc /= (double)rounds;
    sum->average_precision /= (double)rounds;
    bool numbers = sum->classes == 0;
    sum->r2 = numbers ? sum->r2 / (double)rounds : (double)NAN;
    sum->mse = numbers ? sum->mse / (double)sum->labelled : (double)NAN;
    sum->mae = numbers ? sum->mae / (double)sum->labelled : (double)NAN;
}

void pt_result_add(partan_result *sum, const partan_result *one, size_t round)
{
    sum->status = sum->status ? sum->status : one->status;
    sum->converged = (round == 0 || sum->converged) && one->converged;
    sum->iterations += one->iterations;
    sum->objective = fmax(sum->objective, one->objective);
    sum->gap = fmax(sum->gap, one->gap);
    sum->relative_gap = fmax(sum->relative_gap, one->relative_gap);
    sum->support_vectors += one->support_vectors;
    sum->kernel_columns += one->kernel_columns;
    sum->kernel_values += one->kernel_values;
    sum->cache_hits += one->cache_hits;
    sum->seconds += one->seconds;
}
