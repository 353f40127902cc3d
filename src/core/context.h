/* The context: errors, memory, threads, logging, progress and interruption, for one caller at a time. */
#ifndef PT_CONTEXT_H
#define PT_CONTEXT_H

#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/isa.h"
#include "core/lock.h"
#include "partan/partan.h"

#define PT_ALIGNMENT  64 /* of every allocation: a cache line, and the widest vector */
#define PT_ERROR_SIZE 1024
#define PT_ASIDES     8

typedef struct pt_team pt_team;     /* core/team.h */
typedef struct pt_keeper pt_keeper; /* fw/keeper.h */
typedef struct pt_comm pt_comm;     /* core/comm.h */

/* What progress reports are about. */
typedef struct pt_progress {
    const char *phase;
    double start;       /* of the phase */
    double last_report; /* and of the last one */
    int whole;          /* how many pt_progress_whole_begin are without their end */
    uint64_t point, points;
    partan_progress latest; /* that was reported of the whole */
} pt_progress;

struct partan_context {
    partan_context *parent;         /* whose memory and interruptions it has; NULL: none */
    partan_context_options options; /* with the callbacks of the present call, and what is passed to them */
    partan_context_options created; /* as they were when it was created: memory's callbacks stay */
    int threads;
    pt_team *team;
    pt_lock allocating; /* held while the caller's allocator is called */
    pt_isa isa;
    atomic_int interrupted;
    int deferred;    /* how many pt_defer_begin are without their end */
    double grace;    /* on pt_clock: until when interruptions wait where they are deferred; 0: for ever */
    double deadline; /* on pt_clock; 0: none */
    char error[PT_ERROR_SIZE];
    pt_progress progress;
    pt_keeper *keeper;                 /* of the present call; NULL: none */
    pt_comm *comm;                     /* of processes that judge a model together (partan_mpi.h); NULL: one */
    _Atomic(char *) asides[PT_ASIDES]; /* names of what outputs have written aside, for signal handlers; or NULL */
    bool named_asides;                 /* as if the file system had no files without names: for tests */
};

/* A context for work inside a chunk of a parallel region, which runs on the chunk's thread alone and calls nobody back.
 * It has the parent's memory, also what is allocated with the one may be freed with the other, and hears its
 * interruptions. NULL when memory is out. */
partan_context *pt_context_child(partan_context *parent);
void pt_context_child_end(partan_context *child);

/* Notes in `reason` why something that is verified does not hold; the first reason stays. Returns false. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
bool pt_reject(char *reason, size_t size, const char *format, ...);

/* Stores the sentence and returns the status: `return pt_fail(context, PARTAN_ERROR_DATA, "...")`. Not for use inside
 * a parallel region. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
partan_status
pt_fail(partan_context *context, partan_status status, const char *format, ...);

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
void pt_log(partan_context *context, partan_log_level level, const char *format, ...);

/* Memory. NULL when out of memory or when count * size overflows; aligned to PT_ALIGNMENT; zero bytes give a pointer
 * that can be freed. Freeing NULL is allowed. Safe inside a parallel region: calls of the caller's
 * allocator are made one at a time. */
void *pt_alloc(partan_context *context, size_t count, size_t size);
void *pt_alloc_zero(partan_context *context, size_t count, size_t size);
void *pt_copy(partan_context *context, const void *source, size_t count, size_t size);
/* Moves *pointer to room for at least `need` elements, growing by half; *capacity is kept. Contents up to `used` stay.
 */
partan_status pt_reserve(partan_context *context, void **pointer, size_t *capacity, size_t used, size_t need,
                         size_t size);
void pt_free(partan_context *context, void *pointer);
partan_status pt_out_of_memory(partan_context *context, const char *what);

/* Progress. begin names the phase; report calls back a few times a second at most, whatever the rate of calls, and
 * returns PARTAN_INTERRUPTED when the callback or partan_interrupt asks to stop. phase and seconds are filled in, and
 * the share that is done never falls. */
void pt_progress_begin(partan_context *context, const char *phase);
partan_status pt_progress_report(partan_context *context, partan_progress *progress);
partan_status pt_progress_share(partan_context *context, double done); /* the simple case */

/* Between the two, which may nest, begin and share are about parts of a whole, of which report tells: they change
 * nothing of what is shown. */
void pt_progress_whole_begin(partan_context *context, const char *phase);
void pt_progress_whole_end(partan_context *context);

/* Within a whole: it has so many points, each with a share of its own from 0 to 1; and the next of them begins. Of
 * several callers the outermost one counts. */
void pt_progress_points(partan_context *context, uint64_t points);
void pt_progress_next_point(partan_context *context);

/* Between the two, which may nest, interruptions wait: what is under way is part of every valid result. */
void pt_defer_begin(partan_context *context);
void pt_defer_end(partan_context *context);

/* While they wait, interrupts all the same: for those who decide it together with others; and takes that back, for
 * other work. */
void pt_interrupt_deferred(partan_context *context);
void pt_defer_anew(partan_context *context);

/* The same for work that has another way out: for so many seconds. Does not nest. */
void pt_grace_begin(partan_context *context, double seconds);
void pt_grace_end(partan_context *context);

/* A time on pt_clock from which on work is interrupted; 0: none. */
void pt_deadline_set(partan_context *context, double deadline);

/* Whether to stop. The interruption is consumed by the call that stops for it. */
bool pt_interrupted(partan_context *context);
void pt_interrupt_clear(partan_context *context);

#endif
