/* The iterate: weights follow moves, dropped vertices weigh exactly nothing and leave, the ratio test finds the
 * largest feasible step and who blocks it. */
#include <math.h>
#include <string.h>

#include "failing.h"

#include "core/random.h"
#include "fw/iterate.h"

enum { DOMAIN = 40, LARGE_DOMAIN = 1000, WANDERERS = 3000 };

static pt_iterate make(partan_context *context, bool keeps_previous)
{
    pt_iterate iterate;
    pt_iterate_init(&iterate, context, keeps_previous);
    return iterate;
}

static void a_start_is_scaled_and_equal_ids_add_up(void **state)
{
    pt_iterate iterate = make(*state, false);
    assert_int_equal(pt_iterate_start(&iterate, (int64_t[]){7, 3, 7}, (double[]){1, 2, 5}, 3), PARTAN_OK);
    assert_int_equal(iterate.count, 2);
    assert_true(pt_iterate_weight(&iterate, 7) == 0.75 && pt_iterate_weight(&iterate, 3) == 0.25);
    assert_true(pt_iterate_weight(&iterate, 0) == 0 && pt_iterate_previous(&iterate, 7) == 0);
    /* A second start forgets the first. */
    assert_int_equal(pt_iterate_start(&iterate, (int64_t[]){39}, (double[]){4}, 1), PARTAN_OK);
    assert_true(pt_iterate_weight(&iterate, 39) == 1 && pt_iterate_weight(&iterate, 7) == 0);
    assert_int_equal(pt_iterate_support(&iterate), 1);
    pt_iterate_free(&iterate);
}

/* Random feasible moves against two plain vectors. */
static void weights_follow_moves(void **state)
{
    for (int keeps = 0; keeps < 2; keeps++) {
        double now[DOMAIN] = {0}, previous[DOMAIN] = {0};
        pt_random random;
        pt_random_seed(&random, 3);
        pt_iterate iterate = make(*state, keeps);
        assert_int_equal(pt_iterate_start(&iterate, (int64_t[]){5}, (double[]){1}, 1), PARTAN_OK);
        now[5] = 1;
        for (int step = 0; step < 2000; step++) {
            double mu = keeps && step % 3 == 1 ? 1e-3 : 0, lambda = 0.5 * pt_random_uniform(&random);
            int64_t u = (int64_t)pt_random_below(&random, DOMAIN), drop = -1;
            if (step % 5 == 0)
                drop = iterate.id[pt_random_below(&random, iterate.count)];
            if (drop == u || pt_iterate_support(&iterate) < 2)
                drop = -1;
            pt_move move = {.now_factor = (1 + mu) * (1 - lambda),
                            .previous_factor = -mu,
                            .terms = 1,
                            .term = {{u, (1 + mu) * lambda}},
                            .drop = drop};
            assert_int_equal(pt_iterate_move(&iterate, &move), PARTAN_OK);
            for (int64_t i = 0; i < DOMAIN; i++) {
                double next = move.now_factor * now[i] + move.previous_factor * previous[i];
                next += i == u ? move.term[0].factor : 0;
                next = next > 0 && i != drop ? next : 0;
                if (keeps)
                    previous[i] = now[i];
                now[i] = next;
                assert_true(fabs(pt_iterate_weight(&iterate, i) - now[i]) <= 1e-15);
                assert_true(fabs(pt_iterate_previous(&iterate, i) - previous[i]) <= 1e-15);
            }
            assert_true(drop < 0 || pt_iterate_weight(&iterate, drop) == 0);
        }
        pt_iterate_free(&iterate);
    }
}

static void dropped_vertices_leave(void **state)
{
    pt_iterate iterate = make(*state, true);
    int64_t ids[DOMAIN];
    double weights[DOMAIN];
    for (int i = 0; i < DOMAIN; i++) {
        ids[i] = i;
        weights[i] = 1;
    }
    assert_int_equal(pt_iterate_start(&iterate, ids, weights, DOMAIN), PARTAN_OK);
    for (int64_t i = 1; i < DOMAIN; i++) {
        double weight = pt_iterate_weight(&iterate, i);
        pt_move move = {.now_factor = 1, .terms = 2, .term = {{0, weight}, {i, -weight}}, .drop = i};
        assert_int_equal(pt_iterate_move(&iterate, &move), PARTAN_OK);
        assert_true(pt_iterate_previous(&iterate, i) > 0);
    }
    pt_move still = {.now_factor = 1, .drop = -1};
    for (int i = 0; i < 200; i++)
        assert_int_equal(pt_iterate_move(&iterate, &still), PARTAN_OK);
    assert_int_equal(iterate.count, 1);
    assert_int_equal(pt_iterate_support(&iterate), 1);
    assert_true(fabs(pt_iterate_weight(&iterate, 0) - 1) <= 1e-15);
    pt_iterate_normalise(&iterate);
    assert_true(pt_iterate_weight(&iterate, 0) == 1 && pt_iterate_previous(&iterate, 0) == 0);
    pt_iterate_free(&iterate);
}

typedef struct departures {
    pt_iterate iterate;
    int64_t ids[WANDERERS];
    size_t count;
} departures;

static void note_departure(void *owner, int64_t id)
{
    departures *d = owner;
    assert_false(pt_iterate_has(&d->iterate, id));
    d->ids[d->count++] = id;
}

/* Ids from all over the numbers, among them those that meet in the index: each is found while it is there, and its
 * leaving is told once. */
static void any_numbers_come_and_go(void **state)
{
    static departures d;
    static int64_t ids[WANDERERS];
    pt_random random;
    pt_random_seed(&random, 21);
    for (size_t i = 0; i < WANDERERS; i++)
        ids[i] = i % 3 == 0 ? (int64_t)i : i % 3 == 1 ? (int64_t)i << 40 : (int64_t)pt_random_below(&random, 1u << 31);
    d = (departures){0};
    pt_iterate_init(&d.iterate, *state, true);
    d.iterate.left = note_departure;
    d.iterate.owner = &d;
    assert_int_equal(pt_iterate_start(&d.iterate, ids, (double[]){1}, 1), PARTAN_OK);
    for (size_t i = 1; i < WANDERERS; i++) {
        pt_move move = {.now_factor = 0.9, .terms = 1, .term = {{ids[i], 0.1}}, .drop = i > 700 ? ids[i - 700] : -1};
        assert_int_equal(pt_iterate_move(&d.iterate, &move), PARTAN_OK);
        for (size_t k = 0; k <= i; k += 1 + i / 16)
            assert_int_equal(pt_iterate_weight(&d.iterate, ids[k]) > 0, k + 700 > i || k == 0);
    }
    pt_iterate_normalise(&d.iterate);
    assert_int_equal(d.iterate.count + d.count, WANDERERS);
    for (size_t k = 0; k < d.count; k++)
        assert_false(pt_iterate_has(&d.iterate, d.ids[k]));
    pt_iterate_free(&d.iterate);
}

/* (1 + mu) x - mu previous >= 0 by trying every vertex. */
static void the_ratio_test_finds_the_largest_step(void **state)
{
    pt_random random;
    pt_random_seed(&random, 17);
    int blocked = 0, free_steps = 0;
    for (int trial = 0; trial < 2000; trial++) {
        bool large = trial % 20 == 0; /* more slots than the test skips together */
        uint64_t domain = large ? LARGE_DOMAIN : DOMAIN;
        size_t count = large ? LARGE_DOMAIN : 8;
        pt_iterate iterate;
        pt_iterate_init(&iterate, *state, true);
        int64_t ids[LARGE_DOMAIN];
        double weights[LARGE_DOMAIN];
        for (size_t i = 0; i < count; i++) {
            ids[i] = (int64_t)pt_random_below(&random, domain);
            weights[i] = 0.05 + pt_random_uniform(&random);
        }
        assert_int_equal(pt_iterate_start(&iterate, ids, weights, count), PARTAN_OK);
        double shift = 0.3 * pt_random_uniform(&random);
        double less = large ? 0.9 * pt_iterate_weight(&iterate, ids[count - 1]) : 0; /* far behind the first slots */
        pt_move move = {
            .now_factor = 1 - shift, .terms = 2, .term = {{ids[0], shift}, {ids[count - 1], -less}}, .drop = -1};
        assert_int_equal(pt_iterate_move(&iterate, &move), PARTAN_OK);

        double lambda = 0.2 * pt_random_uniform(&random), wanted = 10 * pt_random_uniform(&random), largest = wanted;
        double limits[LARGE_DOMAIN];
        int64_t u = trial % 2 ? ids[3] : (int64_t)pt_random_below(&random, domain), blocking, expected = -1;
        for (int64_t i = 0; i < (int64_t)domain; i++) {
            double x = (1 - lambda) * pt_iterate_weight(&iterate, i) + (i == u ? lambda : 0);
            double fall = pt_iterate_previous(&iterate, i) - x;
            limits[i] = fall > 0 ? x / fall : INFINITY;
            if (limits[i] < largest) {
                largest = limits[i];
                expected = i;
            }
        }
        double mu = pt_iterate_ratio(&iterate, 1 - lambda, u, lambda, wanted, &blocking);
        assert_true(fabs(mu - largest) <= 1e-12 * (1 + largest));
        assert_int_equal(blocking < 0, expected < 0);
        assert_true(blocking < 0 || fabs(limits[blocking] - mu) <= 1e-12 * (1 + mu)); /* one of those that tie */
        blocked += blocking >= 0;
        free_steps += blocking < 0;
        pt_iterate_free(&iterate);
    }
    assert_true(blocked > 100 && free_steps > 100);
}

static partan_status grow(partan_context *context)
{
    pt_iterate iterate;
    pt_iterate_init(&iterate, context, true);
    partan_status status = pt_iterate_start(&iterate, (int64_t[]){0}, (double[]){1}, 1);
    for (int64_t i = 1; i < DOMAIN && !status; i++) {
        pt_move move = {.now_factor = 0.5, .terms = 1, .term = {{i, 0.5}}, .drop = -1};
        status = pt_iterate_move(&iterate, &move);
    }
    pt_iterate_free(&iterate);
    return status;
}

static void growing_without_memory_fails_cleanly(void **state)
{
    (void)state;
    check_every_allocation(grow);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_start_is_scaled_and_equal_ids_add_up),
        CONTEXT_TEST(weights_follow_moves),
        CONTEXT_TEST(dropped_vertices_leave),
        CONTEXT_TEST(any_numbers_come_and_go),
        CONTEXT_TEST(the_ratio_test_finds_the_largest_step),
        cmocka_unit_test(growing_without_memory_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
