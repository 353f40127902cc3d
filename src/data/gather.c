/* What was read so far, and the data set made of it in the end. */
#include <string.h>

#include "core/number.h"
#include "data/reader.h"

/* Segments are sized like all before them together, up to this: so large that freeing one gives its pages back. */
enum { MOST_VALUES = 1 << 24, MOST_ROWS = 1 << 23 };

void pt_gathered_init(pt_gathered *gathered, partan_context *context)
{
    *gathered = (pt_gathered){.context = context};
    pt_words_init(&gathered->words, context);
}

void pt_gathered_free(pt_gathered *gathered)
{
    partan_context *context = gathered->context;
    for (size_t i = 0; i < gathered->segment_count; i++)
        pt_segment_free(&gathered->segments[i]);
    pt_free(context, gathered->segments);
    pt_free(context, gathered->labels);
    pt_free(context, gathered->spellings);
    pt_free(context, gathered->serials);
    pt_words_free(&gathered->words);
    pt_gathered_init(gathered, context);
}

/* ---- Rows ---- */

/* Where the rows of a piece go. */
struct place {
    size_t segment, row, value; /* in it */
    size_t first;               /* row of all */
};

static size_t between(size_t least, size_t wish, size_t most)
{
    size_t size = wish < most ? wish : most;
    return size > least ? size : least;
}

static bool fits(const pt_segment *segment, const pt_segment *rows)
{
    return segment->rows + rows->rows + 1 <= segment->row_capacity && segment->count + rows->count <= segment->capacity
           && (segment->indices || !rows->indices);
}

static partan_status add_segment(pt_gathered *gathered, const pt_segment *rows)
{
    partan_context *context = gathered->context;
    if (pt_reserve(context, (void **)&gathered->segments, &gathered->segment_capacity, gathered->segment_count,
                   gathered->segment_count + 1, sizeof *gathered->segments))
        return PARTAN_ERROR_MEMORY;
    pt_segment segment;
    pt_segment_init(&segment, context);
    segment.row_capacity = between(rows->rows + 1, gathered->rows, MOST_ROWS);
    segment.capacity = between(rows->count, gathered->values, MOST_VALUES);
    segment.offsets = pt_alloc(context, segment.row_capacity, sizeof *segment.offsets);
    segment.values = pt_alloc(context, segment.capacity, sizeof *segment.values);
    if (rows->indices) {
        segment.index_capacity = segment.capacity;
        segment.indices = pt_alloc(context, segment.capacity, sizeof *segment.indices);
    }
    if (!segment.offsets || !segment.values || (rows->indices && !segment.indices)) {
        pt_segment_free(&segment);
        return PARTAN_ERROR_MEMORY;
    }
    segment.offsets[0] = 0;
    gathered->segments[gathered->segment_count++] = segment;
    return PARTAN_OK;
}

static partan_status reserve_rows(pt_gathered *gathered, const pt_segment *rows, struct place *place)
{
    if (gathered->segment_count == 0 || !fits(&gathered->segments[gathered->segment_count - 1], rows)) {
        partan_status status = add_segment(gathered, rows);
        if (status)
            return status;
    }
    pt_segment *segment = &gathered->segments[gathered->segment_count - 1];
    place->segment = gathered->segment_count - 1;
    place->row = segment->rows;
    place->value = segment->count;
    place->first = gathered->rows;
    segment->rows += rows->rows;
    segment->count += rows->count;
    segment->nonzeros += rows->nonzeros;
    segment->binary = segment->binary && rows->binary;
    if (rows->features > segment->features)
        segment->features = rows->features;
    gathered->rows += rows->rows;
    gathered->values += rows->count;
    return PARTAN_OK;
}

static void copy_rows(pt_gathered *gathered, const pt_segment *rows, const struct place *place)
{
    pt_segment *segment = &gathered->segments[place->segment];
    for (size_t row = 1; row <= rows->rows; row++)
        segment->offsets[place->row + row] = (int64_t)place->value + rows->offsets[row];
    if (rows->count > 0)
        memcpy(segment->values + place->value, rows->values, rows->count * sizeof *rows->values);
    if (!segment->indices)
        return;
    int32_t *indices = segment->indices + place->value;
    if (rows->indices && rows->count > 0)
        memcpy(indices, rows->indices, rows->count * sizeof *rows->indices);
    for (size_t row = 0; !rows->indices && row < rows->rows; row++)
        for (int64_t k = rows->offsets[row]; k < rows->offsets[row + 1]; k++)
            indices[k] = (int32_t)(k - rows->offsets[row]);
}

/* ---- Labels ---- */

static partan_status reserve_labels(pt_gathered *gathered, size_t before)
{
    partan_context *context = gathered->context;
    size_t rows = gathered->rows;
    if (pt_reserve(context, (void **)&gathered->labels, &gathered->label_capacity, before, rows, sizeof(double)))
        return PARTAN_ERROR_MEMORY;
    return PARTAN_OK;
}

static partan_status append_serials(pt_gathered *gathered, const pt_piece *piece, size_t first)
{
    size_t rows = piece->segment.rows;
    if (pt_reserve(gathered->context, (void **)&gathered->serials, &gathered->serial_capacity, first, first + rows,
                   sizeof *gathered->serials))
        return PARTAN_ERROR_MEMORY;
    for (size_t row = 0; row < rows; row++)
        gathered->serials[first + row] = piece->serials[row] >= 0 ? piece->serials[row] : (int64_t)(first + row);
    return PARTAN_OK;
}

/* A piece's spellings in terms of all words. */
static partan_status append_spellings(pt_gathered *gathered, const pt_piece *piece, size_t first)
{
    partan_context *context = gathered->context;
    if (!gathered->spelled && !piece->spelled)
        return PARTAN_OK;
    size_t known = gathered->spelled ? first : 0, rows = piece->segment.rows;
    if (pt_reserve(context, (void **)&gathered->spellings, &gathered->spelling_capacity, known, first + rows,
                   sizeof *gathered->spellings))
        return PARTAN_ERROR_MEMORY;
    for (size_t row = known; row < first + rows; row++)
        gathered->spellings[row] = -1;
    gathered->spelled = true;
    if (!piece->spelled)
        return PARTAN_OK;

    int32_t *numbers = pt_alloc(context, piece->words.count, sizeof *numbers);
    bool failed = !numbers;
    for (size_t i = 0; !failed && i < piece->words.count; i++) {
        numbers[i] = pt_words_number(&gathered->words, piece->words.texts[i], strlen(piece->words.texts[i]));
        failed = numbers[i] < 0;
    }
    for (size_t row = 0; !failed && row < rows; row++)
        if (piece->spellings[row] >= 0)
            gathered->spellings[first + row] = numbers[piece->spellings[row]];
    pt_free(context, numbers);
    return failed ? PARTAN_ERROR_MEMORY : PARTAN_OK;
}

/* ---- All ---- */

partan_status pt_gathered_append(pt_gathered *gathered, const pt_piece *pieces, size_t count)
{
    partan_context *context = gathered->context;
    size_t before = gathered->rows;
    struct place *places = pt_alloc(context, count, sizeof *places);
    partan_status status = places ? PARTAN_OK : PARTAN_ERROR_MEMORY;
    for (size_t i = 0; i < count && !status; i++) {
        status = reserve_rows(gathered, &pieces[i].segment, &places[i]);
        gathered->labelled = gathered->labelled || pieces[i].labelled;
        gathered->worded = gathered->worded || pieces[i].worded;
    }
    if (!status)
        status = reserve_labels(gathered, before);
    for (size_t i = 0; i < count && !status; i++) {
        status = append_spellings(gathered, &pieces[i], places[i].first);
        if (!status && pieces[i].serials)
            status = append_serials(gathered, &pieces[i], places[i].first);
    }
    if (!status) {
#pragma omp parallel for num_threads(context->threads) if (count > 1) schedule(dynamic)
        for (size_t i = 0; i < count; i++) {
            copy_rows(gathered, &pieces[i].segment, &places[i]);
            if (pieces[i].segment.rows > 0)
                memcpy(gathered->labels + places[i].first, pieces[i].labels, pieces[i].segment.rows * sizeof(double));
        }
    }
    pt_free(context, places);
    return status ? pt_out_of_memory(context, "rows of data") : PARTAN_OK;
}

/* Some label is a word: then all are, each as it was spelled, numbered in order of first appearance. */
static partan_status labels_to_words(pt_gathered *gathered, pt_words *final)
{
    for (size_t row = 0; row < gathered->rows; row++) {
        char number[PT_NUMBER_SIZE];
        const char *text = number;
        if (gathered->spellings[row] >= 0)
            text = gathered->words.texts[gathered->spellings[row]];
        else if (gathered->labels[row] == gathered->labels[row])
            pt_format_real(number, gathered->labels[row]);
        else
            continue; /* no label */
        int32_t word = pt_words_number(final, text, strlen(text));
        if (word < 0)
            return PARTAN_ERROR_MEMORY;
        gathered->labels[row] = word;
    }
    return PARTAN_OK;
}

static partan_status move_labels(pt_gathered *gathered, partan_data *data)
{
    partan_status status = PARTAN_OK;
    if (gathered->worded) {
        pt_words final;
        pt_words_init(&final, gathered->context);
        status = labels_to_words(gathered, &final);
        if (!status) {
            data->words = final.texts;
            data->word_count = final.count;
            final.texts = NULL;
            final.count = 0;
        }
        pt_words_free(&final);
    }
    if (!status && gathered->labelled) {
        data->labels = gathered->labels;
        gathered->labels = NULL;
    }
    data->serials = gathered->serials;
    gathered->serials = NULL;
    return status;
}

partan_status pt_gathered_finish(pt_gathered *gathered, const pt_reader *reader, partan_data **data)
{
    partan_context *context = gathered->context;
    partan_data *made;
    partan_status status = pt_data_create(context, reader->name, &made);
    if (status)
        return status;
    if (move_labels(gathered, made))
        status = pt_out_of_memory(context, "labels");
    pt_free(context, gathered->spellings);
    gathered->spellings = NULL;
    partan_storage storage = reader->options.precomputed ? PARTAN_STORAGE_DENSE : reader->options.storage;
    if (!status)
        status = pt_matrix_build(context, gathered->segments, gathered->segment_count, storage,
                                 (size_t)reader->options.min_features, &made->matrix);
    if (status == PARTAN_ERROR_DATA) { /* matrices do not know the file's name */
        char reason[PT_ERROR_SIZE];
        memcpy(reason, context->error, sizeof reason);
        pt_fail(context, status, "%s: %s", reader->name, reason);
    }
    if (status)
        partan_data_free(made);
    else
        *data = made;
    return status;
}
