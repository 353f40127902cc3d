/* Files of fitted matrices: text; a header by a table of keys, then the singular values, then a line for each row and
 * each column of the matrix: its name where it has one, its offset, its factors. */
#ifndef PT_MATRIX_MODEL_FILE_H
#define PT_MATRIX_MODEL_FILE_H

#include <stdio.h>

#include "matrix/matrix.h"

/* Parsing text in memory into a matrix just created, and writing; for the public functions, tests and fuzzing. */
partan_status pt_matrix_parse(partan_context *context, const char *name, const char *text, size_t size,
                              partan_matrix *matrix);
partan_status pt_matrix_write(const partan_matrix *matrix, FILE *file);

#endif
