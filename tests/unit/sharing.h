/* Training by several processes, for tests: threads that stand for these (hall.h), each with its part of the rows. */
#ifndef TEST_SHARING_H
#define TEST_SHARING_H

#include "hall.h"
#include "svm/together.h"

/* ---- Processes ---- */

typedef struct process {
    thread_comm comm;
    partan_context *context;
    partan_data *part;
    const partan_settings *settings;
    partan_storage wanted;
    partan_status status;
    partan_model *model;
    pthread_t thread;
} process;

/* How many processes a machine has, and whether the second of all is interrupted when it sleeps. */
typedef struct circumstances {
    int on_a_machine;
    bool interrupted;
} circumstances;

static circumstances present = {1, false};

static inline void *work(void *user)
{
    process *p = user;
    p->status = pt_data_unify(p->context, &p->comm.comm, p->wanted, p->part);
    if (!p->status)
        p->status = pt_train_together(p->context, &p->comm.comm, p->part, p->settings, NULL, &p->model);
    return NULL;
}

/* Trains in `size` processes, whose rows begin at `cuts`. All end with the same; the first one's model is returned. */
static inline partan_model *train_in(const partan_data *data, const partan_settings *s, int size, const size_t *cuts,
                                     partan_status expected, char *message)
{
    static hall h;
    static process processes[MOST];
    hall_open_on(&h, size, present.on_a_machine);
    for (int i = 0; i < size; i++) {
        process *p = &processes[i];
        void *context;
        assert_int_equal(make_serial_context(&context), 0);
        *p = (process){.context = context, .settings = s, .wanted = data->matrix.storage};
        p->comm = hall_comm(&h, i);
        p->part = part_of(context, data, cuts[i], cuts[i + 1]);
    }
    h.sleeper = present.interrupted ? processes[1].context : NULL;
    for (int i = 0; i < size; i++)
        assert_int_equal(pthread_create(&processes[i].thread, NULL, work, &processes[i]), 0);
    for (int i = 0; i < size; i++)
        pthread_join(processes[i].thread, NULL);
    assert_true((h.heard == PT_STOP_ASKED) == present.interrupted);
    partan_model *first = processes[0].model;
    for (int i = 0; i < size; i++) {
        process *p = &processes[i];
        if (p->status != expected)
            fail_msg("process %d: %s: %s", i, partan_status_name(p->status), partan_error(p->context));
        if (message)
            snprintf(message, 256, "%s", partan_error(p->context));
        if (i > 0 && first)
            assert_same_model(first, p->model);
        partan_data_free(p->part);
        if (i > 0 || !first) {
            partan_model_free(p->model);
            partan_destroy(p->context);
        }
    }
    hall_close(&h);
    return first;
}

static inline void drop(partan_model *model)
{
    partan_context *context = model->context;
    partan_model_free(model);
    partan_destroy(context);
}

static inline void assert_same_bits(partan_context *context, const partan_data *data, const partan_settings *s,
                                    int size, const size_t *cuts)
{
    partan_model *alone = NULL;
    partan_status status = partan_train(context, data, s, NULL, &alone);
    assert_true(status >= 0);
    partan_model *together = train_in(data, s, size, cuts, status, NULL);
    assert_same_model(alone, together);
    assert_true(alone->result.objective == together->result.objective && alone->result.gap == together->result.gap);
    assert_true(alone->bias == together->bias && alone->settings.gamma == together->settings.gamma);
    assert_int_equal(alone->fingerprint, together->fingerprint);
    assert_int_equal(alone->rows, together->rows);
    if (s->solver == PARTAN_SOLVER_AUTO) /* which decides by what has been computed */
        assert_int_equal(alone->result.kernel_values, together->result.kernel_values);
    check_verified(context, together, data);
    partan_model_free(alone);
    drop(together);
}

/* ---- Rows ---- */

/* In a storage, whatever that holds. */
static inline partan_data *rows_in(partan_context *context, partan_storage storage, size_t rows)
{
    partan_data *data = generate(context, storage == PARTAN_STORAGE_BITS ? "onehot" : "ringnorm", rows);
    pt_matrix *matrix = &data->matrix, out = {0};
    if (storage == PARTAN_STORAGE_BYTES)
        for (size_t i = 0; i < matrix->tiles * PT_TILE * matrix->features; i++)
            matrix->dense[i] = (float)(int)(matrix->dense[i] > 0 ? 20 * matrix->dense[i] : 0);
    if (storage != matrix->storage) {
        assert_int_equal(pt_matrix_convert(matrix, storage, 0, &out), PARTAN_OK);
        pt_matrix_free(matrix);
        *matrix = out;
    }
    return data;
}

/* Rows of which most are there more than once, in any process: `distinct` of the data's, those at `other` distances
 * with the label of the other class. */
static inline partan_data *with_copies(partan_context *context, const partan_data *data, size_t rows, size_t distinct,
                                       size_t other)
{
    int64_t *chosen = malloc(rows * sizeof *chosen);
    partan_data *copies = NULL;
    pt_random random;
    pt_random_seed(&random, 7);
    assert_non_null(chosen);
    for (size_t i = 0; i < rows; i++)
        chosen[i] = (int64_t)pt_random_below(&random, distinct);
    assert_int_equal(pt_data_gather(data, chosen, rows, &copies), PARTAN_OK);
    for (size_t i = 0; i < rows; i += other)
        copies->labels[i] *= -1;
    copies->context = copies->matrix.context = context;
    free(chosen);
    return copies;
}

static inline void weigh(partan_context *context, partan_data *data)
{
    double *weights = malloc(data->matrix.rows * sizeof *weights);
    assert_non_null(weights);
    for (size_t i = 0; i < data->matrix.rows; i++)
        weights[i] = 1 / (3 + (double)(i * i % 11)); /* sums of which depend on their order in double */
    assert_int_equal(partan_data_set_weights(context, data, weights), PARTAN_OK);
    free(weights);
}

#endif
