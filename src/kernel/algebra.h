/* Linear algebra in double for what is of low rank, kernels and matrices to be recovered: what costs most there. It
 * takes the place of a BLAS because every entry must be summed in one order, whatever the threads. */
#ifndef PT_ALGEBRA_H
#define PT_ALGEBRA_H

#include "kernel/kernel.h"

/* Products of low-rank factors, for pt_algebra_ops.gram: out[k][l] += sum_i weights[i] x_i[k] x_i[l] with x_i =
 * rows[which[i]]. Lines of rows and of `out` are `stride` long, a multiple of PT_GRAM_UNIT. */
#define PT_GRAM_UNIT 32
typedef struct pt_gram {
    const double *rows;
    size_t stride;
    const int64_t *which;
    const double *weights;
    size_t count;
} pt_gram;

typedef struct pt_algebra_ops {
    /* Solves L x = v in place for PT_EXACT_ROWS right-hand sides, values[k * PT_EXACT_ROWS + i]; L is lower triangular,
     * line k at factor + k * stride. */
    void (*substitute)(const double *factor, size_t stride, size_t rank, double *values);
    /* Lines first .. end-1 of `out`, both multiples of 4, at least up to the diagonal. */
    void (*gram)(const pt_gram *gram, size_t first, size_t end, double *out);
    /* out += left right, for left of `lines` x `inner`; lines of right and of out are `stride` long, a multiple of
     * PT_GRAM_UNIT, those of left `left_stride`. */
    void (*multiply)(const double *left, size_t left_stride, size_t lines, const double *right, size_t inner,
                     size_t stride, double *out);
    /* Solves A x = b in place of b, for one symmetric positive definite A of n lines, of which the lower triangle is
     * given. stride, a multiple of PT_GRAM_UNIT, is at least n rounded up to 4; all of A is destroyed. False when A is
     * not positive definite. */
    bool (*solve)(double *A, size_t stride, size_t n, double *b);
} pt_algebra_ops;

/* a'b in several sums, so that they can be vectors of any instruction set. */
static inline double pt_line_product(const double *a, const double *b, size_t count)
{
    double part[8] = {0}, sum = 0;
    size_t whole = count / 8 * 8;
    for (size_t k = 0; k < whole; k += 8)
        for (size_t j = 0; j < 8; j++)
            part[j] += a[k + j] * b[k + j];
    for (size_t k = whole; k < count; k++)
        sum += a[k] * b[k];
    for (size_t j = 0; j < 8; j++)
        sum += part[j];
    return sum;
}

const pt_algebra_ops *pt_algebra_ops_for(pt_isa isa);

#endif
