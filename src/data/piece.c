/* Pieces of text: the rows found in them, and what is wrong with them. */
#include <stdio.h>
#include <string.h>

#include "data/reader.h"

void pt_piece_init(pt_piece *piece, const pt_reader *reader)
{
    *piece = (pt_piece){.reader = reader};
    pt_segment_init(&piece->segment, reader->context);
    pt_words_init(&piece->words, reader->context);
}

void pt_piece_clear(pt_piece *piece)
{
    pt_segment_clear(&piece->segment);
    pt_words_clear(&piece->words);
    piece->lines = 0;
    piece->trouble.status = PARTAN_OK;
    piece->labelled = piece->spelled = piece->worded = false;
}

void pt_piece_free(pt_piece *piece)
{
    partan_context *context = piece->reader->context;
    pt_segment_free(&piece->segment);
    pt_words_free(&piece->words);
    pt_free(context, piece->labels);
    pt_free(context, piece->spellings);
    pt_free(context, piece->serials);
    pt_free(context, piece->indices);
    pt_free(context, piece->values);
    pt_free(context, piece->unquoted);
    *piece = (pt_piece){.reader = piece->reader};
}

bool pt_piece_grow_row(pt_piece *piece, size_t count)
{
    partan_context *context = piece->reader->context;
    if (pt_reserve(context, (void **)&piece->indices, &piece->index_capacity, count, count + 1, sizeof(int32_t))
        || pt_reserve(context, (void **)&piece->values, &piece->value_capacity, count, count + 1, sizeof(float)))
        return pt_piece_memory(piece);
    return true;
}

/* The first spelling in a piece: the rows before it are spelled as numbers are written. */
static bool start_spellings(pt_piece *piece, size_t row)
{
    if (pt_reserve(piece->reader->context, (void **)&piece->spellings, &piece->spelling_capacity, 0, row + 1,
                   sizeof *piece->spellings))
        return false;
    for (size_t i = 0; i < row; i++)
        piece->spellings[i] = -1;
    piece->spelled = true;
    return true;
}

bool pt_piece_add(pt_piece *piece, bool indexed, size_t count, double label, int32_t spelling, int64_t serial)
{
    partan_context *context = piece->reader->context;
    size_t row = piece->segment.rows;
    if (pt_reserve(context, (void **)&piece->labels, &piece->label_capacity, row, row + 1, sizeof(double)))
        return pt_piece_memory(piece);
    piece->labels[row] = label;
    if (spelling >= 0 && !piece->spelled && !start_spellings(piece, row))
        return pt_piece_memory(piece);
    if (piece->spelled) {
        if (pt_reserve(context, (void **)&piece->spellings, &piece->spelling_capacity, row, row + 1, sizeof(int32_t)))
            return pt_piece_memory(piece);
        piece->spellings[row] = spelling;
    }
    if (piece->reader->options.precomputed) {
        if (pt_reserve(context, (void **)&piece->serials, &piece->serial_capacity, row, row + 1, sizeof(int64_t)))
            return pt_piece_memory(piece);
        piece->serials[row] = serial;
    }
    if (pt_segment_add(&piece->segment, indexed ? piece->indices : NULL, piece->values, count))
        return pt_piece_memory(piece);
    return true;
}

/* ---- Trouble ---- */

bool pt_piece_memory(pt_piece *piece)
{
    piece->trouble = (pt_trouble){.status = PARTAN_ERROR_MEMORY, .line = piece->lines};
    return false;
}

bool pt_piece_trouble(pt_piece *piece, const char *p, const char *format, ...)
{
    pt_trouble *trouble = &piece->trouble;
    trouble->status = PARTAN_ERROR_FORMAT;
    trouble->line = piece->lines;
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
