/* Threads are bound to processors while a file is read and free afterwards; the caller is never bound. */
#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "testing.h"

#include <omp.h>
#include <stdlib.h>

#include "core/affinity.h"

#if defined(__linux__)
#include <sched.h>

enum { MOST = 16 };

static int processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) ? -1 : CPU_COUNT(&set);
}

/* How many processors each thread of a team may use. */
static void look(int threads, int *counts)
{
#pragma omp parallel num_threads(threads)
    counts[omp_get_thread_num()] = processors();
}

static void threads_are_bound_and_let_go(void **state)
{
    (void)state;
    int all = processors(), threads = all < MOST ? all : MOST, counts[MOST] = {0};
    if (threads < 2)
        skip();
    pt_affinity_bind(threads);
    look(threads, counts);
    assert_int_equal(counts[0], all);
    for (int i = 1; i < threads; i++)
        assert_int_equal(counts[i], 1);
    pt_affinity_release(threads);
    look(threads, counts);
    for (int i = 0; i < threads; i++)
        assert_int_equal(counts[i], all);
}

/* Inside a parallel region a team has one thread, the caller's own. */
static void a_smaller_team_binds_nobody(void **state)
{
    (void)state;
    int all = processors(), during = 0, after = 0;
    if (all < 2)
        skip();
    omp_set_max_active_levels(1);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
        pt_affinity_bind(2);
        during = processors();
        pt_affinity_release(2);
        after = processors();
    }
    assert_int_equal(during, all);
    assert_int_equal(after, all);
}

static void too_few_processors_are_no_error(void **state)
{
    (void)state;
    int all = processors();
    pt_affinity_bind(all + 1);
    assert_int_equal(processors(), all);
    pt_affinity_release(all + 1);
    pt_affinity_bind(1);
    assert_int_equal(processors(), all);
    pt_affinity_release(1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(threads_are_bound_and_let_go),
                                       cmocka_unit_test(a_smaller_team_binds_nobody),
                                       cmocka_unit_test(too_few_processors_are_no_error)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

int main(void)
{
    return 0;
}

#endif
