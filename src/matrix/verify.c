/* The audit of a fitted matrix: everything it claims, recomputed from factors, offsets and ratings by plain code.
 *
 *     r = known entries of X - (value - offsets)      objective = 1/2 |r|^2
 *     |X|_* <= sum_k singular_k |left_k| |right_k|    which is the nuclear norm where the factors are orthonormal
 *     gap = <r, X> + radius |G|_2                     G: r at the known entries, 0 elsewhere
 *
 * Nothing of this comes from the solver's code. |G|_2 is bounded from both sides by Lanczos steps of its own
 * (verify_norm.c), from another random vector; only the formula that turns the steps' coefficients into bounds
 * (pt_lanczos_bounds) is shared, and stands against dense singular values in the tests. What is reported is the gap by
 * the upper bound; a claim is false when it is less than the gap by the lower one. */
#include "matrix/verify.h"

#include <math.h>

#include "core/require.h"
#include "core/sized.h"
#include "matrix/matrix.h"

#define NORM_TOLERANCE   1e-9   /* of the radius */
#define CLAIM_TOLERANCE  1e-7   /* of 1/2 |b|^2: sums in other orders, offsets found again */
#define BOUND_SHARE      2.5e-5 /* of 1/2 |b|^2, that bounds of the gap should be within */
#define OFFSET_TOLERANCE 1e-9   /* of the largest value */

typedef struct audit {
    partan_context *context;
    const partan_matrix *matrix;
    const partan_ratings *ratings;
    partan_matrix_verification *found;
    int64_t *rows, *columns; /* of the ratings, in the matrix */
    double *residual;        /* at the known entries, in the ratings' order of rows */
    double inner, scale;     /* <r, X>, 1/2 |b|^2 */
    double least_gap;        /* what the gap is at least */
} audit;

#define reject(a, ...) pt_reject((a)->found->reason, sizeof(a)->found->reason, __VA_ARGS__)

/* ---- Claims that need no ratings ---- */

static double column_length(const double *factor, size_t rows, size_t rank, size_t k)
{
    double sum = 0;
    for (size_t i = 0; i < rows; i++)
        sum += factor[i * rank + k] * factor[i * rank + k];
    return sqrt(sum);
}

static bool check_norm(audit *a)
{
    const partan_matrix *m = a->matrix;
    size_t rank = (size_t)m->result.rank;
    double norm = 0, radius = m->matrix_settings.radius;
    for (size_t k = 0; k < rank; k++)
        norm += fabs(m->singular[k]) * column_length(m->left, m->rows.count, rank, k)
                * column_length(m->right, m->columns.count, rank, k);
    a->found->nuclear_norm = norm;
    if (!(norm <= radius * (1 + NORM_TOLERANCE)))
        return reject(a, "the nuclear norm is %.12g, the radius %.12g", norm, radius);
    a->found->feasible = 1;
    return true;
}

/* ---- Ratings ---- */

static bool check_places(audit *a)
{
    if (a->ratings->count != a->matrix->entries)
        return reject(a, "there are %zu ratings, the matrix was fitted to %llu", a->ratings->count,
                      (unsigned long long)a->matrix->entries);
    for (size_t i = 0; i < a->ratings->rows.count; i++)
        if (a->rows[i] < 0 && a->ratings->starts[i] < a->ratings->starts[i + 1])
            return reject(a, "row %zu of the ratings is not one of the matrix's", i + 1);
    for (size_t k = 0; k < a->ratings->count; k++)
        if (a->columns[a->ratings->column[k]] < 0)
            return reject(a, "column %d of the ratings is not one of the matrix's", a->ratings->column[k] + 1);
    return true;
}

/* Residual, <r, X> and 1/2 |b|^2. */
static void compute_residual(audit *a)
{
    const partan_ratings *r = a->ratings;
    const pt_offsets *o = &a->matrix->offsets;
    double squares = 0, inner = 0, scale = 0;
    for (size_t i = 0; i < r->rows.count; i++)
        for (int64_t k = r->starts[i]; k < r->starts[i + 1]; k++) {
            int64_t row = a->rows[i], column = a->columns[r->column[k]];
            double offset = o->mean + o->row[row] + o->column[column];
            double x = pt_matrix_value(a->matrix, row, column) - offset, b = r->value[k] - offset;
            a->residual[k] = x - b;
            squares += (x - b) * (x - b);
            inner += (x - b) * x;
            scale += b * b;
        }
    a->inner = inner;
    a->scale = scale / 2;
    a->found->objective = squares / 2;
    a->found->rmse = sqrt(squares / (double)r->count);
}

/* Offsets found again, by the same rule. */
static partan_status check_offsets(audit *a, bool *hold)
{
    const partan_ratings *r = a->ratings;
    const pt_offsets *claimed = &a->matrix->offsets;
    pt_offsets found;
    double *unused = pt_alloc(a->context, r->count, sizeof *unused), largest = 0;
    partan_status status = pt_offsets_make(a->context, &found, r->rows.count, r->columns.count);
    if (!status && !unused)
        status = pt_out_of_memory(a->context, "offsets");
    if (!status)
        status = pt_offsets_find(r, a->matrix->matrix_settings.centre, &found, unused);
    for (size_t k = 0; k < r->count && !status; k++)
        largest = fmax(largest, fabs(r->value[k]));
    *hold = !status && fabs(found.mean - claimed->mean) <= OFFSET_TOLERANCE * largest;
    for (size_t i = 0; i < r->rows.count && *hold; i++)
        *hold = a->rows[i] < 0 || fabs(found.row[i] - claimed->row[a->rows[i]]) <= OFFSET_TOLERANCE * largest;
    for (size_t j = 0; j < r->columns.count && *hold; j++)
        *hold =
            a->columns[j] < 0 || fabs(found.column[j] - claimed->column[a->columns[j]]) <= OFFSET_TOLERANCE * largest;
    if (!status && !*hold)
        reject(a, "the offsets are not the means of the ratings");
    pt_offsets_free(a->context, &found);
    pt_free(a->context, unused);
    return status;
}

static partan_status compute_gap(audit *a)
{
    double radius = a->matrix->matrix_settings.radius, lower = 0, upper = 0;
    partan_status status = PARTAN_OK;
    if (a->found->objective > 0)
        status = pt_verify_norm(a->context, a->ratings, a->residual, BOUND_SHARE * a->scale / radius, &lower, &upper);
    a->least_gap = a->inner + radius * lower;
    a->found->gap = fmax(a->inner + radius * upper, 0);
    a->found->relative_gap = a->scale > 0 ? a->found->gap / a->scale : 0;
    return status;
}

/* ---- Claims ---- */

static bool near(double claimed, double found, double tolerance)
{
    return fabs(claimed - found) <= tolerance;
}

static bool check_claims(audit *a)
{
    const partan_matrix_result *claimed = &a->matrix->result;
    const partan_matrix_verification *found = a->found;
    double slack = CLAIM_TOLERANCE * a->scale;
    if (!near(claimed->objective, found->objective, slack))
        return reject(a, "the matrix claims an objective of %.9g, but the recomputed one is %.9g", claimed->objective,
                      found->objective);
    if (!near(claimed->rmse, found->rmse,
              CLAIM_TOLERANCE * (found->rmse + sqrt(2 * a->scale / (double)a->ratings->count))))
        return reject(a, "the matrix claims an error of %.9g, but the recomputed one is %.9g", claimed->rmse,
                      found->rmse);
    if (!near(claimed->nuclear_norm, found->nuclear_norm, NORM_TOLERANCE * a->matrix->matrix_settings.radius))
        return reject(a, "the matrix claims a nuclear norm of %.12g, but the recomputed one is %.12g",
                      claimed->nuclear_norm, found->nuclear_norm);
    if (!(a->least_gap <= claimed->gap + slack))
        return reject(a, "the matrix claims a gap of %.9g, but the recomputed one is at least %.9g", claimed->gap,
                      a->least_gap);
    if (a->scale > 0
        && !near(claimed->relative_gap, claimed->gap / a->scale, CLAIM_TOLERANCE * (1 + claimed->relative_gap)))
        return reject(a, "the matrix claims a relative gap of %.9g, but its gap gives %.9g", claimed->relative_gap,
                      claimed->gap / a->scale);
    return true;
}

static bool check_convergence(audit *a)
{
    const partan_settings *s = &a->matrix->settings;
    double wanted = fmax(s->tol * a->scale, s->eps);
    if (a->matrix->result.converged && !(a->least_gap <= wanted + CLAIM_TOLERANCE * a->scale))
        return reject(a, "the matrix claims convergence, but its gap of at least %.9g does not meet its target of %.9g",
                      a->least_gap, wanted);
    return true;
}

static bool check_fingerprint(audit *a)
{
    uint64_t found = partan_ratings_fingerprint(a->ratings);
    if (found != a->matrix->fingerprint)
        return reject(a, "the fingerprint of the ratings is %016jx, that of those fitted was %016jx", (uintmax_t)found,
                      (uintmax_t)a->matrix->fingerprint);
    return true;
}

static partan_status run(audit *a)
{
    bool offsets_hold = false, norm_holds = check_norm(a);
    partan_status status = pt_names_map(&a->ratings->rows, &a->matrix->rows, &a->rows);
    if (!status)
        status = pt_names_map(&a->ratings->columns, &a->matrix->columns, &a->columns);
    if (status || !check_places(a))
        return status;
    a->residual = pt_alloc(a->context, a->ratings->count, sizeof *a->residual);
    if (!a->residual)
        return pt_out_of_memory(a->context, "ratings");
    compute_residual(a);
    status = check_offsets(a, &offsets_hold);
    if (!status)
        status = compute_gap(a);
    if (!status)
        a->found->matches =
            norm_holds && check_fingerprint(a) && offsets_hold && check_claims(a) && check_convergence(a);
    return status;
}

PT_STRUCT_INIT(partan_matrix_verification, .objective = NAN, .gap = NAN, .relative_gap = NAN, .nuclear_norm = NAN,
               .rmse = NAN)

static partan_status verify(partan_context *context, const partan_matrix *matrix, const partan_ratings *ratings,
                            partan_matrix_verification *found)
{
    if (matrix->fingerprint == 0)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "a matrix that was recovered from measurements other than entries "
                       "cannot be verified with ratings");
    audit a = {.context = context, .matrix = matrix, .ratings = ratings, .found = found};
    pt_progress_begin(context, "verify");
    partan_status status = run(&a);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_free(ratings->context, a.rows);
    pt_free(ratings->context, a.columns);
    pt_free(context, a.residual);
    return status;
}

partan_status partan_matrix_verify(partan_context *context, const partan_matrix *matrix, const partan_ratings *ratings,
                                   partan_matrix_verification *verification)
{
    PT_REQUIRE(context, context && matrix && ratings && verification);
    PT_CHECK_OUTPUT(context, partan_matrix_verification, verification);
    partan_matrix_verification found;
    partan_matrix_verification_init(&found);
    partan_status status = verify(context, matrix, ratings, &found);
    pt_struct_give(verification, &found, sizeof found);
    return status;
}
