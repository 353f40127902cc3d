/* Memory for what threads find in pieces of text: large slabs, one after the other filled by one thread, each freed as
 * soon as all that lies in it was released. A slab is large enough for huge pages, where a page fault for every four
 * kilobytes would cost as much as the parsing. */
#ifndef PT_ARENA_H
#define PT_ARENA_H

#include "core/context.h"

typedef struct pt_slab pt_slab;

typedef struct pt_arena {
    partan_context *context;
    pt_slab *slab; /* the one being filled; NULL: none yet */
    size_t useful; /* bytes the next slab should have */
} pt_arena;

/* Slabs of `useful` bytes at first, of twice as many each time up to a few megabytes. */
void pt_arena_init(pt_arena *arena, partan_context *context, size_t useful);
/* Lets go of the slab being filled; what was kept stays until it is released. */
void pt_arena_close(pt_arena *arena);

/* Room for `bytes`, aligned to PT_ALIGNMENT; NULL when memory is out. It is lost at the next call unless it is kept. */
void *pt_arena_room(pt_arena *arena, size_t bytes);
/* Keeps the first `bytes` of that room, until pt_slab_release is called with the slab returned. */
pt_slab *pt_arena_keep(pt_arena *arena, size_t bytes);
void pt_slab_release(pt_slab *slab); /* by any thread; NULL is allowed */

#endif
