#include "svm/model/vectors.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/number.h"

enum {
    FIRST_VECTORS = 64, /* by which the room of all is reckoned */
    LEAST_BYTES = 4,    /* of a value in a text: " 1:1" */
};

partan_status pt_model_reserve(partan_model *model, size_t count)
{
    partan_context *context = model->context;
    bool precomputed = model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED;
    model->count = count;
    model->weights = pt_alloc_zero(context, count, sizeof *model->weights);
    model->signs = pt_alloc_zero(context, count, sizeof *model->signs);
    model->origin = pt_alloc(context, count, sizeof *model->origin);
    model->serials = precomputed ? pt_alloc_zero(context, count, sizeof *model->serials) : NULL;
    if (!model->weights || !model->signs || !model->origin || (precomputed && !model->serials))
        return pt_out_of_memory(context, "support vectors");
    for (size_t i = 0; i < count; i++)
        model->origin[i] = -1;
    return PARTAN_OK;
}

void pt_vectors_init(pt_vectors *vectors, partan_model *model, size_t text_size)
{
    *vectors = (pt_vectors){.model = model, .text_size = text_size};
    pt_segment_init(&vectors->segment, model->context);
}

void pt_vectors_free(pt_vectors *vectors)
{
    if (vectors->segment.context)
        pt_segment_free(&vectors->segment);
    pt_free(vectors->model->context, vectors->indices);
    pt_free(vectors->model->context, vectors->values);
}

/* ---- Reading ---- */

/* "index:value" with indices from 1 in the file, from 0 here; each index must be greater than `*last` (-1 at first),
 * which it replaces. Explicit zeros are read as they stand. */
static partan_status scan_feature(const pt_scan *scan, pt_word word, int64_t *last, float *value)
{
    const char *colon = memchr(word.start, ':', (size_t)(word.end - word.start));
    int64_t index;
    double number;
    if (!colon || !pt_word_integer((pt_word){word.start, colon}, &index)
        || !pt_word_real((pt_word){colon + 1, word.end}, &number))
        return pt_scan_fail(scan, word, "a feature as index:value");
    if (index < 1 || index > INT32_MAX)
        return pt_scan_fail(scan, word, "an index from 1 to 2147483647");
    if (index - 1 <= *last)
        return pt_scan_fail(scan, word, "an index greater than the one before");
    *last = index - 1;
    *value = (float)number;
    return isfinite(*value) ? PARTAN_OK : pt_scan_fail(scan, word, "a value within the range of float32");
}

/* "0:serial", as precomputed kernels have it: serials from 1 in the file, from 0 here. */
static partan_status scan_serial(const pt_scan *scan, pt_word word, int64_t *serial)
{
    size_t length = (size_t)(word.end - word.start);
    double number; /* other programs may write 0:17 as 0:17.0 or 0:1.7e1 */
    if (length < 3 || memcmp(word.start, "0:", 2) != 0 || !pt_word_real((pt_word){word.start + 2, word.end}, &number)
        || number < 1 || number > INT32_MAX || number != floor(number))
        return pt_scan_fail(scan, word, "the number of a kernel matrix's column as 0:number");
    *serial = (int64_t)number - 1;
    return PARTAN_OK;
}

static partan_status row_room(pt_vectors *vectors, size_t used, size_t need)
{
    partan_context *context = vectors->model->context;
    vectors->room = 0;
    if (pt_reserve(context, (void **)&vectors->indices, &vectors->index_capacity, used, need, sizeof *vectors->indices)
        || pt_reserve(context, (void **)&vectors->values, &vectors->value_capacity, used, need,
                      sizeof *vectors->values))
        return pt_out_of_memory(context, "a support vector");
    vectors->room =
        vectors->index_capacity < vectors->value_capacity ? vectors->index_capacity : vectors->value_capacity;
    return PARTAN_OK;
}

static partan_status check_strictly(const partan_model *model, const pt_scan *scan, pt_word word, int64_t index,
                                    float value)
{
    if ((uint64_t)index >= model->features)
        return pt_scan_fail(scan, word, "an index no greater than the number of features");
    if (model->storage == PARTAN_STORAGE_BITS && value != 1)
        return pt_scan_fail(scan, word, "the value 1, as the storage is bits");
    if (value == 0)
        return pt_scan_fail(scan, word, "a value other than 0");
    return PARTAN_OK;
}

static partan_status read_serial(pt_vectors *vectors, pt_scan *scan, size_t i, bool strict)
{
    pt_word word = pt_scan_word(scan);
    int64_t *serial = &vectors->model->serials[i];
    partan_status status = scan_serial(scan, word, serial);
    if (status == PARTAN_OK && strict && (uint64_t)*serial >= vectors->model->features)
        status = pt_scan_fail(scan, word, "a column of the kernel matrix, no greater than the number of features");
    return status ? status : pt_scan_line_done(scan);
}

/* The next feature as scan_feature has it, at speed; false, and nothing has moved, where that has to look at it. */
static bool scan_quickly(pt_scan *scan, pt_word *word, int64_t *last, float *value)
{
    const char *before = scan->cursor;
    int64_t index;
    double number;
    if (!pt_scan_pair(scan, &index, &number) || index - 1 <= *last || !isfinite((float)number)) {
        scan->cursor = before;
        return false;
    }
    while (*before == ' ' || *before == '\t')
        before++;
    *word = (pt_word){before, scan->cursor};
    *last = index - 1;
    *value = (float)number;
    return true;
}

partan_status pt_vectors_read(pt_vectors *vectors, pt_scan *scan, size_t i, bool strict)
{
    if (vectors->model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED)
        return read_serial(vectors, scan, i, strict);
    int64_t index = -1;
    size_t count = 0;
    for (;;) {
        float value = 0;
        pt_word word;
        partan_status status = PARTAN_OK;
        if (!scan_quickly(scan, &word, &index, &value)) {
            word = pt_scan_word(scan);
            if (pt_word_empty(word))
                break;
            status = scan_feature(scan, word, &index, &value);
        }
        if (status == PARTAN_OK && strict)
            status = check_strictly(vectors->model, scan, word, index, value);
        if (status == PARTAN_OK && count == vectors->room)
            status = row_room(vectors, count, count + 1);
        if (status)
            return status;
        vectors->indices[count] = (int32_t)index;
        vectors->values[count++] = value;
    }
    if (pt_segment_add(&vectors->segment, vectors->indices, vectors->values, count))
        return pt_out_of_memory(vectors->model->context, "support vectors");
    if (vectors->segment.rows == FIRST_VECTORS)
        pt_segment_expect(&vectors->segment, vectors->model->count, vectors->text_size / LEAST_BYTES);
    return PARTAN_OK;
}

/* Some rows out of many need not show the scale of all as bytes, so that AUTO decides for them.
 *
 * A few bytes of text may claim to be a large dense matrix. Beyond what such a text can reasonably stand for, the
 * vectors are kept sparse: the predictions are the same. */
static partan_storage affordable(const pt_vectors *vectors, partan_storage storage, size_t features)
{
    double rows = (double)vectors->segment.rows + PT_TILE;
    double bytes = storage == PARTAN_STORAGE_DENSE  ? 4 * rows * (double)features
                   : storage == PARTAN_STORAGE_BITS ? rows * (double)features / 8
                                                    : 0;
    if (storage == PARTAN_STORAGE_BYTES)
        storage = PARTAN_STORAGE_AUTO;
    double most = 16e6 + 64 * (double)vectors->text_size;
    return bytes <= most ? storage : PARTAN_STORAGE_SPARSE;
}

partan_status pt_vectors_finish(pt_vectors *vectors, partan_storage storage, size_t features)
{
    partan_model *model = vectors->model;
    if (model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED)
        return PARTAN_OK;
    return pt_matrix_build(model->context, &vectors->segment, 1, affordable(vectors, storage, features), features,
                           &model->vectors);
}

/* ---- Writing ---- */

partan_status pt_vectors_write_start(pt_vectors *vectors, const partan_model *model)
{
    *vectors = (pt_vectors){.model = (partan_model *)model}; /* for its context; nothing of it changes */
    if (model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED)
        return PARTAN_OK;
    return row_room(vectors, 0, pt_matrix_row_room(&model->vectors));
}

void pt_vectors_write(pt_vectors *vectors, const partan_model *model, size_t i, FILE *file)
{
    if (model->settings.kernel == PARTAN_KERNEL_PRECOMPUTED) {
        fprintf(file, " 0:%" PRId64 "\n", model->serials[i] + 1);
        return;
    }
    char text[1024]; /* of some entries; fprintf takes several times as long as the numbers do */
    size_t used = 0;
    size_t count = pt_matrix_row(&model->vectors, i, vectors->indices, vectors->values);
    for (size_t k = 0; k < count; k++) {
        text[used++] = ' ';
        used += pt_format_unsigned(text + used, (uint64_t)vectors->indices[k] + 1);
        text[used++] = ':';
        used += pt_format_float(text + used, vectors->values[k]);
        if (used > sizeof text - 3 * PT_NUMBER_SIZE) {
            fwrite(text, 1, used, file);
            used = 0;
        }
    }
    text[used++] = '\n';
    fwrite(text, 1, used, file);
}
