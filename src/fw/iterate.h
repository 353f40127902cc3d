/* The active set: the vertices in use with their weights in the current and the previous iterate. */
#ifndef PT_ACTIVE_H
#define PT_ACTIVE_H

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

typedef struct pt_active {
    partan_context *context;
    size_t count; /* slots in use; a slot's weight may be 0 for a while after it was dropped */
    size_t capacity;
    int64_t *id;
    double *now;
    double *previous;
    double *next; /* room for the move */
    bool keeps_previous;
    uint32_t *slot; /* slot + 1 of each vertex of the domain, 0 when it has none */
    int64_t domain;
    unsigned moves; /* since the last sweep */
} pt_active;

partan_status pt_active_init(pt_active *active, partan_context *context, int64_t domain, bool keeps_previous);
void pt_active_free(pt_active *active);

/* Sets the weights of a starting point: positive, scaled to sum 1; equal ids add up. The previous iterate is empty. */
partan_status pt_active_start(pt_active *active, const int64_t *ids, const double *weights, size_t count);

double pt_active_weight(const pt_active *active, int64_t id);
double pt_active_previous(const pt_active *active, int64_t id);

size_t pt_active_support(const pt_active *active); /* vertices of positive weight */

partan_status pt_active_move(pt_active *active, const pt_move *move);

/* Scales the current weights to sum 1, against rounding; the previous iterate is forgotten. */
void pt_active_normalise(pt_active *active);

/* The largest mu <= wanted for which (1 + mu) x - mu previous >= 0, where x = keep * now + gain * vertex u. *blocking
 * is the vertex that stops it, -1 when `wanted` is feasible. */
double pt_active_ratio(const pt_active *active, double keep, int64_t u, double gain, double wanted, int64_t *blocking);

#endif
