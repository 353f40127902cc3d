/* Contexts: creation, errors, logging, progress and interruption. */
#include "core/context.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "core/cpus.h"
#include "core/require.h"
#include "core/sized.h"
#include "core/team.h"

#define REPORT_INTERVAL 0.1  /* seconds between two progress reports, at least */
#define LEAST_SHARE     0.02 /* of the points, before which nothing can be said of the time left */
#define TOO_LATE        2.0  /* times the time left that was shown: that much more is said plainly */

PT_STRUCT_INIT(partan_context_options, .threads = 0)
PT_STRUCT_INIT(partan_callbacks, .log = NULL)

static bool choose_isa(const partan_context_options *options, pt_isa *isa)
{
    const char *name = options->isa ? options->isa : getenv("PARTAN_ISA");
    if (!name || !*name) {
        *isa = pt_isa_best();
        return true;
    }
    return pt_isa_from_name(name, isa) && pt_isa_available(*isa);
}

static size_t rounded(size_t bytes)
{
    return (bytes + PT_ALIGNMENT - 1) / PT_ALIGNMENT * PT_ALIGNMENT;
}

/* The context and, behind it, its team, from the caller's allocator too, in whole units of the alignment as all memory
 * is: aligned_alloc asks for that. */
static partan_context *allocate(const partan_context_options *options, int threads)
{
    size_t bytes = rounded(sizeof(partan_context)), all = bytes + rounded(pt_team_bytes(threads));
    partan_context *context =
        options->allocate ? options->allocate(options->user, all, PT_ALIGNMENT) : aligned_alloc(PT_ALIGNMENT, all);
    if (!context)
        return NULL;
    memset(context, 0, sizeof *context);
    context->team = (pt_team *)((char *)context + bytes);
    pt_team_init(context->team, threads);
    return context;
}

partan_context *partan_create(const partan_context_options *options)
{
    partan_context_options chosen;
    partan_context_options_init(&chosen);
    if (options && pt_struct_take(NULL, "partan_context_options", options, &chosen, sizeof chosen) != PARTAN_OK)
        return NULL;

    pt_isa isa;
    if (chosen.threads < 0 || !chosen.allocate != !chosen.release || !choose_isa(&chosen, &isa))
        return NULL;

    int threads = pt_team_most(chosen.threads > 0 ? chosen.threads : pt_cpus());
    partan_context *context = allocate(&chosen, threads);
    if (!context)
        return NULL;
    context->options = chosen;
    context->options.isa = NULL; /* the caller's string may not live as long */
    context->created = context->options;
    context->isa = isa;
    context->threads = threads;
    pt_lock_init(&context->allocating);
    atomic_init(&context->interrupted, 0);
    for (size_t i = 0; i < PT_ASIDES; i++)
        atomic_init(&context->asides[i], NULL);
    return context;
}

partan_context *pt_context_child(partan_context *parent)
{
    size_t bytes = rounded(sizeof(partan_context));
    partan_context *child = pt_alloc(parent, 1, bytes + rounded(pt_team_bytes(1)));
    if (!child)
        return NULL;
    memset(child, 0, sizeof *child);
    child->parent = parent;
    child->team = (pt_team *)((char *)child + bytes);
    pt_team_init(child->team, 1);
    child->options = parent->created;
    child->options.log = NULL;
    child->options.progress = NULL;
    child->options.trace = NULL;
    child->created = child->options;
    child->isa = parent->isa;
    child->threads = 1;
    pt_lock_init(&child->allocating);
    atomic_init(&child->interrupted, 0);
    for (size_t i = 0; i < PT_ASIDES; i++)
        atomic_init(&child->asides[i], NULL);
    return child;
}

void pt_context_child_end(partan_context *child)
{
    if (!child)
        return;
    pt_lock_end(&child->allocating);
    pt_free(child->parent, child);
}

void partan_destroy(partan_context *context)
{
    if (!context)
        return;
    pt_team_end(context->team);
    pt_lock_end(&context->allocating);
    if (context->created.release)
        context->created.release(context->created.user, context);
    else
        free(context);
}

partan_status partan_set_callbacks(partan_context *context, const partan_callbacks *callbacks)
{
    PT_REQUIRE(context, context);
    PT_TAKE(context, partan_callbacks, callbacks);
    context->options = context->created;
    if (callbacks) {
        context->options.log = callbacks->log;
        context->options.progress = callbacks->progress;
        context->options.trace = callbacks->trace;
        context->options.user = callbacks->user;
    }
    return PARTAN_OK;
}

const char *partan_error(const partan_context *context)
{
    return context ? context->error : "";
}

int partan_threads(const partan_context *context)
{
    return context->threads;
}

const char *partan_isa(const partan_context *context)
{
    return pt_isa_name(context->isa);
}

const char *partan_version(void)
{
    return PARTAN_VERSION;
}

bool pt_reject(char *reason, size_t size, const char *format, ...)
{
    if (reason[0])
        return false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, size, format, arguments);
    va_end(arguments);
    return false;
}

partan_status pt_fail(partan_context *context, partan_status status, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(context->error, sizeof context->error, format, arguments);
    va_end(arguments);
    return status;
}

partan_status pt_null_argument(partan_context *context, const char *function)
{
    if (context)
        pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: a required argument is NULL", function);
    return PARTAN_ERROR_ARGUMENT;
}

void pt_log(partan_context *context, partan_log_level level, const char *format, ...)
{
    if (!context->options.log)
        return;
    char message[PT_ERROR_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    context->options.log(context->options.user, level, message);
}

/* ---- Progress and interruption ---- */

void pt_progress_begin(partan_context *context, const char *phase)
{
    pt_progress *p = &context->progress;
    if (p->whole > 0)
        return;
    double now = pt_clock();
    *p = (pt_progress){.phase = phase, .start = now, .last_report = now, .latest = {.done = -1, .seconds_left = -1}};
}

void pt_progress_whole_begin(partan_context *context, const char *phase)
{
    pt_progress_begin(context, phase);
    context->progress.whole++;
}

void pt_progress_whole_end(partan_context *context)
{
    context->progress.whole--;
}

void pt_progress_points(partan_context *context, uint64_t points)
{
    if (context->progress.points == 0)
        context->progress.points = points;
}

void pt_progress_next_point(partan_context *context)
{
    context->progress.point++;
}

/* The share of all points, and no less than was shown before. A time left that turns out too short stands still. */
static void settle(pt_progress *p, partan_progress *progress, double now)
{
    const partan_progress *before = &p->latest;
    progress->phase = p->phase;
    progress->seconds = now - p->start;
    progress->point = p->point;
    progress->points = p->points;
    if (p->points > 0 && p->point > 0) {
        double share = progress->done > 0 ? progress->done : 0;
        progress->done = ((double)(p->point - 1) + share) / (double)p->points;
        progress->seconds_left = -1;
    }
    if (progress->done >= 0 && progress->done < before->done)
        progress->done = before->done;
    if (p->points > 0 && progress->done > LEAST_SHARE)
        progress->seconds_left = progress->seconds * (1 - progress->done) / progress->done;
    double shown = before->seconds_left;
    if (shown >= 0 && progress->seconds_left > shown && progress->seconds_left < TOO_LATE * shown)
        progress->seconds_left = shown;
}

/* Whether it is time for another report. */
static bool is_due(partan_context *context, double now)
{
    return context->options.progress && now - context->progress.last_report >= REPORT_INTERVAL;
}

static partan_status show(partan_context *context, const partan_progress *progress, double now)
{
    context->progress.last_report = now;
    if (context->options.progress(context->options.user, progress))
        partan_interrupt(context);
    return pt_interrupted(context) ? PARTAN_INTERRUPTED : PARTAN_OK;
}

partan_status pt_progress_report(partan_context *context, partan_progress *progress)
{
    double now = pt_clock();
    if (pt_interrupted(context))
        return PARTAN_INTERRUPTED;
    if (!is_due(context, now))
        return PARTAN_OK;
    settle(&context->progress, progress, now);
    context->progress.latest = *progress;
    return show(context, progress, now);
}

/* The same again, so that who looks sees time go by, and a callback can stop it. */
static partan_status repeat(partan_context *context)
{
    pt_progress *p = &context->progress;
    double now = pt_clock();
    if (pt_interrupted(context))
        return PARTAN_INTERRUPTED;
    if (!is_due(context, now))
        return PARTAN_OK;
    p->latest.phase = p->phase;
    p->latest.seconds = now - p->start;
    p->latest.point = p->point;
    p->latest.points = p->points;
    return show(context, &p->latest, now);
}

partan_status pt_progress_share(partan_context *context, double done)
{
    if (context->progress.whole > 0)
        return repeat(context);
    double seconds = pt_clock() - context->progress.start;
    partan_progress progress = {.done = done, .seconds_left = done > 0 ? seconds * (1 - done) / done : -1};
    return pt_progress_report(context, &progress);
}

void partan_interrupt(partan_context *context)
{
    atomic_store(&context->interrupted, 1);
}

void pt_defer_begin(partan_context *context)
{
    context->deferred++;
}

void pt_defer_end(partan_context *context)
{
    context->deferred--;
}

void pt_interrupt_deferred(partan_context *context)
{
    context->grace = pt_clock();
}

void pt_defer_anew(partan_context *context)
{
    context->grace = 0;
}

void pt_grace_begin(partan_context *context, double seconds)
{
    pt_defer_begin(context);
    context->grace = pt_clock() + seconds;
}

void pt_grace_end(partan_context *context)
{
    context->grace = 0;
    pt_defer_end(context);
}

void pt_deadline_set(partan_context *context, double deadline)
{
    context->deadline = deadline;
}

static bool is_past(double time)
{
    return time > 0 && pt_clock() >= time;
}

static bool is_asked(const partan_context *context)
{
    return atomic_load_explicit(&context->interrupted, memory_order_relaxed) != 0;
}

bool pt_interrupted(partan_context *context)
{
    if (context->deferred > 0)
        return is_past(context->grace);
    return is_asked(context) || (context->parent && is_asked(context->parent)) || is_past(context->deadline);
}

void pt_interrupt_clear(partan_context *context)
{
    atomic_store(&context->interrupted, 0);
}
