/* Processes that work together go on together: a failure of one is that of all. */
#ifndef PT_AGREE_H
#define PT_AGREE_H

#include "core/comm.h"
#include "core/context.h"

/* The status of the first process that failed or was interrupted, with its sentence in all contexts; PARTAN_OK when
 * none was. For this and the others below, comm NULL stands for one process, which has all. */
partan_status pt_agree(partan_context *context, pt_comm *comm, partan_status status);

/* pt_comm's in_turn and sum_integers; and its broadcast, from the first process. */
void pt_in_turn(pt_comm *comm, void (*add)(void *user, double *values), void *user, double *values, size_t count);
void pt_add_up(pt_comm *comm, uint64_t *values, size_t count);
void pt_tell_all(pt_comm *comm, void *bytes, size_t size);

/* Whether this is the first process, which does what one does for all. */
static inline bool pt_is_first(const pt_comm *comm)
{
    return !comm || comm->rank == 0;
}

/* Of `count` things here: returns how many there are in all processes, *before those of processes before this one. */
uint64_t pt_count_all(pt_comm *comm, uint64_t count, uint64_t *before);

/* What one process at most knows of each number, which it has as -1 elsewhere: all get it. */
partan_status pt_tell_numbers(partan_context *context, pt_comm *comm, int64_t *numbers, size_t count);

/* Other instructions round otherwise, and processes that must decide alike would not. For several processes. */
partan_status pt_agree_on_instructions(partan_context *context, pt_comm *comm);

#endif
