/* Pair steps on a handful of vertices: weights stay on the simplex's face, scores belong to them, the objective falls
 * and, solved far enough, is the least. */
#include "testing.h"

#include <math.h>

#include "active/pairs.h"
#include "core/random.h"

/* K = Z'Z + I/10 of random vectors; weights on every other vertex. */
static void pose(pt_pairs *p, size_t count, pt_random *random)
{
    double z[PT_PANEL_WIDE][8];
    p->count = count;
    for (size_t i = 0; i < count; i++) {
        for (int k = 0; k < 8; k++)
            z[i][k] = pt_random_normal(random);
        p->weights[i] = i % 2 ? 0 : pt_random_uniform(random);
    }
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < count; j++) {
            p->kernel[i][j] = i == j ? 0.1 : 0;
            for (int k = 0; k < 8; k++)
                p->kernel[i][j] += z[i][k] * z[j][k];
        }
}

static double score(const pt_pairs *p, size_t i)
{
    double sum = 0;
    for (size_t j = 0; j < p->count; j++)
        sum += p->kernel[i][j] * p->weights[j];
    return sum;
}

static double total(const pt_pairs *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += p->weights[i];
    return sum;
}

static double objective(const pt_pairs *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += p->weights[i] * score(p, i) / 2;
    return sum;
}

static void steps_solve_the_problem(void **state)
{
    (void)state;
    pt_random random;
    pt_random_seed(&random, 1);
    for (size_t count = 1; count <= PT_PANEL_WIDE; count++) {
        pt_pairs p;
        pose(&p, count, &random);
        double sum = total(&p), before = objective(&p), range = 0;
        for (size_t i = 0; i < count; i++)
            p.scores[i] = score(&p, i);
        size_t steps = pt_pairs_solve(&p, 1e-9, 100000);
        assert_true(steps < 100000 && (steps > 0 || count == 1));
        assert_true(fabs(total(&p) - sum) <= 1e-12 && objective(&p) <= before);
        for (size_t i = 0; i < count; i++) {
            assert_true(p.weights[i] >= 0 && fabs(p.scores[i] - score(&p, i)) <= 1e-9);
            for (size_t j = 0; j < count; j++)
                range = p.weights[i] > 0 ? fmax(range, score(&p, i) - score(&p, j)) : range;
        }
        assert_true(range <= 1e-6);
    }
}

/* The two limits: a share of the range, and steps. */
static void solving_stops_where_asked(void **state)
{
    (void)state;
    pt_random random;
    pt_random_seed(&random, 2);
    pt_pairs p, whole;
    pose(&p, 8, &random);
    for (size_t i = 0; i < 8; i++)
        p.scores[i] = score(&p, i);
    whole = p;
    size_t all = pt_pairs_solve(&whole, 1e-6, 100000);
    pt_pairs some = p, none = p;
    size_t few = pt_pairs_solve(&some, 0.5, 100000);
    assert_true(few > 0 && few < all);
    assert_int_equal(pt_pairs_solve(&p, 1e-6, 2), 2);
    assert_int_equal(pt_pairs_solve(&none, 1, 100), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steps_solve_the_problem),
                                       cmocka_unit_test(solving_stops_where_asked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
