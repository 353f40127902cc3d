/* The nearest word to one that is not known. */
#ifndef CLI_SUGGEST_H
#define CLI_SUGGEST_H

#include <stddef.h>

typedef struct suggestion {
    const char *wanted;
    const char *best; /* NULL: nothing near enough */
    size_t distance;
} suggestion;

void suggest_begin(suggestion *search, const char *wanted);
void suggest_offer(suggestion *search, const char *candidate);

#endif
