/* Fitted matrices: creation and accessors. */
#include "matrix/matrix.h"

#include <string.h>

partan_status pt_matrix_create(partan_context *context, partan_matrix **out)
{
    partan_matrix *matrix = pt_alloc_zero(context, 1, sizeof *matrix);
    *out = matrix;
    if (!matrix)
        return pt_out_of_memory(context, "a matrix");
    matrix->context = context;
    memcpy(matrix->version, PARTAN_VERSION, sizeof PARTAN_VERSION);
    pt_names_init(&matrix->rows, context);
    pt_names_init(&matrix->columns, context);
    return PARTAN_OK;
}

void partan_matrix_free(partan_matrix *matrix)
{
    if (!matrix)
        return;
    partan_context *context = matrix->context;
    pt_names_free(&matrix->rows);
    pt_names_free(&matrix->columns);
    pt_offsets_free(context, &matrix->offsets);
    pt_free(context, matrix->left);
    pt_free(context, matrix->right);
    pt_free(context, matrix->singular);
    pt_free(context, matrix);
}

const partan_matrix_result *partan_matrix_get_result(const partan_matrix *matrix)
{
    return &matrix->result;
}

const partan_settings *partan_matrix_solver_settings(const partan_matrix *matrix)
{
    return &matrix->settings;
}

const partan_matrix_settings *partan_matrix_get_settings(const partan_matrix *matrix)
{
    return &matrix->matrix_settings;
}

const char *partan_matrix_version(const partan_matrix *matrix)
{
    return matrix->version;
}

uint64_t partan_matrix_entries(const partan_matrix *matrix)
{
    return matrix->entries;
}

uint64_t partan_matrix_fingerprint(const partan_matrix *matrix)
{
    return matrix->fingerprint;
}

size_t partan_matrix_rows(const partan_matrix *matrix)
{
    return matrix->rows.count;
}

size_t partan_matrix_columns(const partan_matrix *matrix)
{
    return matrix->columns.count;
}

const double *partan_matrix_left(const partan_matrix *matrix)
{
    return matrix->left;
}

const double *partan_matrix_right(const partan_matrix *matrix)
{
    return matrix->right;
}

const double *partan_matrix_singular(const partan_matrix *matrix)
{
    return matrix->singular;
}

double partan_matrix_mean(const partan_matrix *matrix)
{
    return matrix->offsets.mean;
}

double partan_matrix_row_offset(const partan_matrix *matrix, size_t i)
{
    return matrix->offsets.row[i];
}

double partan_matrix_column_offset(const partan_matrix *matrix, size_t i)
{
    return matrix->offsets.column[i];
}

const char *partan_matrix_row_name(const partan_matrix *matrix, size_t i, char *buffer, size_t size)
{
    return pt_names_show(&matrix->rows, i, buffer, size);
}

const char *partan_matrix_column_name(const partan_matrix *matrix, size_t i, char *buffer, size_t size)
{
    return pt_names_show(&matrix->columns, i, buffer, size);
}

int64_t partan_matrix_find_row(const partan_matrix *matrix, const char *name)
{
    return pt_names_find(&matrix->rows, name, strlen(name));
}

int64_t partan_matrix_find_column(const partan_matrix *matrix, const char *name)
{
    return pt_names_find(&matrix->columns, name, strlen(name));
}
