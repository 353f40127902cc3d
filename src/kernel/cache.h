/* Kernel columns kept under a memory budget, the least recently used making room. Columns are allocated as they are
 * first needed; when memory is out before the budget is, the cache stays as large as it is. */
#ifndef PT_CACHE_H
#define PT_CACHE_H

#include "core/context.h"

typedef struct pt_cache {
    partan_context *context;
    size_t length;   /* values a column */
    size_t capacity; /* columns within the budget; 0: nothing is cached */
    size_t count;    /* columns allocated */
    struct pt_cache_entry *entries;
    uint32_t *where; /* entry + 1 of each vertex, 0 when it has none */
    uint32_t newest, oldest;
} pt_cache;

partan_status pt_cache_init(pt_cache *cache, partan_context *context, size_t domain, size_t length, size_t bytes);
void pt_cache_free(pt_cache *cache);

/* The column of a vertex, or NULL; a column found becomes the newest. */
float *pt_cache_find(pt_cache *cache, int64_t id);

/* Room for the column of a vertex that is not cached, which the caller fills. The column of `keep` (-1: none) is not
 * evicted; NULL when there is no room. */
float *pt_cache_add(pt_cache *cache, int64_t id, int64_t keep);

#endif
