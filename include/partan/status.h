/* Version and status codes. */
#ifndef PARTAN_STATUS_H
#define PARTAN_STATUS_H

#ifdef __cplusplus
extern "C" {
#endif

#define PARTAN_VERSION_MAJOR 0
#define PARTAN_VERSION_MINOR 1
#define PARTAN_VERSION_PATCH 0
#define PARTAN_VERSION       "0.1.0"

#if defined(PARTAN_SHARED) && defined(__GNUC__)
#define PARTAN_API __attribute__((visibility("default")))
#else
#define PARTAN_API
#endif

/* The numbers are part of the interface and never change. */
typedef enum partan_status {
    PARTAN_OK = 0,

    PARTAN_ITERATION_LIMIT = 1, /* settings.max_iter was reached before the target gap */
    PARTAN_TIME_LIMIT = 2,      /* settings.time_limit was reached before the target gap */
    PARTAN_INTERRUPTED = 3,     /* partan_interrupt, or a progress callback, asked to stop */
    PARTAN_STALLED = 4,         /* rounding errors leave no step that makes progress */
    PARTAN_UNCONFIRMED = 5,     /* the sampled rule stopped it; the true gap is still above the target */
    PARTAN_RANK_LIMIT = 6,      /* max_rank of a matrix was reached before the target gap */

    PARTAN_ERROR_MEMORY = -1,   /* out of memory */
    PARTAN_ERROR_ARGUMENT = -2, /* an argument or a setting is out of range */
    PARTAN_ERROR_IO = -3,       /* a file could not be opened, read or written */
    PARTAN_ERROR_FORMAT = -4,   /* a file's content is not what it should be; the message names file, line and column */
    PARTAN_ERROR_DATA = -5,    /* the data cannot be used for this: one class only, no rows, wrong number of features */
    PARTAN_ERROR_NUMERIC = -6, /* a kernel value is not finite, or the kernel matrix is not positive semidefinite */
    PARTAN_ERROR_BUILD = -7    /* the library was built without what the call needs */
} partan_status;

/* "OK", "TIME_LIMIT", "ERROR_MEMORY", ...; NULL for a number that is no status. And back: returns 1 when found. */
PARTAN_API const char *partan_status_name(partan_status status);
PARTAN_API int partan_status_from_name(const char *name, partan_status *status);

PARTAN_API const char *partan_version(void); /* "0.1.0" */

#ifdef __cplusplus
}
#endif

#endif
