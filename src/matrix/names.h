/* What rows and columns of a matrix are called: words as they were read, or their numbers from 1. */
#ifndef PT_MATRIX_NAMES_H
#define PT_MATRIX_NAMES_H

#include "data/read/words.h"

typedef struct pt_names {
    size_t count;
    bool worded;    /* else the name of i is i + 1 in digits */
    pt_words words; /* where worded; may have more than `count` only while reading */
} pt_names;

void pt_names_init(pt_names *names, partan_context *context);
void pt_names_free(pt_names *names);
partan_status pt_names_copy(const pt_names *source, pt_names *copy);

/* The number of a name, -1 when it is none of them. */
int64_t pt_names_find(const pt_names *names, const char *text, size_t size);

/* The name of i; buffer has PT_NUMBER_SIZE bytes, for those that are numbers. */
const char *pt_names_text(const pt_names *names, size_t i, char *buffer);
/* The same at the beginning of a buffer of any size, as the public functions have it. */
const char *pt_names_show(const pt_names *names, size_t i, char *buffer, size_t size);

/* map[i]: what name i of `from` is in `to`, -1 when it is not there. */
partan_status pt_names_map(const pt_names *from, const pt_names *to, int64_t **map);

uint64_t pt_names_hash(const pt_names *names, size_t i); /* the same for a number and for its digits as a word */

#endif
