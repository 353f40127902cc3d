/* Blocks of kernel values: choice of form, packing of panels, dispatch to the instruction set. */
#include "kernel/block.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* In the dot form of the rbf kernel the exponent's error is about gamma |x|^2 2^-22; longer rows use differences. */
#define DOT_FORM_LIMIT 32.0

const pt_block_ops *pt_block_ops_for(pt_isa isa)
{
    switch (isa) {
#if defined(PT_HAVE_X86_ISA)
    case PT_ISA_AVX512:
        return &pt_block_avx512;
    case PT_ISA_AVX2:
        return &pt_block_avx2;
#endif
    case PT_ISA_PORTABLE:
        return &pt_block_portable;
    default:
        return &pt_block_reference;
    }
}

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
    bool dot = rows->storage != PARTAN_STORAGE_BITS && kernel->gamma * longest_norm(rows) <= DOT_FORM_LIMIT;
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
                        .coef0 = (float)kernel->coef0,
                        .degree = kernel->degree};
    if (rows->storage != PARTAN_STORAGE_BITS)
        return PARTAN_OK;
    if (vertices && vertices->storage != PARTAN_STORAGE_BITS)
        return pt_fail(context, PARTAN_ERROR_DATA, "packed bits cannot be compared with other storages");
    size_t largest = vertices && vertices->features > rows->features ? vertices->features : rows->features;
    make_digits(block, kernel->gamma, largest);
    return PARTAN_OK;
}

void pt_block_values(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count, float *out,
                     size_t stride)
{
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

double pt_block_cost(const pt_block *block)
{
    /* Counts of operations times what they were measured to cost on one AVX-512 core. */
    const pt_matrix *rows = block->rows;
    double finish = block->form == PT_FORM_LINEAR ? 0 : 0.4;
    switch (rows->storage) {
    case PARTAN_STORAGE_BITS:
        return 0.1 + 0.045 * (double)rows->words;
    case PARTAN_STORAGE_SPARSE:
        return finish + 1.0 * (double)rows->nonzeros / (double)(rows->rows ? rows->rows : 1);
    default:
        return block->form == PT_FORM_PRECOMPUTED ? 0.4 : finish + 0.04 * (double)rows->features;
    }
}

/* ---- Panels ---- */

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
    else
        panel->dense = pt_alloc_zero(context, rows->features * width, sizeof *panel->dense);
    if (panel->indices && panel->values && (panel->bits || panel->dense))
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
    pt_free(context, panel->indices);
    pt_free(context, panel->values);
    pt_free(context, panel->touched);
    *panel = (pt_panel){0};
}

static void clear(pt_panel *panel)
{
    const pt_matrix *rows = panel->block->rows;
    if (panel->bits)
        memset(panel->bits, 0, rows->words * panel->width * sizeof *panel->bits);
    else if (rows->storage == PARTAN_STORAGE_DENSE)
        memset(panel->dense, 0, rows->features * panel->width * sizeof *panel->dense);
    else
        for (size_t i = 0; i < panel->touched_count; i++)
            for (size_t c = 0; c < panel->width; c++)
                panel->dense[(size_t)panel->touched[i] * panel->width + c] = 0;
    panel->touched_count = 0;
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
        else if (panel->bits)
            panel->bits[feature / 32 * panel->width + column] |= UINT32_C(1) << feature % 32;
        else
            panel->dense[feature * panel->width + column] = panel->values[i];
    }
    panel->norm[column] = norm;
    panel->beyond[column] = beyond;
}

partan_status pt_panel_pack(pt_panel *panel, pt_points vertices, const int64_t *ids, size_t count)
{
    panel->count = count;
    if (panel->block->form == PT_FORM_PRECOMPUTED) {
        for (size_t c = 0; c < panel->width; c++)
            panel->serial[c] = c < count ? vertices.serials[ids[c]] : 0;
        return PARTAN_OK;
    }
    clear(panel);
    partan_status status = PARTAN_OK;
    for (size_t c = 0; c < panel->width && !status; c++) {
        size_t nonzeros = 0;
        if (c < count)
            nonzeros = pt_matrix_row(vertices.matrix, (size_t)ids[c], panel->indices, panel->values);
        if (panel->block->rows->storage == PARTAN_STORAGE_SPARSE)
            status = touch(panel, nonzeros);
        if (!status)
            place(panel, c, nonzeros);
    }
    return status;
}
