/* Sparse rows by their inverted index against a vertex's nonzeros, part of the template of vector code.
 *
 * The products of a row and a vertex are added in the order of their common features, as those of block_sparse.h are,
 * and the products with zero that these add make no difference: both ways give the same bits. */

enum { INDEX_RUN = 32, INDEX_WIDTH = 8 };

/* The rows of a list are different ones: four sums are read before the first of them is written. */
INLINE void index_list(const uint16_t *where, const float *values, size_t count, float z, size_t begin, float *sums)
{
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        float *to[4], sum[4];
        UNROLL for (size_t k = 0; k < 4; k++)
        {
            to[k] = sums + (where[i + k] - begin);
            sum[k] = *to[k] + values[i + k] * z;
        }
        UNROLL for (size_t k = 0; k < 4; k++) * to[k] = sum[k];
    }
    for (; i < count; i++)
        sums[where[i] - begin] += values[i] * z;
}

/* Features one after another that all have dense columns: they are added up in registers, a few tiles at a time. */
typedef struct index_run {
    const float *column[INDEX_RUN];
    float z[INDEX_RUN];
    size_t count;
} index_run;

INLINE void index_tiles(const size_t width, const index_run *run, size_t row, float *sums)
{
    vf sum[INDEX_WIDTH];
    UNROLL for (size_t k = 0; k < width; k++) sum[k] = load(sums + row + k * LANES);
    for (size_t i = 0; i < run->count; i++) {
        UNROLL for (size_t k = 0; k < width; k++) sum[k] += load(run->column[i] + row + k * LANES) * run->z[i];
    }
    UNROLL for (size_t k = 0; k < width; k++) store(sums + row + k * LANES, sum[k]);
}

static void index_columns(index_run *run, float *sums, size_t count)
{
    size_t row = 0;
    for (; run->count > 0 && row + INDEX_WIDTH * LANES <= count; row += INDEX_WIDTH * LANES)
        index_tiles(INDEX_WIDTH, run, row, sums);
    for (; run->count > 0 && row < count; row += LANES)
        index_tiles(1, run, row, sums);
    run->count = 0;
}

/* The part of a list with rows begin .. end-1. */
INLINE pt_index_list index_cut(const pt_index_part *part, pt_index_list list, size_t begin, size_t end)
{
    if (begin > 0 || end < part->rows) {
        while (list.count > 0 && part->where[list.start] < begin) {
            list.start++;
            list.count--;
        }
        while (list.count > 0 && part->where[list.start + list.count - 1] >= end)
            list.count--;
    }
    return list;
}

/* sums[i - begin] = x_i'z for rows begin .. end-1 of the part. */
static void index_dots(const pt_index_part *part, const pt_nonzeros *z, size_t begin, size_t end, float *sums)
{
    index_run run = {.count = 0};
    memset(sums, 0, (end - begin) * sizeof *sums);
    for (size_t k = 0; k < z->count && (size_t)z->indices[k] < part->features; k++) {
        pt_index_list list = part->lists[z->indices[k]];
        if (list.count == PT_DENSE_COLUMN) {
            if (run.count == INDEX_RUN)
                index_columns(&run, sums, end - begin);
            run.column[run.count] = part->dense + list.start * part->stride + begin;
            run.z[run.count++] = z->values[k];
        } else if (list.count > 0) {
            index_columns(&run, sums, end - begin);
            list = index_cut(part, list, begin, end);
            index_list(part->where + list.start, part->values + list.start, list.count, z->values[k], begin, sums);
        }
    }
    index_columns(&run, sums, end - begin);
}

INLINE void index_finish(const pt_form form, const pt_block *block, const pt_nonzeros *z, const float *norms,
                         size_t count, float *values)
{
    for (size_t i = 0; i < count; i += LANES)
        store(values + i, finish(form, block, load(values + i), load(norms + i), z->norm, z->beyond));
}

static void by_index(const pt_block *block, const pt_index_part *part, const pt_nonzeros *z, size_t begin, size_t end,
                     float *out)
{
    const float *norms = block->rows->norms + part->first + begin;
    index_dots(part, z, begin, end, out);
    if (block->form == PT_FORM_RBF_DOT)
        index_finish(PT_FORM_RBF_DOT, block, z, norms, end - begin, out);
    else
        index_finish(PT_FORM_LINEAR, block, z, norms, end - begin, out);
}
