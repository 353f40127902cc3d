/* Blocks of kernel values: choice of form, values by storage or index, and what they cost. */
#include "kernel/block.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* In the dot form of the rbf kernel the exponent's error is about gamma |x|^2 2^-22; longer rows use differences. */
#define DOT_FORM_LIMIT 32.0

enum { COMMON_SAMPLE = 32 }; /* rows whose features are compared for an estimate of costs */

#define INDEX_TILES 4 /* fewer tiles are not worth looking up in an inverted index */

static double longest_norm(const pt_matrix *matrix)
{
    float longest = 0;
    if (matrix->norms)
        for (size_t i = 0; i < matrix->rows; i++)
            longest = matrix->norms[i] > longest ? matrix->norms[i] : longest;
    return longest;
}

static pt_form choose_form(const pt_kernel *kernel, const pt_matrix *rows)
{
    switch (kernel->kind) {
    case PARTAN_KERNEL_LINEAR:
        return PT_FORM_LINEAR;
    case PARTAN_KERNEL_POLYNOMIAL:
        return PT_FORM_POLYNOMIAL;
    case PARTAN_KERNEL_SIGMOID:
        return PT_FORM_SIGMOID;
    case PARTAN_KERNEL_PRECOMPUTED:
        return PT_FORM_PRECOMPUTED;
    case PARTAN_KERNEL_LAPLACIAN:
        return PT_FORM_LAPLACIAN;
    case PARTAN_KERNEL_RBF:
        break;
    }
    bool integers = rows->storage == PARTAN_STORAGE_BITS || rows->storage == PARTAN_STORAGE_BYTES;
    bool dot = !integers && kernel->gamma * fmax(longest_norm(rows), (double)kernel->longest) <= DOT_FORM_LIMIT;
    return dot ? PT_FORM_RBF_DOT : PT_FORM_RBF;
}

/* gamma in float32. Where it has no room for it, the largest number does as well for kernels of a distance, whereas
 * infinity would make NaN of the distance 0; for others it overflows, which is found out later. */
static float narrow_gamma(double gamma)
{
    return (float)(gamma < FLT_MAX ? gamma : FLT_MAX);
}

/* Tables of exp(-gamma d) for distances d between packed bits, one for each hexadecimal digit of d. */
static void make_digits(pt_block *block, double gamma, size_t largest)
{
    block->digits = largest < 0x100 ? 2 : largest < 0x1000 ? 3 : 0;
    for (int place = 0; place < block->digits; place++)
        for (int d = 0; d < 16; d++)
            block->digit[place][d] = (float)exp(-gamma * (double)(d << 4 * place));
}

partan_status pt_block_init(pt_block *block, partan_context *context, const pt_kernel *kernel, const pt_matrix *rows,
                            const pt_matrix *vertices)
{
    *block = (pt_block){.context = context,
                        .ops = pt_block_ops_for(context->isa),
                        .rows = rows,
                        .form = choose_form(kernel, rows),
                        .gamma = narrow_gamma(kernel->gamma),
                        .rate = narrow_gamma(kernel->gamma * 1.4426950408889634),
                        .coef0 = (float)kernel->coef0,
                        .degree = kernel->degree,
                        .less_one = kernel->less_one,
                        .scale = rows->storage == PARTAN_STORAGE_BYTES ? rows->steps.unit : 1};
    if (rows->storage == PARTAN_STORAGE_BYTES && vertices
        && (vertices->storage != PARTAN_STORAGE_BYTES || !pt_byte_steps_same(&vertices->steps, &rows->steps)))
        return pt_fail(context, PARTAN_ERROR_DATA, "bytes cannot be compared with other storages or steps");
    if (rows->storage != PARTAN_STORAGE_BITS)
        return PARTAN_OK;
    if (vertices && vertices->storage != PARTAN_STORAGE_BITS)
        return pt_fail(context, PARTAN_ERROR_DATA, "packed bits cannot be compared with other storages");
    size_t largest = vertices && vertices->features > rows->features ? vertices->features : rows->features;
    if (!kernel->less_one) /* which is no product */
        make_digits(block, kernel->gamma, largest);
    return PARTAN_OK;
}

bool pt_block_by_index(const pt_block *block)
{
    bool products =
        block->form != PT_FORM_RBF && block->form != PT_FORM_LAPLACIAN && block->form != PT_FORM_PRECOMPUTED;
    return products && block->rows->storage == PARTAN_STORAGE_SPARSE && block->ops->by_index;
}

/* The values of one vertex, part by part. */
static void values_by_index(const pt_block *block, const pt_nonzeros *vertex, size_t first_tile, size_t tile_count,
                            float *out)
{
    const pt_index *index = block->index;
    for (size_t p = 0; p < index->count; p++) {
        size_t from = pt_index_tile(index, p), begin = from, end = pt_index_tile(index, p + 1);
        begin = begin > first_tile ? begin : first_tile;
        end = end < first_tile + tile_count ? end : first_tile + tile_count;
        if (begin < end)
            block->ops->by_index(block, &index->parts[p], vertex, (begin - from) * PT_TILE, (end - from) * PT_TILE,
                                 out + (begin - first_tile) * PT_TILE);
    }
}

void pt_block_values(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count, float *out,
                     size_t stride)
{
    if (panel->listed && block->index && tile_count >= INDEX_TILES) {
        for (size_t c = 0; c < panel->width; c++)
            values_by_index(block, &panel->vertices[c], first_tile, tile_count, out + c * stride);
        return;
    }
    if (block->form != PT_FORM_PRECOMPUTED) {
        block->ops->values(block, panel, first_tile, tile_count, out, stride);
        return;
    }
    const pt_matrix *rows = block->rows;
    for (size_t t = 0; t < tile_count; t++)
        for (size_t c = 0; c < panel->width; c++) {
            size_t feature = (first_tile + t) * rows->features + (size_t)panel->serial[c];
            memcpy(out + c * stride + t * PT_TILE, rows->dense + feature * PT_TILE, PT_TILE * sizeof *out);
        }
}

void pt_block_weigh(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count,
                    const float *weights, double *sums)
{
    if (block->form != PT_FORM_PRECOMPUTED) {
        block->ops->weigh(block, panel, first_tile, tile_count, weights, sums);
        return;
    }
    const pt_matrix *rows = block->rows;
    for (size_t t = 0; t < tile_count; t++)
        for (size_t c = 0; c < panel->count; c++) {
            size_t feature = (first_tile + t) * rows->features + (size_t)panel->serial[c];
            for (size_t lane = 0; lane < PT_TILE; lane++)
                sums[t * PT_TILE + lane] += (double)weights[c] * (double)rows->dense[feature * PT_TILE + lane];
        }
}

size_t pt_block_width(const pt_block *block)
{
    return block->rows->storage == PARTAN_STORAGE_SPARSE ? PT_PANEL_WIDE : PT_PANEL;
}

/* Features that two rows have in common, on average over pairs of some rows at even distances in the matrix. */
static double common_features(const pt_matrix *rows)
{
    size_t count = rows->rows < COMMON_SAMPLE ? rows->rows : COMMON_SAMPLE;
    uint64_t common = 0, pairs = 0;
    for (size_t a = 0; a < count; a++)
        for (size_t b = 0; b < a; b++, pairs++) {
            size_t x = a * rows->rows / count, z = b * rows->rows / count;
            int64_t i = rows->offsets[x], j = rows->offsets[z];
            while (i < rows->offsets[x + 1] && j < rows->offsets[z + 1]) {
                int32_t left = rows->indices[i], right = rows->indices[j];
                common += left == right;
                i += left <= right;
                j += right <= left;
            }
        }
    return pairs ? (double)common / (double)pairs : 0;
}

double pt_block_cost(const pt_block *block)
{
    /* Counts of operations times what they were measured to cost on one AVX-512 core. */
    const pt_matrix *rows = block->rows;
    double finish = block->form == PT_FORM_LINEAR ? 0 : 0.4;
    switch (rows->storage) {
    case PARTAN_STORAGE_BITS:
        return 0.1 + 0.045 * (double)rows->words;
    case PARTAN_STORAGE_BYTES:
        return finish + 0.018 * (double)rows->groups;
    case PARTAN_STORAGE_SPARSE:
        if (pt_block_by_index(block))
            return 0.2 + finish + 0.25 * common_features(rows);
        return finish + 1.0 * (double)rows->nonzeros / (double)(rows->rows ? rows->rows : 1);
    default:
        return block->form == PT_FORM_PRECOMPUTED ? 0.4 : finish + 0.04 * (double)rows->features;
    }
}
