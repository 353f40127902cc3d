/* Callbacks: those of a call, on the thread that made it, and memory's one at a time. */
#include "testing.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "training.h"

typedef struct seen {
    pthread_t caller;
    int logs, progress, traces, points, elsewhere; /* elsewhere: calls on another thread than the caller's */
} seen;

static void note(seen *s, int *count)
{
    (*count)++;
    s->elsewhere += !pthread_equal(pthread_self(), s->caller);
}

static void see_log(void *user, partan_log_level level, const char *message)
{
    seen *s = user;
    (void)level, (void)message;
    note(s, &s->logs);
}

static int see_progress(void *user, const partan_progress *progress)
{
    seen *s = user;
    (void)progress;
    note(s, &s->progress);
    return 0;
}

static void see_trace(void *user, const partan_trace_row *row)
{
    seen *s = user;
    (void)row;
    note(s, &s->traces);
}

static int see_point(void *user, size_t index, partan_model *model)
{
    seen *s = user;
    (void)index;
    note(s, &s->points);
    partan_model_free(model);
    return 0;
}

static int see_tuned(void *user, const partan_tune_point *point)
{
    seen *s = user;
    (void)point;
    note(s, &s->points);
    return 0;
}

static partan_callbacks seeing(seen *s)
{
    partan_callbacks callbacks;
    partan_callbacks_init(&callbacks);
    *s = (seen){.caller = pthread_self()};
    callbacks.log = see_log;
    callbacks.progress = see_progress;
    callbacks.trace = see_trace;
    callbacks.user = s;
    return callbacks;
}

static partan_context *context_of_four(void)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 4;
    partan_context *context = partan_create(&options);
    assert_non_null(context);
    return context;
}

static void they_run_on_the_callers_thread(void **state)
{
    static const double costs[] = {0.1, 1, 10};
    seen s;
    (void)state;
    partan_context *context = context_of_four();
    partan_callbacks callbacks = seeing(&s);
    partan_data *data = generate(context, "ringnorm", 3000);
    partan_settings settings;
    partan_settings_init(&settings);
    settings.tol = 1e-4;
    assert_int_equal(partan_set_callbacks(context, &callbacks), PARTAN_OK);
    assert_int_equal(partan_path(context, data, &settings, costs, 3, see_point, &s), PARTAN_OK);
    assert_int_equal(s.points, 3);
    partan_tune_options options;
    partan_tune_options_init(&options);
    options.costs = costs;
    options.cost_count = 3;
    assert_int_equal(partan_tune(context, data, &settings, &options, see_tuned, &s, NULL), PARTAN_OK);
    assert_int_equal(s.points, 6);
    assert_true(s.traces > 3);
    assert_int_equal(s.elsewhere, 0);
    partan_data_free(data);
    partan_destroy(context);
}

static void they_belong_to_the_calls_that_follow(void **state)
{
    seen created, s;
    (void)state;
    partan_callbacks callbacks = seeing(&created);
    partan_context_options options;
    partan_context_options_init(&options);
    options.trace = see_trace;
    options.user = &created;
    partan_context *context = partan_create(&options);
    callbacks = seeing(&s);
    partan_data *data = generate(context, "twonorm", 100);
    partan_settings settings;
    partan_settings_init(&settings);
    partan_model *model;
    assert_int_equal(partan_set_callbacks(context, &callbacks), PARTAN_OK);
    assert_int_equal(partan_train(context, data, &settings, NULL, &model), PARTAN_OK);
    partan_model_free(model);
    assert_int_equal(created.traces, 0);
    int before = s.traces;
    assert_true(before > 0);
    assert_int_equal(partan_set_callbacks(context, NULL), PARTAN_OK);
    assert_int_equal(partan_train(context, data, &settings, NULL, &model), PARTAN_OK);
    partan_model_free(model);
    assert_int_equal(created.traces, before);
    assert_int_equal(s.traces, before);
    partan_data_free(data);
    partan_destroy(context);
}

/* ---- Memory ---- */

typedef struct allocator {
    int64_t inside, overlapping, alive; /* without atomics: calls come one at a time */
} allocator;

static void *allocate(void *user, size_t bytes, size_t alignment)
{
    allocator *a = user;
    a->overlapping += ++a->inside != 1;
    void *pointer = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    a->alive++;
    a->inside--;
    return pointer;
}

static void release(void *user, void *pointer)
{
    allocator *a = user;
    a->overlapping += ++a->inside != 1;
    a->alive--;
    free(pointer);
    a->inside--;
}

/* Its user is its own, whatever the callbacks of a call have for theirs. */
static void memory_is_asked_for_one_at_a_time(void **state)
{
    allocator a = {0};
    seen s;
    (void)state;
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 4;
    options.allocate = allocate;
    options.release = release;
    options.user = &a;
    partan_context *context = partan_create(&options);
    partan_callbacks callbacks = seeing(&s);
    assert_int_equal(partan_set_callbacks(context, &callbacks), PARTAN_OK);
    partan_data *data = generate(context, "ringnorm", 2000);
    partan_settings settings;
    partan_settings_init(&settings);
    partan_model *model;
    assert_int_equal(partan_train(context, data, &settings, NULL, &model), PARTAN_OK);
    partan_model_free(model);
    partan_data_free(data);
    partan_destroy(context);
    assert_int_equal(a.overlapping, 0);
    assert_int_equal(a.alive, 0);
    assert_int_equal(s.elsewhere, 0);
}

/* A context is for one thread at a time, and may go from one to another. */
static void *train_there(void *user)
{
    partan_context *context = user;
    partan_data *data = generate(context, "twonorm", 200);
    partan_settings settings;
    partan_settings_init(&settings);
    partan_model *model = NULL;
    partan_train(context, data, &settings, NULL, &model);
    partan_data_free(data);
    return model;
}

static void a_context_may_go_to_another_thread(void **state)
{
    (void)state;
    partan_context *context = context_of_four();
    partan_model *here = train_there(context);
    pthread_t thread;
    void *there = NULL;
    assert_int_equal(pthread_create(&thread, NULL, train_there, context), 0);
    pthread_join(thread, &there);
    assert_non_null(there);
    assert_same_model(here, there);
    partan_model_free(here);
    partan_model_free(there);
    partan_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_run_on_the_callers_thread),
        cmocka_unit_test(they_belong_to_the_calls_that_follow),
        cmocka_unit_test(memory_is_asked_for_one_at_a_time),
        cmocka_unit_test(a_context_may_go_to_another_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
