/* The table of solvers. A new variant is its file, NAME.c with a function pt_NAME_step, and one line in PT_VARIANTS,
 * for a value of partan_solver. */
#ifndef PT_VARIANTS_H
#define PT_VARIANTS_H

#include "fw/fw.h"

/* clang-format off */
/*            partan_solver  name    needs the previous  has the classic
 *                                   iterate             step 2/(k+2) */
#define PT_VARIANTS(VARIANT)                                               \
    VARIANT(  FW,            fw,     false,              true   )          \
    VARIANT(  MFW,           mfw,    false,              false  )          \
    VARIANT(  SWAP,          swap,   false,              false  )          \
    VARIANT(  PARTAN,        partan, true,               false  )
/* clang-format on */

typedef struct pt_variant {
    partan_solver solver;
    /* Takes one step from `now`, given the oracle's answer in `toward`. NULL for `auto`, which is a method of the
     * problem's own. */
    partan_status (*step)(pt_fw *fw);
    bool keeps_previous;
    bool has_classic;
} pt_variant;

#define PT_DECLARE_STEP(solver, name, previous, classic) partan_status pt_##name##_step(pt_fw *fw);
PT_VARIANTS(PT_DECLARE_STEP)
#undef PT_DECLARE_STEP

/* The solver's entry; NULL: there is no such solver. */
const pt_variant *pt_variant_for(partan_solver solver);

/* The entry of the solver that the settings come to: sampling is a matter of the variants, so that `auto` then means
 * PARTAN. */
const pt_variant *pt_variant_resolve(const partan_settings *settings);

#endif
