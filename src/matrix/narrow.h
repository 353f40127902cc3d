/* Narrow matrices, of which many entries are known: those with so few columns (or rows) that the whole spectrum costs
 * less than a sweep of least squares. The ball's projection is then at hand, and the norm of the gradient too:
 *
 *     X <- projection of Y - G(Y),   Y = X + beyond * (X - the X before)
 *
 * which is Nesterov's accelerated method; the curvature of 1/2 |A(X) - b|^2 is 1 where A takes entries. Y - G(Y) is
 * low rank plus sparse. It is never stored: its lines come in blocks, for its Gram matrix and then for the factors. */
#ifndef PT_NARROW_H
#define PT_NARROW_H

#include "matrix/measurement.h"

typedef struct pt_narrow {
    partan_context *context;
    const pt_sampling *sampling;
    const double *b;
    double radius;
    size_t max_rank; /* 0: none */

    bool by_rows;        /* lines are rows: there are fewer columns */
    size_t lines, width; /* the greater and the lesser of rows and columns */
    size_t stride;       /* of a line in a block */
    double *parts;       /* of the Gram matrix */
    double *gram;        /* width x width */
    double *eigenvectors, *eigenvalues;

    pt_factors before, next; /* the X before, and the one after */
    double *before_values, *next_values;
    double momentum; /* Nesterov's t; 1 at first */
} pt_narrow;

/* Whether a matrix is one of these. */
bool pt_narrow_suits(const pt_sampling *sampling);

partan_status pt_narrow_make(pt_narrow *narrow, const pt_sampling *sampling, const double *b, double radius,
                             size_t max_rank);
void pt_narrow_free(pt_narrow *narrow);

/* |G|_2 of G = A*(values), and what it is at most with all rounding. */
partan_status pt_narrow_norm(pt_narrow *narrow, const double *values, double *norm, double *upper);

/* Steps from X, with values = A(X), until one lowers the objective by less than `enough`, at most `steps`. */
partan_status pt_narrow_descend(pt_narrow *narrow, pt_factors *x, double *values, int steps, double enough);

#endif
