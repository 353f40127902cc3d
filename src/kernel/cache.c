#include "kernel/cache.h"

typedef struct pt_cache_entry {
    float *column;
    int64_t id;
    uint32_t newer, older; /* a ring would do too; NONE ends the list */
} entry;

#define NONE UINT32_MAX

partan_status pt_cache_init(pt_cache *cache, partan_context *context, size_t domain, size_t length, size_t bytes)
{
    size_t capacity = length > 0 ? bytes / (length * sizeof(float)) : 0;
    capacity = capacity < domain ? capacity : domain;
    *cache = (pt_cache){.context = context, .length = length, .newest = NONE, .oldest = NONE};
    if (capacity == 0)
        return PARTAN_OK;
    cache->capacity = capacity < NONE ? capacity : NONE - 1;
    cache->entries = pt_alloc(context, cache->capacity, sizeof *cache->entries);
    cache->where = pt_alloc_zero(context, domain, sizeof *cache->where);
    if (cache->entries && cache->where)
        return PARTAN_OK;
    pt_cache_free(cache);
    return pt_out_of_memory(context, "the index of kernel columns");
}

void pt_cache_free(pt_cache *cache)
{
    if (!cache->context)
        return;
    for (size_t i = 0; i < cache->count; i++)
        pt_free(cache->context, cache->entries[i].column);
    pt_free(cache->context, cache->entries);
    pt_free(cache->context, cache->where);
    *cache = (pt_cache){0};
}

static void unlink_entry(pt_cache *cache, uint32_t i)
{
    entry *e = &cache->entries[i];
    if (e->newer != NONE)
        cache->entries[e->newer].older = e->older;
    else
        cache->newest = e->older;
    if (e->older != NONE)
        cache->entries[e->older].newer = e->newer;
    else
        cache->oldest = e->newer;
}

static void link_newest(pt_cache *cache, uint32_t i)
{
    entry *e = &cache->entries[i];
    e->newer = NONE;
    e->older = cache->newest;
    if (cache->newest != NONE)
        cache->entries[cache->newest].newer = i;
    else
        cache->oldest = i;
    cache->newest = i;
}

float *pt_cache_find(pt_cache *cache, int64_t id)
{
    if (!cache->capacity || !cache->where[id])
        return NULL;
    uint32_t i = cache->where[id] - 1;
    unlink_entry(cache, i);
    link_newest(cache, i);
    return cache->entries[i].column;
}

/* A new entry within the budget, or the oldest one that may go. */
static uint32_t make_room(pt_cache *cache, int64_t keep)
{
    if (cache->count < cache->capacity) {
        float *column = pt_alloc(cache->context, cache->length, sizeof *column);
        if (column) {
            cache->entries[cache->count] = (entry){.column = column};
            return (uint32_t)cache->count++;
        }
        cache->capacity = cache->count;
    }
    uint32_t i = cache->oldest;
    if (i != NONE && cache->entries[i].id == keep)
        i = cache->entries[i].newer;
    if (i == NONE)
        return NONE;
    cache->where[cache->entries[i].id] = 0;
    unlink_entry(cache, i);
    return i;
}

float *pt_cache_add(pt_cache *cache, int64_t id, int64_t keep)
{
    if (!cache->capacity)
        return NULL;
    uint32_t i = make_room(cache, keep);
    if (i == NONE)
        return NULL;
    cache->entries[i].id = id;
    cache->where[id] = i + 1;
    link_newest(cache, i);
    return cache->entries[i].column;
}
