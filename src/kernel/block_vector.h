/* Kernel blocks in vector code: a template that each instruction set's file includes once, after defining
 *
 *   VECTOR_BYTES        size of a register
 *   WIDE_TILES, WIDE_COLUMNS    register tile for full panels; WIDE_COLUMNS divides PT_PANEL
 *   NARROW_TILES                tiles at once for a single column
 *   OPS                         name of the pt_block_ops to define
 *   vector_max(a, b)            lane-wise maximum of vf
 *   vector_min_double, vector_max_double(a, b)    of vd
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
typedef float vp __attribute__((vector_size(4 * PT_PANEL)));     /* one value for each column of a panel */

enum { LANES = VECTOR_BYTES / 4, PARTS = PT_TILE / LANES, DOUBLES = VECTOR_BYTES / 8 };

#define INLINE static inline __attribute__((always_inline))
#define UNROLL _Pragma("GCC unroll 16")

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

/* Norms are wanted in the dot form of the rbf kernel only, in units of the exponent. */
INLINE vf load_norm(const pt_form form, const pt_block *block, size_t row)
{
    return form == PT_FORM_RBF_DOT ? block->rate * load(block->rows->norms + row) : (vf){0};
}

INLINE float norm_of(const pt_form form, const pt_block *block, const pt_panel *panel, size_t column)
{
    return form == PT_FORM_RBF_DOT ? block->rate * (float)panel->norm[column] : 0;
}

INLINE vf finish(const pt_form form, const pt_block *block, vf sum, vf row_norm, float norm, float beyond)
{
    switch (form) {
    case PT_FORM_POLYNOMIAL:
        return vector_power(block->gamma * sum + block->coef0, block->degree);
    case PT_FORM_SIGMOID:
        return vector_tanh(block->gamma * sum + block->coef0);
    case PT_FORM_RBF_DOT: /* the norms come times the rate */
        return vector_decay(vector_max((row_norm + norm) - 2 * block->rate * sum, (vf){0}));
    case PT_FORM_RBF:
    case PT_FORM_LAPLACIAN:
        return vector_decay(block->rate * (sum + beyond));
    default:
        return sum;
    }
}

/* Calls RUN(form) with a constant, so that each form gets code of its own. */
#define FOR_FORM(form, RUN)                                                                                            \
    switch (form) {                                                                                                    \
    case PT_FORM_LINEAR:                                                                                               \
        RUN(PT_FORM_LINEAR);                                                                                           \
        break;                                                                                                         \
    case PT_FORM_POLYNOMIAL:                                                                                           \
        RUN(PT_FORM_POLYNOMIAL);                                                                                       \
        break;                                                                                                         \
    case PT_FORM_SIGMOID:                                                                                              \
        RUN(PT_FORM_SIGMOID);                                                                                          \
        break;                                                                                                         \
    case PT_FORM_RBF_DOT:                                                                                              \
        RUN(PT_FORM_RBF_DOT);                                                                                          \
        break;                                                                                                         \
    case PT_FORM_RBF:                                                                                                  \
        RUN(PT_FORM_RBF);                                                                                              \
        break;                                                                                                         \
    case PT_FORM_LAPLACIAN:                                                                                            \
        RUN(PT_FORM_LAPLACIAN);                                                                                        \
        break;                                                                                                         \
    case PT_FORM_PRECOMPUTED:                                                                                          \
        break;                                                                                                         \
    }

/* ---- Dense rows ---- */

INLINE void dense_tiles(const pt_form form, const int tiles, const int columns, const pt_block *block,
                        const pt_panel *panel, size_t column, size_t tile, float *out, size_t stride)
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
            vf norm = load_norm(form, block, (tile + (size_t)t) * PT_TILE + (size_t)(p * LANES));
            UNROLL for (int c = 0; c < columns; c++)
            {
                size_t i = column + (size_t)c;
                vf value =
                    finish(form, block, sum[t][c][p], norm, norm_of(form, block, panel, i), (float)panel->beyond[i]);
                store(out + i * stride + (size_t)t * PT_TILE + p * LANES, value);
            }
        }
    }
}

INLINE void dense_run(const pt_form form, const pt_block *block, const pt_panel *panel, size_t tile, size_t tile_count,
                      float *out, size_t stride)
{
    size_t t = 0;
    if (panel->width == 1) {
        for (; t + NARROW_TILES <= tile_count; t += NARROW_TILES)
            dense_tiles(form, NARROW_TILES, 1, block, panel, 0, tile + t, out + t * PT_TILE, stride);
        for (; t < tile_count; t++)
            dense_tiles(form, 1, 1, block, panel, 0, tile + t, out + t * PT_TILE, stride);
        return;
    }
    for (; t + WIDE_TILES <= tile_count; t += WIDE_TILES)
        for (size_t c = 0; c < PT_PANEL; c += WIDE_COLUMNS)
            dense_tiles(form, WIDE_TILES, WIDE_COLUMNS, block, panel, c, tile + t, out + t * PT_TILE, stride);
    for (; t < tile_count; t++)
        for (size_t c = 0; c < PT_PANEL; c += WIDE_COLUMNS)
            dense_tiles(form, 1, WIDE_COLUMNS, block, panel, c, tile + t, out + t * PT_TILE, stride);
}

static void dense_values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, float *out,
                         size_t stride){
#define RUN(form) dense_run(form, block, panel, tile, count, out, stride)
    FOR_FORM(block->form, RUN)
#undef RUN
}

/* ---- Packed bits: the distance is a count of differing bits, the dot product a count of common ones ---- */

INLINE vf finish_count(const pt_form form, const pt_block *block, vu count, float beyond)
{
#if defined(HAVE_DIGITS)
    if (!is_dot(form) && block->digits)
        return vector_digits(block, count + (uint32_t)beyond);
#endif
    vf sum = __builtin_convertvector((vi)count, vf);
    return finish(form, block, sum, (vf){0}, 0, beyond);
}

INLINE void bits_tiles(const pt_form form, const int tiles, const int columns, const pt_block *block,
                       const pt_panel *panel, size_t column, size_t tile, float *out, size_t stride)
{
    vu sum[4][PT_PANEL][PARTS] = {0};
    const size_t words = block->rows->words, width = columns == 1 ? 1 : PT_PANEL;
    const uint32_t *x = block->rows->bits + tile * words * PT_TILE;
    const uint32_t *z = panel->bits + column;
    for (size_t w = 0; w < words; w++, x += PT_TILE, z += width) {
        UNROLL for (int t = 0; t < tiles; t++)
        {
            UNROLL for (int p = 0; p < PARTS; p++)
            {
                vu row = load_bits(x + (size_t)t * words * PT_TILE + p * LANES);
                UNROLL for (int c = 0; c < columns; c++)
                {
                    sum[t][c][p] += vector_count(is_dot(form) ? row & z[c] : row ^ z[c]);
                }
            }
        }
    }
    UNROLL for (int t = 0; t < tiles; t++)
    {
        UNROLL for (int p = 0; p < PARTS; p++)
        {
            UNROLL for (int c = 0; c < columns; c++)
            {
                size_t i = column + (size_t)c;
                vf value = finish_count(form, block, sum[t][c][p], (float)panel->beyond[i]);
                store(out + i * stride + (size_t)t * PT_TILE + p * LANES, value);
            }
        }
    }
}

INLINE void bits_run(const pt_form form, const pt_block *block, const pt_panel *panel, size_t tile, size_t tile_count,
                     float *out, size_t stride)
{
    size_t t = 0;
    if (panel->width == 1) {
        for (; t + NARROW_TILES <= tile_count; t += NARROW_TILES)
            bits_tiles(form, NARROW_TILES, 1, block, panel, 0, tile + t, out + t * PT_TILE, stride);
        for (; t < tile_count; t++)
            bits_tiles(form, 1, 1, block, panel, 0, tile + t, out + t * PT_TILE, stride);
        return;
    }
    for (; t < tile_count; t++)
        for (size_t c = 0; c < PT_PANEL; c += WIDE_COLUMNS)
            bits_tiles(form, 1, WIDE_COLUMNS, block, panel, c, tile + t, out + t * PT_TILE, stride);
}

static void bits_values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, float *out,
                        size_t stride)
{
#define RUN(form) bits_run(form, block, panel, tile, count, out, stride)
    FOR_FORM(block->form, RUN)
#undef RUN
}

/* ---- Bytes ---- */

#include "kernel/block_bytes.h"

/* ---- Sparse rows against vertices laid out densely ---- */

/* Difference forms sum (share with the row's entry) - (share without it), in double, and add the vertex's norm. */
INLINE double sparse_share(const pt_form form, double x, double z)
{
    return form == PT_FORM_RBF ? x * (x - 2 * z) : fabs(x - z) - fabs(z);
}

INLINE void add_columns(const bool slots, vp *sum, float x, const pt_panel *panel, int32_t feature)
{
    vp z;
    memcpy(&z, panel->dense + (slots ? panel->slots[feature] : (size_t)feature) * PT_PANEL, sizeof z);
    *sum += x * z;
}

INLINE void sparse_row(const pt_form form, const bool slots, const pt_block *block, const pt_panel *panel, size_t row,
                       size_t lane, float sums[PT_PANEL][PT_TILE])
{
    const pt_matrix *rows = block->rows;
    const size_t width = panel->width;
    const int64_t begin = rows->offsets[row], end = rows->offsets[row + 1];
    if (is_dot(form) && width == PT_PANEL) {
        vp part[4] = {{0}}; /* several, as each addition waits for the one before it */
        int64_t i = begin;
        for (; i + 4 <= end; i += 4)
            UNROLL for (int k = 0; k < 4; k++)
            {
                add_columns(slots, &part[k], rows->values[i + k], panel, rows->indices[i + k]);
            }
        for (; i < end; i++)
            add_columns(slots, &part[0], rows->values[i], panel, rows->indices[i]);
        vp sum = (part[0] + part[1]) + (part[2] + part[3]);
        for (int c = 0; c < PT_PANEL; c++)
            sums[c][lane] = sum[c];
    } else if (is_dot(form)) {
        float part[4] = {0};
        int64_t i = begin;
        for (; i + 4 <= end; i += 4)
            UNROLL for (int k = 0; k < 4; k++)
            {
                part[k] += rows->values[i + k] * panel->dense[rows->indices[i + k]];
            }
        for (; i < end; i++)
            part[0] += rows->values[i] * panel->dense[rows->indices[i]];
        sums[0][lane] = (part[0] + part[1]) + (part[2] + part[3]);
    } else {
        for (size_t c = 0; c < width; c++) {
            double sum = panel->norm[c] - panel->beyond[c];
            for (int64_t i = begin; i < end; i++)
                sum += sparse_share(form, rows->values[i],
                                    panel->dense[pt_panel_place(panel, rows->indices[i]) * width + c]);
            sums[c][lane] = (float)(sum > 0 ? sum : 0);
        }
    }
}

INLINE void sparse_run(const pt_form form, const pt_block *block, const pt_panel *panel, size_t tile, size_t tile_count,
                       float *out, size_t stride)
{
    float sums[PT_PANEL][PT_TILE] = {{0}};
    for (size_t t = 0; t < tile_count; t++) {
        size_t first = (tile + t) * PT_TILE;
        size_t lanes = block->rows->rows - first < PT_TILE ? block->rows->rows - first : PT_TILE;
        for (size_t lane = 0; lane < lanes; lane++) {
            if (panel->slots)
                sparse_row(form, true, block, panel, first + lane, lane, sums);
            else
                sparse_row(form, false, block, panel, first + lane, lane, sums);
        }
        for (size_t c = 0; c < panel->width; c++)
            for (int p = 0; p < PARTS; p++) {
                vf norm = load_norm(form, block, first + (size_t)(p * LANES));
                vf value = finish(form, block, load(sums[c] + p * LANES), norm, norm_of(form, block, panel, c),
                                  (float)panel->beyond[c]);
                store(out + c * stride + t * PT_TILE + p * LANES, value);
            }
    }
}

static void sparse_values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, float *out,
                          size_t stride)
{
#define RUN(form) sparse_run(form, block, panel, tile, count, out, stride)
    FOR_FORM(block->form, RUN)
#undef RUN
}

static void values(const pt_block *block, const pt_panel *panel, size_t tile, size_t count, float *out, size_t stride)
{
    if (block->rows->storage == PARTAN_STORAGE_DENSE)
        dense_values(block, panel, tile, count, out, stride);
    else if (block->rows->storage == PARTAN_STORAGE_BITS)
        bits_values(block, panel, tile, count, out, stride);
    else if (block->rows->storage == PARTAN_STORAGE_BYTES)
        bytes_values(block, panel, tile, count, out, stride);
    else
        sparse_values(block, panel, tile, count, out, stride);
}

/* ---- Sums and combinations in double ---- */

INLINE vd load_double(const double *p)
{
    vd v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE vh load_half(const float *p)
{
    vh v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE vd load_widened(const float *p)
{
    vh v;
    memcpy(&v, p, sizeof v);
    return __builtin_convertvector(v, vd);
}

static void accumulate(double *sums, const float *block, size_t stride, const double *weights, size_t count)
{
    size_t i = 0;
    for (; i + DOUBLES <= count; i += DOUBLES) {
        vd sum = load_double(sums + i);
        UNROLL for (size_t c = 0; c < PT_PANEL; c++)
        {
            sum += weights[c] * load_widened(block + c * stride + i);
        }
        memcpy(sums + i, &sum, sizeof sum);
    }
    for (; i < count; i++)
        for (size_t c = 0; c < PT_PANEL; c++)
            sums[i] += weights[c] * (double)block[c * stride + i];
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
        memcpy(m->next + i, &next, sizeof next);
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

/* As many pairs at once as a register holds doubles: the scores' differences are taken in double, the rest in float. */
static float pair(const pt_pairs *p, size_t begin, size_t end, float *gains)
{
    float buffer[DOUBLES], greatest = 0;
    vh best = {0};
    size_t i = begin;
    for (; i + DOUBLES <= end; i += DOUBLES) {
        vd difference = vector_max_double(load_double(p->scores + i) - p->score, (vd){0});
        vh d = __builtin_convertvector(difference, vh);
        vh eta = (p->diagonal + load_half(p->diagonals + i))
                 - 2 * p->sign * load_half(p->signs + i) * (load_half(p->column + (i - begin)) + 1);
        eta = half_max(eta, (vh){0} + PT_LEAST_CURVATURE);
        vh gain = load_half(p->active + i) * d * d / eta;
        best = half_max(best, gain);
        if (gains)
            memcpy(gains + (i - begin), &gain, sizeof gain);
    }
    memcpy(buffer, &best, sizeof buffer);
    for (int lane = 0; lane < DOUBLES; lane++)
        greatest = buffer[lane] > greatest ? buffer[lane] : greatest;
    for (; i < end; i++) {
        double d = p->scores[i] - p->score;
        double eta = (double)p->diagonal + (double)p->diagonals[i]
                     - 2 * (double)p->sign * (double)p->signs[i] * ((double)p->column[i - begin] + 1);
        eta = eta > (double)PT_LEAST_CURVATURE ? eta : (double)PT_LEAST_CURVATURE;
        float gain = d > 0 ? (float)((double)p->active[i] * d * d / eta) : 0;
        if (gains)
            gains[i - begin] = gain;
        greatest = gain > greatest ? gain : greatest;
    }
    return greatest;
}

const pt_block_ops OPS = {values, accumulate, project, combine, pair};
