#include "fw/variants.h"

#define ENTRY(SOLVER, NAME, PREVIOUS, CLASSIC)                                                                         \
    {.solver = PARTAN_SOLVER_##SOLVER, .step = pt_##NAME##_step, .keeps_previous = PREVIOUS, .has_classic = CLASSIC},

/* clang-format off */
static const pt_variant variants[] = {
    PT_VARIANTS(ENTRY)
    {.solver = PARTAN_SOLVER_AUTO}, /* a method of the problem's own */
};
/* clang-format on */

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
