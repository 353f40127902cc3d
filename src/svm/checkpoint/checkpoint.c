/* Keeping checkpoints while machines are trained, and going on from them. */
#include "svm/checkpoint/checkpoint.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "svm/pose.h"

/* ---- Opening and closing ---- */

pt_checkpoint_about pt_checkpoint_of(const partan_data *original, const partan_settings *settings, double gamma,
                                     uint64_t features, const double *class_weights, size_t classes)
{
    pt_checkpoint_about about = {.fingerprint = partan_data_fingerprint(original),
                                 .rows = original->matrix.rows,
                                 .features = features,
                                 .settings = *settings,
                                 .machines = 1};
    memcpy(about.version, PARTAN_VERSION, sizeof PARTAN_VERSION);
    about.settings.gamma = gamma;
    for (size_t i = 0; i < classes; i++) {
        uint64_t bits;
        memcpy(&bits, &class_weights[i], sizeof bits);
        about.class_weights = pt_hash_mix(about.class_weights ^ bits);
    }
    return about;
}

partan_status pt_checkpoint_open(pt_checkpoint *c, partan_context *context, const partan_train_options *options,
                                 const pt_checkpoint_about *about)
{
    *c = (pt_checkpoint){.context = context,
                         .about = *about,
                         .path = options->checkpoint,
                         .interval = options->checkpoint_every,
                         .start = pt_clock()};
    c->next = c->start + c->interval;
    pt_lock_init(&c->lock);
    c->machines = pt_alloc_zero(context, about->machines, sizeof *c->machines);
    if (!c->machines)
        return pt_out_of_memory(context, "checkpoints");
    partan_status status = c->path ? partan_output_check(context, c->path) : PARTAN_OK;
    return status || !options->resume ? status : pt_checkpoint_read(c, options->resume);
}

static void forget(partan_context *context, pt_saved *saved)
{
    pt_free(context, saved->ids);
    pt_free(context, saved->weights);
    *saved = (pt_saved){0};
}

void pt_checkpoint_close(pt_checkpoint *c)
{
    for (size_t i = 0; i < c->about.machines && c->machines; i++)
        forget(c->context, &c->machines[i]);
    pt_free(c->context, c->machines);
    pt_lock_end(&c->lock);
}

/* ---- While a machine is trained ---- */

/* A machine's place in the checkpoint, which its solver tells where it is. */
typedef struct place {
    pt_keeper keeper; /* first */
    pt_checkpoint *checkpoint;
    size_t machine;
    const pt_training *training;
    double seconds; /* that its training took in runs before this one */
} place;

/* A copy of the vertices with weight; PARTAN_ERROR_MEMORY leaves nothing. */
static partan_status copy_point(partan_context *context, const pt_training *t, const pt_start *point, bool merged,
                                pt_saved *saved)
{
    saved->ids = pt_alloc(context, point->count, sizeof *saved->ids);
    saved->weights = pt_alloc(context, point->count, sizeof *saved->weights);
    partan_status status = saved->ids && saved->weights ? PARTAN_OK : pt_out_of_memory(context, "a checkpoint");
    for (size_t i = 0; i < point->count && !status; i++)
        if (point->weights[i] > 0) {
            saved->ids[saved->count] = point->ids[i];
            saved->weights[saved->count++] = point->weights[i];
        }
    merged = merged && pt_way_of(&t->settings) == &pt_by_active_set;
    for (size_t i = 0; i < saved->count && t->share && !merged && !status; i++)
        saved->ids[i] = pt_share_number(t->share, saved->ids[i]);
    if (!status && merged)
        status = pt_vertices_rows(&t->vertices, saved->ids, saved->count);
    if (status)
        forget(context, saved);
    return status;
}

/* Takes a machine's new point, and writes the file when it is time: a disk that is full does not end the training. */
static partan_status replace(place *p, partan_context *context, const pt_saved *saved)
{
    pt_checkpoint *c = p->checkpoint;
    partan_status status = PARTAN_OK;
    pt_lock_take(&c->lock);
    forget(context, &c->machines[p->machine]);
    c->machines[p->machine] = *saved;
    if (pt_clock() >= c->next) {
        status = pt_checkpoint_write(c, context);
        if (status)
            pt_log(context, PARTAN_LOG_WARNING, "no checkpoint: %s", partan_error(context));
        c->next = pt_clock() + c->interval;
    }
    p->keeper.next = c->next;
    pt_lock_give(&c->lock);
    return status == PARTAN_ERROR_IO ? PARTAN_OK : status;
}

static partan_status keep(pt_keeper *keeper, partan_context *context, const pt_start *point)
{
    place *p = (place *)keeper;
    pt_saved saved = {.number = p->machine + 1,
                      .iterations = point->iteration,
                      .seconds = p->seconds + pt_clock() - p->training->start,
                      .inverse_cost = point->inverse_cost};
    keeper->next = pt_clock() + p->checkpoint->interval;
    partan_status status = copy_point(context, p->training, point, true, &saved);
    return status ? status : replace(p, context, &saved);
}

/* A machine that has met its target keeps its certificate, too. */
static partan_status keep_done(place *p, partan_context *context)
{
    const pt_training *t = p->training;
    const pt_certificate *certificate = &t->solution.certificate;
    pt_start point = {.ids = t->iterate.id, .weights = t->iterate.now, .count = t->iterate.count};
    pt_saved saved = {.number = p->machine + 1,
                      .done = 1,
                      .iterations = t->iterations,
                      .seconds = p->seconds + pt_clock() - t->start,
                      .objective = certificate->objective,
                      .linear = certificate->linear,
                      .gap = certificate->gap,
                      .relative_gap = t->solution.relative_gap,
                      .counters = t->counters};
    partan_status status = copy_point(context, t, &point, false, &saved);
    return status ? status : replace(p, context, &saved);
}

/* ---- Going on ---- */

static partan_status check_vertices(const pt_training *t, const pt_saved *saved, const char *path)
{
    size_t all = t->share ? pt_share_all_vertices(t->share) : t->dual.vertices;
    for (size_t i = 0; i < saved->count; i++)
        if (saved->ids[i] >= (int64_t)all)
            return pt_fail(t->context, PARTAN_ERROR_FORMAT, "%s: found vertex %lld, expected at most %zu", path,
                           (long long)saved->ids[i] + 1, all);
    return PARTAN_OK;
}

/* Whether a machine that was done is, by the settings of this run. */
static bool is_done(const pt_training *t, const pt_saved *saved)
{
    return saved->done && (saved->gap <= t->settings.eps || saved->relative_gap <= t->settings.tol);
}

/* The solution that a machine had. */
static partan_status restore(pt_training *t, const pt_saved *saved)
{
    t->solution = (pt_solution){
        .status = PARTAN_OK,
        .converged = true,
        .certificate = {.objective = saved->objective, .linear = saved->linear, .gap = saved->gap},
        .relative_gap = saved->relative_gap,
    };
    t->iterations = saved->iterations;
    t->counters = saved->counters;
    pt_iterate_init(&t->iterate, t->context, false);
    return pt_iterate_start(&t->iterate, saved->ids, saved->weights, saved->count);
}

static partan_status solve(place *p, pt_training *t, const pt_start *start)
{
    partan_context *context = t->context;
    context->keeper = p->checkpoint->path ? &p->keeper : NULL;
    partan_status status = pt_training_solve(t, start);
    context->keeper = NULL;
    if (!status && t->solution.converged && p->checkpoint->path)
        status = keep_done(p, context);
    return status;
}

partan_status pt_checkpoint_solve(pt_checkpoint *c, size_t machine, pt_training *t, const pt_start *start)
{
    if (!c)
        return pt_training_solve(t, start);
    const pt_saved *saved = &c->machines[machine];
    place p = {.keeper = {keep, pt_clock() + c->interval},
               .checkpoint = c,
               .machine = machine,
               .training = t,
               .seconds = saved->seconds};
    t->earlier_seconds = saved->seconds;
    if (saved->number == 0)
        return solve(&p, t, start);
    partan_status status = pt_training_pose(t);
    if (!status)
        status = check_vertices(t, saved, "the checkpoint");
    if (status)
        return status;
    if (is_done(t, saved) && !t->share)
        return restore(t, saved);
    /* The solver has its own copy from the first step on, and not before it does the checkpoint change. */
    return solve(&p, t,
                 &(pt_start){.ids = saved->ids,
                             .weights = saved->weights,
                             .count = saved->count,
                             .iteration = saved->iterations,
                             .inverse_cost = saved->done ? 0 : saved->inverse_cost});
}
