/* Prediction: decision values of the rows of a data set.
 *
 * Labels are signs, and a sign must not depend on the rounding of float32 kernel values. So linear machines are folded
 * into one weight vector in double precision, and of the others the rows whose value is near zero, by the measure of
 * that rounding, are computed again in double precision. Where numbers are predicted, that is done for all rows if
 * coefficients are so large that rounding shows. */
#include <math.h>

#include "core/agree.h"
#include "core/require.h"
#include "core/team.h"
#include "data/parts.h"
#include "data/read/read.h"
#include "data/storage/layout.h"
#include "kernel/kinds.h"
#include "svm/many/many.h"
#include "svm/meeting.h"
#include "svm/predict.h"

/* Relative error of a float32 kernel value and of sums of a panel of them, with room to spare: six times the largest.
 */
#define VALUE_PRECISION  0x1p-20
#define NUMBER_PRECISION 1e-3 /* of predicted numbers, by that error, which is never as large */
#define DEVIATIONS       4.0  /* errors of different values are independent: their sum is not above so many of these */

/* Above this many features, folding would cost more memory than it saves time. */
#define FOLD_LIMIT ((size_t)1 << 24)

typedef struct prediction {
    partan_context *context;
    const partan_model *model;
    const partan_data *data;
    const pt_whole *whole;
    const pt_matrix *rows, *vectors; /* of the data and the model, or what they are without empty features */
    pt_kernel kernel;
    pt_points vertices;
    double *weights; /* scale * weight * sign */
    double *decision;
    double tolerance; /* of predicted numbers: what errors may be */
} prediction;

pt_kernel pt_model_kernel(const partan_model *model)
{
    const partan_settings *settings = &model->settings;
    return (pt_kernel){
        .kind = settings->kernel, .gamma = settings->gamma, .coef0 = settings->coef0, .degree = (int)settings->degree};
}

partan_status pt_model_check_columns(partan_context *context, const partan_model *model, const partan_data *data)
{
    bool precomputed = model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED;
    if (data->serials && !precomputed)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "%s: found rows of a precomputed kernel matrix, expected features for the model's %s kernel",
                       data->name, partan_kernel_name(model->settings.kernel));
    for (size_t i = 0; precomputed && i < model->count; i++)
        if ((uint64_t)model->serials[i] >= data->matrix.features)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "%s: found %zu kernel values per row, expected at least %jd, a column that the model uses",
                           data->name, data->matrix.features, (intmax_t)model->serials[i] + 1);
    return PARTAN_OK;
}

static double weight_of(const partan_model *model, size_t i)
{
    return model->scale * model->weights[i] * (double)model->signs[i];
}

/* ---- Linear: sum_i w_i (x_i'x) = (sum_i w_i x_i)'x ---- */

static double product(const pt_matrix *matrix, size_t row, const double *folded, size_t features)
{
    const pt_layout *layout = pt_layout_of(matrix->storage);
    pt_cursor at = {.matrix = matrix, .row = row};
    double sum = 0;
    while (layout->next(&at) && (size_t)at.index < features)
        sum += folded[at.index] * (double)at.value;
    return sum;
}

enum { FOLD_ROWS = 256 }; /* that a thread takes at a time */

typedef struct fold {
    const prediction *prediction;
    const double *folded;
} fold;

static void multiply_rows(void *user, size_t chunk, size_t thread)
{
    const fold *f = user;
    const prediction *p = f->prediction;
    const pt_matrix *rows = p->rows;
    pt_span span = pt_span_of(rows->rows, FOLD_ROWS, chunk);
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++)
        p->decision[row] = product(rows, row, f->folded, p->vectors->features);
}

static double *fold_vectors(partan_context *context, const partan_model *model, const pt_matrix *vectors)
{
    double *folded = pt_alloc_zero(context, vectors->features, sizeof *folded);
    for (size_t i = 0; folded && i < model->count; i++) {
        pt_cursor at = {.matrix = vectors, .row = i};
        while (pt_layout_of(vectors->storage)->next(&at))
            folded[at.index] += weight_of(model, i) * (double)at.value;
    }
    return folded;
}

/* That of the model's own vectors is made once. Of threads that make it at the same time, the first one's stays. */
static const double *folded_once(const partan_model *model)
{
    partan_model *shared = (partan_model *)(uintptr_t)model;
    double *folded = atomic_load(&shared->folded), *before = NULL;
    if (folded)
        return folded;
    folded = fold_vectors(model->context, model, &model->vectors);
    if (!folded || atomic_compare_exchange_strong(&shared->folded, &before, folded))
        return folded;
    pt_free(model->context, folded);
    return before;
}

static partan_status fold_linear(prediction *p)
{
    const pt_matrix *rows = p->rows;
    bool whole = p->vectors == &p->model->vectors;
    double *own = whole ? NULL : fold_vectors(p->context, p->model, p->vectors);
    const double *folded = whole ? folded_once(p->model) : own;
    if (!folded)
        return pt_out_of_memory(p->context, "the weights of features");
    pt_team_run(p->context, pt_team_for(p->context, (double)(rows->rows + (size_t)rows->nonzeros)),
                pt_span_count(rows->rows, FOLD_ROWS), multiply_rows, &(fold){p, folded});
    pt_free(p->context, own);
    return pt_progress_share(p->context, 1);
}

/* ---- Others: fast for all rows, then exactly for those near zero ---- */

static double squared_norm(const pt_matrix *matrix, size_t row)
{
    if (matrix->norms)
        return (double)matrix->norms[row];
    pt_cursor at = {.matrix = matrix, .row = row};
    double ones = 0;
    while (pt_layout_of(matrix->storage)->next(&at))
        ones++;
    return ones;
}

/* What an error of 1 in each kernel value makes of the decision value. What such errors have in common is a factor of
 * the whole sum, which changes no sign. */
double pt_doubt_of_weights(double sum, double squares)
{
    return VALUE_PRECISION * fmin(sum, DEVIATIONS * sqrt(squares));
}

double pt_doubt_of_row(const pt_kernel *kernel, const pt_matrix *rows, size_t row, double longest)
{
    return pt_kernel_kind_of(kernel->kind)->error(kernel, squared_norm(rows, row), longest);
}

double pt_longest_norm(const pt_matrix *vectors)
{
    double longest = 0;
    for (size_t i = 0; i < vectors->rows; i++)
        longest = fmax(longest, squared_norm(vectors, i));
    return longest;
}

static bool has_numbers(const prediction *p)
{
    return p->model->settings.problem == PARTAN_REGRESSION;
}

/* Squares of values, and rows. */
static void add_squares(void *user, double *sums)
{
    const prediction *p = user;
    for (size_t row = 0; row < p->data->matrix.rows; row++)
        sums[0] += p->decision[row] * p->decision[row];
    sums[1] += (double)p->data->matrix.rows;
}

/* What errors of predicted numbers may be: a share of their root mean square without the bias. */
static partan_status take_tolerance(prediction *p, partan_status status)
{
    pt_comm *comm = p->whole ? p->whole->comm : NULL;
    double sums[2] = {0};
    status = pt_agree(p->context, comm, status);
    if (status)
        return status;
    pt_in_turn(comm, add_squares, p, sums, 2);
    p->tolerance = NUMBER_PRECISION * sqrt(sums[0] / sums[1]);
    return PARTAN_OK;
}

/* Numbers of the rows whose value is not certain enough into `uncertain`; returns how many. */
static size_t find_uncertain(const prediction *p, int64_t *uncertain)
{
    double sum = 0, squares = 0, longest = pt_longest_norm(p->vectors);
    bool numbers = has_numbers(p);
    for (size_t i = 0; i < p->model->count; i++) {
        sum += fabs(p->weights[i]);
        squares += p->weights[i] * p->weights[i];
    }
    double doubt = pt_doubt_of_weights(sum, squares);
    size_t count = 0;
    for (size_t row = 0; row < p->rows->rows; row++) {
        double error = doubt * pt_doubt_of_row(&p->kernel, p->rows, row, longest);
        if (numbers ? error > p->tolerance : fabs(p->decision[row] + p->model->bias) <= error)
            uncertain[count++] = (int64_t)row;
    }
    return count;
}

partan_status pt_predict_exactly(partan_context *context, const pt_kernel *kernel, const pt_matrix *matrix,
                                 const int64_t *rows, size_t count, pt_points vertices, size_t vertex_count,
                                 const double *weights, double *sums)
{
    pt_matrix gathered = {0};
    partan_status status = pt_matrix_gather(matrix, rows, count, &gathered);
    if (!status)
        status = pt_kernel_sums_exact(context, kernel, (pt_points){.matrix = &gathered}, vertices, vertex_count,
                                      weights, sums);
    pt_matrix_free(&gathered);
    return status;
}

static partan_status recompute(prediction *p, const int64_t *rows, size_t count)
{
    double *sums = pt_alloc(p->context, count, sizeof *sums);
    partan_status status = sums ? PARTAN_OK : pt_out_of_memory(p->context, "rows near the decision boundary");
    if (!status)
        status = pt_predict_exactly(p->context, &p->kernel, p->rows, rows, count, p->vertices, p->model->count,
                                    p->weights, sums);
    for (size_t i = 0; status == PARTAN_OK && i < count; i++)
        p->decision[rows[i]] = sums[i];
    pt_free(p->context, sums);
    return status;
}

static partan_status refine(prediction *p)
{
    int64_t *uncertain = pt_alloc(p->context, p->data->matrix.rows, sizeof *uncertain);
    if (!uncertain)
        return pt_out_of_memory(p->context, "rows near the decision boundary");
    size_t count = find_uncertain(p, uncertain);
    pt_log(p->context, PARTAN_LOG_DEBUG, "%zu rows near the decision boundary are computed again in double", count);
    partan_status status = count > 0 ? recompute(p, uncertain, count) : PARTAN_OK;
    pt_free(p->context, uncertain);
    return status;
}

/* Where the exact code decides for all rows. Of precomputed values it makes a product with a vector, which is fast
 * enough. The float32 tanh is (1 - e) / (1 + e) with e = exp(-2 |x|): what is lost in the difference is 6e-8 however
 * small x is, and of decision values that are sums of small values, 1e-5 and more. */
static bool needs_double(const pt_kernel *kernel)
{
    return kernel->kind == PARTAN_KERNEL_PRECOMPUTED || kernel->kind == PARTAN_KERNEL_SIGMOID;
}

/* Whether k(x, x) is a part of the decision value: the distance to a centre has it, where it is not the same for all.
 * LIBSVM's models are about a plane, and have it not. */
static bool needs_self(const prediction *p)
{
    return p->model->settings.problem == PARTAN_OUTLIER && p->model->format == PARTAN_MODEL_NATIVE
           && !pt_kernel_kind_of(p->kernel.kind)->decays;
}

bool pt_predicts_by_sums(const pt_kernel *kernel)
{
    return kernel->kind != PARTAN_KERNEL_LINEAR && !needs_double(kernel);
}

static partan_status take_weights(prediction *p)
{
    p->weights = pt_alloc(p->context, p->model->count, sizeof *p->weights);
    if (!p->weights)
        return pt_out_of_memory(p->context, "the weights of support vectors");
    for (size_t i = 0; i < p->model->count; i++)
        p->weights[i] = weight_of(p->model, i);
    return PARTAN_OK;
}

/* *rough: values are sums in float32, to be refined. */
static partan_status decide(prediction *p, bool *rough)
{
    if (p->kernel.kind == PARTAN_KERNEL_LINEAR && p->vectors->features <= FOLD_LIMIT)
        return fold_linear(p);
    partan_status status = take_weights(p);
    if (status)
        return status;
    *rough = !needs_double(&p->kernel) && !needs_self(p) && p->model->count > PT_FEW_VECTORS;
    return (*rough ? pt_kernel_sums_float32 : pt_kernel_sums_exact)(
        p->context, &p->kernel, (pt_points){.matrix = p->rows}, p->vertices, p->model->count, p->weights, p->decision);
}

/* Of a model without support vectors, which has only the bias. */
static void clear(const prediction *p)
{
    for (size_t row = 0; row < p->data->matrix.rows; row++)
        p->decision[row] = 0;
}

partan_status pt_check_decision(partan_context *context, const partan_data *data, size_t row, double value)
{
    return isfinite(value) ? PARTAN_OK
                           : pt_fail(context, PARTAN_ERROR_NUMERIC, "%s: row %zu has a kernel value that is not finite",
                                     data->name, row + 1);
}

static partan_status add_bias(const prediction *p)
{
    partan_status status = PARTAN_OK;
    for (size_t row = 0; row < p->data->matrix.rows && !status; row++) {
        p->decision[row] += p->model->bias;
        if (needs_self(p))
            p->decision[row] -= pt_kernel_self(&p->kernel, (pt_points){.matrix = p->rows}, row);
        status = pt_check_decision(p->context, p->data, row, p->decision[row]);
    }
    return status;
}

partan_status pt_model_match(partan_context *context, const partan_model *model, const partan_data *data,
                             pt_match *match)
{
    *match = (pt_match){.data = data};
    partan_status status = pt_model_check_columns(context, model, data);
    bool known = model->format == PARTAN_MODEL_NATIVE && !model->serials; /* how many features there are */
    return status || !known ? status : pt_match_open(context, &model->source, model->features, data, match);
}

partan_status pt_model_scale(partan_context *context, pt_comm *comm, const partan_model *model, pt_match *match)
{
    partan_data *scaled = NULL;
    if (!model->scaling)
        return PARTAN_OK;
    partan_status status = partan_scaling_apply(context, model->scaling, match->data, PARTAN_STORAGE_AUTO, &scaled);
    status = pt_agree(context, comm, status);
    if (!status && comm)
        status = pt_data_unify(context, comm, PARTAN_STORAGE_AUTO, scaled);
    if (status) {
        partan_data_free(scaled);
        return status;
    }
    partan_data_free(match->own);
    match->own = scaled;
    match->data = scaled;
    return PARTAN_OK;
}

/* All but the biases. */
static partan_status predict_values(prediction *p)
{
    pt_meeting meeting = {0};
    bool rough = false;
    partan_status status = PARTAN_OK;
    if (p->data->matrix.rows > 0) {
        status = pt_meeting_open(p->context, &p->data->matrix, &p->model->vectors, &meeting);
        p->rows = meeting.rows;
        p->vectors = meeting.vectors;
        p->vertices = (pt_points){.matrix = meeting.vectors, .serials = p->model->serials};
        if (!status)
            status = decide(p, &rough);
    }
    if (has_numbers(p))
        status = take_tolerance(p, status);
    if (!status && rough)
        status = refine(p);
    if (!status)
        status = add_bias(p);
    pt_meeting_close(&meeting);
    return status;
}

partan_status pt_predict_rows(partan_context *context, const partan_model *model, const partan_data *data,
                              const pt_whole *whole, double *decision)
{
    prediction p = {.context = context,
                    .model = model,
                    .data = data,
                    .whole = whole,
                    .kernel = pt_model_kernel(model),
                    .decision = decision};
    p.kernel.longest = whole ? whole->longest : 0;
    pt_progress_begin(context, "predict");
    if (model->count == 0) {
        clear(&p);
        return add_bias(&p);
    }
    partan_status status = predict_values(&p);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_free(context, p.weights);
    return status;
}

/* The form of kernel values follows from the longest row of all. */
static pt_whole whole_of(pt_comm *comm, const pt_matrix *rows)
{
    double longest = 0;
    for (size_t i = 0; i < rows->rows && rows->norms; i++)
        longest = fmax(longest, (double)rows->norms[i]);
    comm->greatest(comm, &longest, 1);
    return (pt_whole){.comm = comm, .longest = (float)longest};
}

partan_status partan_predict(partan_context *context, const partan_model *model, const partan_data *data,
                             double *decision)
{
    PT_REQUIRE(context, context && model && data && decision);
    pt_comm *comm = context->comm;
    pt_match match;
    partan_status status = pt_agree(context, comm, pt_model_match(context, model, data, &match));
    if (!status)
        status = pt_model_scale(context, comm, model, &match);
    if (!status) {
        pt_whole whole = comm ? whole_of(comm, &match.data->matrix) : (pt_whole){0};
        status = (model->machine_count > 0 ? pt_predict_many : pt_predict_rows)(context, model, match.data,
                                                                                comm ? &whole : NULL, decision);
        status = pt_agree(context, comm, status);
    }
    pt_match_close(&match);
    return status;
}

const pt_source *pt_model_read_like(const partan_model *model)
{
    return model->format == PARTAN_MODEL_NATIVE && !model->serials ? &model->source : NULL;
}

partan_status partan_data_read_for(partan_context *context, const partan_model *model, const char *path,
                                   const partan_read_options *options, partan_data **data)
{
    PT_REQUIRE(context, context && model && path && data);
    return pt_data_read_like(context, path, options, pt_model_read_like(model), model->features, data);
}
