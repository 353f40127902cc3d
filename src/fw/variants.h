/* What the loop knows of each solver, from the table of them (solvers.h). */
#ifndef PT_VARIANTS_H
#define PT_VARIANTS_H

#include "fw/fw.h"
#include "solvers.h"

typedef struct pt_variant {
    partan_solver solver;
    /* Takes one step from `now`, given the oracle's answer in `toward`. NULL for `auto`, which is a method of the
     * problem's own. */
    partan_status (*step)(pt_fw *fw);
    bool keeps_previous;
} pt_variant;

#define PT_DECLARE_STEP(unused, solver, name, previous, classic) partan_status pt_##name##_step(pt_fw *fw);
#define PT_DECLARE_NONE(unused, solver, name)
PT_SOLVERS(PT_DECLARE_STEP, PT_DECLARE_NONE, )
#undef PT_DECLARE_STEP
#undef PT_DECLARE_NONE

/* The solver's entry; NULL: there is no such solver. */
const pt_variant *pt_variant_for(partan_solver solver);

/* The entry of the solver that the settings come to: sampling is a matter of the variants, so that `auto` then means
 * PARTAN. */
const pt_variant *pt_variant_resolve(const partan_settings *settings);

#endif
