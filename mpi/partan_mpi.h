/* partan on several processes, by MPI. Link libpartan_mpi instead of libpartan: it has all of it, and the functions
 * below. MPI is initialised by the program (MPI_THREAD_FUNNELED suffices: only the thread that calls makes MPI calls).
 *
 * All processes of the communicator call these functions with the same arguments but for `context` and `data`, and all
 * of them get the same status; a failure of one is that of all, with its message. */
#ifndef PARTAN_MPI_H
#define PARTAN_MPI_H

#include <mpi.h>

#include "partan/partan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads this process's share of a data set: of a file its range of bytes, extended to whole lines; of a pattern such as
 * "part-*.svm" its range of all files together, in the order of their names. LIBSVM text can be read in parts, and
 * tables (CSV, TSV) that are one file. A share may have no rows. options may be NULL. */
PARTAN_API partan_status partan_mpi_read(partan_context *context, MPI_Comm comm, const char *path,
                                         const partan_read_options *options, partan_data **data);

/* The same for the use of a model, as partan_data_read_for. */
PARTAN_API partan_status partan_mpi_read_for(partan_context *context, MPI_Comm comm, const partan_model *model,
                                             const char *path, const partan_read_options *options, partan_data **data);

/* From here to partan_mpi_leave some calls with this context are made by all processes together, each with its share of
 * the rows and their decision values, and all get the same result, which is that of one process with all rows, to the
 * last bit:
 *
 *     partan_predict                              each process gets the values of its rows
 *     partan_evaluate, partan_evaluate_classes    thresholds are shown to process 0 alone
 *     partan_reliability, partan_model_check_labels
 *     partan_verify                               but for models of a precomputed kernel
 *     partan_data_read_weights                    of which each process keeps those of its rows
 *
 * What needs all values in order (AUC, average precision, curves) is merged by process 0 from sorted pieces of them. */
PARTAN_API partan_status partan_mpi_join(partan_context *context, MPI_Comm comm);
/* By all processes too, and before the context is destroyed. */
PARTAN_API void partan_mpi_leave(partan_context *context);

/* What the processes have sent each other. */
typedef struct partan_mpi_traffic {
    size_t struct_size;
    uint64_t calls; /* collective calls */
    uint64_t bytes; /* that this process handed to them */
} partan_mpi_traffic;

PARTAN_DECLARE_INIT(partan_mpi_traffic)

/* partan_train_with on the rows of all processes: the same model for any number of them, to the last bit, and every
 * process gets it. By all solvers, exact or sampled (docs/distributed.md has what auto does otherwise than in
 * partan_train_with, and what is refused). options->checkpoint is used by process 0. options and traffic may be NULL.
 */
PARTAN_API partan_status partan_mpi_train(partan_context *context, MPI_Comm comm, const partan_data *data,
                                          const partan_settings *settings, const partan_train_options *options,
                                          partan_mpi_traffic *traffic, partan_model **model);

#ifdef __cplusplus
}
#endif

#endif
