/* The working set by systems of its support: with b = a / 2f, the solution has K_SS b_S = 1 and b > 0 on the support S.
 * The system of the present support is solved; members whose b it makes negative leave, all at once; and so on until
 * none does. Members that ought to join S are left to pair steps, which need few from there, however large C is. */
#ifndef PT_BLOCK_PIVOTS_H
#define PT_BLOCK_PIVOTS_H

#include "active/support_gradients.h"

/* *better: the working set has new weights, of a lower objective, with their scores; else it is as it was. */
partan_status pt_block_pivots(pt_working *working, pt_support_gradients *gradients, bool *better);

/* The same from scores that are more precise than float32, near the solution, where digits of the objective show
 * nothing any more: systems are solved so far that the new weights' gap over the working set may be a thousandth of
 * what it was, and half of it is better. */
partan_status pt_block_pivots_refine(pt_working *working, pt_support_gradients *gradients, bool *better);

/* Whether the support's system has left so much that solving it may help; costs next to nothing. */
bool pt_block_pivots_pay(const pt_working *working);

#endif
