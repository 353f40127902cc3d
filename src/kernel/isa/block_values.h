/* Blocks of kernel values, part of the template of vector code: from sums over features to values, and what becomes of
 * these. The sums themselves are made storage by storage, in the files that are included here. */

/* ---- From sums over features to kernel values ---- */

INLINE bool is_dot(pt_form form)
{
    return form != PT_FORM_RBF && form != PT_FORM_LAPLACIAN;
}

/* Kernels of a plain dot product share their code: `form` is PT_FORM_LINEAR for all of them. */
INLINE vf finish_dot(const pt_block *block, vf sum)
{
    if (block->form == PT_FORM_LINEAR)
        return sum;
    vf base = block->gamma * sum + block->coef0;
    return block->form == PT_FORM_POLYNOMIAL ? vector_power(base, block->degree) : vector_tanh(base);
}

/* 2^-y, or that less 1. */
INLINE vf finish_decay(const pt_block *block, vf y)
{
    return __builtin_expect(block->less_one, 0) ? vector_decay_less_one(y) : vector_decay(y);
}

INLINE vf finish(const pt_form form, const pt_block *block, vf sum, vf row_norm, float norm, float beyond)
{
    switch (form) {
    case PT_FORM_RBF_DOT: /* the rate last: products with the norms, fused with the sum, would not be symmetric */
        return finish_decay(block, block->rate * vector_max((row_norm + norm) - 2 * sum, (vf){0}));
    case PT_FORM_RBF:
    case PT_FORM_LAPLACIAN:
        return finish_decay(block, block->rate * (sum + beyond));
    default:
        return finish_dot(block, sum);
    }
}

/* ---- What becomes of the values ---- */

/* Either stored, or weighed and added up: over the columns at hand in float32, from there in double. */
typedef struct target {
    float *out;
    size_t stride;
    const float *weights; /* NULL: stored */
    double *sums;
} target;

INLINE vf deliver(const bool weigh, const target *to, size_t column, size_t lane, vf value, vf total)
{
    if (weigh)
        return total + to->weights[column] * value;
    store(to->out + column * to->stride + lane, value);
    return total;
}

/* A function of the form and of whether to weigh, with both constant. */
#define RUN_BOTH(run, form)                                                                                            \
    (to->weights ? run(form, true, block, panel, tile, count, to) : run(form, false, block, panel, tile, count, to))

/* Calls RUN(form) with a constant, so that each of the forms that differ in more than their last step gets code of its
 * own. */
#define FOR_FORM(form, RUN)                                                                                            \
    switch (form) {                                                                                                    \
    case PT_FORM_RBF_DOT:                                                                                              \
        RUN(PT_FORM_RBF_DOT);                                                                                          \
        break;                                                                                                         \
    case PT_FORM_RBF:                                                                                                  \
        RUN(PT_FORM_RBF);                                                                                              \
        break;                                                                                                         \
    case PT_FORM_LAPLACIAN:                                                                                            \
        RUN(PT_FORM_LAPLACIAN);                                                                                        \
        break;                                                                                                         \
    default:                                                                                                           \
        RUN(PT_FORM_LINEAR);                                                                                           \
    }

/* Defines `run`, which goes over a range of tiles by `tiles_of`, the storage's function for a few tiles and columns at
 * once: one column with NARROW_TILES tiles, a full panel by WIDE_COLUMNS columns with `wide` tiles; what is left over,
 * a tile at a time. All numbers are constants to it, so that its sums stay in registers. */
#define DEFINE_RUN(run, tiles_of, wide)                                                                                \
    INLINE void run(const pt_form form, const bool weigh, const pt_block *block, const pt_panel *panel, size_t tile,   \
                    size_t tile_count, const target *to)                                                               \
    {                                                                                                                  \
        size_t t = 0;                                                                                                  \
        if (panel->width == 1) {                                                                                       \
            for (; t + NARROW_TILES <= tile_count; t += NARROW_TILES)                                                  \
                tiles_of(form, weigh, NARROW_TILES, 1, block, panel, 0, tile + t, to, t * PT_TILE);                    \
            for (; t < tile_count; t++)                                                                                \
                tiles_of(form, weigh, 1, 1, block, panel, 0, tile + t, to, t * PT_TILE);                               \
            return;                                                                                                    \
        }                                                                                                              \
        for (; t + (wide) <= tile_count; t += (wide))                                                                  \
            for (size_t c = 0; c < PT_PANEL; c += WIDE_COLUMNS)                                                        \
                tiles_of(form, weigh, wide, WIDE_COLUMNS, block, panel, c, tile + t, to, t * PT_TILE);                 \
        for (; t < tile_count; t++)                                                                                    \
            for (size_t c = 0; c < PT_PANEL; c += WIDE_COLUMNS)                                                        \
                tiles_of(form, weigh, 1, WIDE_COLUMNS, block, panel, c, tile + t, to, t * PT_TILE);                    \
    }

#include "kernel/isa/block_bits.h"
#include "kernel/isa/block_bytes.h"
#include "kernel/isa/block_dense.h"
#include "kernel/isa/block_inverted.h"
#include "kernel/isa/block_sparse.h"

static void deliver_all(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, const target *to)
{
    switch (block->rows->storage) {
    case PARTAN_STORAGE_DENSE:
        dense_values(block, panel, tile, count, to);
        break;
    case PARTAN_STORAGE_BITS:
        bits_values(block, panel, tile, count, to);
        break;
    case PARTAN_STORAGE_BYTES:
        bytes_values(block, panel, tile, count, to);
        break;
    default:
        sparse_values(block, panel, tile, count, to);
    }
}

static void values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, float *out, size_t stride)
{
    deliver_all(block, panel, tile, count, &(target){.out = out, .stride = stride});
}

static void weigh(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, const float *weights,
                  double *sums)
{
    deliver_all(block, panel, tile, count, &(target){.weights = weights, .sums = sums});
}
