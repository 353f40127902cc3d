#include "core/team.h"

#define CHUNK_NANOSECONDS 20e3 /* of work that pays for one more thread: it may have to be woken */

int pt_team_for(const partan_context *context, double nanoseconds)
{
    double threads = nanoseconds / CHUNK_NANOSECONDS;
    return threads < context->threads ? threads < 1 ? 1 : (int)threads : context->threads;
}

static void run_alone(size_t count, pt_work *work, void *user)
{
    for (size_t chunk = 0; chunk < count; chunk++)
        work(user, chunk, 0);
}

#if defined(PT_NO_THREADS)

int pt_team_most(int threads)
{
    (void)threads;
    return 1;
}

size_t pt_team_bytes(int threads)
{
    (void)threads;
    return 0;
}

void pt_team_init(pt_team *team, int threads)
{
    (void)team;
    (void)threads;
}

void pt_team_end(pt_team *team)
{
    (void)team;
}

void pt_team_run(partan_context *context, int threads, size_t count, pt_work *work, void *user)
{
    (void)context;
    (void)threads;
    run_alone(count, work, user);
}

#else

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/clock.h"

enum {
    MOST_THREADS = 4096,
    STACK_BYTES = 2 << 20, /* several times what any chunk uses */
    WOKEN_BY_EACH = 4,     /* sleepers, by everybody who comes to work: many are awake soon, and nobody is long at it */
    LOOKS = 32,            /* between looks at the clock */
};

#define SPIN 40e-6 /* seconds that somebody waits awake */

/* A region of work, as whoever takes part sees it. */
typedef struct region {
    uint32_t generation;
    uint32_t threads, count;
    pt_work *work;
    void *user;
} region;

typedef struct member {
    /* A generation, and the next chunk of this member's share in it: one word, so that a chunk can only be taken from
     * the region that it belongs to. And how many chunks this member, and nobody else, has done in a generation. */
    _Alignas(PT_ALIGNMENT) _Atomic uint64_t next;
    _Alignas(PT_ALIGNMENT) _Atomic uint64_t done;
    _Alignas(PT_ALIGNMENT) atomic_bool asleep;
    pthread_mutex_t mutex;
    pthread_cond_t wake;
    pthread_t thread;
    pt_team *team;
} member;

/* A region as it is published. Two take turns, so that the last one can still be read while the next is written. */
typedef struct notice {
    _Alignas(PT_ALIGNMENT) _Atomic uint32_t threads;
    _Atomic uint32_t count;
    _Atomic(pt_work *) work;
    _Atomic(void *) user;
} notice;

struct pt_team {
    _Alignas(PT_ALIGNMENT) _Atomic uint32_t generation; /* what everybody who waits for work looks at */
    notice notices[2];
    _Alignas(PT_ALIGNMENT) atomic_bool waiting; /* the caller sleeps until all chunks are done */
    _Atomic uint32_t asleep;
    atomic_bool ended;
    _Alignas(PT_ALIGNMENT) bool running; /* from here on the caller's own */
    bool started;
    uint32_t size; /* members that there are, the caller included */
    uint32_t most;
    pid_t process;
    pthread_mutex_t mutex;
    pthread_cond_t done;
    member members[];
};

int pt_team_most(int threads)
{
    return threads < MOST_THREADS ? threads : MOST_THREADS;
}

size_t pt_team_bytes(int threads)
{
    return sizeof(pt_team) + (size_t)threads * sizeof(member);
}

void pt_team_init(pt_team *team, int threads)
{
    memset(team, 0, pt_team_bytes(threads));
    team->most = (uint32_t)threads;
}

/* ---- Taking chunks ---- */

/* The next chunk of a member's share. False: there is none left, or the region is over. */
static bool take(pt_team *team, const region *r, uint32_t owner, uint32_t *chunk)
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

/* Says how many chunks this member has done. A caller that sleeps counts again. */
static void tell(pt_team *team, const region *r, uint32_t me, uint32_t done)
{
    atomic_store(&team->members[me].done, (uint64_t)r->generation << 32 | done);
    if (!atomic_load(&team->waiting))
        return;
    pthread_mutex_lock(&team->mutex);
    pthread_cond_signal(&team->done);
    pthread_mutex_unlock(&team->mutex);
}

/* All chunks that are to be had: first of the member's own share, then of the others', unless the region is over. */
static void take_part(pt_team *team, const region *r, uint32_t me)
{
    uint32_t done = 0, chunk;
    for (uint32_t k = 0; k < r->threads; k++) {
        uint32_t before = done;
        while (take(team, r, (me + k) % r->threads, &chunk)) {
            r->work(r->user, chunk, me);
            done++;
        }
        if (done > before)
            tell(team, r, me, done);
        if (atomic_load_explicit(&team->generation, memory_order_relaxed) != r->generation)
            return;
    }
}

static bool all_done(const pt_team *team, const region *r)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < r->threads; i++) {
        uint64_t word = atomic_load(&team->members[i].done);
        done += word >> 32 == r->generation ? (uint32_t)word : 0;
    }
    return done == r->count;
}

/* ---- Waiting ---- */

static inline void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

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
static void wait_for_others(pt_team *team, const region *r)
{
    double end = 0;
    for (uint32_t looks = 1; !all_done(team, r); looks++) {
        if (!is_long(looks, &end))
            continue;
        pthread_mutex_lock(&team->mutex);
        atomic_store(&team->waiting, true);
        while (!all_done(team, r))
            pthread_cond_wait(&team->done, &team->mutex);
        atomic_store(&team->waiting, false);
        pthread_mutex_unlock(&team->mutex);
        return;
    }
}

/* Wakes some of those who sleep and are wanted. */
static void wake_some(pt_team *team, uint32_t threads)
{
    uint32_t most = WOKEN_BY_EACH;
    for (uint32_t i = 1; i < threads && most > 0 && atomic_load(&team->asleep) > 0; i++) {
        member *m = &team->members[i];
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
static bool find_region(pt_team *team, uint32_t me, uint32_t *seen, region *r)
{
    uint32_t generation = atomic_load(&team->generation);
    const notice *n = &team->notices[generation % 2];
    if (generation == *seen)
        return false;
    *r = (region){.generation = generation,
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
static bool sleep_or_find(pt_team *team, uint32_t me, uint32_t *seen, region *r)
{
    member *m = &team->members[me];
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

/* ---- Members ---- */

static void *serve(void *argument)
{
    member *m = argument;
    pt_team *team = m->team;
    uint32_t me = (uint32_t)(m - team->members), seen = 0;
    region r;
    while (!atomic_load(&team->ended)) {
        double end = 0;
        bool found = find_region(team, me, &seen, &r);
        for (uint32_t looks = 1; !found && !is_long(looks, &end); looks++)
            found = find_region(team, me, &seen, &r);
        if (!found)
            found = sleep_or_find(team, me, &seen, &r);
        if (found) {
            wake_some(team, r.threads);
            take_part(team, &r, me);
        }
    }
    return NULL;
}

static bool start_member(member *m, const pthread_attr_t *attributes)
{
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->wake, NULL);
    if (pthread_create(&m->thread, attributes, serve, m) == 0)
        return true;
    pthread_cond_destroy(&m->wake);
    pthread_mutex_destroy(&m->mutex);
    return false;
}

/* All members that can be had. They leave signals to the threads of the host. */
static void start(pt_team *team)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    team->started = true;
    team->process = getpid();
    team->size = 1;
    pthread_mutex_init(&team->mutex, NULL);
    pthread_cond_init(&team->done, NULL);
    if (pthread_attr_init(&attributes) != 0)
        return;
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    for (bool more = true; more && team->size < team->most; team->size += more) {
        team->members[team->size].team = team;
        more = start_member(&team->members[team->size], &attributes);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

void pt_team_end(pt_team *team)
{
    if (!team->started || team->process != getpid()) /* a child has none of its parent's threads */
        return;
    atomic_store(&team->ended, true);
    for (uint32_t i = 1; i < team->size; i++) {
        member *m = &team->members[i];
        pthread_mutex_lock(&m->mutex);
        atomic_store(&m->asleep, false);
        pthread_cond_signal(&m->wake);
        pthread_mutex_unlock(&m->mutex);
    }
    for (uint32_t i = 1; i < team->size; i++) {
        member *m = &team->members[i];
        pthread_join(m->thread, NULL);
        pthread_cond_destroy(&m->wake);
        pthread_mutex_destroy(&m->mutex);
    }
    pthread_cond_destroy(&team->done);
    pthread_mutex_destroy(&team->mutex);
}

/* ---- Work ---- */

/* After it, every member may take part. */
static region publish(pt_team *team, uint32_t threads, uint32_t count, pt_work *work, void *user)
{
    uint32_t generation = atomic_load_explicit(&team->generation, memory_order_relaxed) + 1;
    notice *n = &team->notices[generation % 2];
    team->running = true;
    atomic_store_explicit(&n->threads, threads, memory_order_release);
    atomic_store_explicit(&n->count, count, memory_order_release);
    atomic_store_explicit(&n->work, work, memory_order_release);
    atomic_store_explicit(&n->user, user, memory_order_release);
    atomic_store(&team->generation, generation);
    return (region){generation, threads, count, work, user};
}

/* As many as are wanted and can be had. */
static uint32_t gather(pt_team *team, int threads, size_t count)
{
    if (threads <= 1 || count <= 1 || count > UINT32_MAX || team->most == 1 || team->running)
        return 1;
    if (team->started && team->process != getpid())
        pt_team_init(team, (int)team->most);
    if (!team->started)
        start(team);
    uint32_t wanted = (uint32_t)threads < count ? (uint32_t)threads : (uint32_t)count;
    return wanted < team->size ? wanted : team->size;
}

void pt_team_run(partan_context *context, int threads, size_t count, pt_work *work, void *user)
{
    pt_team *team = context->team;
    uint32_t gathered = gather(team, threads, count);
    if (gathered <= 1) {
        run_alone(count, work, user);
        return;
    }
    region r = publish(team, gathered, (uint32_t)count, work, user);
    wake_some(team, gathered);
    take_part(team, &r, 0);
    wait_for_others(team, &r);
    team->running = false;
}

#endif
