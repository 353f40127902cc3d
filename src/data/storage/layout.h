/* What a storage must be able to do; matrix.c and build.c are written against this table. A new storage is one file
 * with its pt_layout, and one line in pt_layout_of. */
#ifndef PT_LAYOUT_H
#define PT_LAYOUT_H

#include "core/team.h"
#include "data/storage/matrix.h"

enum {
    PT_PARALLEL_ROWS = 2048, /* that are worth waking one more thread for */
    PT_CHUNK_ROWS = 256      /* that a thread takes at a time: whole tiles */
};

static inline int pt_rows_threads(const partan_context *context, size_t rows)
{
    size_t threads = rows / PT_PARALLEL_ROWS;
    return threads < (size_t)context->threads ? threads < 1 ? 1 : (int)threads : context->threads;
}

/* Walks over the nonzeros of one row in ascending order. */
typedef struct pt_cursor {
    const pt_matrix *matrix;
    size_t row;
    size_t position; /* the storage's own */
    int32_t index;   /* of the nonzero found last */
    float value;
} pt_cursor;

typedef struct pt_layout {
    /* Room for matrix->rows, features, tiles and nonzeros; padding zeroed. */
    partan_status (*allocate)(pt_matrix *matrix);
    /* Tells before a row is put how many nonzeros the rows before it have. NULL: not needed. */
    void (*start)(pt_matrix *matrix, size_t row, uint64_t nonzeros);
    /* Makes all values of some rows 0, which they must be before they are put. NULL: not needed. */
    void (*clear)(pt_matrix *matrix, size_t first, size_t count);
    /* Writes one row; explicit zeros are allowed, indices NULL means 0 .. count-1. Rows may be cleared and put in
     * parallel. */
    void (*put)(pt_matrix *matrix, size_t row, const int32_t *indices, const float *values, size_t count);
    /* Copies some rows between matrices of this storage with equal features, to the rows from `first` on, all of one
     * tile; returns their nonzeros. */
    size_t (*copy)(pt_matrix *matrix, size_t first, const pt_matrix *source, const int64_t *rows, size_t count);
    bool (*next)(pt_cursor *cursor);
    /* Writes the nonzeros of a row as pt_matrix_row does. NULL: they are found by `next`. */
    size_t (*row)(const pt_matrix *matrix, size_t row, int32_t *indices, float *values);
    /* The sum of the pt_entry_hash of a row's nonzeros. NULL: they are found by `next`. */
    uint64_t (*hash)(const pt_matrix *matrix, size_t row);
} pt_layout;

const pt_layout *pt_layout_of(partan_storage storage);
extern const pt_layout pt_layout_dense, pt_layout_sparse, pt_layout_bits, pt_layout_bytes;

/* Shared by the storages with norms. */
partan_status pt_norms_allocate(pt_matrix *matrix);

/* The norms of sparse rows that are there already. */
partan_status pt_sparse_norms(pt_matrix *matrix);

/* Rows as their present owner holds them: with offsets compressed, without them `width` values every `stride`. */
typedef struct pt_rows {
    size_t count;
    const int64_t *offsets;
    const int32_t *indices; /* NULL: 0 .. */
    const float *values;
    size_t width, stride;
} pt_rows;

static inline size_t pt_rows_get(const pt_rows *rows, size_t row, const int32_t **indices, const float **values)
{
    size_t start = rows->offsets ? (size_t)rows->offsets[row] : row * rows->stride;
    *indices = rows->indices ? rows->indices + start : NULL;
    *values = rows->values ? rows->values + start : NULL; /* there may be none */
    return rows->offsets ? (size_t)(rows->offsets[row + 1] - rows->offsets[row]) : rows->width;
}

/* Starts a matrix: sets the sizes, resolves AUTO, refuses BITS unless binary and BYTES without steps, allocates. */
partan_status pt_matrix_begin(partan_context *context, partan_storage storage, size_t rows, size_t features,
                              const pt_content *content, pt_matrix *out);
/* Writes rows first .. first + rows->count - 1, before which there are `nonzeros` nonzeros. Parts may be put in
 * parallel. */
void pt_matrix_put_part(pt_matrix *matrix, size_t first, uint64_t nonzeros, const pt_rows *rows);
/* The same on all threads; returns the nonzeros up to the end of the part. */
uint64_t pt_matrix_put(pt_matrix *matrix, size_t first, uint64_t nonzeros, const pt_rows *rows);
/* Counts over all rows; steps are left out. */
pt_content pt_rows_survey(partan_context *context, const pt_rows *rows);

/* ---- Bytes ---- */

pt_byte_steps pt_byte_steps_of(double unit, int digits);

/* The k that makes k * unit nearest to a value between 0 and 255.5 * unit; inverse = 1 / unit. */
static inline uint32_t pt_byte_of(float value, double inverse)
{
    return (uint32_t)(int32_t)((double)value * inverse + 0.5);
}

/* Steps that all values are among, exactly; those of unit 0 when there are none. */
pt_byte_steps pt_bytes_steps(partan_context *context, const pt_rows *views, size_t count);
/* Whether they are among these. */
bool pt_bytes_fit(partan_context *context, const pt_rows *views, size_t count, const pt_byte_steps *steps);
/* Sets content->steps where the storage asked for, BYTES or AUTO, makes it matter. */
void pt_content_steps(partan_context *context, partan_storage storage, size_t rows, size_t features,
                      const pt_rows *views, size_t count, pt_content *content);

#endif
