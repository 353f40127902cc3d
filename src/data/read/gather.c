/* The data set made of all batches. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/team.h"
#include "data/read/reader.h"
#include "data/weights.h"

/* What is known of all batches together. */
struct whole {
    const pt_reader *reader;
    partan_context *context;
    pt_batch *batches;
    size_t count;
    pt_rows *views;   /* the batches' rows */
    size_t *first;    /* row of each batch */
    uint64_t *before; /* nonzeros before each batch */
    size_t rows, features;
    pt_content content;
    bool labelled, worded;
};

static partan_status survey(struct whole *whole)
{
    partan_context *context = whole->context;
    whole->views = pt_alloc(context, whole->count, sizeof *whole->views);
    whole->first = pt_alloc(context, whole->count, sizeof *whole->first);
    whole->before = pt_alloc(context, whole->count, sizeof *whole->before);
    if (!whole->views || !whole->first || !whole->before)
        return pt_out_of_memory(context, "rows of data");
    whole->content.binary = true;
    whole->features = (size_t)whole->reader->options.min_features;
    for (size_t i = 0; i < whole->count; i++) {
        const pt_batch *batch = &whole->batches[i];
        whole->views[i] = batch->rows;
        whole->first[i] = whole->rows;
        whole->before[i] = whole->content.nonzeros;
        whole->rows += batch->rows.count;
        whole->labelled = whole->labelled || batch->labelled;
        whole->worded = whole->worded || batch->worded;
        if (batch->features > whole->features)
            whole->features = batch->features;
        if (batch->rows.count == 0)
            continue;
        whole->content.nonzeros += batch->content.nonzeros;
        whole->content.binary = whole->content.binary && batch->content.binary;
    }
    return PARTAN_OK;
}

/* ---- Labels ---- */

/* The word, among all, of a row's label; -1: it has none; -2: memory is out. `known` are those of the batch's words,
 * negative where they were not met yet: words are numbered in order of first appearance. */
static int32_t word_of(const pt_batch *batch, size_t row, int32_t *known, pt_words *words)
{
    int32_t spelling = batch->spellings ? batch->spellings[row] : -1;
    if (spelling >= 0 && known[spelling] >= 0)
        return known[spelling];
    char number[PT_NUMBER_SIZE];
    const char *text = number;
    if (spelling >= 0)
        text = batch->words.texts[spelling];
    else if (isnan(batch->labels[row]))
        return -1;
    else
        pt_format_real(number, batch->labels[row]);
    int32_t word = pt_words_number(words, text, strlen(text));
    if (spelling >= 0)
        known[spelling] = word;
    return word < 0 ? -2 : word;
}

static partan_status batch_to_words(const pt_batch *batch, pt_words *words, double *labels)
{
    partan_context *context = words->context;
    int32_t *known = pt_alloc(context, batch->words.count, sizeof *known);
    if (!known)
        return PARTAN_ERROR_MEMORY;
    for (size_t i = 0; i < batch->words.count; i++)
        known[i] = -1;
    bool failed = false;
    for (size_t row = 0; row < batch->rows.count && !failed; row++) {
        int32_t word = word_of(batch, row, known, words);
        failed = word < -1;
        labels[row] = word < 0 ? (double)NAN : word;
    }
    pt_free(context, known);
    return failed ? PARTAN_ERROR_MEMORY : PARTAN_OK;
}

/* Some label is a word: then all are, each as it was spelled. */
static partan_status labels_to_words(const struct whole *whole, partan_data *data)
{
    pt_words words;
    pt_words_init(&words, whole->context);
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < whole->count && !status; i++)
        status = batch_to_words(&whole->batches[i], &words, data->labels + whole->first[i]);
    if (!status) {
        data->words = words.texts;
        data->word_count = words.count;
        words.texts = NULL;
        words.count = 0;
    }
    pt_words_free(&words);
    return status;
}

static partan_status prepare_labels(const struct whole *whole, partan_data *data)
{
    partan_status status = PARTAN_OK;
    if (whole->labelled)
        data->labels = pt_alloc(whole->context, whole->rows, sizeof *data->labels);
    if (whole->reader->options.precomputed)
        data->serials = pt_alloc(whole->context, whole->rows, sizeof *data->serials);
    if ((whole->labelled && !data->labels) || (whole->reader->options.precomputed && !data->serials))
        status = PARTAN_ERROR_MEMORY;
    if (!status && whole->worded)
        status = labels_to_words(whole, data);
    return status ? pt_out_of_memory(whole->context, "labels") : PARTAN_OK;
}

static partan_status prepare_weights(const struct whole *whole, partan_data *data)
{
    if (!pt_table_is_weighted(&whole->reader->table))
        return PARTAN_OK;
    data->weights = pt_alloc(whole->context, whole->rows, sizeof *data->weights);
    return data->weights ? PARTAN_OK : pt_out_of_memory(whole->context, "weights");
}

/* Data to predict may have any: its weights have no effect. */
static partan_status check_weights(const struct whole *whole, const partan_data *data)
{
    if (!data->weights || whole->reader->options.unlabelled || whole->reader->part)
        return PARTAN_OK;
    return pt_weights_check_sum(whole->context, data->name, data->weights, whole->rows);
}

/* ---- Rows ---- */

static void put_batch(const struct whole *whole, size_t i, partan_data *data)
{
    const pt_batch *batch = &whole->batches[i];
    size_t first = whole->first[i], rows = batch->rows.count;
    pt_matrix_put_part(&data->matrix, first, whole->before[i], &batch->rows);
    if (data->labels && !whole->worded)
        memcpy(data->labels + first, batch->labels, rows * sizeof *data->labels);
    if (data->weights)
        memcpy(data->weights + first, batch->weights, rows * sizeof *data->weights);
    for (size_t row = 0; data->serials && row < rows; row++)
        data->serials[first + row] = batch->serials[row] >= 0 ? batch->serials[row] : (int64_t)(first + row);
}

typedef struct putting {
    const struct whole *whole;
    partan_data *data;
} putting;

static void put_and_release(void *user, size_t i, size_t thread)
{
    const putting *p = user;
    (void)thread;
    if (p->whole->batches[i].rows.count > 0)
        put_batch(p->whole, i, p->data);
    pt_batch_release(&p->whole->batches[i]);
}

static void put_batches(const struct whole *whole, partan_data *data)
{
    pt_team_run(whole->context, whole->context->threads, whole->count, put_and_release, &(putting){whole, data});
}

static partan_status make(struct whole *whole, partan_data *data)
{
    partan_context *context = whole->context;
    const partan_read_options *options = &whole->reader->options;
    partan_storage storage = options->precomputed ? PARTAN_STORAGE_DENSE : options->storage;
    partan_status status = survey(whole);
    if (!status)
        status = prepare_labels(whole, data);
    if (!status)
        status = prepare_weights(whole, data);
    if (status)
        return status;
    pt_content_steps(context, storage, whole->rows, whole->features, whole->views, whole->count, &whole->content);
    status = pt_matrix_begin(context, storage, whole->rows, whole->features, &whole->content, &data->matrix);
    if (status == PARTAN_ERROR_DATA) { /* matrices do not know the file's name */
        char reason[PT_ERROR_SIZE];
        memcpy(reason, context->error, sizeof reason);
        pt_fail(context, status, "%s: %s", whole->reader->name, reason);
    }
    if (status)
        return status;
    put_batches(whole, data);
    return check_weights(whole, data);
}

partan_status pt_gather(const pt_reader *reader, pt_batch *batches, size_t count, partan_data **data)
{
    partan_context *context = reader->context;
    struct whole whole = {.reader = reader, .context = context, .batches = batches, .count = count};
    partan_data *made;
    partan_status status = pt_data_create(context, reader->name, &made);
    if (status)
        return status;
    status = make(&whole, made);
    pt_free(context, whole.views);
    pt_free(context, whole.first);
    pt_free(context, whole.before);
    if (status)
        partan_data_free(made);
    else
        *data = made;
    return status;
}
