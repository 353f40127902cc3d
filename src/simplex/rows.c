#include "simplex/rows.h"

/* The numbers of the rows of some vertices. Where a row has one vertex they are the same, and nothing is copied. */
static partan_status find_rows(const pt_simplex *simplex, const int64_t *vertices, size_t count, int64_t **copy,
                               const int64_t **rows)
{
    *copy = NULL;
    *rows = vertices;
    if (pt_dual_plain(&simplex->dual))
        return PARTAN_OK;
    *copy = pt_alloc(simplex->problem.context, count, sizeof **copy);
    if (!*copy)
        return pt_out_of_memory(simplex->problem.context, "the rows of vertices");
    for (size_t i = 0; i < count; i++)
        (*copy)[i] = pt_dual_row(&simplex->dual, vertices[i]);
    *rows = *copy;
    return PARTAN_OK;
}

typedef partan_status gatherer(const pt_matrix *, const pt_matrix *, const int64_t *, size_t, pt_matrix *);

static partan_status gather(const pt_simplex *simplex, gatherer *by, const int64_t *vertices, size_t count,
                            pt_matrix *rows)
{
    int64_t *copy;
    const int64_t *numbers;
    partan_status status = find_rows(simplex, vertices, count, &copy, &numbers);
    if (!status)
        status = by(simplex->points.matrix, simplex->share ? &simplex->share->guests : NULL, numbers, count, rows);
    pt_free(simplex->problem.context, copy);
    return status;
}

partan_status pt_simplex_gather(const pt_simplex *simplex, const int64_t *vertices, size_t count, pt_matrix *rows)
{
    return gather(simplex, pt_matrix_gather_both, vertices, count, rows);
}

partan_status pt_simplex_gather_heeding(const pt_simplex *simplex, const int64_t *vertices, size_t count,
                                        pt_matrix *rows)
{
    return gather(simplex, pt_matrix_gather_heeding, vertices, count, rows);
}

partan_status pt_simplex_serials(const pt_simplex *simplex, const int64_t *vertices, size_t count, int64_t **serials)
{
    *serials = NULL;
    if (simplex->block.form != PT_FORM_PRECOMPUTED)
        return PARTAN_OK;
    *serials = pt_alloc(simplex->problem.context, count, sizeof **serials);
    if (!*serials)
        return pt_out_of_memory(simplex->problem.context, "the rows of vertices");
    for (size_t i = 0; i < count; i++)
        (*serials)[i] = simplex->points.serials[pt_dual_row(&simplex->dual, vertices[i])];
    return PARTAN_OK;
}

partan_status pt_simplex_pack(const pt_simplex *simplex, const int64_t *vertices, size_t count, pt_panel *panel)
{
    int64_t rows[PT_PANEL_WIDE];
    for (size_t i = 0; i < count; i++)
        rows[i] = pt_dual_row(&simplex->dual, vertices[i]);
    return pt_panel_pack_both(panel, simplex->points, simplex->share ? &simplex->share->guests : NULL, rows, count);
}

partan_status pt_simplex_row_sums(pt_simplex *simplex, const pt_matrix *rows, pt_points support, const double *weights,
                                  size_t count, double *sums)
{
    partan_status status = pt_kernel_sums(simplex->problem.context, &simplex->kernel, (pt_points){rows, NULL}, support,
                                          count, weights, sums);
    size_t own = rows == simplex->points.matrix ? pt_simplex_own(simplex) : 0;
    for (size_t i = rows->rows; i < own; i++)
        sums[i] = i < pt_dual_slack(&simplex->dual) ? sums[pt_dual_row(&simplex->dual, (int64_t)i)] : 0;
    simplex->counters.kernel_values += (uint64_t)rows->rows * count;
    return status;
}

partan_status pt_simplex_sums_among(pt_simplex *simplex, const pt_matrix *rows, const double *weights, double *sums)
{
    simplex->counters.kernel_values += (uint64_t)rows->rows * (rows->rows + 1) / 2;
    return pt_kernel_sums_among(simplex->problem.context, &simplex->kernel, rows, weights, sums);
}

partan_status pt_simplex_exact_sums(const pt_simplex *simplex, const int64_t *vertices, size_t vertex_count,
                                    pt_points support, const double *weights, size_t count, double *sums)
{
    pt_matrix some = {0};
    partan_status status = pt_simplex_gather_heeding(simplex, vertices, vertex_count, &some);
    if (!status)
        status = pt_kernel_sums_exact(simplex->problem.context, &simplex->kernel, (pt_points){&some, NULL}, support,
                                      count, weights, sums);
    pt_matrix_free(&some);
    return status;
}
