/* The audit of a linear model: everything it claims, recomputed in double precision from its coefficients and the
 * original rows, by plain sums over the nonzeros of the rows. Nothing of it comes from the solver's code.
 *
 * With m_j and s_j the mean and the scale of feature j (m_j = 0 without an intercept, s_j = 1 without standardisation),
 * r the residual and c_j = sum_i (x_ij - m_j) r_i / (n s_j):
 *
 *     penalised   objective = |r|^2 / (2n) + lambda sum_j s_j |b_j|,   gap = objective - D(f r),
 *                 D(u) = (y'u - |u|^2 / 2) / n for the best f with |f c_j| <= lambda for all j
 *     radius      objective = |r|^2 / 2,   gap = n (radius max_j |c_j| - sum_j s_j b_j c_j) */
#include <math.h>

#include "core/require.h"
#include "core/sized.h"
#include "data/storage/kept.h"
#include "data/storage/layout.h"
#include "lasso/model.h"

/* Of the objective at 0. Claims and audit are sums of the same numbers in double precision, in different orders. */
#define TOLERANCE 1e-9

typedef struct column {
    double mean; /* at first the sum */
    double scale;
    double score;
    float least, most;
    int64_t count; /* of nonzeros */
} column;

typedef struct audit {
    partan_context *context;
    const partan_lasso *model;
    const partan_data *data;
    int64_t *ids;          /* of the model's coefficients, among the features that are looked at */
    const pt_matrix *rows; /* of the data; where most features are empty, without those */
    pt_matrix compact;
    partan_lasso_verification *found;
    column *columns;
    double *weights; /* coefficients of all features */
    double *residual;
    double target_mean, target_square; /* |y|^2 / n, y less its mean if there is an intercept */
    double largest;                    /* |c_j| */
} audit;

#define reject(a, ...) pt_reject((a)->found->reason, sizeof(a)->found->reason, __VA_ARGS__)

/* ---- Passes over the rows ---- */

typedef void (*visitor)(audit *a, size_t row, size_t feature, double value);

static partan_status for_every_nonzero(audit *a, visitor visit, double from, double to)
{
    const pt_matrix *matrix = a->rows;
    const pt_layout *layout = pt_layout_of(matrix->storage);
    size_t step = 1 + ((size_t)1 << 22) / matrix->features;
    for (size_t row = 0; row < matrix->rows; row++) {
        pt_cursor cursor = {.matrix = matrix, .row = row};
        while (layout->next(&cursor))
            visit(a, row, (size_t)cursor.index, (double)cursor.value);
        double share = (double)(row + 1) / (double)matrix->rows;
        if (row % step == 0 && pt_progress_share(a->context, from + (to - from) * share))
            return PARTAN_INTERRUPTED;
    }
    return PARTAN_OK;
}

static void add_sums(audit *a, size_t row, size_t feature, double value)
{
    (void)row;
    column *c = &a->columns[feature];
    float x = (float)value;
    c->least = c->count == 0 || x < c->least ? x : c->least;
    c->most = c->count == 0 || x > c->most ? x : c->most;
    c->mean += value;
    c->count++;
}

static void add_squares(audit *a, size_t row, size_t feature, double value)
{
    (void)row;
    column *c = &a->columns[feature];
    c->scale += (value - c->mean) * (value - c->mean);
}

static void subtract_fit(audit *a, size_t row, size_t feature, double value)
{
    a->residual[row] -= a->weights[feature] * value;
}

static void add_scores(audit *a, size_t row, size_t feature, double value)
{
    a->columns[feature].score += value * a->residual[row];
}

/* ---- Means, scales, residual, scores ---- */

/* The standard deviation from the squares over the nonzeros; 0 for a feature with one value only. */
static void finish_scale(const audit *a, column *c)
{
    double rows = (double)a->data->matrix.rows, absent = rows - (double)c->count;
    bool zeros = absent > 0, constant = c->count == 0 || (!zeros && c->least == c->most);
    double variance = (c->scale + absent * c->mean * c->mean) / rows;
    c->scale = constant || !(variance > 0) ? 0 : a->model->lasso.standardise ? sqrt(variance) : 1;
    if (!a->model->lasso.intercept)
        c->mean = 0;
}

static partan_status describe_columns(audit *a)
{
    size_t features = a->rows->features;
    partan_status status = for_every_nonzero(a, add_sums, 0, 0.25);
    for (size_t j = 0; j < features; j++)
        a->columns[j].mean /= (double)a->data->matrix.rows;
    if (!status)
        status = for_every_nonzero(a, add_squares, 0.25, 0.5);
    for (size_t j = 0; j < features && !status; j++)
        finish_scale(a, &a->columns[j]);
    return status;
}

static void describe_target(audit *a)
{
    size_t rows = a->data->matrix.rows;
    double sum = 0;
    for (size_t row = 0; row < rows; row++)
        sum += a->data->labels[row];
    a->target_mean = a->model->lasso.intercept ? sum / (double)rows : 0;
    for (size_t row = 0; row < rows; row++) {
        double y = a->data->labels[row] - a->target_mean;
        a->target_square += y * y / (double)rows;
        a->residual[row] = a->data->labels[row] - a->model->intercept;
    }
}

static partan_status compute_scores(audit *a)
{
    size_t rows = a->data->matrix.rows;
    double sum = 0;
    partan_status status = for_every_nonzero(a, subtract_fit, 0.5, 0.75);
    if (!status)
        status = for_every_nonzero(a, add_scores, 0.75, 1);
    for (size_t row = 0; row < rows; row++)
        sum += a->residual[row];
    for (size_t j = 0; j < a->rows->features && !status; j++) {
        column *c = &a->columns[j];
        c->score = c->scale > 0 ? (c->score - c->mean * sum) / (c->scale * (double)rows) : 0;
        a->largest = fmax(a->largest, fabs(c->score));
    }
    return status;
}

/* ---- Objective and gap ---- */

static double penalised_gap(const audit *a, double square, double along)
{
    double lambda = a->model->lasso.lambda, most = a->largest > lambda ? lambda / a->largest : 1;
    double factor = square > 0 ? fmax(-most, fmin(most, along / square)) : most;
    return a->found->objective - (factor * along - factor * factor * square / 2);
}

static void compute_claims(audit *a)
{
    const partan_lasso *model = a->model;
    double n = (double)a->data->matrix.rows, square = 0, along = 0, inner = 0, scale = a->target_square / 2;
    partan_lasso_verification *found = a->found;
    for (size_t row = 0; row < a->data->matrix.rows; row++) {
        square += a->residual[row] * a->residual[row] / n;
        along += a->residual[row] * (a->data->labels[row] - a->target_mean) / n;
    }
    found->norm = 0;
    for (size_t i = 0; i < model->result.nonzeros; i++) {
        const column *c = &a->columns[a->ids[i]];
        found->norm += c->scale * fabs(model->coefficients[i]);
        inner += c->scale * model->coefficients[i] * c->score;
    }
    if (model->lasso.radius > 0) {
        found->objective = n * square / 2;
        found->gap = n * (model->lasso.radius * a->largest - inner);
        scale *= n;
    } else {
        found->objective = square / 2 + model->lasso.lambda * found->norm;
        found->gap = penalised_gap(a, square, along);
    }
    found->relative_gap = scale > 0 ? found->gap / scale : found->gap;
    found->r2 = a->target_square > 0 ? 1 - square / a->target_square : 1;
}

/* ---- Claims ---- */

static bool check_intercept(audit *a)
{
    const partan_lasso *model = a->model;
    double expected = a->target_mean, size = fabs(expected);
    for (size_t i = 0; i < model->result.nonzeros; i++) {
        double part = model->coefficients[i] * a->columns[a->ids[i]].mean;
        expected -= part;
        size += fabs(part);
    }
    if (!(fabs(model->intercept - expected) <= TOLERANCE * size))
        return reject(a, "the intercept is %.9g, but the means give %.9g", model->intercept, expected);
    return true;
}

static bool check_coefficients(audit *a)
{
    const partan_lasso *model = a->model;
    for (size_t i = 0; i < model->result.nonzeros; i++) {
        if (!isfinite(model->coefficients[i]))
            return reject(a, "the coefficient of feature %jd is not finite", (intmax_t)model->ids[i] + 1);
        if (a->columns[a->ids[i]].scale == 0)
            return reject(a, "feature %jd is constant, but has the coefficient %g", (intmax_t)model->ids[i] + 1,
                          model->coefficients[i]);
    }
    double bound = model->lasso.radius > 0 ? model->lasso.radius : model->result.radius;
    double norm = a->found->norm, unit = TOLERANCE * bound;
    if (model->lasso.radius > 0 ? !(norm <= bound + unit) : !(fabs(norm - bound) <= unit))
        return reject(a, "the coefficients' norm is %.12g, the model's radius %.12g", norm, bound);
    return true;
}

static bool agree(audit *a, const char *what, double claimed, double found, double unit)
{
    if (fabs(claimed - found) <= TOLERANCE * unit)
        return true;
    return reject(a, "the model claims %s of %.9g, but the recomputed one is %.9g", what, claimed, found);
}

static bool check_claims(audit *a)
{
    const partan_lasso_result *claimed = &a->model->result;
    const partan_lasso_verification *found = a->found;
    double unit = a->target_square / 2 * (a->model->lasso.radius > 0 ? (double)a->data->matrix.rows : 1);
    /* A gap may be many times the objective at 0; then so is its rounding. */
    double gap_unit = fmax(unit, fabs(found->gap)), relative_unit = fmax(1, fabs(found->relative_gap));
    return agree(a, "an objective", claimed->objective, found->objective, fmax(unit, found->objective))
           && agree(a, "a gap", claimed->gap, found->gap, gap_unit)
           && agree(a, "a relative gap", claimed->relative_gap, found->relative_gap, relative_unit)
           && agree(a, "an R^2", claimed->r2, found->r2, 1);
}

static bool check_convergence(audit *a)
{
    const partan_settings *settings = &a->model->settings;
    const partan_lasso_verification *found = a->found;
    double unit = a->target_square / 2 * (a->model->lasso.radius > 0 ? (double)a->data->matrix.rows : 1);
    bool by_tol = settings->tol > 0 && found->relative_gap <= settings->tol + TOLERANCE;
    bool by_eps = settings->eps > 0 && found->gap <= settings->eps + TOLERANCE * unit;
    if (a->model->result.converged && !by_tol && !by_eps)
        return reject(a, "the model claims convergence, but its gap of %.9g meets neither of its targets", found->gap);
    return true;
}

static bool check_fingerprint(audit *a)
{
    uint64_t found = partan_data_fingerprint(a->data);
    if (found != a->model->fingerprint || a->model->rows != a->data->matrix.rows)
        return reject(a, "the data's fingerprint is %016jx, that of the training data was %016jx", (uintmax_t)found,
                      (uintmax_t)a->model->fingerprint);
    return true;
}

/* Where most features are empty, they are left out. The last column stands for those that have a coefficient all the
 * same, which is one of the things to find out. */
static partan_status choose_rows(audit *a)
{
    const partan_lasso *model = a->model;
    const pt_matrix *matrix = &a->data->matrix;
    pt_kept *kept = NULL;
    bool hollow = pt_is_hollow(matrix);
    partan_status status = hollow ? pt_kept_make(a->context, matrix, NULL, &kept) : PARTAN_OK;
    if (!status && hollow)
        status = pt_kept_view(kept, matrix, &a->compact);
    a->compact.features += hollow;
    a->rows = hollow ? &a->compact : matrix;
    a->ids = pt_alloc(a->context, (size_t)model->result.nonzeros, sizeof *a->ids);
    if (!status && !a->ids)
        status = pt_out_of_memory(a->context, "the audit of a model");
    for (size_t i = 0; i < model->result.nonzeros && !status; i++) {
        int64_t rank = hollow ? pt_kept_rank(kept, model->ids[i]) : model->ids[i];
        a->ids[i] = rank < 0 ? (int64_t)a->compact.features - 1 : rank;
    }
    pt_kept_free(kept);
    return status;
}

static partan_status run(audit *a)
{
    const partan_lasso *model = a->model;
    partan_status status = choose_rows(a);
    if (status)
        return status;
    size_t features = a->rows->features;
    a->columns = pt_alloc_zero(a->context, features, sizeof *a->columns);
    a->weights = pt_alloc_zero(a->context, features, sizeof *a->weights);
    a->residual = pt_alloc(a->context, a->data->matrix.rows, sizeof *a->residual);
    if (!a->columns || !a->weights || !a->residual)
        return pt_out_of_memory(a->context, "the audit of a model");
    for (size_t i = 0; i < model->result.nonzeros; i++)
        a->weights[a->ids[i]] = model->coefficients[i];
    status = describe_columns(a);
    if (!status) {
        describe_target(a);
        status = compute_scores(a);
    }
    if (status)
        return status;
    compute_claims(a);
    a->found->matches =
        check_fingerprint(a) && check_intercept(a) && check_coefficients(a) && check_claims(a) && check_convergence(a);
    return PARTAN_OK;
}

PT_STRUCT_INIT(partan_lasso_verification, .objective = NAN, .gap = NAN, .relative_gap = NAN, .r2 = NAN, .norm = NAN)

static partan_status verify(partan_context *context, const partan_lasso *model, const partan_data *data,
                            partan_lasso_verification *found)
{
    pt_match match = {0};
    partan_status status = pt_lasso_check_target(context, data);
    if (!status)
        status = pt_match_open(context, &model->source, model->features, data, &match);
    if (!status && data->matrix.features != model->features)
        status = pt_fail(context, PARTAN_ERROR_DATA, "%s: found %zu features, expected %zu, as the model has them",
                         data->name, data->matrix.features, model->features);
    if (status) {
        pt_match_close(&match);
        return status;
    }
    audit a = {.context = context, .model = model, .data = match.data, .found = found};
    pt_progress_begin(context, "verify");
    status = run(&a);
    pt_kept_view_free(&a.compact);
    pt_match_close(&match);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_free(context, a.ids);
    pt_free(context, a.columns);
    pt_free(context, a.weights);
    pt_free(context, a.residual);
    return status;
}

partan_status partan_lasso_verify(partan_context *context, const partan_lasso *model, const partan_data *data,
                                  partan_lasso_verification *verification)
{
    PT_REQUIRE(context, context && model && data && verification);
    PT_CHECK_OUTPUT(context, partan_lasso_verification, verification);
    partan_lasso_verification found;
    partan_lasso_verification_init(&found);
    partan_status status = verify(context, model, data, &found);
    pt_struct_give(verification, &found, sizeof found);
    return status;
}
