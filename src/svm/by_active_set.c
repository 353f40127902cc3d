/* Training by the active-set method, on equal rows merged. From one cost to the next, the merged rows, the scores and
 * the views of the rows stay (active/solver.h). */
#include "svm/pose.h"

static partan_status open_set(pt_training *t, pt_start start)
{
    const partan_settings *s = &t->settings;
    int64_t *ids = pt_alloc(t->context, start.count, sizeof *ids);
    size_t budget = pt_simplex_budget(s->cache_bytes);
    partan_status status = ids ? PARTAN_OK : pt_out_of_memory(t->context, "the starting point");
    if (!status && t->share)
        status = pt_vertices_share(&t->vertices, t->context, &t->kernel, &t->dual, t->share, s->merge != 0, budget);
    else if (!status)
        status = pt_vertices_make(&t->vertices, t->context, &t->kernel, t->points, &t->dual, s->merge != 0, budget);
    pt_training_forget_hashes(t);
    if (!status)
        status = pt_vertices_start(&t->vertices, &start, ids);
    if (!status) {
        status = pt_active_set_open(&t->vertices.simplex, s, start, &t->set);
        if (!status)
            pt_active_set_started(t->set, t->start);
    }
    pt_free(t->context, ids);
    return status;
}

static pt_counters since(pt_counters now, pt_counters before)
{
    return (pt_counters){.kernel_columns = now.kernel_columns - before.kernel_columns,
                         .kernel_values = now.kernel_values - before.kernel_values,
                         .cache_hits = now.cache_hits - before.cache_hits};
}

static void close_set(pt_training *t)
{
    pt_active_set_close(t->set);
    t->set = NULL;
    pt_vertices_free(&t->vertices);
}

/* The starting point is for the first solve; those after it start from what the set knows. */
static partan_status solve(pt_training *t, pt_start start)
{
    pt_iterate weights = {0};
    pt_counters before = t->vertices.simplex.counters;
    if (t->set && t->dual.primal)
        close_set(t); /* its linear terms are those of another cost */
    partan_status status = t->set ? PARTAN_OK : open_set(t, start);
    if (!status)
        status = pt_active_set_solve(t->set, t->settings.cost, &weights, &t->solution, &t->iterations);
    t->counters = since(t->vertices.simplex.counters, before);
    if (!status)
        status = pt_vertices_expand(&t->vertices, &weights, &t->iterate);
    pt_iterate_free(&weights);
    return status;
}

const pt_way pt_by_active_set = {.continues = true, .solve = solve, .close = close_set};
