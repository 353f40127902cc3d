/* A set of texts, numbered in order of arrival. */
#ifndef PT_WORDS_H
#define PT_WORDS_H

#include "core/context.h"

typedef struct pt_words {
    partan_context *context;
    char **texts; /* NUL-terminated, each its own allocation */
    size_t count, capacity;
    int32_t *slots; /* hash table of numbers, -1: free */
    size_t slot_count;
} pt_words;

void pt_words_init(pt_words *words, partan_context *context);
void pt_words_clear(pt_words *words); /* forgets the texts, keeps the room */
void pt_words_free(pt_words *words);
/* The number of a text, which is added when it is new; -1 when memory is out. The text holds no NUL. */
int32_t pt_words_number(pt_words *words, const char *text, size_t size);
int32_t pt_words_find(const pt_words *words, const char *text, size_t size); /* -1: it is none of them */

#endif
