/* The iterate: a convex combination of the active vertices, by their weights now and at the iterate before. */
#ifndef PT_ITERATE_H
#define PT_ITERATE_H

#include "core/context.h"

typedef struct pt_term {
    int64_t id;
    double factor;
} pt_term;

/* next = now_factor * now + previous_factor * previous + sum of terms. The vertex `drop` (-1: none) gets weight 0
 * exactly, where the formula would leave rounding. */
typedef struct pt_move {
    double now_factor;
    double previous_factor;
    int terms;
    pt_term term[2];
    int64_t drop;
} pt_move;

typedef struct pt_iterate {
    partan_context *context;
    size_t count; /* slots in use; a slot's weight may be 0 for a while after it was dropped */
    size_t capacity;
    int64_t *id;
    double *now;
    double *previous;
    double *next; /* room for the move */
    bool keeps_previous;
    uint32_t *index; /* an open hash table by id: slot + 1, 0 where there is none; twice the capacity or more */
    int shift;       /* 64 less the logarithm of its size */
    unsigned moves;  /* since the last sweep */

    /* Told of each vertex that has left both iterates, if not NULL. */
    void (*left)(void *owner, int64_t id);
    void *owner;
} pt_iterate;

void pt_iterate_init(pt_iterate *iterate, partan_context *context, bool keeps_previous);
void pt_iterate_free(pt_iterate *iterate);

/* Sets the weights of a starting point: positive, scaled to sum 1; equal ids add up. The previous iterate is empty.
 * Nobody is told of the vertices that a start puts out. */
partan_status pt_iterate_start(pt_iterate *iterate, const int64_t *ids, const double *weights, size_t count);

bool pt_iterate_has(const pt_iterate *iterate, int64_t id); /* a slot, be its weights 0 */
double pt_iterate_weight(const pt_iterate *iterate, int64_t id);
double pt_iterate_previous(const pt_iterate *iterate, int64_t id);
void pt_iterate_weights(const pt_iterate *iterate, int64_t id, double *now, double *previous); /* both at once */
size_t pt_iterate_slot(const pt_iterate *iterate, int64_t id); /* where its weights are; `count`: nowhere */

size_t pt_iterate_support(const pt_iterate *iterate); /* active vertices: those of positive weight */

partan_status pt_iterate_move(pt_iterate *iterate, const pt_move *move);

/* Scales the current weights to sum 1, against rounding; the previous iterate is forgotten. */
void pt_iterate_normalise(pt_iterate *iterate);

/* The largest mu <= wanted for which (1 + mu) x - mu previous >= 0, where x = keep * now + gain * vertex u. *blocking
 * is the vertex that stops it, -1 when `wanted` is feasible. */
double pt_iterate_ratio(const pt_iterate *iterate, double keep, int64_t u, double gain, double wanted,
                        int64_t *blocking);

/* For qsort: numbers of vertices, ascending. */
int pt_compare_ids(const void *a, const void *b);

#endif
