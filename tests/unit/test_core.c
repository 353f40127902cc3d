/* Status names go both ways; memory grows and keeps its contents; the random numbers are the published ones. */
#include "testing.h"

#include <string.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status_names_round_trip), CONTEXT_TEST(reserve_keeps_contents),
        CONTEXT_TEST(oversized_requests_fail),     cmocka_unit_test(random_numbers_are_uniform_and_repeatable),
        CONTEXT_TEST(interrupts_are_seen),         CONTEXT_TEST(deferred_interrupts_wait_for_the_outermost_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
