/* Decision values of the machines of a model of more than two classes. Kernel values with a support vector are computed
 * once for all its machines, in float32; then those decision values whose sign is not certain are computed again, in
 * double. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/team.h"
#include "svm/many/many.h"
#include "svm/predict.h"

/* ---- Machine by machine ---- */

static partan_status ask(partan_context *context, const partan_model *model, size_t i, const partan_data *data,
                         const pt_whole *whole, double *column)
{
    partan_model *alone = NULL;
    partan_status status = pt_machine_alone(model, i, &alone);
    if (!status && alone->count == 0) /* LIBSVM's may have none */
        for (size_t row = 0; row < data->matrix.rows; row++)
            column[row] = alone->bias;
    else if (!status)
        status = pt_predict_rows(context, alone, data, whole, column);
    partan_model_free(alone);
    return status;
}

static partan_status ask_all(partan_context *context, const partan_model *model, const partan_data *data,
                             const pt_whole *whole, double *decision)
{
    size_t rows = data->matrix.rows, outputs = model->machine_count;
    double *column = pt_alloc(context, rows, sizeof *column);
    partan_status status = column ? PARTAN_OK : pt_out_of_memory(context, "decision values");
    for (size_t i = 0; i < outputs && !status; i++) {
        status = ask(context, model, i, data, whole, column);
        for (size_t row = 0; row < rows && !status; row++)
            decision[row * outputs + i] = column[row];
    }
    pt_free(context, column);
    return status;
}

/* ---- All machines at once ---- */

enum { CHUNK_ROWS = 64 }; /* that a thread takes at a time */

typedef struct asking {
    partan_context *context;
    const partan_model *model;
    const partan_data *data;
    pt_kernel kernel;
    double *decision; /* of row r by machine m at r * machines + m */
    double *doubt;    /* of each machine */
    double *bias;
    double longest;
    size_t *uncertain; /* values of each row */
    bool *finite;      /* all values of each row */
} asking;

static void asking_free(asking *a)
{
    pt_free(a->context, a->doubt);
    pt_free(a->context, a->bias);
    pt_free(a->context, a->uncertain);
    pt_free(a->context, a->finite);
}

static double coefficient(const partan_model *machine, size_t k)
{
    return machine->scale * machine->weights[k] * (double)machine->signs[k];
}

static partan_status asking_init(asking *a)
{
    const partan_model *model = a->model;
    a->doubt = pt_alloc(a->context, model->machine_count, sizeof *a->doubt);
    a->bias = pt_alloc(a->context, model->machine_count, sizeof *a->bias);
    a->uncertain = pt_alloc(a->context, a->data->matrix.rows, sizeof *a->uncertain);
    a->finite = pt_alloc(a->context, a->data->matrix.rows, sizeof *a->finite);
    if (!a->doubt || !a->bias || !a->uncertain || !a->finite)
        return pt_out_of_memory(a->context, "decision values");
    for (size_t m = 0; m < model->machine_count; m++) {
        const partan_model *machine = model->machines[m];
        double sum = 0, squares = 0;
        for (size_t k = 0; k < machine->count; k++) {
            sum += fabs(coefficient(machine, k));
            squares += coefficient(machine, k) * coefficient(machine, k);
        }
        a->doubt[m] = pt_doubt_of_weights(sum, squares);
        a->bias[m] = machine->bias;
    }
    a->longest = pt_longest_norm(&model->vectors);
    return PARTAN_OK;
}

static partan_status sum_once(const asking *a)
{
    pt_member_weights w;
    partan_status status = pt_member_weights_make(a->context, a->model, true, &w);
    pt_terms terms = {a->model->machine_count, w.begin, w.machine, w.weight};
    if (!status)
        status =
            pt_kernel_sums_several(a->context, &a->kernel, (pt_points){.matrix = &a->data->matrix},
                                   (pt_points){.matrix = &a->model->vectors}, a->model->count, &terms, a->decision);
    pt_member_weights_free(a->context, &w);
    return status;
}

static bool is_uncertain(const asking *a, size_t machine, double value, double doubt_of_row)
{
    return fabs(value) <= a->doubt[machine] * doubt_of_row;
}

static void add_biases(void *user, size_t chunk, size_t thread)
{
    const asking *a = user;
    size_t machines = a->model->machine_count;
    pt_span span = pt_span_of(a->data->matrix.rows, CHUNK_ROWS, chunk);
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++) {
        double doubt = pt_doubt_of_row(&a->kernel, &a->data->matrix, row, a->longest),
               *value = a->decision + row * machines;
        size_t count = 0, others = 0;
        for (size_t m = 0; m < machines; m++) {
            value[m] += a->bias[m];
            count += is_uncertain(a, m, value[m], doubt);
            others += !(fabs(value[m]) <= DBL_MAX);
        }
        a->uncertain[row] = count;
        a->finite[row] = others == 0;
    }
}

/* The values of machine m for some rows, in double. */
static partan_status recompute(const asking *a, size_t m, const int64_t *rows, size_t count)
{
    partan_context *context = a->context;
    const partan_model *machine = a->model->machines[m];
    pt_matrix vectors = {0};
    double *sums = pt_alloc(context, count, sizeof *sums);
    double *weights = pt_alloc(context, machine->count, sizeof *weights);
    int64_t *places = pt_alloc(context, machine->count, sizeof *places);
    partan_status status =
        sums && weights && places ? PARTAN_OK : pt_out_of_memory(context, "rows near the decision boundary");
    for (size_t k = 0; k < machine->count && !status; k++) {
        weights[k] = coefficient(machine, k);
        places[k] = (int64_t)machine->members[k];
    }
    if (!status)
        status = pt_matrix_gather(&a->model->vectors, places, machine->count, &vectors);
    if (!status)
        status = pt_predict_exactly(context, &a->kernel, &a->data->matrix, rows, count, (pt_points){.matrix = &vectors},
                                    machine->count, weights, sums);
    for (size_t i = 0; i < count && !status; i++)
        a->decision[(size_t)rows[i] * a->model->machine_count + m] = sums[i] + a->bias[m];
    pt_matrix_free(&vectors);
    pt_free(context, sums);
    pt_free(context, weights);
    pt_free(context, places);
    return status;
}

/* A decision value whose sign is not certain. */
typedef struct doubtful {
    size_t machine;
    int64_t row;
} doubtful;

static int by_machine(const void *a, const void *b)
{
    const doubtful *x = a, *y = b;
    if (x->machine != y->machine)
        return x->machine < y->machine ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static void list_doubtful(const asking *a, doubtful *list)
{
    size_t machines = a->model->machine_count;
    for (size_t row = 0; row < a->data->matrix.rows; row++) {
        if (a->uncertain[row] == 0)
            continue;
        double doubt = pt_doubt_of_row(&a->kernel, &a->data->matrix, row, a->longest);
        for (size_t m = 0; m < machines; m++)
            if (is_uncertain(a, m, a->decision[row * machines + m], doubt))
                *list++ = (doubtful){m, (int64_t)row};
    }
}

static partan_status recompute_listed(const asking *a, const doubtful *list, size_t count, int64_t *rows)
{
    partan_status status = PARTAN_OK;
    for (size_t i = 0, n; i < count && !status; i += n) {
        for (n = 0; i + n < count && list[i + n].machine == list[i].machine; n++)
            rows[n] = list[i + n].row;
        if (a->model->machines[list[i].machine]->count > 0)
            status = recompute(a, list[i].machine, rows, n);
    }
    return status;
}

static partan_status refine(const asking *a)
{
    size_t count = 0;
    for (size_t row = 0; row < a->data->matrix.rows; row++)
        count += a->uncertain[row];
    pt_log(a->context, PARTAN_LOG_DEBUG, "%zu values near a decision boundary are computed again in double", count);
    doubtful *list = pt_alloc(a->context, count, sizeof *list);
    int64_t *rows = pt_alloc(a->context, count, sizeof *rows);
    partan_status status = list && rows ? PARTAN_OK : pt_out_of_memory(a->context, "rows near the decision boundary");
    if (!status) {
        list_doubtful(a, list);
        qsort(list, count, sizeof *list, by_machine);
        status = recompute_listed(a, list, count, rows);
    }
    pt_free(a->context, list);
    pt_free(a->context, rows);
    return status;
}

static partan_status check_values(const asking *a)
{
    size_t machines = a->model->machine_count;
    partan_status status = PARTAN_OK;
    for (size_t row = 0; row < a->data->matrix.rows && !status; row++)
        for (size_t m = 0; m < machines && !(a->finite[row] && a->uncertain[row] == 0) && !status; m++)
            status = pt_check_decision(a->context, a->data, row, a->decision[row * machines + m]);
    return status;
}

static partan_status ask_at_once(partan_context *context, const partan_model *model, const partan_data *data,
                                 const pt_whole *whole, double *decision)
{
    asking a = {
        .context = context, .model = model, .data = data, .kernel = pt_model_kernel(model), .decision = decision};
    a.kernel.longest = whole ? whole->longest : 0;
    size_t rows = data->matrix.rows, values = rows * model->machine_count;
    partan_status status = asking_init(&a);
    if (!status)
        status = sum_once(&a);
    if (!status) {
        pt_team_run(context, pt_team_for(context, (double)values), pt_span_count(rows, CHUNK_ROWS), add_biases, &a);
        status = refine(&a);
    }
    if (!status)
        status = check_values(&a);
    asking_free(&a);
    return status;
}

/* Sparse rows go machine by machine: support vectors meet them by an inverted index, which has no sums of several. So
 * do few support vectors, whose values are computed in double. */
static bool are_asked_at_once(const partan_model *model, const partan_data *data)
{
    pt_kernel kernel = pt_model_kernel(model);
    return pt_predicts_by_sums(&kernel) && model->count > PT_FEW_VECTORS
           && data->matrix.storage != PARTAN_STORAGE_SPARSE && model->vectors.storage != PARTAN_STORAGE_SPARSE;
}

partan_status pt_predict_many(partan_context *context, const partan_model *model, const partan_data *data,
                              const pt_whole *whole, double *decision)
{
    pt_progress_begin(context, "predict");
    if (data->matrix.rows == 0)
        return PARTAN_OK;
    partan_status status =
        (are_asked_at_once(model, data) ? ask_at_once : ask_all)(context, model, data, whole, decision);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    return status;
}
