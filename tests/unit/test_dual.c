/* Problems on the simplex that are not two classes with a bias: other constants in the kernel, linear terms, two
 * vertices a row. Every variant, the sampled ones, and the active-set solver at one C and along several, have the
 * objective and the gap that a dense K in double precision gives for their weights. */
#include <math.h>
#include <stdlib.h>

#include "active/state.h"
#include "core/random.h"
#include "data/data.h"
#include "fw/solve.h"
#include "fw/variants.h"
#include "testing.h"

enum { FEATURES = 3, SMALL = 60, LARGE = 1400 };

typedef struct fixture {
    partan_data *data;
    pt_kernel kernel;
    pt_dual dual;
    float *values, *signs;
    double *linear, *cost_weights;
} fixture;

/* What is not the SVM's. Where the signs are noise, most rows are members, and Newton's method solves them. */
static const struct {
    double bias;
    bool linear, two, noise, weighted;
} kinds[] = {{0, false, false, false, false}, {0.25, false, false, true, false}, {1, true, false, false, false},
             {0, true, false, true, false},   {1, true, true, false, false},     {0, false, true, false, false},
             {1, false, false, false, true},  {1, false, false, true, true},     {0.5, true, true, false, true}};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void make(fixture *f, partan_context *context, size_t rows, int kind, double cost)
{
    pt_random random;
    pt_random_seed(&random, 7 + (uint64_t)kind);
    size_t vertices = kinds[kind].two ? 2 * rows : rows;
    *f = (fixture){.kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = kinds[kind].noise ? 0.02 : 0.4},
                   .values = malloc(rows * FEATURES * sizeof(float)),
                   .signs = malloc(vertices * sizeof(float)),
                   .linear = malloc(vertices * sizeof(double)),
                   .cost_weights = malloc(vertices * sizeof(double))};
    assert_true(f->values && f->signs && f->linear && f->cost_weights);
    for (size_t i = 0; i < rows * FEATURES; i++)
        f->values[i] = (float)pt_random_normal(&random);
    for (size_t i = 0; i < vertices; i++) {
        bool positive = kinds[kind].two     ? i < rows
                        : kinds[kind].noise ? pt_random_uniform(&random) < 0.5
                                            : f->values[i * FEATURES] > 0;
        f->signs[i] = positive ? 1 : -1;
        f->linear[i] = 0.3 * pt_random_uniform(&random);
        f->cost_weights[i] = 0.1 + 3 * pt_random_uniform(&random);
    }
    assert_int_equal(dense_data(context, f->values, rows, FEATURES, FEATURES, NULL, PARTAN_STORAGE_DENSE, &f->data),
                     PARTAN_OK);
    f->dual = (pt_dual){.rows = rows,
                        .layers = vertices / rows,
                        .vertices = vertices,
                        .signs = f->signs,
                        .bias = kinds[kind].bias,
                        .inverse_cost = 1 / cost,
                        .unit_slope = 2,
                        .linear = kinds[kind].linear ? f->linear : NULL,
                        .cost_weights = kinds[kind].weighted ? f->cost_weights : NULL};
}

static void release(fixture *f)
{
    partan_data_free(f->data);
    free(f->values);
    free(f->signs);
    free(f->linear);
    free(f->cost_weights);
}

/* K_uv from its definition. */
static double entry(const fixture *f, size_t u, size_t v)
{
    double distance = 0;
    for (size_t k = 0; k < FEATURES; k++) {
        double d =
            (double)f->values[u % f->dual.rows * FEATURES + k] - (double)f->values[v % f->dual.rows * FEATURES + k];
        distance += d * d;
    }
    double kernel = exp(-f->kernel.gamma * distance) + f->dual.bias;
    double own = f->dual.cost_weights ? f->dual.inverse_cost / f->cost_weights[u] : f->dual.inverse_cost;
    return (double)(f->signs[u] * f->signs[v]) * kernel + (u == v ? own : 0);
}

static double score(const fixture *f, const pt_iterate *iterate, size_t u)
{
    double sum = f->dual.linear ? f->linear[u] : 0;
    for (size_t i = 0; i < iterate->count; i++)
        sum += iterate->now[i] > 0 ? iterate->now[i] * entry(f, u, (size_t)iterate->id[i]) : 0;
    return sum;
}

/* Objective and gap of some weights, by all entries that these need. */
static pt_certificate dense(const fixture *f, const pt_iterate *iterate)
{
    double inner = 0, linear = 0, least = INFINITY, sum = 0;
    for (size_t i = 0; i < iterate->count; i++)
        sum += iterate->now[i];
    assert_true(fabs(sum - 1) <= 1e-9);
    for (size_t u = 0; u < f->dual.vertices; u++) {
        double g = score(f, iterate, u), own = pt_iterate_weight(iterate, (int64_t)u);
        inner += own * g;
        linear += f->dual.linear ? own * f->linear[u] : 0;
        least = g < least ? g : least;
    }
    return (pt_certificate){.objective = (inner + linear) / 2, .linear = linear, .gap = inner - least};
}

static void check(const fixture *f, const pt_iterate *iterate, const pt_solution *solution, double tol)
{
    pt_certificate found = dense(f, iterate);
    double scale = 2 * found.objective;
    assert_int_equal(solution->status, PARTAN_OK);
    assert_true(solution->converged);
    assert_true(fabs(solution->certificate.objective - found.objective) <= 1e-4 * scale);
    assert_true(fabs(solution->certificate.gap - found.gap) <= 1e-4 * scale);
    assert_true(found.gap <= (tol + 1e-4) * scale);
}

static void solve_by_variant(partan_context *context, const fixture *f, int solver, size_t sample, double tol)
{
    pt_problem *problem = NULL;
    pt_fw fw = {0};
    pt_solution solution;
    int64_t first = 0;
    double one = 1;
    partan_settings s;
    partan_settings_init(&s);
    s.solver = (partan_solver)solver;
    s.tol = tol;
    s.sample = (int64_t)sample;
    pt_points points = {&f->data->matrix, NULL};
    assert_int_equal(sample ? pt_simplex_sampled(context, &f->kernel, points, &f->dual, NULL, sample, 3, &problem)
                            : pt_simplex_full(context, &f->kernel, points, &f->dual, NULL, 1 << 14, &problem),
                     PARTAN_OK);
    assert_int_equal(pt_solve(problem, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, &fw, &solution),
                     PARTAN_OK);
    check(f, &fw.iterate, &solution, tol);
    pt_vertex away; /* whose score has followed the steps */
    assert_int_equal(problem->ops->away(problem, &fw.iterate, &away), PARTAN_OK);
    assert_true(fabs(away.score - score(f, &fw.iterate, (size_t)away.id)) <= 1e-5);
    pt_iterate_free(&fw.iterate);
    pt_problem_free(problem);
}

static void variants_solve_every_kind(void **state)
{
    for (int kind = 0; kind < KINDS; kind++) {
        fixture f;
        make(&f, *state, SMALL, kind, 10);
        FOR_EVERY_VARIANT(solver)
            for (size_t sample = 0; sample <= 20; sample += 20)
                solve_by_variant(*state, &f, solver, sample, reachable(solver, 0.05, 0.002, 0.002));
        release(&f);
    }
}

/* Enough rows for pricing, views and members that leave; then further costs, which begin by extrapolation. */
static void the_active_set_solves_every_kind(void **state)
{
    static const double costs[] = {1, 1.5, 2, 2.5, 30};
    int step = SOME_OF(4) < 4 ? 2 : 1; /* every other one under a sanitizer */
    for (int kind = 0; kind < KINDS; kind += step)
        for (int bounded = 0; bounded < 2; bounded++) { /* without room for copies of rows: one view of all */
            fixture f;
            pt_simplex simplex = {0};
            pt_active_set *set = NULL;
            int64_t first = 0;
            double one = 1;
            partan_settings s;
            partan_settings_init(&s);
            s.tol = 0.002;
            s.cache_bytes = bounded ? 0 : -1;
            make(&f, *state, LARGE, kind, costs[0]);
            assert_int_equal(pt_simplex_init(&simplex, *state, &f.kernel, (pt_points){&f.data->matrix, NULL}, &f.dual),
                             PARTAN_OK);
            assert_int_equal(
                pt_active_set_open(&simplex, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, &set),
                PARTAN_OK);
            for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
                pt_iterate iterate;
                pt_solution solution;
                int64_t iterations;
                assert_int_equal(pt_active_set_solve(set, costs[i], &iterate, &solution, &iterations), PARTAN_OK);
                f.dual.inverse_cost = 1 / costs[i];
                check(&f, &iterate, &solution, s.tol);
                pt_iterate_free(&iterate);
            }
            bool factored = kinds[kind].noise && !kinds[kind].linear;
            assert_int_equal(set->lowrank.factors.rank > 0, factored);
            pt_active_set_close(set);
            release(&f);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(variants_solve_every_kind),
        SERIAL_TEST(the_active_set_solves_every_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
