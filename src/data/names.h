/* The names of features, one text after the other. */
#ifndef PT_NAMES_OF_FEATURES_H
#define PT_NAMES_OF_FEATURES_H

#include "core/context.h"

typedef struct pt_feature_names {
    size_t count, capacity;
    size_t *start; /* of each name in the text */
    char *text;    /* each ended by a zero */
    size_t size, room;
} pt_feature_names;

/* Appends a name; where `quoted`, two quotes in it stand for one. Out of memory is the only failure. */
partan_status pt_feature_names_add(partan_context *context, pt_feature_names *names, const char *text, size_t size,
                                   bool quoted);
const char *pt_feature_name(const pt_feature_names *names, size_t feature); /* NULL: it has none */
partan_status pt_feature_names_copy(partan_context *context, const pt_feature_names *source, pt_feature_names *copy);
void pt_feature_names_free(partan_context *context, pt_feature_names *names);

#endif
