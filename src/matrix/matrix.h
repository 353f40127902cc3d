/* The fitted matrix: factors, offsets, names, and what is claimed of it. */
#ifndef PT_MATRIX_MODEL_H
#define PT_MATRIX_MODEL_H

#include "matrix/factors.h"
#include "matrix/ratings.h"

/* Offsets of the values: mean + row + column. */
typedef struct pt_offsets {
    double mean;
    double *row, *column; /* one each, 0 where there is none */
} pt_offsets;

struct partan_matrix {
    partan_context *context;
    char version[32]; /* of the library that fitted it; PT_VERSION_SIZE */
    partan_settings settings;
    partan_matrix_settings matrix_settings;
    pt_names rows, columns;
    pt_offsets offsets;
    double *left, *right, *singular; /* rows x rank, columns x rank, rank */
    partan_matrix_result result;
    uint64_t fingerprint; /* of the ratings; 0: general measurements */
    uint64_t entries;     /* measurements it was fitted to */
};

partan_status pt_matrix_create(partan_context *context, partan_matrix **matrix);

/* The prediction for an entry; a row or column of -1 is not known. */
double pt_matrix_value(const partan_matrix *matrix, int64_t row, int64_t column);

/* Room for offsets, all 0. */
partan_status pt_offsets_make(partan_context *context, pt_offsets *offsets, size_t rows, size_t columns);
void pt_offsets_free(partan_context *context, pt_offsets *offsets);
/* Finds the offsets of ratings by a rule, and centred[k] = value - offsets in the ratings' order of rows. */
partan_status pt_offsets_find(const partan_ratings *ratings, partan_centre centre, pt_offsets *offsets,
                              double *centred);

#endif
