/* Commands that each process runs on all of the data: their work is farmed out (cli/farm.h). */
#ifndef MPI_QUEUE_H
#define MPI_QUEUE_H

#include <mpi.h>

#include "command.h"

/* Enters what the work is farmed out by, and reading all of the data, into the calls of a run. */
void mpi_queue_offer(together *all);

partan_status mpi_read_whole(invocation *run, const char *path, const partan_read_options *options,
                             const partan_model *model, partan_data **data);
partan_status mpi_run_fold(invocation *run, const partan_data *data, const partan_settings *settings, size_t folds,
                           uint64_t seed, size_t number, partan_fold_callback fold, partan_held_callback held,
                           void *user);

#endif
