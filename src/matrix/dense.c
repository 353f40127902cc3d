#include "matrix/dense.h"

#include <math.h>
#include <string.h>

/* ---- Long vectors ---- */

enum {
    LONG_VECTOR = 1 << 15, /* entries of a vector that is summed in parts */
    PARTS = 256,
    LANES = 8,
    MOST_SWEEPS = 60 /* of Jacobi's method */
};

/* In several sums, so that they can be vectors. */
static double dot_part(const double *a, const double *b, size_t count)
{
    double lanes[LANES] = {0}, sum = 0;
    size_t i = 0;
    for (; i + LANES <= count; i += LANES)
        for (size_t k = 0; k < LANES; k++)
            lanes[k] += a[i + k] * b[i + k];
    for (; i < count; i++)
        sum += a[i] * b[i];
    for (size_t k = 0; k < LANES; k++)
        sum += lanes[k];
    return sum;
}

typedef struct dots {
    const double *a, *b;
    size_t count;
    double *part;
} dots;

static void add_part(void *user, size_t p, size_t thread)
{
    const dots *d = user;
    size_t begin = d->count / PARTS * p, end = p + 1 < PARTS ? begin + d->count / PARTS : d->count;
    (void)thread;
    d->part[p] = dot_part(d->a + begin, d->b + begin, end - begin);
}

double pt_dot(partan_context *context, const double *a, const double *b, size_t count)
{
    double part[PARTS], sum = 0;
    if (count <= LONG_VECTOR)
        return dot_part(a, b, count);
    pt_team_run(context, pt_matrix_threads(context, count), PARTS, add_part, &(dots){a, b, count, part});
    for (size_t p = 0; p < PARTS; p++)
        sum += part[p];
    return sum;
}

/* ---- Jacobi ---- */

typedef struct rotation {
    double cosine, sine;
} rotation;

/* Puts columns of A and V, of `rows` and n entries, in order of descending values. */
static void sort_columns(size_t n, double *values, double *A, double *V)
{
    for (size_t i = 0; i < n; i++) {
        size_t best = i;
        for (size_t j = i + 1; j < n; j++)
            if (values[j] > values[best])
                best = j;
        if (best == i)
            continue;
        double value = values[i];
        values[i] = values[best];
        values[best] = value;
        for (size_t k = 0; k < n; k++) {
            double a = A ? A[k * n + i] : 0, v = V[k * n + i];
            if (A) {
                A[k * n + i] = A[k * n + best];
                A[k * n + best] = a;
            }
            V[k * n + i] = V[k * n + best];
            V[k * n + best] = v;
        }
    }
}

static void set_identity(size_t n, double *A)
{
    memset(A, 0, n * n * sizeof *A);
    for (size_t i = 0; i < n; i++)
        A[i * n + i] = 1;
}

/* That makes the off-diagonal entry of a symmetric 2 x 2 matrix zero. */
static rotation annihilate(double app, double aqq, double apq)
{
    double theta = (aqq - app) / (2 * apq);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(1 + theta * theta));
    double cosine = 1 / sqrt(1 + t * t);
    return (rotation){cosine, t * cosine};
}

/* Rows p and q of an n x n matrix: x, y -> cx - sy, sx + cy. */
static void rotate_rows(size_t n, double *A, size_t p, size_t q, rotation r)
{
    double *restrict x = A + p * n, *restrict y = A + q * n;
    for (size_t k = 0; k < n; k++) {
        double a = x[k], b = y[k];
        x[k] = r.cosine * a - r.sine * b;
        y[k] = r.sine * a + r.cosine * b;
    }
}

static void rotate_columns(size_t n, double *A, size_t p, size_t q, rotation r)
{
    for (size_t k = 0; k < n; k++) {
        double a = A[k * n + p], b = A[k * n + q];
        A[k * n + p] = r.cosine * a - r.sine * b;
        A[k * n + q] = r.sine * a + r.cosine * b;
    }
}

static void transpose(size_t n, double *A)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double a = A[i * n + j];
            A[i * n + j] = A[j * n + i];
            A[j * n + i] = a;
        }
}

void pt_eigen(size_t n, double *A, double *values, double *vectors)
{
    double least = 0;         /* what is below the rounding of the largest entries needs no turn */
    set_identity(n, vectors); /* by rows until the end */
    for (size_t i = 0; i < n; i++)
        least = fmax(least, 1e-17 * fabs(A[i * n + i]));
    bool turned = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = false;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                double app = A[p * n + p], aqq = A[q * n + q], apq = A[p * n + q];
                if (fabs(apq) <= least)
                    continue;
                rotation r = annihilate(app, aqq, apq);
                rotate_rows(n, A, p, q, r);
                rotate_columns(n, A, p, q, r);
                rotate_rows(n, vectors, p, q, r);
                turned = true;
            }
    }
    transpose(n, vectors);
    for (size_t i = 0; i < n; i++)
        values[i] = A[i * n + i];
    sort_columns(n, values, NULL, vectors);
}

void pt_svd(size_t n, double *A, double *s, double *V)
{
    set_identity(n, V);
    transpose(n, A); /* columns lie together, of both */
    bool turned = true;
    for (int sweep = 0; sweep < MOST_SWEEPS && turned; sweep++) {
        turned = false;
        for (size_t p = 0; p < n; p++)
            for (size_t q = p + 1; q < n; q++) {
                double *x = A + p * n, *y = A + q * n;
                double app = dot_part(x, x, n), aqq = dot_part(y, y, n), apq = dot_part(x, y, n);
                if (fabs(apq) <= 1e-16 * sqrt(app * aqq) || apq == 0)
                    continue;
                rotation r = annihilate(app, aqq, apq);
                rotate_rows(n, A, p, q, r);
                rotate_rows(n, V, p, q, r);
                turned = true;
            }
    }
    for (size_t j = 0; j < n; j++) {
        s[j] = sqrt(dot_part(A + j * n, A + j * n, n));
        for (size_t k = 0; k < n; k++)
            A[j * n + k] = s[j] > 0 ? A[j * n + k] / s[j] : 0;
    }
    transpose(n, A);
    transpose(n, V);
    sort_columns(n, s, A, V);
}

/* ---- Small systems ---- */

bool pt_cholesky(size_t n, size_t stride, double *A)
{
    for (size_t i = 0; i < n; i++) {
        double *line = A + i * stride;
        for (size_t j = 0; j <= i; j++) {
            const double *other = A + j * stride;
            double sum = line[j] - dot_part(line, other, j);
            if (j < i)
                line[j] = sum / other[j];
            else if (!(sum > 0))
                return false;
            else
                line[j] = sqrt(sum);
        }
    }
    return true;
}

void pt_multiply(size_t n, const double *A, const double *B, double *out)
{
    memset(out, 0, n * n * sizeof *out);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++)
            for (size_t j = 0; j < n; j++)
                out[i * n + j] += A[i * n + k] * B[k * n + j];
}

void pt_project_simplex(double *s, size_t n, double radius)
{
    double sum = 0, less = 0;
    for (size_t i = 0; i < n && (sum + s[i] - radius) / (double)(i + 1) < s[i]; i++) {
        sum += s[i];
        less = (sum - radius) / (double)(i + 1);
    }
    for (size_t i = 0; i < n && less > 0; i++)
        s[i] = s[i] > less ? s[i] - less : 0;
}
