#include "kernel/cholesky.h"

#include <math.h>
#include <string.h>

#include "core/team.h"
#include "kernel/instructions.h"

#define PRODUCT 0.035 /* nanoseconds, of two entries in a product of tiles */

enum { T = PT_CHOLESKY_TILE };

partan_status pt_cholesky_make(pt_cholesky *c, partan_context *context, size_t size)
{
    size_t tiles = size / T + (size % T != 0);
    *c = (pt_cholesky){.context = context,
                       .ops = pt_algebra_ops_for(context->isa),
                       .size = size,
                       .tiles = tiles,
                       .values = pt_alloc_zero(context, tiles * (tiles + 1) / 2, T * T * sizeof(double))};
    if (!c->values)
        return pt_out_of_memory(context, "a matrix of kernel values");
    for (size_t i = size; i < tiles * T; i++) /* padding */
        *pt_cholesky_entry(c, i, i) = 1;
    return PARTAN_OK;
}

void pt_cholesky_free(pt_cholesky *c)
{
    if (c->context)
        pt_free(c->context, c->values);
    *c = (pt_cholesky){0};
}

double pt_cholesky_bytes(size_t size)
{
    double side = (double)(size + T);
    return side * side / 2 * sizeof(double);
}

double pt_cholesky_cost(size_t size)
{
    double side = (double)size;
    return side * side * side / 3 * PRODUCT;
}

/* ---- Within a tile ---- */

/* Both go by whole lines of upper triangles, so that they are vector code. */

static void subtract_multiple(double *restrict line, double factor, const double *restrict other, size_t begin)
{
    for (size_t j = begin; j < T; j++)
        line[j] -= factor * other[j];
}

/* L' of the lower triangle, which is replaced by L. */
static bool factorise_tile(double *tile, double *upper)
{
    for (size_t i = 0; i < T; i++)
        for (size_t j = 0; j <= i; j++)
            upper[j * T + i] = tile[i * T + j];
    for (size_t k = 0; k < T; k++) {
        double *line = upper + k * T;
        if (!(line[k] > 0))
            return false;
        double scale = 1 / sqrt(line[k]);
        for (size_t j = k; j < T; j++)
            line[j] *= scale;
        for (size_t i = k + 1; i < T; i++)
            subtract_multiple(upper + i * T, line[i], line, i);
    }
    for (size_t i = 0; i < T; i++)
        for (size_t j = 0; j <= i; j++)
            tile[i * T + j] = upper[j * T + i];
    return true;
}

/* The inverse of L', from its last line on. */
static void invert_tile(const double *upper, double *inverse)
{
    memset(inverse, 0, T * T * sizeof *inverse);
    for (size_t i = T; i-- > 0;) {
        double *line = inverse + i * T, scale = 1 / upper[i * T + i];
        for (size_t k = i + 1; k < T; k++)
            subtract_multiple(line, upper[i * T + k] * scale, inverse + k * T, k);
        line[i] = scale;
    }
}

/* ---- The factor, a column of tiles at a time ---- */

typedef struct column {
    const pt_cholesky *matrix;
    size_t at;
    double *inverse; /* of the transposed tile on the diagonal */
    double *negated; /* the tiles below it, transposed, with the opposite sign */
} column;

static void solve_below(void *user, size_t chunk, size_t thread)
{
    const column *c = user;
    size_t line = c->at + 1 + chunk;
    double *tile = pt_cholesky_tile(c->matrix, line, c->at), *negated = c->negated + line * T * T;
    double solved[T * T] = {0};
    (void)thread;
    c->matrix->ops->multiply(tile, T, T, c->inverse, T, T, solved);
    memcpy(tile, solved, sizeof solved);
    for (size_t i = 0; i < T; i++)
        for (size_t j = 0; j < T; j++)
            negated[j * T + i] = -solved[i * T + j];
}

/* The pair of tiles' lines, second <= first, that is `index` in the order of the lower triangle. */
static void find_pair(size_t index, size_t *first, size_t *second)
{
    size_t line = (size_t)((sqrt(8 * (double)index + 1) - 1) / 2);
    while (line * (line + 1) / 2 > index)
        line--;
    while ((line + 1) * (line + 2) / 2 <= index)
        line++;
    *first = line;
    *second = index - line * (line + 1) / 2;
}

static void subtract_products(void *user, size_t chunk, size_t thread)
{
    const column *c = user;
    size_t line = 0, other = 0;
    (void)thread;
    find_pair(chunk, &line, &other);
    line += c->at + 1;
    other += c->at + 1;
    c->matrix->ops->multiply(pt_cholesky_tile(c->matrix, line, c->at), T, T, c->negated + other * T * T, T, T,
                             pt_cholesky_tile(c->matrix, line, other));
}

static bool factorise_column(const column *c)
{
    const pt_cholesky *m = c->matrix;
    double upper[T * T];
    if (!factorise_tile(pt_cholesky_tile(m, c->at, c->at), upper))
        return false;
    size_t below = m->tiles - c->at - 1, pairs = below * (below + 1) / 2;
    double each = PRODUCT * T * T * T;
    invert_tile(upper, c->inverse);
    pt_team_run(m->context, pt_team_for(m->context, each * (double)below), below, solve_below, (void *)c);
    pt_team_run(m->context, pt_team_for(m->context, each * (double)pairs), pairs, subtract_products, (void *)c);
    return true;
}

partan_status pt_cholesky_factorise(pt_cholesky *m)
{
    column c = {.matrix = m,
                .inverse = pt_alloc(m->context, T * T, sizeof *c.inverse),
                .negated = pt_alloc(m->context, m->tiles, T * T * sizeof *c.negated)};
    partan_status status =
        c.inverse && c.negated ? PARTAN_OK : pt_out_of_memory(m->context, "a matrix of kernel values");
    for (; c.at < m->tiles && !status; c.at++) {
        if (pt_interrupted(m->context))
            status = PARTAN_INTERRUPTED;
        else if (!factorise_column(&c))
            status = PARTAN_STALLED;
    }
    pt_free(m->context, c.inverse);
    pt_free(m->context, c.negated);
    return status;
}

/* ---- Solving ---- */

static void forward(const pt_cholesky *m, double *x)
{
    for (size_t line = 0; line < m->tiles; line++) {
        double *here = x + line * T;
        for (size_t other = 0; other < line; other++) {
            const double *tile = pt_cholesky_tile(m, line, other), *there = x + other * T;
            for (size_t i = 0; i < T; i++)
                here[i] -= pt_line_product(tile + i * T, there, T);
        }
        const double *tile = pt_cholesky_tile(m, line, line);
        for (size_t i = 0; i < T; i++) {
            for (size_t k = 0; k < i; k++)
                here[i] -= tile[i * T + k] * here[k];
            here[i] /= tile[i * T + i];
        }
    }
}

static void backward(const pt_cholesky *m, double *x)
{
    for (size_t line = m->tiles; line-- > 0;) {
        double *here = x + line * T;
        const double *tile = pt_cholesky_tile(m, line, line);
        for (size_t i = T; i-- > 0;) {
            here[i] /= tile[i * T + i];
            for (size_t k = 0; k < i; k++)
                here[k] -= tile[i * T + k] * here[i];
        }
        for (size_t other = 0; other < line; other++) {
            const double *beside = pt_cholesky_tile(m, line, other);
            double *there = x + other * T;
            for (size_t i = 0; i < T; i++)
                for (size_t k = 0; k < T; k++)
                    there[k] -= beside[i * T + k] * here[i];
        }
    }
}

partan_status pt_cholesky_solve(const pt_cholesky *m, double *x)
{
    double *padded = pt_alloc_zero(m->context, m->tiles, T * sizeof *padded);
    if (!padded)
        return pt_out_of_memory(m->context, "a matrix of kernel values");
    memcpy(padded, x, m->size * sizeof *x);
    forward(m, padded);
    backward(m, padded);
    memcpy(x, padded, m->size * sizeof *x);
    pt_free(m->context, padded);
    return PARTAN_OK;
}
