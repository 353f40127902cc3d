/* The table of solvers. A new variant is its file, fw/NAME.c with a function pt_NAME_step, a value of partan_solver and
 * one line here, in the order of these values. The table stands on nothing, so that settings can take the names from it
 * and fw the functions. */
#ifndef PT_SOLVERS_H
#define PT_SOLVERS_H

/* VARIANT or OWN is put around every line, with `argument` handed through. OWN: the problem's own method. */
/* clang-format off */
/*                    partan_solver  name    needs the previous  has the classic
 *                                           iterate             step 2/(k+2) */
#define PT_SOLVERS(VARIANT, OWN, argument)                                         \
    VARIANT(argument, FW,            fw,     false,              true   )          \
    VARIANT(argument, MFW,           mfw,    false,              false  )          \
    VARIANT(argument, SWAP,          swap,   false,              false  )          \
    VARIANT(argument, PARTAN,        partan, true,               false  )          \
    OWN(    argument, AUTO,          auto)
/* clang-format on */

#endif
