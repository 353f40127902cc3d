/* The table of variants: a new one is one file and one line here. */
#include "fw/fw.h"

static const pt_variant variants[] = {
    {PARTAN_SOLVER_FW, false, pt_fw_step},
    {PARTAN_SOLVER_MFW, false, pt_mfw_step},
    {PARTAN_SOLVER_SWAP, false, pt_swap_step},
    {PARTAN_SOLVER_PARTAN, true, pt_partan_step},
};

const pt_variant *pt_variant_for(partan_solver solver)
{
    for (size_t i = 0; i < sizeof variants / sizeof variants[0]; i++)
        if (variants[i].solver == solver)
            return &variants[i];
    return NULL;
}
