/* What the solvers of the simplex problem ask of the rows of the data, which they name by vertices: copies of some, a
 * panel of some, and sums of kernel values over a support.
 *
 * The active-set solver asks for nothing else, but for diagonals and low-rank factors: it solves its working set on
 * copies gathered here, so that the rows may live elsewhere, in other processes or on another device, behind this
 * header. The variants' own pass over all rows is full.c, behind the interface of fw/. */
#ifndef PT_ROWS_H
#define PT_ROWS_H

#include "simplex/simplex.h"

/* The rows of some vertices, gathered; the second ends with PARTAN_INTERRUPTED, and no rows, when asked to stop. */
partan_status pt_simplex_gather(const pt_simplex *simplex, const int64_t *vertices, size_t count, pt_matrix *rows);
partan_status pt_simplex_gather_heeding(const pt_simplex *simplex, const int64_t *vertices, size_t count,
                                        pt_matrix *rows);

/* Their serial numbers, where the kernel is precomputed and has no other use for rows; else NULL. */
partan_status pt_simplex_serials(const pt_simplex *simplex, const int64_t *vertices, size_t count, int64_t **serials);

/* The same packed into a panel, by which their kernel columns are computed; at most its width. */
partan_status pt_simplex_pack(const pt_simplex *simplex, const int64_t *vertices, size_t count, pt_panel *panel);

/* sums[i] = sum_j weights[j] k(rows_i, support_j) with kernel values in float32, for gathered rows or, where `rows` are
 * the problem's own, for the row of each vertex; of a share, of those that count as this process's. */
partan_status pt_simplex_row_sums(pt_simplex *simplex, const pt_matrix *rows, pt_points support, const double *weights,
                                  size_t count, double *sums);

/* The same for gathered rows among themselves, of a kernel that is not precomputed; in about half the time. */
partan_status pt_simplex_sums_among(pt_simplex *simplex, const pt_matrix *rows, const double *weights, double *sums);

/* The same for the rows of some vertices, in double precision throughout. */
partan_status pt_simplex_exact_sums(const pt_simplex *simplex, const int64_t *vertices, size_t vertex_count,
                                    pt_points support, const double *weights, size_t count, double *sums);

#endif
