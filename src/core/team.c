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

#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "core/team_state.h"

enum {
    MOST_THREADS = 4096,
    STACK_BYTES = 2 << 20, /* several times what any chunk uses */
    RENEWAL = 1 << 30      /* regions */
};

int pt_team_most(int threads)
{
    return threads < MOST_THREADS ? threads : MOST_THREADS;
}

size_t pt_team_bytes(int threads)
{
    return sizeof(pt_team) + (size_t)threads * sizeof(pt_team_member);
}

void pt_team_init(pt_team *team, int threads)
{
    memset(team, 0, pt_team_bytes(threads));
    team->most = (uint32_t)threads;
}

/* ---- Starting and ending ---- */

static bool start_member(pt_team_member *m, const pthread_attr_t *attributes)
{
    pthread_mutex_init(&m->mutex, NULL);
    pthread_cond_init(&m->wake, NULL);
    if (pthread_create(&m->thread, attributes, pt_team_serve, m) == 0)
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
        pt_team_member *m = &team->members[i];
        pthread_mutex_lock(&m->mutex);
        atomic_store(&m->asleep, false);
        pthread_cond_signal(&m->wake);
        pthread_mutex_unlock(&m->mutex);
    }
    for (uint32_t i = 1; i < team->size; i++)
        pthread_join(team->members[i].thread, NULL);
    for (uint32_t i = 1; i < team->size; i++) { /* now nobody wakes anybody any more */
        pthread_cond_destroy(&team->members[i].wake);
        pthread_mutex_destroy(&team->members[i].mutex);
    }
    pthread_cond_destroy(&team->done);
    pthread_mutex_destroy(&team->mutex);
}

/* ---- Work ---- */

/* Generations are compared by their difference, which must not become too large: shares that have not been touched for
 * long get the last generation, in which nothing is left of them. */
static void renew(pt_team *team, uint32_t generation)
{
    for (uint32_t i = 0; i < team->size; i++) {
        atomic_store(&team->members[i].next, (uint64_t)(generation - 1) << 32 | UINT32_MAX);
        atomic_store(&team->members[i].done, (uint64_t)(generation - 1) << 32);
    }
}

/* After it, every member may take part. */
static pt_region publish(pt_team *team, uint32_t threads, uint32_t count, pt_work *work, void *user)
{
    uint32_t generation = atomic_load_explicit(&team->generation, memory_order_relaxed) + 1;
    pt_notice *n = &team->notices[generation % 2];
    if (generation % RENEWAL == 0)
        renew(team, generation);
    atomic_store_explicit(&n->threads, threads, memory_order_release);
    atomic_store_explicit(&n->count, count, memory_order_release);
    atomic_store_explicit(&n->work, work, memory_order_release);
    atomic_store_explicit(&n->user, user, memory_order_release);
    atomic_store(&team->generation, generation);
    return (pt_region){generation, threads, count, work, user};
}

/* Threads that there are, in this process. */
static uint32_t available(pt_team *team)
{
    if (team->started && team->process != getpid()) {
        pt_team_init(team, (int)team->most);
        atomic_store(&team->running, true);
    }
    if (!team->started)
        start(team);
    return team->size;
}

void pt_team_run(partan_context *context, int threads, size_t count, pt_work *work, void *user)
{
    pt_team *team = context->team;
    bool several = threads > 1 && count > 1 && count <= UINT32_MAX && team->most > 1;
    /* A region inside another one finds the team taken; and so may a call on another context, in another of the host's
     * threads, that was given data of this one. */
    if (!several || atomic_exchange(&team->running, true)) {
        run_alone(count, work, user);
        return;
    }
    uint32_t wanted = (uint32_t)threads < count ? (uint32_t)threads : (uint32_t)count, size = available(team);
    if (size > 1) {
        pt_region r = publish(team, wanted < size ? wanted : size, (uint32_t)count, work, user);
        pt_team_wake_some(team, r.threads);
        pt_team_take_part(team, &r, 0);
        pt_team_wait(team, &r);
    }
    atomic_store(&team->running, false);
    if (size == 1)
        run_alone(count, work, user);
}

#endif
