/* How many threads a piece of work gets. Results never depend on it.
 *
 * Short pieces get one thread, long ones all of them. In between, where a team that waits for a core that others use
 * can be many times slower than one thread, both are timed (core/thread_tuning.h). */
#ifndef PT_LASSO_TEAM_H
#define PT_LASSO_TEAM_H

#include "core/context.h"
#include "core/thread_tuning.h"

typedef struct pt_team {
    pt_tuning tuning;
    bool timed; /* the piece under way */
} pt_team;

/* In products of two numbers, at some 1e10 a second: below the first a millisecond or two, about what a team may lose
 * on a busy machine each time that it waits; above the other ten milliseconds or more. */
#define PT_TEAM_SHORT ((size_t)1 << 24)
#define PT_TEAM_LONG  ((size_t)1 << 27)

static inline void pt_team_init(pt_team *team, const partan_context *context)
{
    pt_tuning_init(&team->tuning, context->threads);
    team->timed = false;
}

static inline int pt_team_begin(pt_team *team, size_t work)
{
    team->timed = work >= PT_TEAM_SHORT && work < PT_TEAM_LONG;
    if (team->timed)
        return pt_tuning_begin(&team->tuning);
    return work < PT_TEAM_SHORT ? 1 : team->tuning.threads;
}

static inline void pt_team_end(pt_team *team, size_t work)
{
    if (team->timed)
        pt_tuning_end(&team->tuning, (double)work);
}

#endif
