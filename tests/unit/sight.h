/* The active-set solver with its state in sight, for what the public interface does not tell: its rounds, and whether
 * the kernel was of low rank. A context's callbacks may look at `set` while it solves. */
#ifndef SIGHT_H
#define SIGHT_H

#include "active/state.h"
#include "simplex/vertices.h"
#include "training.h"

typedef struct sight {
    bool unaudited;     /* only its course is of interest: the claims are checked elsewhere */
    pt_active_set *set; /* NULL: not opened yet, or closed */
    int64_t iterations; /* what it had at the end: iterations */
    uint64_t rounds;    /* and rounds of the last solve, */
    size_t rank;        /* and the rank of the kernel's factors, 0: none */
} sight;

/* Objective and gap of the weights, from kernel values in double precision. */
static inline pt_certificate sight_audit(partan_context *context, const pt_simplex *simplex, const pt_iterate *iterate)
{
    size_t rows = simplex->points.matrix->rows;
    double *factors = malloc(iterate->count * sizeof *factors), *g = malloc(rows * sizeof *g);
    double total = 0, weight = 0, twice = 0, least = INFINITY;
    pt_matrix support = {0};
    assert_true(factors && g);
    for (size_t i = 0; i < iterate->count; i++) {
        factors[i] = iterate->now[i] * (double)simplex->dual.signs[iterate->id[i]];
        total += factors[i];
        weight += iterate->now[i];
    }
    assert_true(fabs(weight - 1) <= 1e-12);
    assert_int_equal(pt_matrix_gather(simplex->points.matrix, iterate->id, iterate->count, &support), PARTAN_OK);
    assert_int_equal(pt_kernel_sums_exact(context, &simplex->kernel, simplex->points, (pt_points){.matrix = &support},
                                          iterate->count, factors, g),
                     PARTAN_OK);
    for (size_t i = 0; i < rows; i++)
        g[i] = (double)simplex->dual.signs[i] * (g[i] + total);
    for (size_t i = 0; i < iterate->count; i++) {
        int64_t id = iterate->id[i];
        g[id] += iterate->now[i] * pt_dual_inverse_cost(&simplex->dual, id);
        twice += iterate->now[i] * g[id];
    }
    for (size_t i = 0; i < rows; i++)
        least = fmin(least, g[i]);
    pt_matrix_free(&support);
    free(factors);
    free(g);
    return (pt_certificate){.objective = twice / 2, .gap = twice - least};
}

static inline void sight_check(partan_context *context, const pt_simplex *simplex, const pt_iterate *iterate,
                               pt_certificate claimed)
{
    pt_certificate found = sight_audit(context, simplex, iterate);
    assert_true(fabs(claimed.objective - found.objective) <= 2e-5 * found.objective);
    assert_true(fabs(claimed.gap - found.gap) <= 4e-5 * found.objective);
}

/* Solves for each of some costs, whatever ends it, and checks the claims. Returns how the last one ended. */
static inline pt_solution sight_solve(sight *seen, partan_context *context, const partan_data *data,
                                      const partan_settings *s, const double *costs, size_t count)
{
    int64_t first = 0, ids = 0;
    double whole = 1;
    pt_start start = {.ids = &first, .weights = &whole, .count = 1};
    pt_vertices vertices = {0};
    pt_classes classes;
    pt_kernel kernel;
    pt_solution solution = {0};
    float *signs = NULL;
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
    assert_int_equal(pt_kernel_from_settings(context, s, &data->matrix, &kernel), PARTAN_OK);
    pt_dual dual = pt_dual_of_classes(data->matrix.rows, signs, costs[0]);
    assert_int_equal(pt_vertices_make(&vertices, context, &kernel, (pt_points){&data->matrix, data->serials}, &dual,
                                      s->merge != 0, pt_simplex_budget(s->cache_bytes)),
                     PARTAN_OK);
    assert_int_equal(pt_vertices_start(&vertices, &start, &ids), PARTAN_OK);
    assert_int_equal(pt_active_set_open(&vertices.simplex, s, start, &seen->set), PARTAN_OK);
    for (size_t i = 0; i < count; i++) {
        pt_iterate iterate = {0};
        assert_int_equal(pt_active_set_solve(seen->set, costs[i], &iterate, &solution, &seen->iterations), PARTAN_OK);
        pt_interrupt_clear(context);
        if (!seen->unaudited)
            sight_check(context, &vertices.simplex, &iterate, solution.certificate);
        pt_iterate_free(&iterate);
    }
    seen->rounds = seen->set->limits.rounds;
    seen->rank = seen->set->lowrank.factors.rank;
    pt_active_set_close(seen->set);
    seen->set = NULL;
    pt_vertices_free(&vertices);
    pt_classes_free(context, &classes);
    pt_free(context, signs);
    return solution;
}

#endif
