/* What the solvers of the simplex problem ask of the rows of the data, which they name by vertices: copies of some, a
 * panel of some, and sums of kernel values over a support. No other file of simplex/ or active/ reads rows that it has
 * not gathered here, so that rows may live elsewhere, in other processes or on another device, behind this header. What
 * is gathered for a working set is solved behind active/working.h, in the same way. */
#ifndef PT_ROWS_H
#define PT_ROWS_H

#include "simplex/simplex.h"

/* The rows of some vertices, gathered. */
partan_status pt_rows_gather(const pt_simplex *simplex, const int64_t *vertices, size_t count, pt_matrix *rows);

/* The same packed into a panel, by which their kernel columns are computed; at most its width. */
partan_status pt_rows_pack(const pt_simplex *simplex, const int64_t *vertices, size_t count, pt_panel *panel);

/* sums[i] = sum_j weights[j] k(rows_i, support_j) with kernel values in float32, for gathered rows or, where `rows` are
 * the problem's own, for the row of each vertex. */
partan_status pt_rows_sums(pt_simplex *simplex, const pt_matrix *rows, pt_points support, const double *weights,
                           size_t count, double *sums);

/* The same for the rows of some vertices, in double precision throughout. */
partan_status pt_rows_exact_sums(const pt_simplex *simplex, const int64_t *vertices, size_t vertex_count,
                                 pt_points support, const double *weights, size_t count, double *sums);

#endif
