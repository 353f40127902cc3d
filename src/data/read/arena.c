#include "data/read/arena.h"

#include <stdatomic.h>

enum { LARGEST = 4 << 20 };

struct pt_slab {
    partan_context *context;
    size_t size, used;    /* bytes after the header */
    atomic_size_t owners; /* what lies in it, and the arena that fills it */
};

static size_t rounded(size_t bytes)
{
    return (bytes + PT_ALIGNMENT - 1) / PT_ALIGNMENT * PT_ALIGNMENT;
}

static char *memory_of(pt_slab *slab)
{
    return (char *)slab + rounded(sizeof *slab);
}

void pt_arena_init(pt_arena *arena, partan_context *context, size_t useful)
{
    *arena = (pt_arena){.context = context, .useful = useful < LARGEST ? useful : LARGEST};
}

void pt_arena_close(pt_arena *arena)
{
    pt_slab_release(arena->slab);
    arena->slab = NULL;
}

static pt_slab *make_slab(pt_arena *arena, size_t bytes)
{
    size_t header = rounded(sizeof(pt_slab)), size = bytes > arena->useful ? bytes : arena->useful;
    if (size > SIZE_MAX - header)
        return NULL;
    pt_slab *slab = pt_alloc(arena->context, header + size, 1);
    if (!slab)
        return NULL;
    *slab = (pt_slab){.context = arena->context, .size = size};
    atomic_init(&slab->owners, 1);
    arena->useful = arena->useful < LARGEST / 2 ? arena->useful * 2 : LARGEST;
    return slab;
}

void *pt_arena_room(pt_arena *arena, size_t bytes)
{
    if (!arena->slab || arena->slab->size - arena->slab->used < bytes) {
        pt_arena_close(arena);
        arena->slab = make_slab(arena, bytes);
    }
    return arena->slab ? memory_of(arena->slab) + arena->slab->used : NULL;
}

pt_slab *pt_arena_keep(pt_arena *arena, size_t bytes)
{
    pt_slab *slab = arena->slab;
    size_t room = slab->size - slab->used;
    slab->used += rounded(bytes) < room ? rounded(bytes) : room;
    atomic_fetch_add(&slab->owners, 1);
    return slab;
}

void pt_slab_release(pt_slab *slab)
{
    if (slab && atomic_fetch_sub(&slab->owners, 1) == 1)
        pt_free(slab->context, slab);
}
