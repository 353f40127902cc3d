#include "data/lines.h"

#include <string.h>

void pt_lines_init(pt_lines *lines, partan_context *context, pt_input *input, size_t block)
{
    *lines = (pt_lines){.context = context, .input = input, .block = block};
}

void pt_lines_free(pt_lines *lines)
{
    pt_free(lines->context, lines->rest);
    lines->rest = NULL;
}

/* Fills the text up to `size` bytes, or to the end. */
static partan_status fill(pt_lines *lines, pt_text *text, size_t size)
{
    if (pt_reserve(lines->context, (void **)&text->buffer, &text->capacity, text->size, size + 1 + PT_TEXT_PADDING, 1))
        return pt_out_of_memory(lines->context, "a piece of text");
    size_t got;
    partan_status status = pt_input_read(lines->input, text->buffer + text->size, size - text->size, &got);
    if (status)
        return status;
    lines->ended = got < size - text->size;
    text->size += got;
    if (lines->ended && text->size > 0 && text->buffer[text->size - 1] != '\n')
        text->buffer[text->size++] = '\n';
    return PARTAN_OK;
}

/* The end of the last line that ends after `from`, or 0. */
static size_t last_line_end(const pt_text *text, size_t from)
{
    size_t size = text->size;
    while (size > from && text->buffer[size - 1] != '\n')
        size--;
    return size > from ? size : 0;
}

static partan_status keep_rest(pt_lines *lines, pt_text *text, size_t whole)
{
    size_t size = text->size - whole;
    if (pt_reserve(lines->context, (void **)&lines->rest, &lines->rest_capacity, 0, size, 1))
        return pt_out_of_memory(lines->context, "a piece of text");
    if (size > 0)
        memcpy(lines->rest, text->buffer + whole, size);
    lines->rest_size = size;
    text->size = whole;
    return PARTAN_OK;
}

partan_status pt_lines_take(pt_lines *lines, pt_text *text)
{
    size_t known = lines->rest_size, size = lines->block > known ? lines->block : 2 * known;
    text->size = 0;
    if (pt_reserve(lines->context, (void **)&text->buffer, &text->capacity, 0, size + 1 + PT_TEXT_PADDING, 1))
        return pt_out_of_memory(lines->context, "a piece of text");
    if (known > 0)
        memcpy(text->buffer, lines->rest, known);
    text->size = known;
    lines->rest_size = 0;
    size_t whole = 0;
    while (whole == 0 && !lines->ended) {
        partan_status status = fill(lines, text, size);
        if (status)
            return status;
        whole = last_line_end(text, known);
        known = text->size;
        size = 2 * text->size; /* a line longer than a block */
    }
    partan_status status = keep_rest(lines, text, whole);
    memset(text->buffer + text->size, 0, PT_TEXT_PADDING); /* read, if without consequence */
    return status;
}
