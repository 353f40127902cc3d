/* What everybody in a team does: takes chunks, says so, waits for more. */
#if !defined(PT_NO_THREADS)

#include "core/clock.h"
#include "core/team_state.h"

enum {
    WOKEN_BY_EACH = 4, /* sleepers, by everybody who comes to work: many are awake soon, and nobody is long at it */
    LOOKS = 32         /* between looks at the clock */
};

#define SPIN 40e-6 /* seconds that somebody waits awake: about what sleeping and being woken cost */
#define PATIENCE                                                                                                       \
    5e-6 /* seconds, at most, before somebody takes a chunk of another's share: about what it costs to                 \
            move its data from one core's cache to another's */

/* ---- Taking chunks ---- */

/* The next chunk of a member's share. False: there is none left, or the region is over.
 *
 * Somebody may come late with a region that has ended long ago. All its shares have been taken to their ends then, and
 * their words say so, or are of a later region: nothing is left to take. */
static bool take(pt_team *team, const pt_region *r, uint32_t owner, uint32_t *chunk)
{
    _Atomic uint64_t *place = &team->members[owner].next;
    uint32_t begin = (uint32_t)((uint64_t)r->count * owner / r->threads);
    uint32_t end = (uint32_t)((uint64_t)r->count * (owner + 1) / r->threads);
    uint64_t word = atomic_load_explicit(place, memory_order_relaxed);
    for (;;) {
        uint32_t generation = (uint32_t)(word >> 32), next = generation == r->generation ? (uint32_t)word : begin;
        if (next >= end || (int32_t)(generation - r->generation) > 0)
            return false;
        *chunk = next;
        if (atomic_compare_exchange_weak_explicit(place, &word, (uint64_t)r->generation << 32 | (next + 1),
                                                  memory_order_acq_rel, memory_order_relaxed))
            return true;
    }
}

/* Says how many chunks of a region this member has done. A caller that sleeps looks whether these are all. */
static void tell(pt_team *team, const pt_region *r, uint32_t me, uint32_t done)
{
    atomic_store(&team->members[me].done, (uint64_t)r->generation << 32 | done);
    if (!atomic_load(&team->waiting))
        return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_signal(&team->done);
    pthread_mutex_unlock(&team->mutex);
}

/* All chunks of a share that are to be had. Adds them to those that this member has done. */
static void take_share(pt_team *team, const pt_region *r, uint32_t owner, uint32_t me, uint32_t *done)
{
    uint32_t chunk, before = *done;
    for (; take(team, r, owner, &chunk); ++*done)
        r->work(r->user, chunk, me);
    if (*done > before)
        tell(team, r, me, *done);
}

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Whether all chunks are done: only the caller looks at what everybody has done. */
static bool is_done(pt_team *team, const pt_region *r)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < r->threads; i++) {
        uint64_t done = atomic_load(&team->members[i].done);
        sum += (uint32_t)(done >> 32) == r->generation ? (uint32_t)done : 0;
    }
    return sum == r->count;
}

static bool is_over(pt_team *team, const pt_region *r, uint32_t me)
{
    return me == 0 ? is_done(team, r)
                   : atomic_load_explicit(&team->generation, memory_order_relaxed) != r->generation
                         || atomic_load_explicit(&team->over, memory_order_relaxed) == r->generation;
}

/* Lets the others take their own shares, whose data their caches have, for as long as one's own took, but not long:
 * somebody may have no core. Returns whether the region is over. */
static bool is_over_soon(pt_team *team, const pt_region *r, uint32_t me, double begin)
{
    double now = pt_clock(), end = now + (now - begin < PATIENCE ? now - begin : PATIENCE);
    bool over = is_over(team, r, me);
    while (!over && pt_clock() < end) {
        relax();
        over = is_over(team, r, me);
    }
    return over;
}

/* First the member's own share, then what the others have left. */
void pt_team_take_part(pt_team *team, const pt_region *r, uint32_t me)
{
    double begin = pt_clock();
    uint32_t done = 0;
    take_share(team, r, me, me, &done);
    if (is_over_soon(team, r, me, begin))
        return;
    for (uint32_t k = 1;
         k < r->threads && atomic_load_explicit(&team->generation, memory_order_relaxed) == r->generation; k++)
        take_share(team, r, (me + k) % r->threads, me, &done);
}

/* ---- Waiting ---- */

/* Whether somebody who waits has done so for long. */
static bool is_long(uint32_t looks, double *end)
{
    relax();
    if (looks % LOOKS > 0)
        return false;
    double now = pt_clock();
    *end = *end > 0 ? *end : now + SPIN;
    return now > *end;
}

/* Until everything that others have begun is done. */
void pt_team_wait(pt_team *team, const pt_region *r)
{
    double end = 0;
    bool done = is_done(team, r);
    for (uint32_t looks = 1; !done && !is_long(looks, &end); looks++)
        done = is_done(team, r);
    if (!done) {
        pthread_mutex_lock(&team->mutex);
        atomic_store(&team->waiting, true);
        while (!is_done(team, r))
            pthread_cond_wait(&team->done, &team->mutex);
        atomic_store(&team->waiting, false);
        pthread_mutex_unlock(&team->mutex);
    }
    atomic_store_explicit(&team->over, r->generation, memory_order_relaxed);
}

/* Wakes some of those who sleep and are wanted. */
void pt_team_wake_some(pt_team *team, uint32_t threads)
{
    uint32_t most = WOKEN_BY_EACH;
    for (uint32_t i = 1; i < threads && most > 0 && atomic_load(&team->asleep) > 0; i++) {
        pt_team_member *m = &team->members[i];
        if (!atomic_load(&m->asleep))
            continue;
        pthread_mutex_lock(&m->mutex);
        if (atomic_exchange(&m->asleep, false)) {
            atomic_fetch_sub(&team->asleep, 1);
            pthread_cond_signal(&m->wake);
            most--;
        }
        pthread_mutex_unlock(&m->mutex);
    }
}

/* The region there is now, if it is another one than was seen last and has work for this member. */
static bool find_region(pt_team *team, uint32_t me, uint32_t *seen, pt_region *r)
{
    uint32_t generation = atomic_load(&team->generation);
    const pt_notice *n = &team->notices[generation % 2];
    if (generation == *seen)
        return false;
    *r = (pt_region){.generation = generation,
                     .threads = atomic_load_explicit(&n->threads, memory_order_acquire),
                     .count = atomic_load_explicit(&n->count, memory_order_acquire),
                     .work = atomic_load_explicit(&n->work, memory_order_acquire),
                     .user = atomic_load_explicit(&n->user, memory_order_acquire)};
    if (atomic_load_explicit(&team->generation, memory_order_relaxed) != generation) /* it may be another one's */
        return false;
    *seen = generation;
    return me < r->threads;
}

/* Sleeps until somebody wakes this member, unless there is work. */
static bool sleep_or_find(pt_team *team, uint32_t me, uint32_t *seen, pt_region *r)
{
    pt_team_member *m = &team->members[me];
    pthread_mutex_lock(&m->mutex);
    atomic_store(&m->asleep, true);
    atomic_fetch_add(&team->asleep, 1);
    /* Whoever publishes a region after this look sees that somebody is asleep. */
    bool found = find_region(team, me, seen, r), newer = atomic_load(&team->generation) != *seen;
    if (found || newer || atomic_load(&team->ended)) {
        atomic_store(&m->asleep, false);
        atomic_fetch_sub(&team->asleep, 1);
    }
    while (atomic_load(&m->asleep))
        pthread_cond_wait(&m->wake, &m->mutex);
    pthread_mutex_unlock(&m->mutex);
    return found;
}

/* ---- A life ---- */

void *pt_team_serve(void *argument)
{
    pt_team_member *m = argument;
    pt_team *team = m->team;
    uint32_t me = (uint32_t)(m - team->members), seen = 0;
    pt_region r;
    while (!atomic_load(&team->ended)) {
        double end = 0;
        bool found = find_region(team, me, &seen, &r);
        for (uint32_t looks = 1; !found && !is_long(looks, &end); looks++)
            found = find_region(team, me, &seen, &r);
        if (!found)
            found = sleep_or_find(team, me, &seen, &r);
        if (found) {
            pt_team_wake_some(team, r.threads);
            pt_team_take_part(team, &r, me);
        }
    }
    return NULL;
}

#endif
