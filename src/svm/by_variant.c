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
        return pt_simplex_sampled(t->context, &t->kernel, t->points, &t->dual, (size_t)s->sample, seed_of(s, iteration),
                                  problem);
    return pt_simplex_full(t->context, &t->kernel, t->points, &t->dual, s->cache_bytes, problem);
}

static partan_status solve(pt_training *t, pt_start start)
{
    partan_settings s = t->settings;
    pt_problem *problem = NULL;
    pt_fw fw = {0};
    partan_status status = make_problem(t, start.iteration, &problem);
    double deadline = t->deadline > 0 ? t->deadline : s.time_limit > 0 ? t->start + s.time_limit : 0;
    if (deadline > 0)
        s.time_limit = fmax(deadline - pt_clock(), 1e-9);
    if (!status) {
        status = pt_solve(problem, &s, start, &fw, &t->solution);
        t->counters = ((const pt_simplex *)problem)->counters;
    }
    t->iterations = fw.iteration;
    t->iterate = fw.iterate;
    pt_problem_free(problem);
    return status;
}

const pt_way pt_by_variant = {.solve = solve};
