/* Data sets: creation, accessors, fingerprint. */
#include "data/data.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/number.h"
#include "data/storage/layout.h"

partan_status pt_data_create(partan_context *context, const char *name, partan_data **data)
{
    *data = NULL;
    partan_data *created = pt_alloc_zero(context, 1, sizeof *created);
    if (!created)
        return pt_out_of_memory(context, "a data set");
    created->context = context;
    created->name = pt_copy(context, name, strlen(name) + 1, 1);
    if (!created->name) {
        pt_free(context, created);
        return pt_out_of_memory(context, "the name of a data set");
    }
    *data = created;
    return PARTAN_OK;
}

partan_status pt_data_copy_words(const partan_data *source, partan_data *copy)
{
    partan_context *context = copy->context;
    if (!source->words)
        return PARTAN_OK;
    copy->words = pt_alloc_zero(context, source->word_count, sizeof *copy->words);
    if (!copy->words)
        return pt_out_of_memory(context, "labels");
    copy->word_count = source->word_count;
    for (size_t i = 0; i < source->word_count; i++) {
        copy->words[i] = pt_copy(context, source->words[i], strlen(source->words[i]) + 1, 1);
        if (!copy->words[i])
            return pt_out_of_memory(context, "labels");
    }
    return PARTAN_OK;
}

static partan_status copy_rest(const partan_data *source, partan_data *copy)
{
    partan_context *context = copy->context;
    size_t rows = source->matrix.rows;
    if (source->labels && !(copy->labels = pt_copy(context, source->labels, rows, sizeof *source->labels)))
        return pt_out_of_memory(context, "labels");
    if (source->weights && !(copy->weights = pt_copy(context, source->weights, rows, sizeof *source->weights)))
        return pt_out_of_memory(context, "weights");
    if (source->serials && !(copy->serials = pt_copy(context, source->serials, rows, sizeof *source->serials)))
        return pt_out_of_memory(context, "serial numbers");
    partan_status status = pt_source_copy(context, &source->source, &copy->source);
    return status ? status : pt_data_copy_words(source, copy);
}

partan_status pt_data_copy_rest(const partan_data *source, partan_data **copy)
{
    partan_status status = pt_data_create(source->context, source->name, copy);
    if (!status)
        status = copy_rest(source, *copy);
    if (status) {
        partan_data_free(*copy);
        *copy = NULL;
    }
    return status;
}

void partan_data_free(partan_data *data)
{
    if (!data)
        return;
    partan_context *context = data->context;
    pt_matrix_free(&data->matrix);
    pt_free(context, data->labels);
    for (size_t i = 0; i < data->word_count; i++)
        pt_free(context, data->words[i]);
    pt_free(context, data->words);
    pt_free(context, data->weights);
    pt_free(context, data->serials);
    pt_source_free(context, &data->source);
    pt_free(context, data->name);
    pt_free(context, data);
}

size_t partan_data_rows(const partan_data *data)
{
    return data->matrix.rows;
}

size_t partan_data_features(const partan_data *data)
{
    return data->matrix.features;
}

uint64_t partan_data_nonzeros(const partan_data *data)
{
    return data->matrix.nonzeros;
}

partan_storage partan_data_storage(const partan_data *data)
{
    return data->matrix.storage;
}

double partan_data_label(const partan_data *data, size_t row)
{
    return data->labels ? data->labels[row] : (double)NAN;
}

int partan_data_has_words(const partan_data *data)
{
    return data->words != NULL;
}

const char *partan_data_label_text(const partan_data *data, size_t row, char *buffer, size_t size)
{
    double label = partan_data_label(data, row);
    const char *word = isnan(label) ? "" : data->words ? data->words[(size_t)label] : NULL;
    char number[PT_NUMBER_SIZE];
    if (!word)
        pt_format_real(number, label);
    if (size > 0)
        snprintf(buffer, size, "%s", word ? word : number);
    return word ? word : buffer; /* a word longer than the buffer is still returned whole */
}

void partan_data_row(const partan_data *data, size_t row, float *values)
{
    pt_cursor at = {.matrix = &data->matrix, .row = row};
    memset(values, 0, data->matrix.features * sizeof *values);
    while (pt_layout_of(data->matrix.storage)->next(&at))
        values[at.index] = at.value;
}

const char *partan_data_feature_name(const partan_data *data, size_t feature)
{
    return pt_feature_name(&data->source.names, feature);
}

static uint64_t label_hash(const partan_data *data, size_t row)
{
    double label = partan_data_label(data, row);
    if (isnan(label))
        return 1;
    if (data->words)
        return pt_hash_text(data->words[(size_t)label], strlen(data->words[(size_t)label]));
    uint64_t bits;
    label += 0.0; /* -0 is 0 */
    memcpy(&bits, &label, sizeof bits);
    return pt_hash_mix(bits);
}

static uint64_t bits_of(double number)
{
    uint64_t bits;
    number += 0.0; /* turns -0 into 0 */
    memcpy(&bits, &number, sizeof bits);
    return bits;
}

static uint64_t row_term(const partan_data *data, uint64_t first, size_t row, uint64_t values)
{
    uint64_t hash = pt_hash_mix(first + row) ^ values;
    hash = pt_hash_mix(hash) ^ label_hash(data, row);
    if (data->serials)
        hash = pt_hash_mix(hash) ^ (uint64_t)data->serials[row];
    if (data->weights)
        hash = pt_hash_mix(hash) ^ bits_of(data->weights[row]);
    return pt_hash_mix(hash);
}

enum { HASH_TILES = 64 }; /* that a thread takes at a time */

typedef struct fingerprint {
    const partan_data *data;
    uint64_t first; /* number of the first row */
    bool heed;      /* an interruption */
    atomic_uint_least64_t sum;
} fingerprint;

static void hash_tiles(void *user, size_t chunk, size_t thread)
{
    fingerprint *f = user;
    const pt_matrix *matrix = &f->data->matrix;
    pt_span span = pt_span_of(matrix->tiles, HASH_TILES, chunk);
    uint64_t sum = 0;
    (void)thread;
    if (f->heed && pt_interrupted(f->data->context))
        return;
    for (size_t tile = span.begin; tile < span.end; tile++) {
        uint64_t hashes[PT_TILE];
        pt_matrix_tile_hashes(matrix, tile, hashes);
        for (size_t row = tile * PT_TILE; row < (tile + 1) * PT_TILE && row < matrix->rows; row++)
            sum += row_term(f->data, f->first, row, hashes[row % PT_TILE]);
    }
    atomic_fetch_add(&f->sum, sum);
}

/* A sum over the rows, so that threads may take them in any order; the row's number is mixed into each term. */
static uint64_t hash_data(const partan_data *data, uint64_t first, bool heed)
{
    const pt_matrix *matrix = &data->matrix;
    fingerprint f = {.data = data, .first = first, .heed = heed};
    atomic_init(&f.sum, 0);
    pt_team_run(data->context, pt_team_for(data->context, (double)matrix->nonzeros),
                pt_span_count(matrix->tiles, HASH_TILES), hash_tiles, &f);
    return atomic_load(&f.sum);
}

uint64_t pt_data_hash(const partan_data *data, uint64_t first)
{
    return hash_data(data, first, false);
}

uint64_t pt_fingerprint_of(uint64_t sum, uint64_t rows)
{
    return pt_hash_mix(sum ^ pt_hash_mix(rows));
}

uint64_t partan_data_fingerprint(const partan_data *data)
{
    return pt_fingerprint_of(pt_data_hash(data, 0), data->matrix.rows);
}

uint64_t pt_fingerprint_heeding(const partan_data *data)
{
    uint64_t hash = hash_data(data, 0, true);
    return pt_interrupted(data->context) ? PT_NO_FINGERPRINT : pt_fingerprint_of(hash, data->matrix.rows);
}
