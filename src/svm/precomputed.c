#include "svm/precomputed.h"

#include <math.h>
#include <stdlib.h>

/* Values may be printed with six digits, and computed in another order on the two sides of the diagonal. */
#define SYMMETRY_TOLERANCE 1e-5

enum { BLOCK = 64 }; /* rows and columns at a time, so that both sides of the diagonal stay in the cache */

static partan_status check_range(partan_context *context, const partan_data *data)
{
    for (size_t i = 0; i < data->matrix.rows; i++)
        if (data->serials[i] < 0 || (size_t)data->serials[i] >= data->matrix.features)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "%s: row %zu has serial number %lld, but the kernel matrix has %zu columns", data->name,
                           i + 1, (long long)data->serials[i] + 1, data->matrix.features);
    return PARTAN_OK;
}

static partan_status check_unique(partan_context *context, const partan_data *data)
{
    partan_status status = PARTAN_OK;
    size_t *row_of = pt_alloc_zero(context, data->matrix.features, sizeof *row_of); /* from 1 */
    if (!row_of)
        return pt_out_of_memory(context, "serial numbers");
    for (size_t i = 0; i < data->matrix.rows && !status; i++) {
        size_t *known = &row_of[data->serials[i]];
        if (*known)
            status = pt_fail(context, PARTAN_ERROR_DATA, "%s: rows %zu and %zu have the same serial number, %lld",
                             data->name, *known, i + 1, (long long)data->serials[i] + 1);
        *known = i + 1;
    }
    pt_free(context, row_of);
    return status;
}

/* K(x_i, x_j), as row i has it; the storage is dense. */
static float entry(const partan_data *data, size_t i, size_t j)
{
    const pt_matrix *m = &data->matrix;
    return m->dense[(i / PT_TILE * m->features + (size_t)data->serials[j]) * PT_TILE + i % PT_TILE];
}

static partan_status check_block(partan_context *context, const partan_data *data, size_t first, size_t second)
{
    size_t rows = data->matrix.rows;
    for (size_t i = first; i < first + BLOCK && i < rows; i++)
        for (size_t j = second; j < second + BLOCK && j < i; j++) {
            double a = (double)entry(data, i, j), b = (double)entry(data, j, i);
            double size =
                fmax(fmax(fabs(a), fabs(b)), sqrt(fabs((double)entry(data, i, i) * (double)entry(data, j, j))));
            if (fabs(a - b) > SYMMETRY_TOLERANCE * size)
                return pt_fail(context, PARTAN_ERROR_DATA,
                               "%s: the kernel matrix is not symmetric: row %zu has %g for row %zu, which has %g for "
                               "row %zu",
                               data->name, i + 1, a, j + 1, b, i + 1);
        }
    return PARTAN_OK;
}

static partan_status check_symmetry(partan_context *context, const partan_data *data)
{
    partan_status status = PARTAN_OK;
    for (size_t first = 0; first < data->matrix.rows && !status; first += BLOCK)
        for (size_t second = 0; second <= first && !status; second += BLOCK) {
            if (pt_interrupted(context)) /* what comes after it will notice too */
                return PARTAN_OK;
            status = check_block(context, data, first, second);
        }
    return status;
}

partan_status pt_check_kernel_matrix(partan_context *context, const partan_data *data)
{
    if (!data->serials)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: is not a precomputed kernel matrix", data->name);
    partan_status status = check_range(context, data);
    if (!status)
        status = check_unique(context, data);
    if (!status && data->matrix.storage == PARTAN_STORAGE_DENSE)
        status = check_symmetry(context, data);
    return status;
}
