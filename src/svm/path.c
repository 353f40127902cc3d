/* The path over C: trainings on the same data that begin where the last one ended.
 *
 * By the active-set method, all points share the merged rows, the scores and the views of the rows (active/solver.h);
 * by a variant, they share the starting point only. */
#include "active/solver.h"
#include "core/clock.h"
#include "simplex/vertices.h"
#include "svm/training.h"

typedef struct path {
    pt_training training;
    pt_vertices vertices;
    pt_active_set *set;
    double deadline;
} path;

static pt_counters since(pt_counters now, pt_counters before)
{
    return (pt_counters){.kernel_columns = now.kernel_columns - before.kernel_columns,
                         .kernel_values = now.kernel_values - before.kernel_values,
                         .cache_hits = now.cache_hits - before.cache_hits};
}

static partan_status open_set(path *p)
{
    pt_training *t = &p->training;
    const partan_settings *s = &t->settings;
    int64_t first = pt_training_first(t);
    double one = 1;
    pt_start start = {&first, &one, 1};
    partan_status status = pt_vertices_make(&p->vertices, t->context, &t->kernel, t->points, t->signs, s->cost,
                                            s->merge != 0, pt_simplex_budget(s->cache_bytes));
    if (!status) {
        pt_vertices_start(&p->vertices, &start, &first);
        status = pt_active_set_open(&p->vertices.simplex, s, start, &p->set);
    }
    return status;
}

static partan_status solve_by_active_set(path *p)
{
    pt_training *t = &p->training;
    const pt_counters *counters = &p->vertices.simplex.counters;
    pt_iterate weights = {0};
    partan_status status = p->set ? PARTAN_OK : open_set(p);
    pt_counters before = p->set ? *counters : (pt_counters){0};
    if (!status)
        status = pt_active_set_solve(p->set, t->settings.cost, &weights, &t->solution, &t->iterations);
    t->counters = since(*counters, before);
    pt_iterate_free(&t->iterate);
    if (!status)
        status = pt_vertices_expand(&p->vertices, &weights, &t->iterate);
    pt_iterate_free(&weights);
    return status;
}

static partan_status solve_by_variant(path *p)
{
    pt_training *t = &p->training;
    int64_t first = pt_training_first(t);
    double one = 1;
    pt_iterate last = t->iterate;
    pt_start start = last.count > 0 ? (pt_start){last.id, last.now, last.count} : (pt_start){&first, &one, 1};
    t->iterate = (pt_iterate){0};
    if (p->deadline > 0) {
        double left = p->deadline - pt_clock();
        t->settings.time_limit = left > 0 ? left : 1e-9;
    }
    partan_status status = pt_training_by_variant(t, start);
    pt_iterate_free(&last);
    return status;
}

static partan_status solve_point(path *p, double cost, double time_limit, partan_model **model)
{
    pt_training *t = &p->training;
    t->settings.cost = cost;
    t->start = pt_clock();
    pt_progress_begin(t->context, "train");
    partan_status status = t->settings.solver == PARTAN_SOLVER_AUTO ? solve_by_active_set(p) : solve_by_variant(p);
    t->settings.time_limit = time_limit;
    return status ? status : pt_training_model(t, model);
}

static partan_status check_costs(partan_context *context, const partan_settings *settings, const double *costs,
                                 size_t count)
{
    partan_settings point = *settings;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < count && !status; i++) {
        point.cost = costs[i];
        status = partan_settings_check(context, &point);
    }
    return count > 0 ? status : pt_fail(context, PARTAN_ERROR_ARGUMENT, "a path needs one cost or more");
}

/* Points in order until one is stopped for good. */
static partan_status run(path *p, const double *costs, size_t count, partan_path_callback point, void *user)
{
    partan_status worst = PARTAN_OK;
    for (size_t i = 0; i < count; i++) {
        partan_model *model = NULL;
        partan_status status = solve_point(p, costs[i], p->training.settings.time_limit, &model);
        if (status)
            return status;
        status = p->training.solution.status;
        worst = worst ? worst : status;
        if (point(user, i, model))
            return PARTAN_INTERRUPTED;
        if (status == PARTAN_INTERRUPTED || status == PARTAN_TIME_LIMIT)
            return status;
    }
    return worst;
}

partan_status partan_path(partan_context *context, const partan_data *data, const partan_settings *settings,
                          const double *costs, size_t count, partan_path_callback point, void *user)
{
    path p = {0};
    partan_settings first = *settings;
    partan_status status = check_costs(context, settings, costs, count);
    if (status)
        return status;
    first.cost = costs[0];
    status = pt_training_open(&p.training, context, data, &first);
    p.deadline = settings->time_limit > 0 ? pt_clock() + settings->time_limit : 0;
    if (!status)
        status = run(&p, costs, count, point, user);
    pt_active_set_close(p.set);
    pt_vertices_free(&p.vertices);
    pt_training_close(&p.training);
    return status;
}
