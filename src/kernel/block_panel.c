/* Panels: a few vertices packed side by side, in the layout that meets the storage of the rows. */
#include <math.h>
#include <string.h>

#include "kernel/block.h"

partan_status pt_panel_init(pt_panel *panel, const pt_block *block, const pt_matrix *vertices, size_t width)
{
    *panel = (pt_panel){.block = block, .width = width};
    if (block->form == PT_FORM_PRECOMPUTED)
        return PARTAN_OK;
    partan_context *context = block->context;
    const pt_matrix *rows = block->rows;
    panel->room = pt_matrix_row_room(vertices);
    panel->indices = pt_alloc(context, panel->room, sizeof *panel->indices);
    panel->values = pt_alloc(context, panel->room, sizeof *panel->values);
    if (rows->storage == PARTAN_STORAGE_BITS)
        panel->bits = pt_alloc_zero(context, rows->words * width, sizeof *panel->bits);
    else if (rows->storage == PARTAN_STORAGE_BYTES)
        panel->bytes = pt_alloc_zero(context, rows->groups * width, sizeof *panel->bytes);
    else if (rows->storage == PARTAN_STORAGE_SPARSE && width > 1 && panel->room < UINT16_MAX / width) {
        panel->compact = pt_alloc_zero(context, rows->features, sizeof *panel->compact);
        panel->dense = panel->compact ? pt_alloc(context, panel->room * width + 1, width * sizeof *panel->dense) : NULL;
        if (panel->dense)
            memset(panel->dense, 0, width * sizeof *panel->dense);
    } else
        panel->dense = pt_alloc_zero(context, rows->features * width, sizeof *panel->dense);
    if (panel->indices && panel->values && (panel->bits || panel->bytes || panel->dense))
        return PARTAN_OK;
    pt_panel_free(panel);
    return pt_out_of_memory(context, "a panel of kernel columns");
}

void pt_panel_free(pt_panel *panel)
{
    if (!panel->block)
        return;
    partan_context *context = panel->block->context;
    pt_free(context, panel->dense);
    pt_free(context, panel->bits);
    pt_free(context, panel->bytes);
    pt_free(context, panel->indices);
    pt_free(context, panel->values);
    pt_free(context, panel->touched);
    pt_free(context, panel->compact);
    *panel = (pt_panel){0};
}

/* ---- Rows and vertices of one storage: words are copied ---- */

static uint32_t count_bits(uint32_t v)
{
    v = v - (v >> 1 & 0x55555555u);
    v = (v & 0x33333333u) + (v >> 2 & 0x33333333u);
    return ((v + (v >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* The words of row `id`, as many as the rows have, into a column; returns the first of those beyond. */
static const uint32_t *copy_words(const uint32_t *matrix, size_t words, size_t id, uint32_t *out, size_t out_words,
                                  size_t width)
{
    const uint32_t *in = matrix + id / PT_TILE * words * PT_TILE + id % PT_TILE;
    size_t common = smaller(words, out_words);
    for (size_t w = 0; w < common; w++)
        out[w * width] = in[w * PT_TILE];
    for (size_t w = common; w < out_words; w++)
        out[w * width] = 0;
    return in + common * PT_TILE;
}

static void copy_bits(pt_panel *panel, const pt_matrix *vertices, size_t id, size_t column)
{
    size_t words = panel->block->rows->words, width = panel->width;
    uint32_t *out = panel->bits + column;
    const uint32_t *rest = copy_words(vertices->bits, vertices->words, id, out, words, width);
    double beyond = 0, norm = 0;
    for (size_t w = words; w < vertices->words; w++, rest += PT_TILE)
        beyond += count_bits(*rest);
    for (size_t w = 0; w < words; w++)
        norm += count_bits(out[w * width]);
    panel->norm[column] = norm + beyond;
    panel->beyond[column] = beyond;
}

static uint32_t sum_of_bytes(uint32_t v)
{
    v = (v & 0x00ff00ffu) + (v >> 8 & 0x00ff00ffu);
    return (v & 0xffffu) + (v >> 16);
}

static uint32_t squares_of_bytes(uint32_t v)
{
    uint32_t sum = 0;
    for (; v; v >>= 8)
        sum += (v & 255) * (v & 255);
    return sum;
}

static void copy_bytes(pt_panel *panel, const pt_matrix *vertices, size_t id, size_t column)
{
    size_t groups = panel->block->rows->groups, width = panel->width;
    uint32_t *out = panel->bytes + column;
    const uint32_t *rest =
        copy_words((const uint32_t *)(const void *)vertices->bytes, vertices->groups, id, out, groups, width);
    bool absolute = panel->block->form == PT_FORM_LAPLACIAN;
    uint32_t beyond = 0, sum = 0;
    for (size_t g = groups; g < vertices->groups; g++, rest += PT_TILE)
        beyond += absolute ? sum_of_bytes(*rest) : squares_of_bytes(*rest);
    for (size_t g = 0; g < groups; g++)
        sum += sum_of_bytes(out[g * width]);
    panel->norm[column] = vertices->squares[id];
    panel->beyond[column] = beyond;
    panel->sum[column] = sum;
}

static void copy_dense(pt_panel *panel, const pt_matrix *vertices, size_t id, size_t column)
{
    size_t features = panel->block->rows->features, width = panel->width;
    size_t common = smaller(features, vertices->features);
    const float *in = vertices->dense + id / PT_TILE * vertices->features * PT_TILE + id % PT_TILE;
    float *out = panel->dense + column;
    for (size_t f = 0; f < common; f++)
        out[f * width] = in[f * PT_TILE];
    for (size_t f = common; f < features; f++)
        out[f * width] = 0;
    double beyond = 0;
    bool absolute = panel->block->form == PT_FORM_LAPLACIAN;
    for (size_t f = features; f < vertices->features; f++) {
        double z = in[f * PT_TILE];
        beyond += absolute ? fabs(z) : z * z;
    }
    panel->norm[column] = vertices->norms[id];
    panel->beyond[column] = beyond;
}

/* The way of copying, where there is one: bits and bytes meet only their own kind. */
typedef void copier(pt_panel *panel, const pt_matrix *vertices, size_t id, size_t column);

static copier *copier_of(const pt_panel *panel, const pt_matrix *vertices)
{
    if (panel->bits)
        return copy_bits;
    if (panel->bytes)
        return copy_bytes;
    partan_storage storage = panel->block->rows->storage;
    return storage == PARTAN_STORAGE_DENSE && vertices->storage == storage ? copy_dense : NULL;
}

static void zero_column(pt_panel *panel, size_t column)
{
    const pt_matrix *rows = panel->block->rows;
    for (size_t w = 0; panel->bits && w < rows->words; w++)
        panel->bits[w * panel->width + column] = 0;
    for (size_t g = 0; panel->bytes && g < rows->groups; g++)
        panel->bytes[g * panel->width + column] = 0;
    for (size_t f = 0; panel->dense && f < rows->features; f++)
        panel->dense[f * panel->width + column] = 0;
    panel->norm[column] = panel->beyond[column] = 0;
    panel->sum[column] = 0;
}

/* ---- Others: nonzero by nonzero ---- */

static void clear(pt_panel *panel)
{
    const pt_matrix *rows = panel->block->rows;
    if (rows->storage == PARTAN_STORAGE_DENSE)
        memset(panel->dense, 0, rows->features * panel->width * sizeof *panel->dense);
    else if (panel->compact)
        for (size_t i = 0; i < panel->touched_count; i++)
            panel->compact[panel->touched[i]] = 0;
    else
        for (size_t i = 0; i < panel->touched_count; i++)
            for (size_t c = 0; c < panel->width; c++)
                panel->dense[(size_t)panel->touched[i] * panel->width + c] = 0;
    panel->touched_count = panel->compact_count = 0;
}

/* Remembers the features of a vertex, so that clearing costs its nonzeros and not all features. */
static partan_status touch(pt_panel *panel, size_t count)
{
    partan_status status = pt_reserve(panel->block->context, (void **)&panel->touched, &panel->touched_capacity,
                                      panel->touched_count, panel->touched_count + count, sizeof *panel->touched);
    if (status)
        return pt_out_of_memory(panel->block->context, "a panel of kernel columns");
    for (size_t i = 0; i < count; i++)
        if ((size_t)panel->indices[i] < panel->block->rows->features)
            panel->touched[panel->touched_count++] = panel->indices[i];
    return PARTAN_OK;
}

static float *place_of(pt_panel *panel, size_t feature)
{
    if (!panel->compact)
        return panel->dense + feature * panel->width;
    if (!panel->compact[feature]) {
        panel->compact[feature] = (uint16_t)++panel->compact_count;
        memset(panel->dense + panel->compact_count * panel->width, 0, panel->width * sizeof *panel->dense);
    }
    return panel->dense + panel->compact[feature] * panel->width;
}

static void place(pt_panel *panel, size_t column, size_t count)
{
    const pt_block *block = panel->block;
    double norm = 0, beyond = 0;
    for (size_t i = 0; i < count; i++) {
        size_t feature = (size_t)panel->indices[i];
        double z = panel->values[i];
        double share = block->form == PT_FORM_LAPLACIAN ? fabs(z) : z * z;
        norm += share;
        if (feature >= block->rows->features)
            beyond += share;
        else
            place_of(panel, feature)[column] = panel->values[i];
    }
    panel->norm[column] = norm;
    panel->beyond[column] = beyond;
}

/* Columns of two matrices: ids of the second are counted on from the rows of the first. */
typedef struct pair {
    const pt_matrix *first, *second;
} pair;

static const pt_matrix *source_of(pair of, int64_t id, size_t *row)
{
    bool later = of.second && (size_t)id >= of.first->rows;
    *row = later ? (size_t)id - of.first->rows : (size_t)id;
    return later ? of.second : of.first;
}

static void list(pt_panel *panel, pair vertices, const int64_t *ids)
{
    panel->listed = panel->block->index && vertices.first->storage == PARTAN_STORAGE_SPARSE;
    for (size_t c = 0; c < panel->width && panel->listed; c++) {
        size_t row = 0;
        const pt_matrix *m = source_of(vertices, c < panel->count ? ids[c] : 0, &row);
        int64_t start = c < panel->count ? m->offsets[row] : 0, end = c < panel->count ? m->offsets[row + 1] : 0;
        panel->vertices[c] = (pt_nonzeros){m->indices + start, m->values + start, (size_t)(end - start),
                                           (float)panel->norm[c], (float)panel->beyond[c]};
    }
}

/* By way of lists of nonzeros. */
static partan_status place_columns(pt_panel *panel, pair vertices, const int64_t *ids, size_t count)
{
    partan_status status = PARTAN_OK;
    clear(panel);
    for (size_t c = 0; c < panel->width && !status; c++) {
        size_t nonzeros = 0, row;
        if (c < count) {
            const pt_matrix *source = source_of(vertices, ids[c], &row);
            nonzeros = pt_matrix_row(source, row, panel->indices, panel->values);
        }
        if (panel->block->rows->storage == PARTAN_STORAGE_SPARSE)
            status = touch(panel, nonzeros);
        if (!status)
            place(panel, c, nonzeros);
    }
    if (!status)
        list(panel, vertices, ids);
    return status;
}

partan_status pt_panel_pack(pt_panel *panel, pt_points vertices, const int64_t *ids, size_t count)
{
    return pt_panel_pack_both(panel, vertices, NULL, ids, count);
}

partan_status pt_panel_pack_both(pt_panel *panel, pt_points vertices, const pt_matrix *second, const int64_t *ids,
                                 size_t count)
{
    pair both = {vertices.matrix, second};
    panel->count = count;
    if (panel->block->form == PT_FORM_PRECOMPUTED) {
        for (size_t c = 0; c < panel->width; c++)
            panel->serial[c] = c < count ? vertices.serials[ids[c]] : 0;
        return PARTAN_OK;
    }
    copier *copy = copier_of(panel, vertices.matrix);
    if (!copy)
        return place_columns(panel, both, ids, count);
    for (size_t c = 0; c < count; c++) {
        size_t row;
        const pt_matrix *source = source_of(both, ids[c], &row);
        copy(panel, source, row, c);
    }
    for (size_t c = count; c < panel->width; c++)
        zero_column(panel, c);
    return PARTAN_OK;
}
