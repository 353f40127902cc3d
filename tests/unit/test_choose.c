/* Choosing among many items: the wanted ones, in order, whatever the number of threads. */
#include "testing.h"

#include "core/choose.h"

static size_t multiples(const void *user, size_t begin, size_t end, int64_t *out)
{
    size_t of = *(const size_t *)user, count = 0;
    for (size_t i = begin; i < end; i++) {
        if (i % of != 0)
            continue;
        if (out)
            out[count] = (int64_t)i;
        count++;
    }
    return count;
}

static void check(partan_context *context, size_t total, size_t of)
{
    int64_t *chosen;
    size_t count;
    assert_int_equal(pt_choose(context, total, multiples, &of, &chosen, &count), PARTAN_OK);
    assert_int_equal(count, (total + of - 1) / of);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(chosen[i], (int64_t)(i * of));
    pt_free(context, chosen);
}

static void those_wanted_come_in_order(void **state)
{
    static const size_t totals[] = {0, 1, 8191, 8192, 8193, 300001};
    for (size_t i = 0; i < sizeof totals / sizeof *totals; i++) {
        check(*state, totals[i], 1);
        check(*state, totals[i], 7);
        check(*state, totals[i], 10007);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(those_wanted_come_in_order),
                                       SERIAL_TEST(those_wanted_come_in_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
