/* Training by one of the paper's variants, on the rows as they are. */
#include <math.h>

#include "core/clock.h"
#include "core/hash.h"
#include "svm/pose.h"

/* A run that goes on from another's steps draws other samples than that did. */
static uint64_t seed_of(const partan_settings *settings, int64_t iteration)
{
    return iteration > 0 ? pt_hash_mix(settings->seed ^ pt_hash_mix((uint64_t)iteration)) : settings->seed;
}

static partan_status make_problem(const pt_training *t, int64_t iteration, pt_problem **problem)
{
    const partan_settings *s = &t->settings;
    if (s->sample > 0)
        return pt_simplex_sampled(t->context, &t->kernel, t->points, &t->dual, t->share, (size_t)s->sample,
                                  seed_of(s, iteration), problem);
    return pt_simplex_full(t->context, &t->kernel, t->points, &t->dual, t->share, s->cache_bytes, problem);
}

/* Where rows live in several processes, a starting point has the numbers of vertices: they become those of this one. */
static partan_status meet_start(pt_simplex *simplex, pt_start *start, int64_t **own)
{
    partan_context *context = simplex->problem.context;
    int64_t *ids = *own = pt_alloc(context, start->count, sizeof *ids);
    partan_status status = ids ? PARTAN_OK : pt_out_of_memory(context, "the starting point");
    for (size_t i = 0; i < start->count && !status; i++) {
        bool news;
        status = pt_simplex_meet(simplex, start->ids[i], NULL, &ids[i], &news);
    }
    start->ids = ids;
    return status;
}

/* What ended it, where all processes stopped together. */
static void name_stop(pt_training *t)
{
    if (t->solution.status == PARTAN_INTERRUPTED && t->share->stopped == PT_STOP_TIME)
        t->solution.status = PARTAN_TIME_LIMIT;
}

static partan_status solve(pt_training *t, pt_start start)
{
    partan_settings s = t->settings;
    pt_problem *problem = NULL;
    pt_fw fw = {0};
    int64_t *own = NULL;
    partan_status status = make_problem(t, start.iteration, &problem);
    double deadline = t->deadline > 0 ? t->deadline : s.time_limit > 0 ? t->start + s.time_limit : 0;
    if (deadline > 0)
        s.time_limit = t->share ? 0 : fmax(deadline - pt_clock(), 1e-9); /* which processes look at together */
    if (!status && t->share)
        status = meet_start((pt_simplex *)problem, &start, &own);
    if (!status) {
        status = pt_solve(problem, &s, start, &fw, &t->solution);
        t->counters = ((const pt_simplex *)problem)->counters;
    }
    if (!status && t->share)
        name_stop(t);
    t->iterations = fw.iteration;
    t->iterate = fw.iterate;
    pt_free(t->context, own);
    pt_problem_free(problem);
    return status;
}

const pt_way pt_by_variant = {.solve = solve};
