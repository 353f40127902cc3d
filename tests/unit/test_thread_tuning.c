/* The choice of the number of threads, with pieces whose lengths are made up: their start is set back. */
#include "testing.h"

#include <time.h>

#include "core/clock.h"
#include "core/thread_tuning.h"

#define MODERATE 1e6 /* nanoseconds, for which many threads may be worth it */
#define UNIT     1e-4

/* Without looking whether others use the cores, which may do so while tests run. */
static void begin(pt_tuning *tuning, const partan_context *context)
{
    pt_tuning_init(tuning, context);
    tuning->crowd.begin = (double)INFINITY;
}

/* Seconds that a unit of work takes 1, 2, 4, ... threads. */
typedef struct machine {
    const double *units;
    int last; /* threads of the piece before: more have to be woken, and the piece takes longer */
} machine;

static int level_of(int threads)
{
    int level = 0;
    while (1 << level < threads)
        level++;
    return level;
}

/* One piece; returns how many threads did it. */
static int piece(pt_tuning *tuning, machine *m, double work)
{
    int threads = pt_tuning_begin(tuning, MODERATE);
    double time = UNIT * m->units[level_of(threads)] * work;
    tuning->start = pt_clock() - (threads > m->last ? 3 * time : time);
    m->last = threads;
    pt_tuning_end(tuning, work);
    return threads;
}

/* How many of some pieces, of different sizes, were done by so many threads. */
static int count(pt_tuning *tuning, machine *m, int pieces, int threads)
{
    int found = 0;
    for (int i = 0; i < pieces; i++)
        found += piece(tuning, m, 1 + i % 7) == threads;
    return found;
}

static const double two_faster[] = {1, 0.5}, two_slower[] = {1, 3}, two_disturbed[] = {1, 50};

static void the_faster_is_used(void **state)
{
    pt_tuning tuning;
    machine m = {two_faster, 1};
    begin(&tuning, *state);
    count(&tuning, &m, 20, 2);
    assert_true(count(&tuning, &m, 2000, 2) >= 1900);
    m.units = two_slower;
    begin(&tuning, *state);
    count(&tuning, &m, 20, 2);
    assert_true(count(&tuning, &m, 2000, 2) <= 40);
}

static void the_fastest_is_found_between_one_and_all(void **state)
{
    static const double times[][5] = {
        {16, 8.5, 5, 3, 2}, {16, 9, 6, 5, 8}, {16, 9, 6, 9, 20}, {16, 14, 20, 30, 50}, {16, 20, 30, 40, 60}};
    static const int fastest[] = {16, 8, 4, 2, 1};
    (void)state;
    partan_context *context =
        partan_create(&(partan_context_options){.struct_size = sizeof(partan_context_options), .threads = 16});
    for (size_t i = 0; i < sizeof fastest / sizeof *fastest; i++) {
        pt_tuning tuning;
        machine m = {times[i], 1};
        begin(&tuning, context);
        count(&tuning, &m, 100, 1);
        assert_true(count(&tuning, &m, 2000, fastest[i]) >= 1850);
    }
    partan_destroy(context);
}

static void all_that_there_are_need_not_be_a_power_of_two(void **state)
{
    static const double times[] = {1, 0.5, 0.4, 0.35};
    (void)state;
    partan_context *context =
        partan_create(&(partan_context_options){.struct_size = sizeof(partan_context_options), .threads = 6});
    pt_tuning tuning;
    machine m = {times, 1};
    begin(&tuning, context);
    count(&tuning, &m, 100, 1);
    assert_true(count(&tuning, &m, 2000, 6) >= 1850);
    partan_destroy(context);
}

static void one_thread_is_all_that_a_short_piece_gets(void **state)
{
    pt_tuning tuning;
    begin(&tuning, *state);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(pt_tuning_begin(&tuning, 100), 1);
        pt_tuning_end(&tuning, 1);
    }
    assert_int_equal(pt_tuning_begin(&tuning, 1e9), 2); /* and a long one gets all */
    pt_tuning_end(&tuning, 1);
}

static void one_thread_is_never_exceeded(void **state)
{
    pt_tuning tuning;
    machine m = {two_faster, 1};
    begin(&tuning, *state);
    assert_int_equal(count(&tuning, &m, 100, 1), 100);
}

static void one_slow_piece_says_nothing(void **state)
{
    pt_tuning tuning;
    machine m = {two_faster, 1};
    begin(&tuning, *state);
    count(&tuning, &m, 20, 2);
    for (int i = 0; i < 20; i++) {
        m.units = two_disturbed;
        piece(&tuning, &m, 1);
        m.units = two_faster;
        assert_true(count(&tuning, &m, 300, 2) >= 250);
    }
}

/* Other programs come, and go again. */
static void many_slow_pieces_hand_over_until_it_pays_again(void **state)
{
    pt_tuning tuning;
    machine m = {two_faster, 1};
    begin(&tuning, *state);
    count(&tuning, &m, 100, 2);
    m.units = two_disturbed;
    assert_true(count(&tuning, &m, 1000, 2) <= 40);
    m.units = two_faster;
    count(&tuning, &m, 4000, 2);
    assert_true(count(&tuning, &m, 1000, 2) >= 900);
}

/* ---- Where others use the cores ---- */

static void see(pt_crowd *crowd, double length, double share)
{
    double now = crowd->begin + length;
    pt_crowd_see(crowd, now, crowd->processor + share * length);
}

static void whoever_lacks_a_processor_is_in_a_crowd_for_a_while(void **state)
{
    (void)state;
    pt_crowd crowd = {.begin = 100, .processor = 5};
    see(&crowd, 0.01, 1);
    assert_false(pt_crowd_is(&crowd, crowd.begin));
    see(&crowd, 0.2, 0.1); /* something else was done meanwhile */
    assert_false(pt_crowd_is(&crowd, crowd.begin));
    see(&crowd, 0.01, 0.5);
    assert_true(pt_crowd_is(&crowd, crowd.begin));
    for (int i = 0; i < 20; i++)
        see(&crowd, 0.02, 1);
    assert_true(pt_crowd_is(&crowd, crowd.begin));
    for (int i = 0; i < 40; i++)
        see(&crowd, 0.02, 1);
    assert_false(pt_crowd_is(&crowd, crowd.begin));
}

/* A thread that works has a processor, on a machine that has one to spare, and one that sleeps has none. */
static void time_without_a_processor_is_seen(void **state)
{
    (void)state;
    pt_crowd crowd = {.begin = pt_clock(), .processor = pt_clock_processor()};
    double begin = crowd.processor;
    while (pt_clock() < crowd.begin + 0.005)
        ;
    assert_true(pt_clock_processor() > begin);
    nanosleep(&(struct timespec){.tv_nsec = 12000000}, NULL);
    if (pt_clock() - crowd.begin < 0.03) /* else the machine is so busy that the window says nothing */
        assert_true(pt_crowd_look(&crowd, pt_clock()));
}

/* From now on others use the cores. */
static pt_tuning crowded(const partan_context *context, const double *units)
{
    pt_tuning tuning;
    machine m = {two_faster, 1};
    begin(&tuning, context);
    count(&tuning, &m, 100, 2);
    assert_int_equal(tuning.home, 1);
    tuning.crowd.until = (double)INFINITY;
    m.units = units;
    count(&tuning, &m, 2000, 1);
    return tuning;
}

static void in_a_crowd_fewer_threads_need_not_be_faster(void **state)
{
    static const double alike[] = {1, 0.95}, much_slower[] = {1, 0.6};
    assert_int_equal(crowded(*state, alike).home, 0);
    assert_int_equal(crowded(*state, much_slower).home, 1);
}

/* A few pieces may be lucky, a hundred are not. */
static void in_a_crowd_a_trial_takes_long(void **state)
{
    static const double first_slow[] = {3, 1};
    pt_tuning tuning = crowded(*state, (const double[]){1, 0.6});
    machine m = {first_slow, 1};
    tuning.rest = 0;
    tuning.left = 1;
    piece(&tuning, &m, 1);
    assert_int_equal(tuning.level, 0);
    for (int i = 0; i < 20; i++)
        piece(&tuning, &m, 1);
    assert_int_equal(tuning.level, 0); /* not judged yet */
    m.units = (const double[]){0.5, 1};
    for (int i = 0; i < 2000; i++)
        piece(&tuning, &m, 1);
    assert_int_equal(tuning.home, 0);
}

static void when_the_crowd_has_gone_more_threads_are_tried_again(void **state)
{
    pt_tuning tuning = crowded(*state, (const double[]){1, 0.95});
    machine m = {two_faster, 1};
    assert_int_equal(tuning.home, 0);
    tuning.crowd.until = 0;
    assert_true(count(&tuning, &m, 3000, 2) >= 2500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(the_faster_is_used),
                                       cmocka_unit_test(the_fastest_is_found_between_one_and_all),
                                       cmocka_unit_test(all_that_there_are_need_not_be_a_power_of_two),
                                       CONTEXT_TEST(one_thread_is_all_that_a_short_piece_gets),
                                       SERIAL_TEST(one_thread_is_never_exceeded),
                                       CONTEXT_TEST(one_slow_piece_says_nothing),
                                       CONTEXT_TEST(many_slow_pieces_hand_over_until_it_pays_again),
                                       cmocka_unit_test(whoever_lacks_a_processor_is_in_a_crowd_for_a_while),
                                       cmocka_unit_test(time_without_a_processor_is_seen),
                                       CONTEXT_TEST(in_a_crowd_fewer_threads_need_not_be_faster),
                                       CONTEXT_TEST(in_a_crowd_a_trial_takes_long),
                                       CONTEXT_TEST(when_the_crowd_has_gone_more_threads_are_tried_again)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
