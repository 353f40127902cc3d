/* What tests run over, from the library's own lists: a new solver, storage or kernel is covered as soon as it is named
 * there. Loop variables are numbers of the public enums. */
#ifndef EVERY_H
#define EVERY_H

#include <math.h>
#include <stddef.h>

#include "partan/partan.h"
#include "settings/names.h"
#include "solvers.h"

/* ---- Solvers ---- */

#define EVERY_VARIANT(unused, SOLVER, name, previous, classic) PARTAN_SOLVER_##SOLVER,
#define EVERY_OWN(unused, SOLVER, name)                        PARTAN_SOLVER_##SOLVER,
#define EVERY_NONE(unused, SOLVER, name)
#define EVERY_END (-1)
static const int every_solver[] = {PT_SOLVERS(EVERY_VARIANT, EVERY_OWN, ) EVERY_END};
static const int every_variant[] = {PT_SOLVERS(EVERY_VARIANT, EVERY_NONE, ) EVERY_END};

/* The entry after `last` in a list that ends in -1; after -1 the first one. */
static inline int next_solver(const int *list, int last)
{
    if (last < 0)
        return list[0];
    while (*list != last)
        list++;
    return list[1];
}

/* The Frank-Wolfe variants; and all solvers, methods of the problem's own included. */
#define FOR_EVERY_VARIANT(solver)                                                                                      \
    for (int solver = next_solver(every_variant, -1); solver >= 0; solver = next_solver(every_variant, solver))
#define FOR_EVERY_SOLVER(solver)                                                                                       \
    for (int solver = next_solver(every_solver, -1); solver >= 0; solver = next_solver(every_solver, solver))

/* The gap that a test may ask for: FW and PARTAN have no step that takes the weight of one vertex away, and need many
 * more steps for a small gap. A new variant is asked for what the others are. */
static inline double reachable(int solver, double fw, double partan, double others)
{
    return solver == PARTAN_SOLVER_FW ? fw : solver == PARTAN_SOLVER_PARTAN ? partan : others;
}

/* ---- Storages and kernels ---- */

#define EVERY_ONE(name) +1
enum {
    STORAGES = PT_STORAGE_NAMES(EVERY_ONE) - 1, /* without auto, which is 0: they are 1 .. STORAGES */
    KERNELS = PT_KERNEL_NAMES(EVERY_ONE)
};

static inline partan_storage every_storage(size_t i) /* from 0 */
{
    return (partan_storage)(i + 1);
}

/* A value that the storage can hold: x itself where it can. */
static inline float storable(partan_storage storage, float x)
{
    if (storage == PARTAN_STORAGE_BITS)
        return x != 0;
    if (storage == PARTAN_STORAGE_BYTES)
        return x > 0 ? roundf(4 * x) / 4 : 0;
    return x;
}

#define FOR_EVERY_STORAGE(storage) for (int storage = 1; storage <= STORAGES; storage++)
#define FOR_EVERY_KERNEL(kernel)   for (int kernel = 0; kernel < KERNELS; kernel++)

#endif
