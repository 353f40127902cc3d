/* Whole lines out of an input, a block at a time. */
#ifndef PT_LINES_H
#define PT_LINES_H

#include "data/read/input.h"

enum { PT_TEXT_PADDING = 64 }; /* bytes before and after the text that may be read */

/* Some lines, each ended by a line feed. */
typedef struct pt_text {
    char *buffer; /* the text begins after the padding */
    size_t capacity, size;
} pt_text;

static inline char *pt_text_begin(const pt_text *text)
{
    return text->buffer + PT_TEXT_PADDING;
}

typedef struct pt_lines {
    partan_context *context;
    pt_input *input;
    size_t block; /* bytes to give out at a time, as far as lines allow */
    char *rest;   /* the beginning of a line that the last block did not hold to its end */
    size_t rest_capacity, rest_size;
    bool ended;
    uint64_t available; /* bytes of memory when it began: a line may take no more */
} pt_lines;

void pt_lines_init(pt_lines *lines, partan_context *context, pt_input *input, size_t block);
void pt_lines_free(pt_lines *lines);
/* The next lines, at least one; none, size 0, at the end. A line feed that the last line may lack is added. */
partan_status pt_lines_take(pt_lines *lines, pt_text *text);

#endif
