#include "svm/together.h"

#include <math.h>

#include "core/agree.h"
#include "core/clock.h"
#include "core/sized.h"
#include "data/parts.h"
#include "svm/checkpoint/checkpoint.h"
#include "svm/many/many.h"
#include "svm/pose.h"
#include "svm/weights.h"

/* ---- What cannot be done yet ---- */

static partan_status check(partan_context *context, const partan_settings *s, const partan_train_options *options)
{
    partan_status status = partan_settings_check(context, s);
    if (!status)
        status = pt_train_options_check(context, options);
    if (status)
        return status;
    if (s->kernel == PARTAN_KERNEL_PRECOMPUTED)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "several processes cannot share a precomputed kernel");
    return PARTAN_OK;
}

/* ---- Rows ---- */

/* What the training works on: the rows with weight, scaled. */
static partan_status take_rows(pt_together *g)
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
    const pt_training *t = &((const pt_together *)user)->t;
    for (size_t row = 0; row < t->data->matrix.rows; row++)
        sums[t->signs[row] > 0] += pt_data_weight(t->data, row);
}

static partan_status take_weights(pt_together *g)
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

static partan_status find_weights(pt_together *g)
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

static partan_status take_vertices(pt_together *g)
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

static partan_status open(pt_together *g)
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

partan_status pt_together_open(pt_together *g, partan_context *context, pt_comm *comm, const partan_data *part,
                               const partan_settings *settings)
{
    *g = (pt_together){.comm = comm};
    if (!comm)
        return pt_training_open(&g->t, context, part, settings);
    g->t =
        (pt_training){.context = context, .data = part, .original = part, .settings = *settings, .start = pt_clock()};
    pt_progress_whole_begin(context, "train");
    pt_defer_begin(context); /* all stop at once, or none does */
    pt_defer_anew(context);
    return open(g);
}

void pt_together_close(pt_together *g)
{
    if (g->comm) {
        pt_defer_anew(g->t.context);
        pt_defer_end(g->t.context);
    }
    pt_training_close(&g->t);
    pt_share_free(&g->share);
}

partan_status pt_train_machine_together(partan_context *context, pt_comm *comm, const partan_data *part,
                                        const partan_settings *settings, pt_solve_together *solve, void *user,
                                        partan_model **model)
{
    pt_together g;
    *model = NULL;
    partan_status status = pt_together_open(&g, context, comm, part, settings);
    if (!status)
        status = solve(&g.t, user);
    pt_training_finish(&g.t);
    if (!status)
        status = pt_training_model(&g.t, model);
    pt_together_close(&g);
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
