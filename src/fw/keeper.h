/* Where a solver stands, handed out now and then while it works, so that a run that dies is not lost. The context has a
 * keeper where somebody wants to be told; solvers look between steps. */
#ifndef PT_KEEPER_H
#define PT_KEEPER_H

#include "core/clock.h"
#include "fw/solve.h"

struct pt_keeper {
    /* Told of a point that a later run can start from. Weights may be 0; ids are the solver's own vertices. */
    partan_status (*keep)(pt_keeper *keeper, partan_context *context, const pt_start *point);
    double next; /* on the clock: not before it */
};

static inline bool pt_keeper_due(const partan_context *context)
{
    return context->keeper && pt_clock() >= context->keeper->next;
}

static inline partan_status pt_keep(partan_context *context, const pt_start *point)
{
    return context->keeper->keep(context->keeper, context, point);
}

#endif
