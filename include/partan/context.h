/* Contexts: errors, threads, memory, callbacks and interruption. */
#ifndef PARTAN_CONTEXT_H
#define PARTAN_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "partan/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct partan_context partan_context;
typedef struct partan_context_options partan_context_options;

/* options may be NULL: all defaults. Returns NULL if there is not enough memory or an option is invalid. */
PARTAN_API partan_context *partan_create(const partan_context_options *options);
PARTAN_API void partan_destroy(partan_context *context);

/* One sentence about the last failure in this context; "" if there was none or context is NULL. Valid until the next
 * call. */
PARTAN_API const char *partan_error(const partan_context *context);

/* Frees memory that the library returned to be freed by this function. NULL is allowed. */
PARTAN_API void partan_free(partan_context *context, void *pointer);

typedef enum partan_log_level { PARTAN_LOG_WARNING = 0, PARTAN_LOG_INFO = 1, PARTAN_LOG_DEBUG = 2 } partan_log_level;

typedef struct partan_progress {
    const char *phase;   /* "read", "generate", "train", "path", "tune", "cv", "verify", "predict", "write" */
    double done;         /* estimated share of the phase, 0 to 1; never decreases; negative: unknown */
    double seconds;      /* since the phase began */
    double seconds_left; /* estimated; negative: unknown */
    uint64_t point;      /* of a path or a tuning: the current one, from 1 */
    uint64_t points;     /* and how many there are; 0: neither path nor tuning */
    int64_t iterations;  /* the fields from here on: training only */
    double gap;
    double relative_gap;
    double target;   /* relative gap at which training stops; 0 if only eps is set */
    uint64_t active; /* vertices with positive weight */
} partan_progress;

typedef enum partan_step_type {
    PARTAN_STEP_START = 0,  /* the initial point */
    PARTAN_STEP_TOWARD = 1, /* Frank-Wolfe step */
    PARTAN_STEP_AWAY = 2,
    PARTAN_STEP_SWAP = 3,
    PARTAN_STEP_PARTAN = 4 /* Frank-Wolfe step and parallel tangent */
} partan_step_type;

PARTAN_API const char *partan_step_type_name(partan_step_type type); /* "start", "toward", "away", "swap", "partan" */

/* The state after `iteration` steps. With sampling, gap and relative_gap are those of the sample. */
typedef struct partan_trace_row {
    int64_t iteration;
    partan_step_type type; /* of the step that led here */
    double objective;
    double gap;
    double relative_gap;
    double lambda; /* step sizes of the step that led here */
    double mu;
    uint64_t active;
    uint64_t kernel_columns;
    double seconds;
} partan_trace_row;

struct partan_context_options {
    size_t struct_size;

    /* Number of threads. 0, the default: one per core that the process may use, limited by the CPU quota of its control
     * group (container) and by the environment variables OMP_NUM_THREADS and OMP_THREAD_LIMIT (partan_limits_find).
     * Threads are started when they are first needed, end with the context, and are started again in a child after
     * fork(). Results do not depend on the number of threads. */
    int threads;

    /* Instruction set of the kernels: "reference", "portable", "avx2", "avx512"; NULL, the default: the environment
     * variable PARTAN_ISA if set, else the best one that this machine has. */
    const char *isa;

    /* Memory: set both or neither. allocate returns NULL if out of memory; alignment is a power of two. They may be
     * called on any thread of the context, but never at the same time. */
    void *(*allocate)(void *user, size_t bytes, size_t alignment);
    void (*release)(void *user, void *pointer);

    /* The callbacks of all calls, unless partan_set_callbacks sets others: see partan_callbacks. */
    void (*log)(void *user, partan_log_level level, const char *message);
    int (*progress)(void *user, const partan_progress *progress);
    void (*trace)(void *user, const partan_trace_row *row);

    void *user; /* passed to all callbacks above */
};

PARTAN_DECLARE_INIT(partan_context_options)

/* Callbacks for the calls that follow; any of them may be NULL. They run on the thread that made the call, between its
 * steps, never at the same time. They must return (no longjmp, no C++ exception) and must not use the context, except
 * for partan_interrupt. The callbacks that are arguments of functions (points of a path, folds, and so on) run on the
 * same thread, and may use the context where their description says so. */
typedef struct partan_callbacks {
    size_t struct_size;
    void (*log)(void *user, partan_log_level level, const char *message);

    /* Called a few times per second at most; a nonzero return value stops the work as partan_interrupt does. */
    int (*progress)(void *user, const partan_progress *progress);

    /* Called for traced iterations, in order. */
    void (*trace)(void *user, const partan_trace_row *row);

    void *user; /* passed to these three */
} partan_callbacks;

PARTAN_DECLARE_INIT(partan_callbacks)

/* Replaces the callbacks of a context, for the next call or for all that follow. NULL restores those that the context
 * was created with. Not to be called from a callback. */
PARTAN_API partan_status partan_set_callbacks(partan_context *context, const partan_callbacks *callbacks);

PARTAN_API int partan_threads(const partan_context *context);

/* What the default number of threads is derived from; 0: no such limit. */
typedef struct partan_limits {
    size_t struct_size;
    int processors;      /* of the machine */
    int affinity;        /* processors that the process may run on (taskset) */
    int quota;           /* of the control group, in processors, rounded up (docker --cpus) */
    int omp_num_threads; /* environment variables of these names */
    int omp_thread_limit;
    int threads; /* the minimum of these, at least 1 */
} partan_limits;

PARTAN_DECLARE_INIT(partan_limits)

PARTAN_API partan_status partan_limits_find(partan_limits *found);
PARTAN_API const char *partan_isa(const partan_context *context);

/* Asks the call that is running in this context to stop. May be called from signal handlers and from other threads. */
PARTAN_API void partan_interrupt(partan_context *context);

#ifdef __cplusplus
}
#endif

#endif
