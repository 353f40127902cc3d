/* Status names go both ways; memory grows and keeps its contents; the random numbers are the published ones. */
#include "testing.h"

#include <string.h>

#include "core/clock.h"
#include "core/random.h"

static void status_names_round_trip(void **state)
{
    (void)state;
    for (int i = -10; i < 10; i++) {
        const char *name = partan_status_name((partan_status)i);
        partan_status back;
        if (!name)
            continue;
        assert_true(partan_status_from_name(name, &back));
        assert_int_equal(back, i);
    }
    partan_status unused;
    assert_false(partan_status_from_name("NO_SUCH", &unused));
}

static void reserve_keeps_contents(void **state)
{
    partan_context *context = *state;
    int *numbers = NULL;
    size_t capacity = 0;
    for (int i = 0; i < 1000; i++) {
        assert_int_equal(pt_reserve(context, (void **)&numbers, &capacity, (size_t)i, (size_t)i + 1, sizeof *numbers),
                         PARTAN_OK);
        numbers[i] = i;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(numbers[i], i);
    pt_free(context, numbers);
}

static void oversized_requests_fail(void **state)
{
    assert_null(pt_alloc(*state, SIZE_MAX / 2, 4));
}

static void random_numbers_are_uniform_and_repeatable(void **state)
{
    (void)state;
    pt_random a, b;
    pt_random_seed(&a, 7);
    pt_random_seed(&b, 7);
    double sum = 0, squares = 0;
    enum { DRAWS = 100000 };
    for (int i = 0; i < DRAWS; i++) {
        double x = pt_random_normal(&a);
        assert_true(x == pt_random_normal(&b));
        sum += x;
        squares += x * x;
        assert_true(pt_random_below(&a, 3) < 3);
        assert_true(pt_random_below(&b, 3) < 3);
    }
    assert_true(sum / DRAWS < 0.02 && sum / DRAWS > -0.02);
    assert_true(squares / DRAWS < 1.03 && squares / DRAWS > 0.97);
}

static void interrupts_are_seen(void **state)
{
    partan_context *context = *state;
    assert_int_equal(pt_progress_share(context, 0.5), PARTAN_OK);
    partan_interrupt(context);
    assert_int_equal(pt_progress_share(context, 0.5), PARTAN_INTERRUPTED);
    pt_interrupt_clear(context);
    assert_int_equal(pt_progress_share(context, 0.5), PARTAN_OK);
}

static void deadlines_interrupt(void **state)
{
    partan_context *context = *state;
    assert_false(pt_interrupted(context));
    pt_deadline_set(context, pt_clock() + 1000);
    assert_false(pt_interrupted(context));
    pt_deadline_set(context, pt_clock());
    assert_true(pt_interrupted(context));
    pt_defer_begin(context);
    assert_false(pt_interrupted(context));
    pt_defer_end(context);
    pt_deadline_set(context, 0);
    assert_false(pt_interrupted(context));
}

static void grace_ends(void **state)
{
    partan_context *context = *state;
    partan_interrupt(context);
    pt_grace_begin(context, 1000);
    assert_false(pt_interrupted(context));
    pt_grace_end(context);
    assert_true(pt_interrupted(context));
    pt_interrupt_clear(context);
    pt_grace_begin(context, 0); /* whether somebody interrupts or not: that is what it waits for */
    assert_true(pt_interrupted(context));
    pt_grace_end(context);
    assert_false(pt_interrupted(context));
}

static void deferred_interrupts_wait_for_the_outermost_end(void **state)
{
    partan_context *context = *state;
    partan_interrupt(context);
    pt_defer_begin(context);
    pt_defer_begin(context);
    assert_false(pt_interrupted(context));
    pt_defer_end(context);
    assert_false(pt_interrupted(context));
    pt_defer_end(context);
    assert_true(pt_interrupted(context));
    pt_interrupt_clear(context);
}

typedef struct watching {
    partan_progress seen[8];
    size_t count;
} watching;

static int watch(void *user, const partan_progress *progress)
{
    watching *w = user;
    if (w->count < 8)
        w->seen[w->count++] = *progress;
    return 0;
}

static void wait_for_report(void)
{
    double now = pt_clock();
    while (pt_clock() < now + 0.11)
        ;
}

/* A whole of two points: parts of it show nothing of their own, and the share never falls. */
static void progress_only_rises(void **state)
{
    watching w = {.count = 0};
    partan_context_options options;
    (void)state;
    partan_context_options_init(&options);
    options.progress = watch;
    options.user = &w;
    partan_context *context = partan_create(&options);
    assert_non_null(context);
    pt_progress_whole_begin(context, "path");
    pt_progress_points(context, 2);
    pt_progress_next_point(context);
    const double shares[] = {0.6, 0.2, -1, 0.1}; /* of a point; below 0: a part of it begins, and tells of itself */
    for (size_t i = 0; i < 4; i++) {
        wait_for_report();
        partan_progress progress = {.done = shares[i], .seconds_left = 3};
        if (i == 3)
            pt_progress_next_point(context);
        if (shares[i] < 0) {
            pt_progress_begin(context, "part");
            assert_int_equal(pt_progress_share(context, 0.99), PARTAN_OK);
        } else {
            assert_int_equal(pt_progress_report(context, &progress), PARTAN_OK);
        }
    }
    pt_progress_whole_end(context);
    partan_destroy(context);
    assert_int_equal(w.count, 4);
    const double expected[] = {0.3, 0.3, 0.3, 0.55};
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(w.seen[i].phase, "path");
        assert_true(fabs(w.seen[i].done - expected[i]) < 1e-12);
        assert_int_equal(w.seen[i].points, 2);
        assert_int_equal(w.seen[i].point, i < 3 ? 1 : 2);
        assert_true(i == 0 || w.seen[i].seconds > w.seen[i - 1].seconds);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_names_round_trip), CONTEXT_TEST(reserve_keeps_contents),
        CONTEXT_TEST(oversized_requests_fail),     cmocka_unit_test(random_numbers_are_uniform_and_repeatable),
        CONTEXT_TEST(interrupts_are_seen),         CONTEXT_TEST(deferred_interrupts_wait_for_the_outermost_end),
        CONTEXT_TEST(deadlines_interrupt),         CONTEXT_TEST(grace_ends),
        cmocka_unit_test(progress_only_rises),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
