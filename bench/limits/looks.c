#include "looks.h"

#include <execinfo.h>
#include <string.h>

#include "core/clock.h"
#include "core/context.h"

enum { OWN_FRAMES = 2 }; /* of this file, which come first in a backtrace */

typedef struct look {
    double time;
    void *frames[LOOK_FRAMES];
} look;

static struct {
    double start;
    look last;
    stretch longest[LONGEST];
    size_t count;
} watched;

static _Thread_local bool is_watched;

static void read_stack(void *frames[LOOK_FRAMES])
{
    void *all[LOOK_FRAMES + OWN_FRAMES] = {0};
    backtrace(all, LOOK_FRAMES + OWN_FRAMES);
    memcpy(frames, all + OWN_FRAMES, LOOK_FRAMES * sizeof *frames);
}

static void keep(const look *now)
{
    stretch s = {.seconds = now->time - watched.last.time, .end = now->time - watched.start};
    size_t at = watched.count;
    while (at > 0 && watched.longest[at - 1].seconds < s.seconds)
        at--;
    if (at == LONGEST)
        return;
    memcpy(s.before, watched.last.frames, sizeof s.before);
    memcpy(s.after, now->frames, sizeof s.after);
    watched.count += watched.count < LONGEST;
    memmove(watched.longest + at + 1, watched.longest + at, (watched.count - 1 - at) * sizeof s);
    watched.longest[at] = s;
}

/* Stacks are read only now and then: that takes longer than many a stretch. */
static void note(void)
{
    static const double worth_a_stack = 1e-3;
    look now = {.time = pt_clock_processor()};
    if (now.time - watched.last.time < worth_a_stack)
        return;
    read_stack(now.frames);
    keep(&now);
    now.time = pt_clock_processor();
    watched.last = now;
}

void looks_begin(void)
{
    memset(&watched, 0, sizeof watched);
    watched.start = watched.last.time = pt_clock_processor();
    is_watched = true;
}

void looks_end(stretch longest[LONGEST], size_t *count)
{
    note();
    is_watched = false;
    memcpy(longest, watched.longest, sizeof watched.longest);
    *count = watched.count;
}

/* Where interruptions wait for ever, a look is none. */
static void look_of(const partan_context *context)
{
    if (is_watched && (context->deferred == 0 || context->grace > 0))
        note();
}

#define LOOK(type, name, parameters, arguments)                                                                        \
    type __real_##name parameters;                                                                                     \
    type __wrap_##name parameters;                                                                                     \
    type __wrap_##name parameters                                                                                      \
    {                                                                                                                  \
        look_of(context);                                                                                              \
        return __real_##name arguments;                                                                                \
    }

LOOK(bool, pt_interrupted, (partan_context * context), (context))
LOOK(partan_status, pt_progress_share, (partan_context * context, double done), (context, done))
LOOK(partan_status, pt_progress_report, (partan_context * context, partan_progress *progress), (context, progress))
