#include "fw/variants.h"

#define VARIANT(unused, SOLVER, name, previous, classic)                                                               \
    {.solver = PARTAN_SOLVER_##SOLVER, .step = pt_##name##_step, .keeps_previous = previous},
#define OWN(unused, SOLVER, name) {.solver = PARTAN_SOLVER_##SOLVER},

static const pt_variant variants[] = {PT_SOLVERS(VARIANT, OWN, )};

const pt_variant *pt_variant_for(partan_solver solver)
{
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (variants[i].solver == solver)
            return &variants[i];
    return NULL;
}

const pt_variant *pt_variant_resolve(const partan_settings *settings)
{
    const pt_variant *variant = pt_variant_for(settings->solver);
    return variant && !variant->step && settings->sample > 0 ? pt_variant_for(PARTAN_SOLVER_PARTAN) : variant;
}
