/* Few support vectors: a decision function made of a few rows that comes near one made of many.
 *
 * The rows are chosen by matching pursuit: the next ones are those where the function so far falls short of the given
 * one most, on the side of their class (pursuit.c). Their weights are then the ones that are best for the training
 * problem itself, without its dual: they minimise 1/2 |w|^2 + sum C_i/2 max(0, 1 - y_i w(x_i))^2 over weights of at
 * least 0 (primal.c). Where thousands of rows stay, they are the ones of the greatest losses, and the weights those of
 * a training on them (prune.c).
 *
 * In a regression signs are all +1 and weights of either sign; the losses are those of the labels. The centre of a ball
 * is met as it is, with weights that add up to 1 by the kernel's bias.
 *
 * Rows may live in several processes (simplex/share.h). Each then knows sums and losses of its own rows; the chosen
 * ones travel to all (chosen.c), which project alike, and the first process fits the weights for all of them. */
#ifndef PT_SPARSE_H
#define PT_SPARSE_H

#include "core/agree.h"
#include "svm/training.h"

typedef struct pt_sparse {
    partan_context *context;
    pt_share *share; /* where rows live in several processes, of which those below are this one's; NULL: all are here */
    pt_kernel kernel;
    pt_points points;
    const float *signs;
    const double *cost_weights; /* C_i / C; NULL: 1 each */
    double cost;
    const double *labels; /* regression: what the function is to be within epsilon of; NULL: a margin of 1 */
    double epsilon;
    bool free;                    /* weights may be below 0 */
    bool as_it_is;                /* the targets are all there is to meet: no fit */
    const double *targets;        /* decision values of the function that is to be met, one a row */
    const unsigned char *allowed; /* rows that may become support vectors; NULL: all */
    size_t most;                  /* support vectors */
    uint64_t seed;
    bool stopped; /* somebody asked to stop, or time is up: what there is, is the result */

    /* The chosen rows, by their numbers, which all processes have: y_i weights_i is the coefficient of row i in the
     * decision function. */
    size_t count;
    int64_t *ids;
    double *weights;

    /* What the rows are, once they have been met, */
    pt_matrix vectors;
    double *own_signs;   /* y_i, */
    double *own_targets; /* their targets, */
    double *products;    /* and y_i y_j (k(x_i, x_j) + 1), lines of `stride` */
    size_t stride;
} pt_sparse;

/* The processes that there are; NULL: one. */
static inline pt_comm *pt_sparse_comm(const pt_sparse *sparse)
{
    return sparse->share ? sparse->share->comm : NULL;
}

/* How many rows all processes have, and the number of the first one here. */
static inline size_t pt_sparse_rows(const pt_sparse *sparse)
{
    return sparse->share ? pt_share_all(sparse->share) : sparse->points.matrix->rows;
}

static inline int64_t pt_sparse_first(const pt_sparse *sparse)
{
    return sparse->share ? pt_share_first(sparse->share) : 0;
}

/* Which row of this process has a number; -1: none. */
static inline int64_t pt_sparse_own(const pt_sparse *sparse, int64_t number)
{
    int64_t row = number - pt_sparse_first(sparse);
    return row >= 0 && row < (int64_t)sparse->points.matrix->rows ? row : -1;
}

/* Fills in ids and weights, `most` of them at most. To be freed also on failure. */
partan_status pt_sparse_choose(pt_sparse *sparse);
void pt_sparse_free(pt_sparse *sparse);

/* chosen.c: the values, signs and targets of the chosen rows; of numbers that each process has for its own rows those
 * for the chosen ones; and what the first process has chosen, to all. A failure of one is that of all. */
partan_status pt_sparse_meet(pt_sparse *sparse);
void pt_sparse_pick(const pt_sparse *sparse, const double *of_rows, double *of_chosen);
void pt_sparse_tell(pt_sparse *sparse);

/* The best weights for the rows chosen, which have been met, from those that there are (primal.c). */
partan_status pt_sparse_fit(pt_sparse *sparse);

/* The rows that a fit sees (sample.c): by their numbers, and what the first process, which fits for all, has of them.
 */
typedef struct pt_sample {
    size_t rows;
    int64_t *numbers;
    double *costs, *labels;
    double *values; /* y_i y_j (k(x_i, x_j) + 1) for the chosen rows j, lines of the sparse's stride */
} pt_sample;

/* To be freed also on failure, which is that of all. */
partan_status pt_sample_open(pt_sample *sample, const pt_sparse *sparse);
void pt_sample_free(pt_sample *sample, const pt_sparse *sparse);

/* `count` of so many numbers, drawn without replacement; all of them are in order. */
partan_status pt_sample_draw(partan_context *context, uint64_t seed, size_t all, int64_t *numbers, size_t count);

/* min 1/2 a'Qa - c'a over a >= 0, by coordinate descent from a, or over all a, by conjugate gradients; `gradient` has
 * room for 3 * count (descent.c). */
void pt_sparse_descend(const double *Q, size_t stride, size_t count, const double *c, bool free, double *a,
                       double *gradient, int sweeps);

/* A fit has at most so many rows: its time and memory grow with their square, and more gained nothing in the one run
 * tried, a9a with 4,096 (docs/sparsity.md).
 */
#define PT_SPARSE_FITTED 2048

/* The other way (prune.c), and whether it is the better one: where most of the rows with losses may stay. */
partan_status pt_sparse_prune(pt_sparse *sparse, const pt_training *training);
bool pt_sparse_prunes(const pt_sparse *sparse);

/* Whether to stop, as all processes are asked; an interruption is consumed, and remembered. */
bool pt_sparse_stops(pt_sparse *sparse);

/* A model with at most so many support vectors from one with more. The training is open on the rows that the model is
 * about, with signs -1 and 1 as the model has them. */
partan_status pt_sparse_model(pt_training *training, const partan_model *model, size_t most,
                              const unsigned char *allowed, partan_model **out);

#endif
