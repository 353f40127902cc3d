/* Reading the text of a model file line by line and word by word, with messages that name file and line. */
#ifndef PT_MODEL_SCAN_H
#define PT_MODEL_SCAN_H

#include "core/context.h"

typedef struct pt_word {
    const char *start, *end; /* not NUL-terminated */
} pt_word;

typedef struct pt_scan {
    partan_context *context;
    const char *name;   /* of the file, for messages */
    const char *next;   /* where the next line starts */
    const char *end;    /* of the text */
    const char *cursor; /* in the current line */
    const char *line_end;
    uint64_t line; /* number of the current line, from 1 */
} pt_scan;

void pt_scan_init(pt_scan *scan, partan_context *context, const char *name, const char *text, size_t size);

/* Moves to the next line; false when there is none. A carriage return before the line feed is not part of the line. */
bool pt_scan_line(pt_scan *scan);

/* The next word of the line, ended by spaces or tabs; empty when there is none. */
pt_word pt_scan_word(pt_scan *scan);

/* The next word as a finite number, and as index:value, at speed; false, and nothing has moved, where it does not look
 * like most of them do or is near the end of the text. It may be right all the same. */
bool pt_scan_number(pt_scan *scan, double *value);
bool pt_scan_pair(pt_scan *scan, int64_t *index, double *value);

/* The bytes left in the text after the current line. */
size_t pt_scan_left(const pt_scan *scan);

bool pt_word_empty(pt_word word);
bool pt_word_is(pt_word word, const char *text);

/* Whether the whole word is one number of the kind; reals are finite. */
bool pt_word_real(pt_word word, double *value);
bool pt_word_integer(pt_word word, int64_t *value);
bool pt_word_unsigned(pt_word word, uint64_t *value);

/* "name:line: found 'word', expected ..." with PARTAN_ERROR_FORMAT; an empty word reads "found the end of the line". */
partan_status pt_scan_fail(const pt_scan *scan, pt_word found, const char *expected);

/* The same for a line that is missing: "name: found the end of the file, expected ...". */
partan_status pt_scan_fail_end(const pt_scan *scan, const char *expected);

/* Fails unless the line holds no further word. */
partan_status pt_scan_line_done(pt_scan *scan);

#endif
