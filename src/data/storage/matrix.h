/* Feature values of a set of rows, in one of four storages, in layouts made for the kernels.
 *
 * Rows come in tiles of PT_TILE; inside a tile the layout is feature-major, so that one vector register holds the same
 * feature of all rows of the tile (lane = row). The last tile is padded with zero rows.
 *
 *   dense   float32      dense[(tile * features + feature) * PT_TILE + lane]
 *   bits    32-bit words bits[(tile * words + word) * PT_TILE + lane], feature f is bit f % 32 of word f / 32
 *   bytes   multiples 0 .. 255 of one number, in groups of four features, zero-padded:
 *           bytes[((tile * groups + feature / 4) * PT_TILE + lane) * 4 + feature % 4]
 *   sparse  compressed rows: row i holds indices (from 0, ascending) and values offsets[i] .. offsets[i+1]-1 */
#ifndef PT_MATRIX_H
#define PT_MATRIX_H

#include "core/context.h"

#define PT_TILE           16
#define PT_BYTES_GROUP    4
#define PT_BYTES_FEATURES 33025 /* so that features * 255^2 < 2^31: dot products are exact in 32 bits */

/* The values that bytes stand for: multiples of `unit`, as the nearest float32, or as it is printed with so many
 * significant digits and read again. */
typedef struct pt_byte_steps {
    double unit; /* 0: none */
    int digits;  /* 0: the nearest float32 */
    float value[256];
} pt_byte_steps;

static inline bool pt_byte_steps_same(const pt_byte_steps *a, const pt_byte_steps *b)
{
    return a->unit == b->unit && a->digits == b->digits;
}

typedef struct pt_matrix {
    partan_context *context;
    partan_storage storage; /* never AUTO */
    size_t rows;
    size_t features;
    size_t tiles; /* rows / PT_TILE, rounded up */
    uint64_t nonzeros;
    float *dense;
    uint32_t *bits;
    size_t words; /* 32-bit words a row, bits only */
    uint8_t *bytes;
    size_t groups;       /* of four features, bytes only */
    pt_byte_steps steps; /* what the bytes stand for */
    uint32_t *squares;   /* sum of the squared bytes of each row, padded like norms */
    int64_t *offsets;
    int32_t *indices;
    float *values;
    size_t row_room;  /* sparse only: nonzeros that a row elsewhere, which is to meet these, may have; 0: look here */
    bool borrowed;    /* sparse only: indices and values are the caller's, who frees them */
    float *norms;     /* squared norm of each row, padded with zeros to whole tiles; NULL for bits */
    uint64_t *hashes; /* pt_matrix_row_hash of each row, where they were made ahead; NULL: not */
} pt_matrix;

void pt_matrix_free(pt_matrix *matrix); /* frees the contents, not the struct; leaves it zeroed */

/* The nonzeros of one row into indices (from 0) and values, each with room for pt_matrix_row_room entries. Returns how
 * many. */
size_t pt_matrix_row(const pt_matrix *matrix, size_t row, int32_t *indices, float *values);
size_t pt_matrix_row_room(const pt_matrix *matrix); /* the longest row's nonzeros, or more */

/* A copy in another storage and, when `features` is larger than the matrix's, padded to it. BITS of values other than 0
 * and 1 is PARTAN_ERROR_DATA, and so is BYTES of values that are not multiples 0 .. 255 of one number; AUTO chooses. */
partan_status pt_matrix_convert(const pt_matrix *source, partan_storage storage, size_t features, pt_matrix *out);

/* A copy as bytes of these steps; PARTAN_ERROR_DATA when there are other values. */
partan_status pt_matrix_to_bytes(const pt_matrix *source, const pt_byte_steps *steps, size_t features, pt_matrix *out);

/* A copy of some rows, in the order given, in the same storage. */
partan_status pt_matrix_gather(const pt_matrix *source, const int64_t *rows, size_t count, pt_matrix *out);

/* The same of two matrices of one storage: rows of the second are counted on from those of the first. */
partan_status pt_matrix_gather_both(const pt_matrix *first, const pt_matrix *second, const int64_t *rows, size_t count,
                                    pt_matrix *out);
/* Which ends with PARTAN_INTERRUPTED, and no copy, when asked to stop. */
partan_status pt_matrix_gather_heeding(const pt_matrix *first, const pt_matrix *second, const int64_t *rows,
                                       size_t count, pt_matrix *out);

/* What the values take in memory. */
size_t pt_matrix_bytes(const pt_matrix *matrix);

/* Whether two rows (of any two matrices, whatever their storage) hold the same values. */
bool pt_matrix_rows_equal(const pt_matrix *a, size_t row_a, const pt_matrix *b, size_t row_b);

/* A hash of a row's nonzeros, the same for every storage. */
uint64_t pt_matrix_row_hash(const pt_matrix *matrix, size_t row);
/* Another one. Of rows that are elsewhere, both together tell which are equal. */
uint64_t pt_matrix_row_second_hash(const pt_matrix *matrix, size_t row);
/* Those of the rows of a tile; what comes after the last row is left as it is. */
void pt_matrix_tile_hashes(const pt_matrix *matrix, size_t tile, uint64_t hashes[PT_TILE]);
/* Makes those of all rows, for rows that are going to be looked at more than once; PARTAN_INTERRUPTED, and none, when
 * asked to stop. */
partan_status pt_matrix_hash_rows(pt_matrix *matrix);
/* For rows gathered from a matrix with hashes. */
partan_status pt_matrix_take_hashes(pt_matrix *matrix, const pt_matrix *source, const int64_t *rows);

/* ---- Building: rows are added to segments (one a thread, if one likes), segments to a matrix in order ---- */

/* A growing run of rows. `indices` stays NULL as long as every row holds features 0 .. count-1 without gaps, so that
 * dense input costs four bytes a value. */
typedef struct pt_segment {
    partan_context *context;
    size_t rows, row_capacity;
    int64_t *offsets; /* rows + 1 */
    int32_t *indices;
    float *values;
    size_t count, capacity; /* of values */
    size_t index_capacity;
    size_t features;   /* largest index + 1 */
    uint64_t nonzeros; /* values other than 0 */
    bool binary;       /* all values are 0 or 1 */
} pt_segment;

void pt_segment_init(pt_segment *segment, partan_context *context);
void pt_segment_free(pt_segment *segment);
void pt_segment_clear(pt_segment *segment); /* forgets the rows, keeps the room */
/* There will be so many rows, likely as long as those that are there, and `most` values at most: makes room once rather
 * than by and by. */
void pt_segment_expect(pt_segment *segment, size_t rows, size_t most);
/* indices NULL: 0 .. count-1. Explicit zeros are allowed. */
partan_status pt_segment_add(pt_segment *segment, const int32_t *indices, const float *values, size_t count);

/* Makes a matrix of the segments in order and frees each as soon as it is copied, so that the peak is little more than
 * the larger of the two forms. AUTO chooses by content and density. */
partan_status pt_matrix_build(partan_context *context, pt_segment *segments, size_t count, partan_storage storage,
                              size_t min_features, pt_matrix *out);

/* What is known of values when their storage is chosen. */
typedef struct pt_content {
    uint64_t nonzeros;
    bool binary;         /* all values are 0 or 1 */
    pt_byte_steps steps; /* that all values are among; none: there are no such ones, or it does not matter */
} pt_content;

/* The storage AUTO stands for: bits for binary data and bytes for multiples that are not too sparse for them, else
 * dense or sparse, whichever is cheaper for the kernels. */
partan_storage pt_storage_choose(size_t rows, size_t features, const pt_content *content);

#endif
