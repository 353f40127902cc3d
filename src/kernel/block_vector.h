/* Kernel blocks in vector code: a template that each instruction set's file includes once, after defining
 *
 *   VECTOR_BYTES        size of a register
 *   WIDE_TILES, WIDE_COLUMNS    register tile for full panels; WIDE_COLUMNS divides PT_PANEL
 *   NARROW_TILES                tiles at once for a single column
 *   OPS                         name of the pt_block_ops to define
 *   vector_max(a, b)            lane-wise maximum of vf
 *   vector_min_double(a, b)     lane-wise minimum of vd
 *   vector_greater(a, b, x, y)  x where a > b, else y; all vf
 *   vector_widen(half), vector_narrow(low, high)    a vd of half as many floats as vf has, and a vf of two vd
 *   vector_count(v)             lane-wise population count of vu
 *   bytes_start(sum), bytes_prepare(row)    where sums of products with z begin (`sum` is that of z's bytes), and
 *                               what to make of a row's bytes for
 *   bytes_dot(sum, row, z)      sum + products of the four bytes of each lane
 *   bytes_difference(sum, row, z)   sum + absolute differences of the four bytes of each lane, rows not prepared
 *   HAVE_DECAY and vector_decay(y), a better 2^-y than that of block_math.h
 *   HAVE_DIGITS and vector_digits(block, v), where a product of in-register tables beats exp
 *
 * Vectors are the compilers' (gcc and clang) generic vectors: lane = row of a tile. Loops over tiles, columns and parts
 * have constant bounds after inlining and are unrolled, so that sums stay in registers. */
#include <math.h>
#include <string.h>

#include "kernel/block.h"

typedef float vf __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t vi __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t vu __attribute__((vector_size(VECTOR_BYTES)));
typedef double vd __attribute__((vector_size(VECTOR_BYTES)));
typedef float vh __attribute__((vector_size(VECTOR_BYTES / 2))); /* as many floats as vd has doubles */

enum { LANES = VECTOR_BYTES / 4, PARTS = PT_TILE / LANES, DOUBLES = VECTOR_BYTES / 8 };

#define INLINE static inline __attribute__((always_inline))
#if defined(__SANITIZE_ADDRESS__)
#define UNROLL /* checks in every copy would take minutes to compile */
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

INLINE vf load(const float *p)
{
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE vu load_bits(const uint32_t *p)
{
    vu v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store(float *p, vf v)
{
    memcpy(p, &v, sizeof v);
}

#include "kernel/block_math.h"

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

INLINE vf finish(const pt_form form, const pt_block *block, vf sum, vf row_norm, float norm, float beyond)
{
    switch (form) {
    case PT_FORM_RBF_DOT: /* the rate last: products with the norms, fused with the sum, would not be symmetric */
        return vector_decay(block->rate * vector_max((row_norm + norm) - 2 * sum, (vf){0}));
    case PT_FORM_RBF:
    case PT_FORM_LAPLACIAN:
        return vector_decay(block->rate * (sum + beyond));
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

INLINE vd load_double(const double *p)
{
    vd v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store_double(double *p, vd v)
{
    memcpy(p, &v, sizeof v);
}

INLINE vd load_widened(const float *p)
{
    vh v;
    memcpy(&v, p, sizeof v);
    return vector_widen(v);
}

INLINE vf deliver(const bool weigh, const target *to, size_t column, size_t lane, vf value, vf total)
{
    if (weigh)
        return total + to->weights[column] * value;
    store(to->out + column * to->stride + lane, value);
    return total;
}

INLINE void add_widened(double *sums, vf total)
{
    vh half[2];
    memcpy(half, &total, sizeof half);
    UNROLL for (int h = 0; h < 2; h++)
    {
        vd sum = load_double(sums + h * DOUBLES) + vector_widen(half[h]);
        store_double(sums + h * DOUBLES, sum);
    }
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

/* ---- Dense rows ---- */

INLINE void dense_tiles(const pt_form form, const bool weigh, const int tiles, const int columns, const pt_block *block,
                        const pt_panel *panel, size_t column, size_t tile, const target *to, size_t at)
{
    vf sum[4][PT_PANEL][PARTS] = {0};
    const size_t features = block->rows->features, width = columns == 1 ? 1 : PT_PANEL;
    const float *x = block->rows->dense + tile * features * PT_TILE;
    const float *z = panel->dense + column;
    for (size_t f = 0; f < features; f++, x += PT_TILE, z += width) {
        UNROLL for (int t = 0; t < tiles; t++)
        {
            UNROLL for (int p = 0; p < PARTS; p++)
            {
                vf row = load(x + (size_t)t * features * PT_TILE + p * LANES);
                UNROLL for (int c = 0; c < columns; c++)
                {
                    vf difference = row - z[c];
                    if (is_dot(form))
                        sum[t][c][p] += row * z[c];
                    else if (form == PT_FORM_RBF)
                        sum[t][c][p] += difference * difference;
                    else
                        sum[t][c][p] += vector_absolute(difference);
                }
            }
        }
    }
    UNROLL for (int t = 0; t < tiles; t++)
    {
        UNROLL for (int p = 0; p < PARTS; p++)
        {
            vf norm = load(block->rows->norms + (tile + (size_t)t) * PT_TILE + p * LANES);
            size_t lane = at + (size_t)t * PT_TILE + (size_t)(p * LANES);
            vf total = {0};
            UNROLL for (int c = 0; c < columns; c++)
            {
                size_t i = column + (size_t)c;
                vf value = finish(form, block, sum[t][c][p], norm, (float)panel->norm[i], (float)panel->beyond[i]);
                total = deliver(weigh, to, i, lane, value, total);
            }
            if (weigh)
                add_widened(to->sums + lane, total);
        }
    }
}

INLINE void dense_run(const pt_form form, const bool weigh, const pt_block *block, const pt_panel *panel, size_t tile,
                      size_t tile_count, const target *to)
{
    size_t t = 0;
    if (panel->width == 1) {
        for (; t + NARROW_TILES <= tile_count; t += NARROW_TILES)
            dense_tiles(form, weigh, NARROW_TILES, 1, block, panel, 0, tile + t, to, t * PT_TILE);
        for (; t < tile_count; t++)
            dense_tiles(form, weigh, 1, 1, block, panel, 0, tile + t, to, t * PT_TILE);
        return;
    }
    for (; t + WIDE_TILES <= tile_count; t += WIDE_TILES)
        for (size_t c = 0; c < PT_PANEL; c += WIDE_COLUMNS)
            dense_tiles(form, weigh, WIDE_TILES, WIDE_COLUMNS, block, panel, c, tile + t, to, t * PT_TILE);
    for (; t < tile_count; t++)
        for (size_t c = 0; c < PT_PANEL; c += WIDE_COLUMNS)
            dense_tiles(form, weigh, 1, WIDE_COLUMNS, block, panel, c, tile + t, to, t * PT_TILE);
}

static void dense_values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, const target *to)
{
#define RUN(form) RUN_BOTH(dense_run, form)
    FOR_FORM(block->form, RUN)
#undef RUN
}

#include "kernel/block_bits.h"
#include "kernel/block_bytes.h"
#include "kernel/block_inverted.h"
#include "kernel/block_sparse.h"

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

/* ---- Sums and combinations in double ---- */

static void accumulate(double *sums, const float *block, size_t stride, const double *weights, size_t count)
{
    size_t i = 0;
    for (; i + DOUBLES <= count; i += DOUBLES) {
        vd sum = load_double(sums + i);
        UNROLL for (size_t c = 0; c < PT_PANEL; c++)
        {
            sum += weights[c] * load_widened(block + c * stride + i);
        }
        store_double(sums + i, sum);
    }
    for (; i < count; i++)
        for (size_t c = 0; c < PT_PANEL; c++)
            sums[i] += weights[c] * (double)block[c * stride + i];
}

static void accumulate_float32(double *sums, const float *block, size_t stride, const float *weights, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        vf total = {0};
        UNROLL for (size_t c = 0; c < PT_PANEL_WIDE; c++)
        {
            total += weights[c] * load(block + c * stride + i);
        }
        add_widened(sums + i, total);
    }
}

static void project(const float *block, size_t stride, const double *weights, size_t count, double *sums)
{
    vd partial[PT_PANEL] = {{0}};
    size_t i = 0;
    for (; i + DOUBLES <= count; i += DOUBLES) {
        vd weight = load_double(weights + i);
        UNROLL for (size_t c = 0; c < PT_PANEL; c++)
        {
            partial[c] += weight * load_widened(block + c * stride + i);
        }
    }
    for (size_t c = 0; c < PT_PANEL; c++) {
        for (int lane = 0; lane < DOUBLES; lane++)
            sums[c] += partial[c][lane];
        for (size_t k = i; k < count; k++)
            sums[c] += weights[k] * (double)block[c * stride + k];
    }
}

INLINE double combine_one(const pt_combination *m, size_t begin, size_t i)
{
    double sum = 0;
    for (int t = 0; t < m->terms; t++)
        sum += m->factor[t] * ((double)m->column[t][i - begin] + 1);
    double next = m->now_factor * m->now[i] + (double)m->signs[i] * sum;
    return m->previous ? next + m->previous_factor * m->previous[i] : next;
}

INLINE double combine_run(const bool with_previous, const int terms, const pt_combination *m, size_t begin, size_t end)
{
    vd least = INFINITY - (vd){0};
    size_t i = begin;
    for (; i + DOUBLES <= end; i += DOUBLES) {
        vd next = m->now_factor * load_double(m->now + i);
        if (with_previous)
            next += m->previous_factor * load_double(m->previous + i);
        if (terms > 0) {
            vd sum = m->factor[0] * (load_widened(m->column[0] + (i - begin)) + 1);
            if (terms > 1)
                sum += m->factor[1] * (load_widened(m->column[1] + (i - begin)) + 1);
            next += load_widened(m->signs + i) * sum;
        }
        store_double(m->next + i, next);
        least = vector_min_double(least, next);
    }
    double result = INFINITY;
    for (int lane = 0; lane < DOUBLES; lane++)
        result = least[lane] < result ? least[lane] : result;
    for (; i < end; i++) {
        m->next[i] = combine_one(m, begin, i);
        result = m->next[i] < result ? m->next[i] : result;
    }
    return result;
}

static double combine(const pt_combination *m, size_t begin, size_t end)
{
    if (m->previous)
        return m->terms == 1   ? combine_run(true, 1, m, begin, end)
               : m->terms == 2 ? combine_run(true, 2, m, begin, end)
                               : combine_run(true, 0, m, begin, end);
    return m->terms == 1   ? combine_run(false, 1, m, begin, end)
           : m->terms == 2 ? combine_run(false, 2, m, begin, end)
                           : combine_run(false, 0, m, begin, end);
}

#include "kernel/block_exact.h"
#include "kernel/block_factor.h"
#include "kernel/block_sweep.h"

const pt_block_ops OPS = {values,     weigh, by_index, accumulate, accumulate_float32, project, combine, sweep,
                          substitute, gram,  measure,  count,      exponentials};
