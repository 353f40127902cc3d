/* Square roots of small positive definite matrices, and systems with them. */
#ifndef PT_ROOT_H
#define PT_ROOT_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

/* In several sums, so that they can be vectors. */
static inline double pt_dot(const double *a, const double *b, size_t count)
{
    double part[8] = {0}, sum = 0;
    size_t k = 0;
    for (; k + 8 <= count; k += 8)
        for (size_t j = 0; j < 8; j++)
            part[j] += a[k + j] * b[k + j];
    for (; k < count; k++)
        sum += a[k] * b[k];
    for (size_t j = 0; j < 8; j++)
        sum += part[j];
    return sum;
}

/* An upper triangular root of I + A, of which the lower triangle is given, both by lines. False when rounding leaves it
 * no positive diagonal. */
static inline bool pt_root_make(const double *matrix, size_t rank, size_t stride, double *root)
{
    for (size_t k = 0; k < rank; k++)
        for (size_t l = 0; l <= k; l++)
            root[l * stride + k] = matrix[k * stride + l] + (k == l);
    for (size_t k = 0; k < rank; k++) {
        double *line = root + k * stride;
        if (!(line[k] > 0))
            return false;
        double scale = 1 / sqrt(line[k]);
        for (size_t j = k; j < rank; j++)
            line[j] *= scale;
        for (size_t i = k + 1; i < rank; i++) {
            double factor = line[i], *below = root + i * stride;
            for (size_t j = i; j < rank; j++)
                below[j] -= factor * line[j];
        }
    }
    return true;
}

/* Solves root' root x = x in place. */
static inline void pt_root_solve(const double *root, size_t rank, size_t stride, double *x)
{
    for (size_t k = 0; k < rank; k++) {
        const double *line = root + k * stride;
        x[k] /= line[k];
        for (size_t j = k + 1; j < rank; j++)
            x[j] -= line[j] * x[k];
    }
    for (size_t k = rank; k-- > 0;) {
        const double *line = root + k * stride;
        x[k] = (x[k] - pt_dot(line + k + 1, x + k + 1, rank - k - 1)) / line[k];
    }
}

#endif
