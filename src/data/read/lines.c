#include "data/read/lines.h"

#include <string.h>

#include "core/available.h"

void pt_lines_init(pt_lines *lines, partan_context *context, pt_input *input, size_t block)
{
    *lines = (pt_lines){.context = context, .input = input, .block = block};
    lines->available = input->memory ? UINT64_MAX : pt_memory_available("");
}

void pt_lines_free(pt_lines *lines)
{
    pt_free(lines->context, lines->rest);
    lines->rest = NULL;
}

/* Room for `size` bytes and a line feed. */
static partan_status make_room(const pt_lines *lines, pt_text *text, size_t size)
{
    size_t used = text->buffer ? PT_TEXT_PADDING + text->size : 0;
    if (pt_reserve(lines->context, (void **)&text->buffer, &text->capacity, used, size + 1 + 2 * PT_TEXT_PADDING, 1))
        return pt_out_of_memory(lines->context, "a piece of text");
    return PARTAN_OK;
}

/* Fills the text up to `size` bytes, or to the end. */
static partan_status fill(pt_lines *lines, pt_text *text, size_t size)
{
    size_t got;
    partan_status status = make_room(lines, text, size);
    char *begin = pt_text_begin(text);
    if (!status)
        status = pt_input_read(lines->input, begin + text->size, size - text->size, &got);
    if (status)
        return status;
    lines->ended = got < size - text->size;
    text->size += got;
    if (lines->ended && text->size > 0 && begin[text->size - 1] != '\n')
        begin[text->size++] = '\n';
    return PARTAN_OK;
}

/* The end of the last line that ends after `from`, or 0. */
static size_t last_line_end(const pt_text *text, size_t from)
{
    const char *begin = pt_text_begin(text);
    size_t size = text->size;
    while (size > from && begin[size - 1] != '\n')
        size--;
    return size > from ? size : 0;
}

/* Puts aside what comes after the whole lines, and settles the padding: it is read, if without consequence. */
static partan_status keep_rest(pt_lines *lines, pt_text *text, size_t whole)
{
    char *begin = pt_text_begin(text);
    size_t size = text->size - whole;
    if (pt_reserve(lines->context, (void **)&lines->rest, &lines->rest_capacity, 0, size, 1))
        return pt_out_of_memory(lines->context, "a piece of text");
    if (size > 0)
        memcpy(lines->rest, begin + whole, size);
    lines->rest_size = size;
    text->size = whole;
    memset(text->buffer, 0, PT_TEXT_PADDING);
    memset(begin + whole, 0, PT_TEXT_PADDING);
    return PARTAN_OK;
}

partan_status pt_lines_take(pt_lines *lines, pt_text *text)
{
    size_t known = lines->rest_size, size = lines->block > known ? lines->block : 2 * known;
    text->size = 0;
    partan_status status = make_room(lines, text, size);
    if (status)
        return status;
    if (known > 0)
        memcpy(pt_text_begin(text), lines->rest, known);
    text->size = known;
    size_t whole = 0;
    while (whole == 0 && !lines->ended) {
        status = fill(lines, text, size);
        if (status)
            return status;
        whole = last_line_end(text, known);
        known = text->size;
        size = 2 * text->size;           /* a line longer than a block */
        if (whole == 0 && !lines->ended) /* the text, its larger copy and the rest of the last block */
            status = pt_memory_check(lines->context, lines->input->name, 2 * (uint64_t)size, lines->available);
        if (status)
            return status;
    }
    return keep_rest(lines, text, whole);
}
