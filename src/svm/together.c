#include "svm/together.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/agree.h"
#include "core/clock.h"
#include "core/sized.h"
#include "data/parts.h"
#include "svm/checkpoint/checkpoint.h"
#include "svm/many/many.h"
#include "svm/pose.h"
#include "svm/weights.h"

typedef struct together {
    pt_training t;
    pt_comm *comm;
    pt_share share;
} together;

/* ---- What cannot be done yet ---- */

static partan_status check(partan_context *context, const partan_settings *s, const partan_train_options *options)
{
    partan_status status = partan_settings_check(context, s);
    if (!status)
        status = pt_train_options_check(context, options);
    if (status)
        return status;
    if (s->max_sv > 0)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "several processes have no limit of support vectors (max_sv)");
    if (s->kernel == PARTAN_KERNEL_PRECOMPUTED)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "several processes cannot share a precomputed kernel");
    return PARTAN_OK;
}

/* ---- Rows ---- */

/* What the training works on: the rows with weight, scaled. */
static partan_status take_rows(together *g)
{
    pt_training *t = &g->t;
    partan_status status = PARTAN_OK;
    t->all = pt_count_all(g->comm, t->original->matrix.rows, &t->first);
    if (t->all == 0 && t->settings.problem != PARTAN_CLASSIFICATION) { /* which says so of its classes */
        g->comm->failed = true;
        return pt_fail(t->context, PARTAN_ERROR_DATA, "%s: there are no rows", t->data->name);
    }
    if (pt_any_weightless(g->comm, t->data)) {
        status = pt_leave_weightless(g->comm, t->data, &t->weighty, &t->rows);
        t->data = t->weighty ? t->weighty : t->data;
    }
    if (!status && t->settings.scale != PARTAN_SCALE_NONE) {
        status = pt_scale_to_train(t->context, g->comm, t->data, t->settings.scale, &t->scaling, &t->scaled);
        t->data = t->scaled ? t->scaled : t->data;
    }
    return status;
}

/* ---- Weights ---- */

/* Sums of weights by class, in the order of all rows. */
static void add_class_sums(void *user, double *sums)
{
    const pt_training *t = &((const together *)user)->t;
    for (size_t row = 0; row < t->data->matrix.rows; row++)
        sums[t->signs[row] > 0] += pt_data_weight(t->data, row);
}

static partan_status take_weights(together *g)
{
    pt_training *t = &g->t;
    double sums[2] = {0};
    partan_settings listed = t->settings;
    if (t->settings.balanced && t->settings.class_weight_count == 0) {
        g->comm->in_turn(g->comm, add_class_sums, g, sums, 2);
        for (int class = 0; class < 2; class ++)
            t->classes.weight[class] = (sums[0] + sums[1]) / (2 * sums[class]);
        listed.balanced = 0;
    }
    partan_status status = pt_class_weights(t->data, &listed, t->signs, &t->classes);
    if (!status)
        status = pt_cost_weights(t->data, &t->classes, t->signs, &t->cost_weights);
    status = pt_agree(t->context, g->comm, status);
    if (!status && t->weighted && !t->cost_weights
        && !(t->cost_weights = pt_alloc(t->context, t->data->matrix.rows, sizeof *t->cost_weights)))
        status = pt_out_of_memory(t->context, "the weights of the rows");
    return status;
}

/* ---- The problem ---- */

static partan_status find_weights(together *g)
{
    pt_training *t = &g->t;
    double weighted = t->data->weights != NULL;
    partan_status status = PARTAN_OK;
    g->comm->greatest(g->comm, &weighted, 1);
    t->weighted = weighted > 0;
    if (t->weighted && !t->data->weights && t->data->matrix.rows > 0)
        status = pt_fail(t->context, PARTAN_ERROR_DATA, "%s: found rows without weights, expected them all to have one",
                         t->data->name);
    return pt_agree(t->context, g->comm, status);
}

static partan_status take_vertices(together *g)
{
    pt_training *t = &g->t;
    partan_status status = find_weights(g);
    if (status)
        return status;
    if (t->settings.problem != PARTAN_CLASSIFICATION)
        return pt_agree(t->context, g->comm, pt_pose_of(t->settings.problem)->take(t));
    status = pt_classes_of_all(t->context, g->comm, t->data, &t->classes, &t->signs);
    return status ? status : take_weights(g);
}

/* ---- The kernel ---- */

typedef struct moments_here {
    const pt_matrix *rows;
    const pt_share *share;
    bool failed;
} moments_here;

static void add_moments(void *user, double *sums)
{
    moments_here *here = user;
    here->failed = !pt_moments_add(here->rows, (uint64_t)pt_share_first(here->share), pt_share_all(here->share), sums);
}

static partan_status take_gamma(const pt_share *share, partan_settings *s)
{
    partan_context *context = share->context;
    pt_comm *comm = share->comm;
    const pt_matrix *rows = share->rows;
    moments_here here = {.rows = rows, .share = share};
    if (s->gamma_rule == PARTAN_GAMMA_VALUE || !partan_kernel_uses(s->kernel, "gamma"))
        return PARTAN_OK;
    double *sums = pt_alloc_zero(context, rows->features + 1, sizeof *sums);
    partan_status status =
        pt_agree(context, comm, sums ? PARTAN_OK : pt_out_of_memory(context, "the mean of the rows"));
    if (!status) {
        comm->in_turn(comm, add_moments, &here, sums, rows->features + 1);
        s->gamma = pt_gamma_by(s->gamma_rule, pt_share_all(share), rows->features, sums, rows->features);
        s->gamma_rule = PARTAN_GAMMA_VALUE;
        status = pt_agree(context, comm, here.failed ? pt_out_of_memory(context, "the mean of the rows") : PARTAN_OK);
    }
    pt_free(context, sums);
    return status;
}

partan_status pt_kernel_of_all(pt_share *share, partan_settings *settings, pt_kernel *kernel)
{
    const pt_matrix *rows = share->rows;
    double longest = 0;
    partan_status status = take_gamma(share, settings);
    if (!status)
        status = pt_kernel_from_settings(share->context, settings, rows, kernel);
    if (status)
        return status;
    for (size_t i = 0; i < rows->rows && rows->norms; i++)
        longest = fmax(longest, (double)rows->norms[i]);
    share->comm->greatest(share->comm, &longest, 1);
    kernel->longest = (float)longest;
    return pt_share_near_one(share, kernel);
}

/* ---- All ---- */

static partan_status open(together *g)
{
    pt_training *t = &g->t;
    partan_status status = take_rows(g);
    if (!status)
        status = pt_share_open(&g->share, t->context, g->comm, &t->data->matrix);
    t->share = &g->share;
    if (!status)
        status = take_vertices(g);
    t->points = (pt_points){&t->data->matrix, NULL};
    t->settings.solver = pt_variant_resolve(&t->settings)->solver;
    if (status)
        return status;
    g->share.deadline = t->settings.time_limit > 0 ? t->start + t->settings.time_limit : 0;
    t->fingerprint = pt_data_fingerprint_of_all(g->comm, t->original, t->first, t->all);
    return pt_kernel_of_all(&g->share, &t->settings, &t->kernel);
}

partan_status pt_train_machine_together(partan_context *context, pt_comm *comm, const partan_data *part,
                                        const partan_settings *settings, pt_solve_together *solve, void *user,
                                        partan_model **model)
{
    together g = {.comm = comm};
    g.t = (pt_training){.context = context, .data = part, .original = part, .settings = *settings, .start = pt_clock()};
    *model = NULL;
    pt_progress_whole_begin(context, "train");
    pt_defer_begin(context); /* all stop at once, or none does */
    pt_defer_anew(context);
    partan_status status = open(&g);
    if (!status)
        status = solve(&g.t, user);
    pt_training_finish(&g.t);
    if (!status)
        status = pt_training_model(&g.t, model);
    pt_defer_anew(context);
    pt_defer_end(context);
    pt_training_close(&g.t);
    pt_share_free(&g.share);
    return status;
}

partan_train_options pt_checkpoint_options(const pt_comm *comm, const partan_train_options *options)
{
    partan_train_options own = *options;
    if (comm && comm->rank > 0)
        own.checkpoint = NULL;
    return own;
}

/* From a model, from a checkpoint, or from a row. */
static partan_status solve_with(pt_training *t, void *user)
{
    const partan_train_options *options = user;
    pt_comm *comm = t->share->comm;
    pt_checkpoint checkpoint;
    if (!options->checkpoint && !options->resume)
        return pt_training_solve_from(t, options->start, NULL);
    partan_train_options own = pt_checkpoint_options(comm, options);
    pt_checkpoint_about about =
        pt_checkpoint_of(t->original, &t->settings, t->kernel.gamma, t->data->matrix.features, t->classes.weight, 2);
    about.fingerprint = t->fingerprint;
    about.rows = t->all;
    partan_status status = pt_agree(t->context, comm, pt_checkpoint_open(&checkpoint, t->context, &own, &about));
    if (!status)
        status = pt_training_solve_from(t, options->start, &checkpoint);
    pt_checkpoint_close(&checkpoint);
    return status;
}

partan_status pt_train_one_together(partan_context *context, pt_comm *comm, const partan_data *part,
                                    const partan_settings *settings, const partan_train_options *options,
                                    partan_model **model)
{
    return pt_train_machine_together(context, comm, part, settings, solve_with, (void *)(uintptr_t)options, model);
}

partan_status pt_train_together(partan_context *context, pt_comm *comm, const partan_data *part,
                                const partan_settings *settings, const partan_train_options *options,
                                partan_model **model)
{
    partan_train_options own;
    pt_comm *joined = context->comm;
    if (options)
        own = *options;
    else
        partan_train_options_init(&own);
    *model = NULL;
    partan_status status = pt_agree(context, comm, check(context, settings, &own));
    if (!status)
        status = pt_agree_on_instructions(context, comm);
    context->comm = comm; /* rows held out are judged, too */
    if (!status)
        status = pt_train_with(context, comm, part, settings, &own, model);
    context->comm = joined;
    if (status >= 0)
        pt_interrupt_clear(context);
    return status;
}

/* ---- The model ---- */

typedef struct member {
    int64_t number, row;
} member;

static int compare_numbers(const void *a, const void *b)
{
    int64_t x = ((const member *)a)->number, y = ((const member *)b)->number;
    return (x > y) - (x < y);
}

/* Where rows of weight 0 were left out, numbers become those that rows had before: each process knows its own. */
static partan_status restore_numbers(const pt_training *t, int64_t *numbers, size_t count)
{
    pt_comm *comm = t->share->comm;
    int64_t first = pt_share_first(t->share), end = first + (int64_t)pt_share_own(t->share);
    uint64_t *before = pt_alloc_zero(t->context, count, sizeof *before);
    partan_status status = before ? PARTAN_OK : pt_out_of_memory(t->context, "the model");
    status = pt_agree(t->context, comm, status);
    for (size_t i = 0; i < count && !status; i++)
        if (numbers[i] >= first && numbers[i] < end)
            before[i] = t->first + (uint64_t)t->rows[numbers[i] - first];
    if (!status)
        comm->sum_integers(comm, before, count);
    for (size_t i = 0; i < count && !status; i++)
        numbers[i] = (int64_t)before[i];
    pt_free(t->context, before);
    return status;
}

/* The rows of weight, and their signed weights; rows of which both vertices have the same leave none. */
static size_t find_members(const pt_training *t, member *members)
{
    size_t count = 0, kept = 0;
    for (size_t i = 0; i < t->iterate.count; i++)
        if (t->iterate.now[i] > 0) {
            int64_t row = pt_dual_row(&t->dual, t->iterate.id[i]);
            members[count++] = (member){pt_share_row_number(t->share, row), row};
        }
    qsort(members, count, sizeof *members, compare_numbers);
    for (size_t i = 0; i < count; i++)
        if ((i == 0 || members[i].number != members[i - 1].number) && pt_training_weight(t, members[i].row) != 0)
            members[kept++] = members[i];
    return kept;
}

partan_status pt_take_shared_support(pt_training *t, partan_model *model)
{
    partan_context *context = t->context;
    size_t most = pt_iterate_support(&t->iterate), count = 0;
    member *members = pt_alloc(context, most, sizeof *members);
    int64_t *rows = pt_alloc(context, most, sizeof *rows);
    model->origin = pt_alloc(context, most, sizeof *model->origin);
    model->weights = pt_alloc(context, most, sizeof *model->weights);
    model->signs = pt_alloc(context, most, sizeof *model->signs);
    partan_status status = members && rows && model->origin && model->weights && model->signs
                               ? PARTAN_OK
                               : pt_out_of_memory(context, "the model");
    if (!status)
        count = find_members(t, members);
    for (size_t i = 0; i < count; i++) {
        double weight = pt_training_weight(t, members[i].row);
        rows[i] = members[i].row;
        model->origin[i] = members[i].number;
        model->weights[i] = fabs(weight);
        model->signs[i] = weight > 0 ? 1 : -1;
    }
    model->count = count;
    if (!status)
        status = pt_matrix_gather_both(t->share->rows, &t->share->guests, rows, count, &model->vectors);
    if (t->rows) {
        status = pt_agree(context, t->share->comm, status);
        if (!status)
            status = restore_numbers(t, model->origin, count);
    }
    pt_free(context, members);
    pt_free(context, rows);
    return status;
}
