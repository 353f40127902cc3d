/* Blocks of kernel values, and sums of these: a few vertices (columns) against a range of rows.
 *
 * A pt_block binds a kernel to the rows it is evaluated against. Vertices are packed into a pt_panel, laid out for the
 * storage of the rows; then values come tile by tile (PT_TILE rows) from code compiled for each instruction set. */
#ifndef PT_BLOCK_H
#define PT_BLOCK_H

#include "data/storage/inverted_index.h"
#include "kernel/kernel.h"

#define PT_PANEL      8  /* columns of a full panel */
#define PT_PANEL_WIDE 16 /* of a wide one, for sparse rows only */

/* What is accumulated over the features and how a kernel value is made of it. */
typedef enum pt_form {
    PT_FORM_LINEAR,     /* dot */
    PT_FORM_POLYNOMIAL, /* dot */
    PT_FORM_SIGMOID,    /* dot */
    PT_FORM_RBF_DOT,    /* dot, |x-z|^2 = |x|^2 + |z|^2 - 2 x'z: fastest, for rows not too long for float32 */
    PT_FORM_RBF,        /* squared differences */
    PT_FORM_LAPLACIAN,  /* absolute differences */
    PT_FORM_PRECOMPUTED /* nothing: the rows hold the values */
} pt_form;

typedef struct pt_block {
    partan_context *context;
    const struct pt_block_ops *ops;
    const pt_matrix *rows;
    const pt_index *index; /* inverted index of sparse rows; NULL: none */
    pt_form form;
    float gamma;
    float rate; /* gamma log2(e): exp(-gamma d) = 2^(-rate d) */
    float coef0;
    int degree;
    bool less_one;      /* as in pt_kernel */
    double scale;       /* rows held as bytes: what a byte is a multiple of, nearly enough for float32, else 1 */
    int digits;         /* hexadecimal digits of the largest distance between packed bits; 0: too many for tables */
    float digit[3][16]; /* exp(-gamma d) for distance d is the product of its digits' entries */
} pt_block;

/* A vertex by its nonzeros, indices ascending. */
typedef struct pt_nonzeros {
    const int32_t *indices;
    const float *values;
    size_t count;
    float norm, beyond; /* as in pt_panel */
} pt_nonzeros;

typedef struct pt_panel {
    const pt_block *block;
    size_t width;    /* columns laid out: 1, PT_PANEL, or PT_PANEL_WIDE for sparse rows */
    size_t count;    /* columns in use */
    float *dense;    /* [feature][width] for dense rows; for sparse rows too, or [compact number][width] where there are
                        these */
    uint32_t *bits;  /* [word][width] */
    uint32_t *bytes; /* [group][width], four bytes each */
    int64_t serial[PT_PANEL_WIDE];
    double norm[PT_PANEL_WIDE];   /* |z|^2, or the sum of |z| for the laplacian kernel */
    double beyond[PT_PANEL_WIDE]; /* the share of norm in features that the rows do not have */
    uint32_t sum[PT_PANEL_WIDE];  /* of the bytes; norm and beyond too are of the bytes, not of the values */
    int32_t *indices;             /* scratch for one vertex */
    float *values;
    size_t room;
    /* Sparse vertices against sparse rows with an index: their nonzeros, in the vertices' own matrix. */
    bool listed;
    pt_nonzeros vertices[PT_PANEL_WIDE];
    /* Sparse rows against a full panel: features are numbered anew from 1 as the vertices have them, with 0 (whose
     * values are 0) for features that no vertex has. So the panel is as long as its vertices' nonzeros and stays in the
     * cache, however many features there are.
     */
    uint16_t *compact;
    size_t compact_count;
    int32_t *touched; /* sparse rows: features to clear before the next packing */
    size_t touched_count, touched_capacity;
} pt_panel;

/* `vertices` is any matrix the vertices will come from (it may be the rows); NULL for precomputed kernels. Fails with
 * PARTAN_ERROR_DATA when the rows are packed bits and the vertices are not, or bytes and the vertices are not bytes of
 * the same steps. */
partan_status pt_block_init(pt_block *block, partan_context *context, const pt_kernel *kernel, const pt_matrix *rows,
                            const pt_matrix *vertices);

partan_status pt_panel_init(pt_panel *panel, const pt_block *block, const pt_matrix *vertices, size_t width);
void pt_panel_free(pt_panel *panel);
/* Packs vertices ids[0 .. count-1], count <= width. Out of memory is the only failure. */
partan_status pt_panel_pack(pt_panel *panel, pt_points vertices, const int64_t *ids, size_t count);
/* The same of two matrices of one storage: ids of the second are counted on from the rows of the first. */
partan_status pt_panel_pack_both(pt_panel *panel, pt_points vertices, const pt_matrix *second, const int64_t *ids,
                                 size_t count);

/* out[c * stride + i] = k(row first_tile * PT_TILE + i, vertex c) for tile_count whole tiles and all columns of the
 * panel's width; padding rows and unused columns get values too. Safe to call from several threads at once. */
void pt_block_values(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count, float *out,
                     size_t stride);

/* sums[i] += sum_c weights[c] k(row first_tile * PT_TILE + i, vertex c) over the panel's columns, for tile_count whole
 * tiles. The weighted values are added in float32 over the columns of the panel, from there on in double: about the
 * error of the float32 values themselves, at a fraction of the time that storing them and adding them up would take. */
void pt_block_weigh(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count,
                    const float *weights, double *sums);

/* Packed bits meet only packed bits, and bytes only bytes of the same steps. Vertices of such values are converted,
 * others make the rows spell out their values. `converted` holds what was made and is the caller's to free. */
partan_status pt_points_match(pt_points *rows, pt_points *vertices, pt_matrix *converted);

/* Whether an inverted index of the rows serves: sparse ones, for kernels of a dot product. */
bool pt_block_by_index(const pt_block *block);

/* The width of panels that gives values at the least cost. */
size_t pt_block_width(const pt_block *block);

/* Sums of pt_kernel_sums or, if float32, pt_kernel_sums_float32, to the same bits, by an inverted index of
 * the rows: for sparse rows and many sparse vertices, as the second function tells. `sums` start at 0. */
partan_status pt_sums_by_index(const pt_block *block, pt_points vertices, size_t count, const double *weights,
                               bool float32, double *sums);
bool pt_sums_by_index_pay(const pt_block *block, pt_points vertices, size_t count);

/* An estimate of the nanoseconds one value costs on one core, for choosing between remembering and recomputing. */
double pt_block_cost(const pt_block *block);

/* What keeping a value costs, the first touch of its memory and reading it back; cheaper ones are recomputed. */
#define PT_MEMORY_NANOSECONDS 2.0

/* The place of a feature in `dense`, in rows of the panel's width. */
static inline size_t pt_panel_place(const pt_panel *panel, int32_t feature)
{
    return panel->compact ? panel->compact[feature] : (size_t)feature;
}

/* A weighted column of values. */
typedef struct pt_pick {
    uint32_t column;
    float weight;
} pt_pick;

/* ---- What each instruction set provides (kernel/instructions.h) ---- */

typedef struct pt_block_ops {
    void (*values)(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count, float *out,
                   size_t stride);
    void (*weigh)(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count,
                  const float *weights, double *sums);
    /* out[i - begin] = k(row i of the part, vertex) for i = begin .. end-1, whole tiles; the same bits as `values`.
     * NULL: not provided. */
    void (*by_index)(const pt_block *block, const pt_index_part *part, const pt_nonzeros *vertex, size_t begin,
                     size_t end, float *out);
    /* sums[i] += sum_c weights[c] values[c * stride + i], c < PT_PANEL */
    void (*accumulate)(double *sums, const float *values, size_t stride, const double *weights, size_t count);
    /* The same, c < PT_PANEL_WIDE, with the weighted values added in float32, as `weigh` does. NULL: not provided,
     * where `by_index` is not. */
    void (*accumulate_float32)(double *sums, const float *values, size_t stride, const float *weights, size_t count);
    /* The same with only the columns picked; `count` of whole tiles. */
    void (*accumulate_picked)(double *sums, const float *values, size_t stride, const pt_pick *picks, size_t pick_count,
                              size_t count);
    /* sums[c] += sum_i weights[i] values[c * stride + i], c < PT_PANEL */
    void (*project)(const float *values, size_t stride, const double *weights, size_t count, double *sums);
} pt_block_ops;

const pt_block_ops *pt_block_ops_for(pt_isa isa);

#endif
