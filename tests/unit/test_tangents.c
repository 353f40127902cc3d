/* Parallel tangents on a dense K: after a step, weights are on the simplex, scores are K times them, and the objective
 * is lower by what was said; without the ratio test in the way, it is the least of the span. */
#include <math.h>
#include <string.h>

#include "active/tangents.h"
#include "core/random.h"
#include "testing.h"

enum { MEMBERS = 37, LOOKS = 25 };

typedef struct fixture {
    double K[MEMBERS][MEMBERS], weights[MEMBERS], scores[MEMBERS];
} fixture;

static void score(const fixture *f, const double *weights, double *scores)
{
    for (size_t i = 0; i < MEMBERS; i++) {
        scores[i] = 0;
        for (size_t j = 0; j < MEMBERS; j++)
            scores[i] += f->K[i][j] * weights[j];
    }
}

static double objective(const fixture *f, const double *weights)
{
    double scores[MEMBERS], sum = 0;
    score(f, weights, scores);
    for (size_t i = 0; i < MEMBERS; i++)
        sum += weights[i] * scores[i] / 2;
    return sum;
}

static void make(fixture *f, pt_random *random)
{
    double factors[MEMBERS][5];
    for (size_t i = 0; i < MEMBERS; i++)
        for (size_t k = 0; k < 5; k++)
            factors[i][k] = pt_random_normal(random);
    for (size_t i = 0; i < MEMBERS; i++)
        for (size_t j = 0; j < MEMBERS; j++) {
            f->K[i][j] = i == j ? 0.01 : 0;
            for (size_t k = 0; k < 5; k++)
                f->K[i][j] += factors[i][k] * factors[j][k];
        }
    for (size_t i = 0; i < MEMBERS; i++)
        f->weights[i] = 1.0 / MEMBERS;
    score(f, f->weights, f->scores);
}

/* Moves a little weight from the greatest score to the least, as pair steps do. */
static void pair_step(fixture *f)
{
    size_t u = 0, v = MEMBERS;
    for (size_t i = 0; i < MEMBERS; i++) {
        u = f->scores[i] < f->scores[u] ? i : u;
        if (f->weights[i] > 0 && (v == MEMBERS || f->scores[i] > f->scores[v]))
            v = i;
    }
    double eta = f->K[u][u] + f->K[v][v] - 2 * f->K[u][v];
    double step = fmin((f->scores[v] - f->scores[u]) / eta, f->weights[v]);
    f->weights[u] += step;
    f->weights[v] = step == f->weights[v] ? 0 : f->weights[v] - step;
    score(f, f->weights, f->scores);
}

static void check_step(fixture *f, pt_tangents *t)
{
    double before = objective(f, f->weights), scores[MEMBERS], sum = 0;
    double gain;
    assert_int_equal(pt_tangents_step(t, f->weights, f->scores, &gain), PARTAN_OK);
    double after = objective(f, f->weights);
    assert_true(gain >= 0 && fabs(before - after - gain) <= 1e-10 * before);
    score(f, f->weights, scores);
    for (size_t i = 0; i < MEMBERS; i++) {
        assert_true(f->weights[i] >= 0);
        assert_true(fabs(scores[i] - f->scores[i]) <= 1e-10 * (1 + fabs(scores[i])));
        sum += f->weights[i];
    }
    assert_true(fabs(sum - 1) <= 1e-12);
}

/* The objective after so many looks, less the least one. */
static double walk(partan_context *context, uint64_t seed, bool with)
{
    static fixture f;
    pt_random random;
    pt_tangents t;
    pt_random_seed(&random, seed);
    make(&f, &random);
    assert_int_equal(pt_tangents_make(&t, context, MEMBERS, f.weights, f.scores), PARTAN_OK);
    for (int look = 0; look < LOOKS; look++) {
        for (int i = 0; i < 4; i++)
            pair_step(&f);
        if (with)
            check_step(&f, &t);
    }
    pt_tangents_free(&t);
    double reached = objective(&f, f.weights);
    for (int i = 0; i < 20000; i++)
        pair_step(&f);
    return reached - objective(&f, f.weights);
}

static void steps_are_what_they_say(void **state)
{
    double with = 0, without = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        with += walk(*state, seed, true);
        without += walk(*state, seed, false);
    }
    assert_true(with < without / 2);
}

/* From the second look on, differences of a smooth curve span the way to the minimum of a line. */
static void the_best_of_a_line_is_found(void **state)
{
    static fixture f;
    pt_random random;
    pt_random_seed(&random, 3);
    make(&f, &random);
    double to[MEMBERS], scores[MEMBERS];
    for (size_t i = 0; i < MEMBERS; i++)
        to[i] = f.weights[i] * (1 + (i % 2 ? -1 : 1) * (i + 1 == MEMBERS ? 0 : 0.01));
    pt_tangents t;
    assert_int_equal(pt_tangents_make(&t, *state, MEMBERS, f.weights, f.scores), PARTAN_OK);
    score(&f, to, scores);
    memcpy(f.weights, to, sizeof to);
    memcpy(f.scores, scores, sizeof scores);
    check_step(&f, &t);
    double slope = 0; /* along the line, which the step has made 0 */
    for (size_t i = 0; i < MEMBERS; i++)
        slope += (to[i] - 1.0 / MEMBERS) * f.scores[i];
    bool blocked = false;
    for (size_t i = 0; i < MEMBERS; i++)
        blocked |= f.weights[i] == 0;
    assert_true(blocked || fabs(slope) <= 1e-12);
    pt_tangents_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {SERIAL_TEST(steps_are_what_they_say), SERIAL_TEST(the_best_of_a_line_is_found)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
