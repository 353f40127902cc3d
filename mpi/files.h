/* The files of a data set, as one text that processes read parts of. */
#ifndef MPI_FILES_H
#define MPI_FILES_H

#include "core/context.h"

typedef struct mpi_files {
    partan_context *context;
    size_t count;
    char **paths;    /* in the order of their names */
    uint64_t *sizes; /* in bytes */
    uint64_t size;   /* of all together */
} mpi_files;

/* A pattern (with * ? or [) stands for all files that match, anything else for itself. To be closed also on failure. */
partan_status mpi_files_open(mpi_files *files, partan_context *context, const char *path);
void mpi_files_close(mpi_files *files);

/* The lines that begin at bytes begin .. end-1 of all files together, each ended by a line feed, in memory of the
 * context. No line goes over from one file to the next. */
partan_status mpi_files_read(const mpi_files *files, uint64_t begin, uint64_t end, char **text, size_t *size);

/* The first line of data of the first file, which begins at *first, and the comments and empty lines before it; each
 * with its line feed. */
partan_status mpi_files_first_line(const mpi_files *files, char **lines, size_t *size, size_t *first);

#endif
