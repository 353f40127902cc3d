/* Balancing factors: Gram matrices, and products with small matrices. */
#include <math.h>
#include <string.h>

#include "core/team.h"
#include "kernel/algebra.h"
#include "matrix/factors.h"

enum {
    CHUNK = 128, /* rows whose products are summed together, from the cache */
    PARTS = 16,  /* of the rows, that threads take */
    SHORT = 512  /* rows that are one part */
};

#define NEGLIGIBLE 1e-13 /* eigenvalues of a Gram matrix, of the largest: rounding */

/* ---- Gram matrices and products with small matrices ---- */

static void gram_part(const pt_algebra_ops *ops, const double *factor, size_t begin, size_t end, size_t rank,
                      size_t stride, double *out)
{
    int64_t which[CHUNK];
    double ones[CHUNK];
    for (size_t i = 0; i < CHUNK; i++) {
        which[i] = (int64_t)i;
        ones[i] = 1;
    }
    for (size_t at = begin; at < end; at += CHUNK) {
        pt_gram gram = {.rows = factor + at * stride,
                        .stride = stride,
                        .which = which,
                        .weights = ones,
                        .count = end - at < CHUNK ? end - at : CHUNK};
        ops->gram(&gram, 0, (rank + 3) / 4 * 4, out);
    }
}

typedef struct grams {
    const pt_algebra_ops *ops;
    const pt_factors *factors;
    const double *factor;
    size_t rows, parts;
    double *room; /* parts * stride * stride */
} grams;

static void add_gram(void *user, size_t part, size_t thread)
{
    const grams *g = user;
    size_t stride = g->factors->stride;
    (void)thread;
    gram_part(g->ops, g->factor, g->rows * part / g->parts, g->rows * (part + 1) / g->parts, g->factors->rank, stride,
              g->room + part * stride * stride);
}

/* out = factor' factor, rank x rank. room: PARTS * stride * stride. */
static void gram(const pt_factors *factors, const double *factor, size_t rows, double *room, double *out)
{
    size_t rank = factors->rank, stride = factors->stride, square = stride * stride;
    size_t parts = rows <= SHORT ? 1 : PARTS;
    grams g = {pt_algebra_ops_for(factors->context->isa), factors, factor, rows, parts, room};
    memset(room, 0, parts * square * sizeof *room);
    pt_team_run(factors->context, pt_matrix_threads(factors->context, rows * rank * rank), parts, add_gram, &g);
    for (size_t k = 0; k < rank; k++)
        for (size_t l = 0; l <= k; l++) {
            double sum = 0;
            for (size_t p = 0; p < parts; p++)
                sum += room[p * square + k * stride + l];
            out[k * rank + l] = out[l * rank + k] = sum;
        }
}

typedef struct product {
    const pt_factors *factors;
    const double *factor, *padded;
    double *out;
    size_t rows;
} product;

static void multiply_rows(void *user, size_t chunk, size_t thread)
{
    const product *p = user;
    size_t rank = p->factors->rank, stride = p->factors->stride;
    pt_span span = pt_span_of(p->rows, CHUNK, chunk);
    double *out = p->out + span.begin * stride;
    (void)thread;
    memset(out, 0, (span.end - span.begin) * stride * sizeof *out);
    pt_algebra_ops_for(p->factors->context->isa)
        ->multiply(p->factor + span.begin * stride, stride, span.end - span.begin, p->padded, rank, stride, out);
}

partan_status pt_factor_times(const pt_factors *factors, const double *factor, size_t rows, const double *T,
                              double *out)
{
    partan_context *context = factors->context;
    size_t rank = factors->rank, stride = factors->stride;
    double *padded = pt_alloc_zero(context, rank * stride, sizeof *padded);
    if (!padded)
        return pt_out_of_memory(context, "the factors of a matrix");
    for (size_t k = 0; k < rank; k++)
        memcpy(padded + k * stride, T + k * rank, rank * sizeof *padded);
    pt_team_run(context, pt_matrix_threads(context, rows * rank * rank), pt_span_count(rows, CHUNK), multiply_rows,
                &(product){factors, factor, padded, out, rows});
    pt_free(context, padded);
    return PARTAN_OK;
}

/* *factor = *factor T, T rank x rank. */
static partan_status transform(const pt_factors *factors, double **factor, size_t rows, const double *T)
{
    double *next = pt_alloc(factors->context, rows * factors->stride, sizeof *next);
    partan_status status = next ? pt_factor_times(factors, *factor, rows, T, next)
                                : pt_out_of_memory(factors->context, "the factors of a matrix");
    if (status) {
        pt_free(factors->context, next);
        return status;
    }
    pt_free(factors->context, *factor);
    *factor = next;
    return PARTAN_OK;
}

/* ---- Balancing ---- */

/* Square matrices of the rank's size. */
typedef struct work {
    double *square[6];
    double *values[2];
    double *room; /* for gram */
} work;

static void work_free(partan_context *context, work *w)
{
    pt_free(context, w->square[0]);
    pt_free(context, w->room);
}

static partan_status work_make(const pt_factors *factors, work *w)
{
    size_t rank = factors->rank, stride = factors->stride;
    double *block = pt_alloc(factors->context, 6 * rank * rank + 2 * rank, sizeof *block);
    *w = (work){.square[0] = block, .room = pt_alloc(factors->context, PARTS * stride * stride, sizeof(double))};
    if (!block || !w->room) {
        work_free(factors->context, w);
        return pt_out_of_memory(factors->context, "the factors of a matrix");
    }
    for (size_t i = 0; i < 6; i++)
        w->square[i] = block + i * rank * rank;
    for (size_t i = 0; i < 2; i++)
        w->values[i] = block + 6 * rank * rank + i * rank;
    return PARTAN_OK;
}

/* Columns of A times d. */
static void scale_columns(size_t n, double *A, const double *d)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            A[i * n + j] *= d[j];
}

/* out = A' B. */
static void multiply_transposed(size_t n, const double *A, const double *B, double *out)
{
    memset(out, 0, n * n * sizeof *out);
    for (size_t k = 0; k < n; k++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                out[i * n + j] += A[k * n + i] * B[k * n + j];
}

/* With left'left = E D E' and D^1/2 E' right'right E D^1/2 = F S^2 F', the singular values are S, and
 *
 *     left E D^-1/2 F S^1/2   and   right E D^1/2 F S^-1/2
 *
 * are the balanced factors. Directions that D or S have no part in are left out. */
static void balancing(const pt_factors *factors, work *w, double *singular)
{
    size_t n = factors->rank, square = n * n;
    double *P = w->square[0], *Q = w->square[1], *E = w->square[2], *K = w->square[3], *F = w->square[4];
    double *T = w->square[5], *D = w->values[0], *root = w->values[1];
    gram(factors, factors->left, factors->rows, w->room, P);
    gram(factors, factors->right, factors->columns, w->room, Q);
    pt_eigen(n, P, D, E);
    for (size_t k = 0; k < n; k++)
        root[k] = D[k] > NEGLIGIBLE * D[0] ? sqrt(D[k]) : 0;
    memcpy(P, E, square * sizeof *P);
    scale_columns(n, P, root); /* E D^1/2 */
    pt_multiply(n, Q, P, T);
    multiply_transposed(n, P, T, K);
    pt_eigen(n, K, singular, F);
    for (size_t k = 0; k < n; k++) {
        singular[k] = singular[k] > NEGLIGIBLE * singular[0] ? sqrt(singular[k]) : 0;
        root[k] = root[k] > 0 ? 1 / root[k] : 0;
    }
    scale_columns(n, E, root); /* E D^-1/2 */
    for (size_t k = 0; k < n; k++)
        root[k] = sqrt(singular[k]);
    pt_multiply(n, E, F, T);
    scale_columns(n, T, root);
    for (size_t k = 0; k < n; k++)
        root[k] = root[k] > 0 ? 1 / root[k] : 0;
    pt_multiply(n, P, F, Q);
    scale_columns(n, Q, root);
    /* T is for the left factor, Q for the right one. */
}

/* Columns from `rank` on become 0. */
static void cut(pt_factors *factors, size_t rank)
{
    size_t stride = factors->stride;
    for (size_t k = rank; k < factors->rank; k++) {
        for (size_t i = 0; i < factors->rows; i++)
            factors->left[i * stride + k] = 0;
        for (size_t j = 0; j < factors->columns; j++)
            factors->right[j * stride + k] = 0;
        factors->singular[k] = 0;
    }
    factors->rank = rank;
}

partan_status pt_factors_balance(pt_factors *factors, double least, size_t most)
{
    work w;
    size_t rank = 0;
    if (factors->rank == 0)
        return PARTAN_OK;
    partan_status status = work_make(factors, &w);
    if (status)
        return status;
    balancing(factors, &w, factors->singular);
    status = transform(factors, &factors->left, factors->rows, w.square[5]);
    if (!status)
        status = transform(factors, &factors->right, factors->columns, w.square[1]);
    while (rank < factors->rank && (most == 0 || rank < most) && factors->singular[rank] > 0
           && factors->singular[rank] >= least * factors->singular[0])
        rank++;
    cut(factors, rank);
    work_free(factors->context, &w);
    return status;
}

/* ---- Full precision ---- */

/* T = C'^-1 A diag(d), with C lower triangular: column by column from below. */
static void solve_transposed(size_t n, const double *C, const double *A, double *T)
{
    memcpy(T, A, n * n * sizeof *T);
    for (size_t i = n; i-- > 0;)
        for (size_t j = 0; j < n; j++) {
            double sum = T[i * n + j];
            for (size_t k = i + 1; k < n; k++)
                sum -= C[k * n + i] * T[k * n + j];
            T[i * n + j] = sum / C[i * n + i];
        }
}

static void clear_above(size_t n, double *C)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            C[i * n + j] = 0;
}

/* With left'left = C C' and right'right = H H', X = (left C'^-1) C' H (right H'^-1)', and C' H = A S B'. */
partan_status pt_factors_polish(pt_factors *factors)
{
    work w;
    size_t n = factors->rank;
    if (n == 0)
        return PARTAN_OK;
    partan_status status = work_make(factors, &w);
    if (status)
        return status;
    double *C = w.square[0], *H = w.square[1], *A = w.square[2], *B = w.square[3], *T = w.square[4],
           *root = w.values[0];
    gram(factors, factors->left, factors->rows, w.room, C);
    gram(factors, factors->right, factors->columns, w.room, H);
    if (pt_cholesky(n, n, C) && pt_cholesky(n, n, H)) { /* else they stay as they are, precise enough to go on with */
        clear_above(n, C);
        clear_above(n, H);
        multiply_transposed(n, C, H, A);
        pt_svd(n, A, factors->singular, B);
        for (size_t k = 0; k < n; k++)
            root[k] = sqrt(factors->singular[k]);
        solve_transposed(n, C, A, T);
        scale_columns(n, T, root);
        status = transform(factors, &factors->left, factors->rows, T);
        solve_transposed(n, H, B, T);
        scale_columns(n, T, root);
        if (!status)
            status = transform(factors, &factors->right, factors->columns, T);
    }
    work_free(factors->context, &w);
    return status;
}

/* ---- Of one factor ---- */

partan_status pt_factor_gram(const pt_factors *factors, const double *factor, size_t rows, double *out)
{
    size_t stride = factors->stride;
    double *room = pt_alloc(factors->context, PARTS * stride * stride, sizeof *room);
    if (!room)
        return pt_out_of_memory(factors->context, "the factors of a matrix");
    gram(factors, factor, rows, room, out);
    pt_free(factors->context, room);
    return PARTAN_OK;
}

partan_status pt_factor_norm(const pt_factors *factors, const double *factor, size_t rows, double *norm)
{
    size_t rank = factors->rank;
    double *room = pt_alloc(factors->context, 2 * rank * rank + rank, sizeof *room);
    *norm = 0;
    if (!room)
        return pt_out_of_memory(factors->context, "the factors of a matrix");
    partan_status status = pt_factor_gram(factors, factor, rows, room);
    if (!status && rank > 0) {
        pt_eigen(rank, room, room + 2 * rank * rank, room + rank * rank);
        *norm = sqrt(fmax(room[2 * rank * rank], 0));
    }
    pt_free(factors->context, room);
    return status;
}
