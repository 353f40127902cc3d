/* Models that processes train together, each with a part of the rows, and verify together: to the last bit those of one
 * process. Threads stand for the processes (hall.h). */
#ifndef SAME_MODEL_H
#define SAME_MODEL_H

#include "hall.h"
#include "interrupting.h"
#include "svm/model/model.h"
#include "svm/together.h"

enum { ROWS = 403 };

typedef struct process {
    thread_comm comm;
    partan_context *context;
    partan_storage wanted;
    partan_data *part;
    const partan_settings *settings;
    const partan_train_options *options;
    partan_status status;
    partan_model *model;
    partan_verification found;
    pthread_t thread;
} process;

static process processes[MOST];

/* Which of them are interrupted, a bit each, by their reports of progress; and the allocation at which the second one
 * is, 0: none. */
static int interrupted;
static int (*interruption)(void *user, const partan_progress *progress);
static long interrupting_at;
static bool reached; /* it has been made */
static interrupting second;

static inline void *work(void *user)
{
    process *p = user;
    assert_int_equal(pt_data_unify(p->context, &p->comm.comm, p->wanted, p->part), PARTAN_OK);
    p->context->comm = &p->comm.comm; /* as in partan-mpi */
    p->status = pt_train_together(p->context, &p->comm.comm, p->part, p->settings, p->options, &p->model);
    partan_verification_init(&p->found);
    if (p == &processes[1] && interrupting_at > 0) {
        reached = second.allocator.count >= second.at;
        second.at = 0;
    }
    if (p->status >= 0)
        assert_int_equal(partan_verify(p->context, p->model, p->part, &p->found), PARTAN_OK);
    p->context->comm = NULL;
    return NULL;
}

static inline void *verify(void *user)
{
    process *p = user;
    p->context->comm = &p->comm.comm;
    partan_verification_init(&p->found);
    assert_int_equal(partan_verify(p->context, p->model, p->part, &p->found), PARTAN_OK);
    p->context->comm = NULL;
    return NULL;
}

static inline void start_all(hall *h, int size, void *(*work_of)(void *user))
{
    for (int i = 0; i < size; i++)
        assert_int_equal(pthread_create(&processes[i].thread, NULL, work_of, &processes[i]), 0);
    for (int i = 0; i < size; i++)
        pthread_join(processes[i].thread, NULL);
    hall_close(h);
}

/* Once more, of models that have been changed. */
static inline void verify_again(int size)
{
    static hall h;
    hall_open(&h, size);
    for (int i = 0; i < size; i++)
        processes[i].comm = hall_comm(&h, i);
    start_all(&h, size, verify);
}

static inline void run(const partan_data *data, const partan_settings *s, const partan_train_options *options, int size,
                       const size_t *cuts)
{
    static hall h;
    hall_open(&h, size);
    for (int i = 0; i < size; i++) {
        process *p = &processes[i];
        void *context;
        if (i == 1 && interrupting_at > 0)
            interrupting_begin(&second);
        if (i == 1 && interrupting_at > 0)
            context = second.context;
        else
            assert_int_equal(make_serial_context(&context), 0);
        *p = (process){.context = context, .wanted = data->matrix.storage, .settings = s, .options = options};
        p->comm = hall_comm(&h, i);
        if (interrupted & 1 << i) {
            p->context->options.progress = interruption;
            p->context->options.user = p;
        }
        p->part = part_of(context, data, cuts[i], cuts[i + 1]);
    }
    if (interrupting_at > 0)
        second.at = second.allocator.count + interrupting_at;
    start_all(&h, size, work);
}

static inline void end(int size)
{
    for (int i = 0; i < size; i++) {
        partan_model_free(processes[i].model);
        partan_data_free(processes[i].part);
        if (i == 1 && interrupting_at > 0)
            interrupting_end(&second);
        else
            partan_destroy(processes[i].context);
    }
}

/* A model's file without what runs differ in. */
static inline char *text_of(partan_context *context, const partan_model *model)
{
    static const char *const own[] = {"seconds ", "cache_hits ", "kernel_columns ", "kernel_values "};
    char *bytes;
    size_t size, kept = 0;
    assert_int_equal(partan_model_to_memory(context, model, PARTAN_MODEL_NATIVE, &bytes, &size), PARTAN_OK);
    char *text = malloc(size + 1);
    assert_non_null(text);
    for (size_t at = 0, line; at < size; at += line) {
        const char *newline = memchr(bytes + at, '\n', size - at);
        bool skipped = false;
        line = newline ? (size_t)(newline - bytes) + 1 - at : size - at;
        for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
            skipped |= line >= strlen(own[i]) && memcmp(bytes + at, own[i], strlen(own[i])) == 0;
        memcpy(text + kept, bytes + at, line);
        kept += skipped ? 0 : line;
    }
    text[kept] = 0;
    partan_free(context, bytes);
    return text;
}

static const size_t shares[][MOST + 1] = {/* the first is the one that sanitizers see */
                                          {0, 1, 17, ROWS},
                                          {0, 100, ROWS},
                                          {0, ROWS},
                                          {0, 0, 90, 90, ROWS, ROWS},
                                          {0, 200, 200, ROWS}};
static const int sizes[] = {3, 2, 1, 5};

static inline void assert_same_as(const partan_model *one, const char *expected, int size)
{
    for (int i = 0; i < size; i++) {
        const process *p = &processes[i];
        if (p->status < 0)
            fail_msg("process %d: %s", i, partan_error(p->context));
        char *found = text_of(p->context, p->model);
        assert_int_equal(p->model->machine_count, one->machine_count);
        assert_string_equal(found, expected);
        if (!p->found.matches)
            fail_msg("process %d: %s", i, p->found.reason);
        free(found);
    }
}

/* All processes have the model of one, for all shares. */
static inline void assert_same(partan_context *context, const partan_data *data, const partan_settings *s,
                               const partan_train_options *options)
{
    partan_train_options none;
    partan_model *one = NULL;
    partan_train_options_init(&none);
    partan_status status = partan_train_with(context, data, s, options ? options : &none, &one);
    if (status < 0)
        fail_msg("%s", partan_error(context));
    char *expected = text_of(context, one);
    for (size_t k = 0; k < SOME_OF(4); k++) {
        run(data, s, options, sizes[k], shares[k]);
        assert_same_as(one, expected, sizes[k]);
        end(sizes[k]);
    }
    free(expected);
    partan_model_free(one);
}

#endif
