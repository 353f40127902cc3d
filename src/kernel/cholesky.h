/* A symmetric positive definite matrix in double, factorised and solved by all threads: the lower triangle in square
 * tiles, so that all work is products of tiles, each summed in one order whatever the threads. */
#ifndef PT_CHOLESKY_H
#define PT_CHOLESKY_H

#include "kernel/algebra.h"

enum { PT_CHOLESKY_TILE = 96 }; /* a multiple of PT_GRAM_UNIT; three tiles fit a processor's second cache */

typedef struct pt_cholesky {
    partan_context *context;
    const pt_algebra_ops *ops;
    size_t size;
    size_t tiles;   /* along a side */
    double *values; /* of the tiles of the lower triangle, line by line; each is a square, line by line */
} pt_cholesky;

/* A matrix of zeros, which the caller fills in: all of the lower triangle. */
partan_status pt_cholesky_make(pt_cholesky *matrix, partan_context *context, size_t size);
void pt_cholesky_free(pt_cholesky *matrix);

/* Bytes that it takes, and nanoseconds on one thread to factorise it. */
double pt_cholesky_bytes(size_t size);
double pt_cholesky_cost(size_t size);

static inline double *pt_cholesky_tile(const pt_cholesky *matrix, size_t line, size_t column) /* column <= line */
{
    return matrix->values + (line * (line + 1) / 2 + column) * PT_CHOLESKY_TILE * PT_CHOLESKY_TILE;
}

/* The place of an entry, column <= line. */
static inline double *pt_cholesky_entry(const pt_cholesky *matrix, size_t line, size_t column)
{
    double *tile = pt_cholesky_tile(matrix, line / PT_CHOLESKY_TILE, column / PT_CHOLESKY_TILE);
    return tile + line % PT_CHOLESKY_TILE * PT_CHOLESKY_TILE + column % PT_CHOLESKY_TILE;
}

/* Replaces the matrix by its factor L, A = L L'. PARTAN_STALLED: rounding leaves it no positive diagonal. Then, and
 * after an interruption or a failure, its contents are of no use. */
partan_status pt_cholesky_factorise(pt_cholesky *matrix);

/* Solves A x = x in place, by the factor. */
partan_status pt_cholesky_solve(const pt_cholesky *factor, double *x);

#endif
