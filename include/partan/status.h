/* Version and status codes. */
#ifndef PARTAN_STATUS_H
#define PARTAN_STATUS_H

#include <stddef.h>

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

/* Structs that a program allocates begin with a field struct_size. Initialise them with their init function before use,
 * whether the library reads them (settings, options) or fills them (results):
 *
 *     partan_settings settings;
 *     partan_settings_init(&settings);
 *
 * This sets struct_size and all other fields to their defaults. Later versions of the library may append fields.
 * Programs that were compiled with an older header keep working: the library reads and fills only the fields that they
 * have, and uses the defaults of the others. A struct_size that no init function has set is refused with
 * PARTAN_ERROR_ARGUMENT. An older library accepts the structs of a newer header as long as the fields that it does not
 * know are zero. Structs that the library allocates and passes to callbacks may get more fields, too; a copy of one by
 * assignment must have its struct_size set to its own sizeof before it is passed to the library.
 *
 * Bindings, which cannot call inline functions, call partan_settings_init_sized with the size of their struct. */
#define PARTAN_DECLARE_INIT(type)                                                                                      \
    PARTAN_API void type##_init_sized(type *given, size_t size);                                                       \
    static inline void type##_init(type *given)                                                                        \
    {                                                                                                                  \
        type##_init_sized(given, sizeof *given);                                                                       \
    }

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
