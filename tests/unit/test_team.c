/* The team of threads: every chunk once, whatever the threads do, and in a child after fork() too. */
#include "testing.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/team_state.h"
#include "failing.h"
#include "training.h"

enum { MOST_CHUNKS = 256, MOST_THREADS = 32 };

static partan_context *context_of(int threads)
{
    partan_context *context =
        partan_create(&(partan_context_options){.struct_size = sizeof(partan_context_options), .threads = threads});
    assert_non_null(context);
    return context;
}

/* What chunks leave behind. */
typedef struct records {
    partan_context *context;
    size_t threads;
    atomic_int runs[MOST_CHUNKS];
    atomic_bool busy[MOST_THREADS]; /* numbers of threads that are in a chunk now */
    atomic_bool wrong;
    unsigned plain[MOST_CHUNKS]; /* written without atomics: whoever returns from the run must see them */
    unsigned value;
    double longest; /* seconds of the longest chunk */
} records;

static void work_for(double seconds)
{
    for (double end = pt_clock() + seconds; pt_clock() < end;)
        ;
}

static void note(void *user, size_t chunk, size_t thread)
{
    records *l = user;
    if (thread >= l->threads || atomic_exchange(&l->busy[thread], true))
        atomic_store(&l->wrong, true);
    atomic_fetch_add(&l->runs[chunk], 1);
    l->plain[chunk] = l->value;
    if (l->longest > 0 && chunk % 7 == 3)
        work_for(chunk % 2 ? l->longest : l->longest / 50);
    atomic_store(&l->busy[thread], false);
}

static void check_log(const records *l, size_t count)
{
    assert_false(atomic_load(&l->wrong));
    for (size_t chunk = 0; chunk < MOST_CHUNKS; chunk++) {
        assert_int_equal(atomic_load(&l->runs[chunk]), chunk < count);
        assert_int_equal(l->plain[chunk], chunk < count ? l->value : 0);
    }
}

static void run_and_check(partan_context *context, int threads, size_t count, double longest, unsigned value)
{
    records l = {.context = context, .threads = (size_t)partan_threads(context), .value = value, .longest = longest};
    pt_team_run(context, threads, count, note, &l);
    check_log(&l, count);
}

static void every_chunk_runs_once_in_many_short_runs(void **state)
{
    static const int sizes[] = {1, 2, 3, 16};
    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        partan_context *context = context_of(sizes[i]);
        for (unsigned k = 0; k < 2000; k++)
            run_and_check(context, 1 + (int)(k * 7 % (unsigned)sizes[i]), k * 31 % 100, 0, k + 1);
        partan_destroy(context);
    }
}

static void chunks_may_differ_in_length(void **state)
{
    (void)state;
    partan_context *context = context_of(8);
    for (unsigned k = 0; k < 20; k++)
        run_and_check(context, 8, 100, 1e-3, k + 1);
    partan_destroy(context);
}

/* Threads have gone to sleep in between. */
static void runs_after_a_pause_are_whole(void **state)
{
    (void)state;
    partan_context *context = context_of(4);
    for (unsigned k = 0; k < 100; k++) {
        run_and_check(context, 4, 50, 0, k + 1);
        work_for(k % 2 ? 1e-4 * (k % 10) : 0);
    }
    usleep(50000);
    run_and_check(context, 4, 50, 0, 1);
    partan_destroy(context);
}

static void no_chunks_are_no_work(void **state)
{
    run_and_check(*state, 2, 0, 0, 1);
    run_and_check(*state, 2, 1, 0, 1);
    run_and_check(*state, 0, 10, 0, 1);
    run_and_check(*state, 1000, 10, 0, 1);
}

static void destroying_an_idle_team_ends_it(void **state)
{
    (void)state;
    for (int k = 0; k < 200; k++) {
        partan_context *context = context_of(1 + k % 5);
        if (k % 3)
            run_and_check(context, 5, 20, 0, 1);
        partan_destroy(context);
    }
    partan_destroy(NULL);
}

/* Generations come round after days, while some threads may not have been wanted for as long. */
static void very_many_runs_are_no_problem(void **state)
{
    static const uint32_t halves[] = {UINT32_MAX / 2, UINT32_MAX, UINT32_MAX / 2, UINT32_MAX};
    (void)state;
    partan_context *context = context_of(4);
    run_and_check(context, 4, 50, 0, 1);
    for (int i = 0; i < 4; i++) {
        usleep(20000); /* all are asleep, and will not see the numbers in between */
        atomic_store(&context->team->generation, halves[i] - 100);
        for (unsigned k = 0; k < 200; k++)
            run_and_check(context, 2, 50, 0, k + 1);
        run_and_check(context, 4, 50, 0, 1);
    }
    partan_destroy(context);
}

/* ---- Inside a chunk ---- */

static void run_inside(void *user, size_t chunk, size_t thread)
{
    records *outer = user;
    records inner = {.context = outer->context, .threads = 1, .value = 5};
    (void)thread;
    pt_team_run(outer->context, 4, 30, note, &inner);
    if (atomic_load(&inner.wrong))
        atomic_store(&outer->wrong, true);
    for (size_t i = 0; i < 30; i++)
        if (atomic_load(&inner.runs[i]) != 1)
            atomic_store(&outer->wrong, true);
    atomic_fetch_add(&outer->runs[chunk], 1);
    outer->plain[chunk] = outer->value;
}

static void a_run_inside_a_chunk_is_that_threads_alone(void **state)
{
    (void)state;
    partan_context *context = context_of(4);
    for (unsigned k = 0; k < 50; k++) {
        records l = {.context = context, .threads = 4, .value = 1};
        pt_team_run(context, 4, 20, run_inside, &l);
        check_log(&l, 20);
    }
    partan_destroy(context);
}

/* ---- Signals ---- */

typedef struct masks {
    atomic_bool by_other, blocked;
} masks;

/* Waits a while for another thread to come, which may take long on a busy machine. */
static void look_at_mask(void *user, size_t chunk, size_t thread)
{
    masks *m = user;
    (void)chunk;
    if (thread == 0) {
        for (int i = 0; i < 1000 && !atomic_load(&m->by_other); i++)
            usleep(1000);
        return;
    }
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    atomic_store(&m->blocked, sigismember(&set, SIGINT) && sigismember(&set, SIGTERM) && sigismember(&set, SIGUSR1));
    atomic_store(&m->by_other, true);
}

/* Whether another thread than the caller's takes part. */
static bool has_others(partan_context *context, masks *m)
{
    atomic_init(&m->by_other, false);
    atomic_init(&m->blocked, false);
    for (int i = 0; i < 10 && !atomic_load(&m->by_other); i++)
        pt_team_run(context, 2, 2, look_at_mask, m);
    return atomic_load(&m->by_other);
}

static void signals_go_to_the_hosts_threads(void **state)
{
    (void)state;
    masks m;
    partan_context *context = context_of(2);
    assert_true(has_others(context, &m));
    assert_true(atomic_load(&m.blocked));
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    assert_false(sigismember(&set, SIGINT));
    partan_destroy(context);
}

/* ---- Several contexts ---- */

static void *run_often(void *unused)
{
    (void)unused;
    partan_context *context =
        partan_create(&(partan_context_options){.struct_size = sizeof(partan_context_options), .threads = 3});
    records *l = calloc(1, sizeof *l);
    bool right = context && l;
    for (unsigned k = 0; k < 2000 && right; k++) {
        l->threads = 3;
        pt_team_run(context, 3, 40, note, l);
    }
    for (size_t chunk = 0; chunk < 40 && right; chunk++)
        right = atomic_load(&l->runs[chunk]) == 2000 && !atomic_load(&l->wrong);
    free(l);
    partan_destroy(context);
    return right ? &run_often : NULL;
}

static void contexts_do_not_disturb_each_other(void **state)
{
    (void)state;
    pthread_t threads[3];
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_often, NULL), 0);
    for (int i = 0; i < 3; i++) {
        void *right = NULL;
        pthread_join(threads[i], &right);
        assert_non_null(right);
    }
}

static void *run_in_context(void *context)
{
    records *l = calloc(1, sizeof *l);
    bool right = l != NULL;
    for (unsigned k = 0; k < 2000 && right; k++) {
        l->threads = 4;
        pt_team_run(context, 4, 40, note, l);
    }
    for (size_t chunk = 0; chunk < 40 && right; chunk++)
        right = atomic_load(&l->runs[chunk]) == 2000 && !atomic_load(&l->wrong);
    free(l);
    return right ? context : NULL;
}

/* A call on one context may be given data of another, which is at work in another thread. */
static void one_team_may_be_asked_by_several(void **state)
{
    (void)state;
    pthread_t threads[3];
    partan_context *context = context_of(4);
    for (int i = 0; i < 3; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run_in_context, context), 0);
    for (int i = 0; i < 3; i++) {
        void *right = NULL;
        pthread_join(threads[i], &right);
        assert_non_null(right);
    }
    partan_destroy(context);
}

/* ---- Lack of memory and of threads ---- */

static void the_team_takes_no_memory_of_its_own(void **state)
{
    (void)state;
    failing allocator = {.fail_at = 1};
    assert_null(failing_context(&allocator));
    allocator = (failing){0};
    partan_context *context = partan_create(&(partan_context_options){.struct_size = sizeof(partan_context_options),
                                                                      .threads = 4,
                                                                      .allocate = failing_allocate,
                                                                      .release = failing_release,
                                                                      .user = &allocator});
    assert_non_null(context);
    assert_int_equal(allocator.alive, 1);
    allocator.fail_at = allocator.count + 1;
    run_and_check(context, 4, 100, 0, 1);
    assert_int_equal(allocator.count, 1);
    partan_destroy(context);
    assert_int_equal(allocator.alive, 0);
}

/* Runs in a child, which must end well within a minute. */
static void in_child(void (*work)(void *user), void *user)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        work(user);
        _exit(0);
    }
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

/* Leaves the child with a status that the parent sees: assertions would go on with the parent's tests. */
static void require_in_child(bool right)
{
    if (!right)
        _exit(1);
}

static bool all_run(partan_context *context, int threads)
{
    records l = {.context = context, .threads = (size_t)partan_threads(context), .value = 1};
    pt_team_run(context, threads, 200, note, &l);
    bool right = !atomic_load(&l.wrong);
    for (size_t chunk = 0; chunk < 200; chunk++)
        right = right && atomic_load(&l.runs[chunk]) == 1;
    return right;
}

#if !defined(SANITIZED)
static void run_without_room(void *unused)
{
    (void)unused;
    partan_context *context =
        partan_create(&(partan_context_options){.struct_size = sizeof(partan_context_options), .threads = 16});
    struct rlimit limit = {.rlim_cur = 1 << 20, .rlim_max = RLIM_INFINITY}; /* less than there is already */
    require_in_child(context && setrlimit(RLIMIT_AS, &limit) == 0);
    for (int i = 0; i < 100; i++)
        require_in_child(all_run(context, 16));
    partan_destroy(context);
}
#endif

static void threads_that_cannot_be_started_are_done_without(void **state)
{
    (void)state;
#if defined(SANITIZED)
    skip(); /* sanitizers need room themselves */
#else
    in_child(run_without_room, NULL);
#endif
}

/* ---- fork() ---- */

typedef struct training {
    partan_context *context;
    partan_data *data;
    partan_model *expected;
} training;

static partan_model *train_some(partan_context *context, const partan_data *data)
{
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    partan_model *model = NULL;
    return partan_train(context, data, &settings, NULL, &model) == PARTAN_OK ? model : NULL;
}

static bool trains_alike(partan_context *context, const partan_data *data, const partan_model *expected)
{
    partan_model *model = train_some(context, data);
    bool alike = model && model->count == expected->count && model->result.objective == expected->result.objective
                 && model->result.iterations == expected->result.iterations;
    partan_model_free(model);
    return alike;
}

/* With the parent's context, and with one of its own. */
static void train_in_child(void *user)
{
    training *t = user;
    masks m;
    require_in_child(has_others(t->context, &m));
    for (int i = 0; i < 3; i++)
        require_in_child(all_run(t->context, 4));
    require_in_child(trains_alike(t->context, t->data, t->expected));
    partan_context *own =
        partan_create(&(partan_context_options){.struct_size = sizeof(partan_context_options), .threads = 4});
    require_in_child(own != NULL);
    partan_data *data = generate(own, "ringnorm", 6000);
    require_in_child(trains_alike(own, data, t->expected));
    partan_data_free(data);
    partan_destroy(own);
    partan_model_free(t->expected);
    partan_data_free(t->data);
    partan_destroy(t->context);
}

static void destroy_in_child(void *user)
{
    partan_destroy(user);
}

/* The sanitizers' own allocator is not made for fork(): a thread that ends may hold its lock meanwhile, and the child
 * then waits for it for ever. */
static void skip_sanitized_fork(void)
{
#if defined(SANITIZED)
    skip();
#endif
}

static training prepare(void)
{
    training t = {.context = context_of(4)};
    t.data = generate(t.context, "ringnorm", 6000);
    partan_context *serial = context_of(1);
    partan_data *data = generate(serial, "ringnorm", 6000);
    t.expected = train_some(serial, data);
    assert_non_null(t.expected);
    /* A model belongs to its context. */
    partan_model *again = train_some(t.context, t.data);
    assert_non_null(again);
    assert_same_model(t.expected, again);
    partan_model_free(t.expected);
    t.expected = again;
    partan_data_free(data);
    partan_destroy(serial);
    return t;
}

static void release(training *t)
{
    partan_model_free(t->expected);
    partan_data_free(t->data);
    partan_destroy(t->context);
}

static void a_child_trains_after_its_parent_has(void **state)
{
    (void)state;
    skip_sanitized_fork();
    training t = prepare();
    in_child(train_in_child, &t);
    in_child(destroy_in_child, t.context);
    assert_true(trains_alike(t.context, t.data, t.expected)); /* the parent goes on */
    in_child(train_in_child, &t);
    release(&t);
}

static void a_parent_trains_while_and_after_its_child_does(void **state)
{
    (void)state;
    skip_sanitized_fork();
    training t = prepare();
    partan_context *fresh = context_of(4); /* that has never run */
    partan_data *data = generate(fresh, "ringnorm", 6000);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        alarm(60);
        _exit(trains_alike(fresh, data, t.expected) ? 0 : 1);
    }
    assert_true(trains_alike(fresh, data, t.expected));
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    assert_true(trains_alike(fresh, data, t.expected));
    partan_data_free(data);
    partan_destroy(fresh);
    release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_chunk_runs_once_in_many_short_runs),
                                       cmocka_unit_test(chunks_may_differ_in_length),
                                       cmocka_unit_test(runs_after_a_pause_are_whole),
                                       CONTEXT_TEST(no_chunks_are_no_work),
                                       cmocka_unit_test(destroying_an_idle_team_ends_it),
                                       cmocka_unit_test(very_many_runs_are_no_problem),
                                       cmocka_unit_test(a_run_inside_a_chunk_is_that_threads_alone),
                                       cmocka_unit_test(signals_go_to_the_hosts_threads),
                                       cmocka_unit_test(contexts_do_not_disturb_each_other),
                                       cmocka_unit_test(one_team_may_be_asked_by_several),
                                       cmocka_unit_test(the_team_takes_no_memory_of_its_own),
                                       cmocka_unit_test(threads_that_cannot_be_started_are_done_without),
                                       cmocka_unit_test(a_child_trains_after_its_parent_has),
                                       cmocka_unit_test(a_parent_trains_while_and_after_its_child_does)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
