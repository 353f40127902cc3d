/* Pieces of text: the batches of rows made of them, and what is wrong with them. */
#include <stdio.h>
#include <string.h>

#include "data/read/reader.h"

void pt_piece_init(pt_piece *piece, const pt_reader *reader, size_t slab)
{
    *piece = (pt_piece){.reader = reader};
    pt_arena_init(&piece->arena, reader->context, slab);
}

void pt_piece_free(pt_piece *piece)
{
    pt_arena_close(&piece->arena);
    pt_free(piece->reader->context, piece->unquoted);
    pt_free(piece->reader->context, piece->marks);
    piece->unquoted = NULL;
    piece->marks = NULL;
}

void pt_batch_release(pt_batch *batch)
{
    pt_words_free(&batch->words);
    pt_slab_release(batch->slab);
    batch->slab = NULL;
}

size_t pt_count_byte(const char *text, const char *end, char byte)
{
    enum { BLOCK = 240 }; /* what a byte can count, and a multiple of vectors */
    size_t total = 0;
    for (; end - text >= BLOCK; text += BLOCK) {
        uint8_t found = 0;
        for (size_t i = 0; i < BLOCK; i++)
            found = (uint8_t)(found + (text[i] == byte));
        total += found;
    }
    for (; text < end; text++)
        total += *text == byte;
    return total;
}

/* ---- Room ---- */

/* The arrays of the batch lie one behind the other. What is not always needed, indices or spellings, comes last, so
 * that it can be left out in the end. */
struct plan {
    size_t rows, values; /* room for them */
    bool serials, weights;
};

/* Where the last part begins; SIZE_MAX when there is no such place. */
static size_t size_without_last(const struct plan *plan)
{
    size_t a_row =
        sizeof(int64_t) + sizeof(double) + (plan->serials ? sizeof(int64_t) : 0) + (plan->weights ? sizeof(double) : 0);
    if (plan->rows >= SIZE_MAX / 64 || plan->values >= SIZE_MAX / 64)
        return SIZE_MAX;
    return sizeof(int64_t) + plan->rows * a_row + plan->values * sizeof(float);
}

static bool lay_out(pt_piece *piece)
{
    const pt_grammar *grammar = piece->reader->grammar;
    struct plan plan = {.serials = piece->reader->options.precomputed,
                        .weights = pt_table_is_weighted(&piece->reader->table)};
    plan.rows = pt_count_byte(piece->text, piece->end, '\n');
    plan.values = grammar->values(piece, plan.rows);
    size_t size = size_without_last(&plan), last = (grammar->indexed ? plan.values : plan.rows) * sizeof(int32_t);
    char *room = size < SIZE_MAX ? pt_arena_room(&piece->arena, size + last) : NULL;
    if (!room)
        return pt_piece_memory(piece);
    piece->offsets = (int64_t *)(void *)room;
    piece->labels = (double *)(void *)(piece->offsets + plan.rows + 1);
    double *next = piece->labels + plan.rows; /* all of these take eight bytes a row */
    piece->serials = plan.serials ? (int64_t *)(void *)next : NULL;
    next += plan.serials ? plan.rows : 0;
    piece->weights = plan.weights ? next : NULL;
    next += plan.weights ? plan.rows : 0;
    piece->values = (float *)(void *)next;
    piece->room = plan.values;
    piece->indices = grammar->indexed ? (int32_t *)(void *)(piece->values + plan.values) : NULL;
    piece->spellings = NULL;
    piece->offsets[0] = 0;
    return true;
}

static pt_content survey(const float *values, size_t count)
{
    size_t nonzeros = 0;
    uint32_t others = 0;
    for (size_t k = 0; k < count; k++) {
        nonzeros += values[k] != 0;
        others |= (values[k] != 0) & (values[k] != 1);
    }
    return (pt_content){.nonzeros = nonzeros, .binary = !others};
}

/* Keeps what was found. The arrays were laid out for as much as there could be, which for good data is what there is.
 */
static void keep(pt_piece *piece)
{
    pt_batch *batch = &piece->batch;
    int32_t *last = piece->spellings ? piece->spellings : piece->gaps ? piece->indices : NULL;
    size_t last_count = piece->spellings ? piece->rows : piece->count;
    const char *end = last ? (const char *)(last + last_count) : (const char *)(piece->values + piece->count);
    batch->bytes = (size_t)(end - (const char *)piece->offsets);
    batch->slab = pt_arena_keep(&piece->arena, batch->bytes);
    batch->rows = (pt_rows){.count = piece->rows,
                            .offsets = piece->offsets,
                            .indices = piece->gaps ? piece->indices : NULL,
                            .values = piece->values};
    batch->labels = piece->labels;
    batch->serials = piece->serials;
    batch->weights = piece->weights;
    batch->spellings = piece->spellings;
    batch->content = survey(piece->values, piece->count);
}

void pt_piece_parse(pt_piece *piece, const char *text, const char *end)
{
    partan_context *context = piece->reader->context;
    piece->text = text;
    piece->end = end;
    piece->trouble.status = PARTAN_OK;
    piece->batch = (pt_batch){0};
    pt_words_init(&piece->batch.words, context);
    piece->rows = piece->count = 0;
    piece->gaps = false;
    if (lay_out(piece))
        piece->reader->grammar->parse(piece);
    if (piece->trouble.status)
        pt_batch_release(&piece->batch);
    else
        keep(piece);
}

void pt_piece_spell(pt_piece *piece, int32_t spelling)
{
    if (!piece->spellings) {
        if (spelling < 0)
            return;
        piece->spellings = (int32_t *)(void *)(piece->values + piece->room);
        for (size_t row = 0; row < piece->rows; row++)
            piece->spellings[row] = -1;
    }
    piece->spellings[piece->rows] = spelling;
}

/* ---- Trouble ---- */

bool pt_piece_memory(pt_piece *piece)
{
    piece->trouble = (pt_trouble){.status = PARTAN_ERROR_MEMORY, .line = piece->batch.lines};
    return false;
}

bool pt_piece_trouble(pt_piece *piece, const char *p, const char *format, ...)
{
    pt_trouble *trouble = &piece->trouble;
    trouble->status = PARTAN_ERROR_FORMAT;
    trouble->line = piece->batch.lines;
    trouble->column = (size_t)(p - piece->line) + 1;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(trouble->what, sizeof trouble->what, format, arguments);
    va_end(arguments);
    return false;
}

/* Bytes of the printable character at p (ASCII or UTF-8); 0 when there is none. */
static size_t character_size(const char *p, const char *end)
{
    unsigned char c = (unsigned char)*p;
    if (c < 0x80)
        return c >= 0x20 && c != 0x7f;
    size_t size = c >= 0xc2 && c < 0xe0 ? 2 : c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;
    if ((size_t)(end - p) < size)
        return 0;
    for (size_t i = 1; i < size; i++)
        if (((unsigned char)p[i] & 0xc0) != 0x80)
            return 0;
    return size;
}

const char *pt_quote(char buffer[PT_QUOTE_SIZE], const char *p, const char *end)
{
    enum { MOST = 40 };
    const char *start = p;
    char *out = buffer;
    *out++ = '\'';
    while (p < end && p - start < MOST) {
        size_t size = character_size(p, end);
        if (size > 0)
            memcpy(out, p, size);
        out += size > 0 ? (int)size : sprintf(out, "\\x%02x", (unsigned char)*p);
        p += size > 0 ? size : 1;
    }
    if (p < end)
        out += sprintf(out, "...");
    *out++ = '\'';
    *out = '\0';
    return buffer;
}
