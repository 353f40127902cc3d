/* Data that several processes have parts of, each read by itself: made alike. */
#ifndef PT_PARTS_H
#define PT_PARTS_H

#include "core/comm.h"
#include "data/data.h"

/* Gives the parts of all processes the same number of features and the storage that one process would choose for the
 * whole; `wanted` is the storage that was asked for. Called by all of them; a failure of one is that of all. */
partan_status pt_data_unify(partan_context *context, pt_comm *comm, partan_storage wanted, partan_data *part);

/* The fingerprint of the whole, of so many rows, of which `first` are in processes before this one. comm NULL: the part
 * is the whole. */
uint64_t pt_data_fingerprint_of_all(pt_comm *comm, const partan_data *part, uint64_t first, uint64_t rows);

#endif
