/* Order statistics, against sorting. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "core/select.h"

enum { MOST = 300 };

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* So many values, of which so many are different; sorted, if they are to be. */
static void check(pt_random *lots, size_t count, double different, bool sorted)
{
    double values[MOST], ordered[MOST], left[MOST];
    for (size_t i = 0; i < count; i++)
        values[i] = ordered[i] = (double)(int)(pt_random_uniform(lots) * different);
    qsort(ordered, count, sizeof *ordered, compare);
    for (size_t k = 0; k < count; k++) {
        memcpy(left, sorted ? ordered : values, sizeof left);
        assert_true(pt_select(left, count, k) == ordered[k]);
    }
}

static void the_value_is_that_of_its_place_when_sorted(void **state)
{
    (void)state;
    pt_random lots;
    pt_random_seed(&lots, 1);
    for (size_t count = 1; count <= MOST; count += count < 20 ? 1 : 93)
        for (int sorted = 0; sorted < 2; sorted++) {
            check(&lots, count, 1, sorted);
            check(&lots, count, 5, sorted);
            check(&lots, count, 1e6, sorted);
        }
}

static void infinite_values_have_their_place(void **state)
{
    (void)state;
    double values[] = {(double)INFINITY, 1, -(double)INFINITY, (double)INFINITY};
    assert_true(pt_select(values, 4, 0) == -(double)INFINITY);
    assert_true(pt_select(values, 4, 1) == 1);
    assert_true(pt_select(values, 4, 3) == (double)INFINITY);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_value_is_that_of_its_place_when_sorted),
                                       cmocka_unit_test(infinite_values_have_their_place)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
