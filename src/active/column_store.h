/* Kernel columns of the working set's members, kept where a kernel value costs more than its memory: for wide rows.
 *
 * A column is known from the first member up to some member. When the set changes, members that stay keep their order,
 * and new ones come after them: so what is known of the columns of those that stay is still their beginning. */
#ifndef PT_COLUMN_STORE_H
#define PT_COLUMN_STORE_H

#include "core/context.h"

enum { PT_STORE_TURNS = 32 }; /* columns that are computed again and again where memory has no room for all */

typedef struct pt_column_store {
    partan_context *context;
    size_t budget;                 /* bytes */
    size_t members;                /* places of a column, */
    size_t stride;                 /* with padding */
    size_t most;                   /* columns that there is room for; 0: none are kept */
    size_t count;                  /* columns that there are */
    float **values;                /* of each member; NULL: none */
    size_t *known;                 /* of each member's column: the values at hand, from the first on, in whole tiles */
    int64_t turns[PT_STORE_TURNS]; /* the members whose columns make room for others, in turn; -1: none */
    size_t turn;
} pt_column_store;

void pt_column_store_init(pt_column_store *store, partan_context *context, size_t budget);
void pt_column_store_free(pt_column_store *store);

/* The members are now `count` others, of which the first `stayed` were there before, at the places `from`, ascending.
 * What is known of the columns of these is carried over as far as there is room. A stride of 0: none are kept. */
partan_status pt_column_store_set(pt_column_store *store, size_t count, size_t stride, const size_t *from,
                                  size_t stayed);

/* Room for the column of a member: its own, or a new one; or that of another member, but for the last half of
 * PT_STORE_TURNS that were asked for. NULL: out of memory. */
float *pt_column_store_room(pt_column_store *store, int64_t member);

static inline bool pt_column_store_complete(const pt_column_store *store, int64_t member)
{
    return store->values[member] && store->known[member] >= store->stride;
}

#endif
