#if defined(__linux__)
#define _GNU_SOURCE
#endif
#include "core/affinity.h"

#if defined(__linux__)
#include <omp.h>
#include <sched.h>
#include <stdbool.h>
#include <stddef.h>

/* The processors the caller may use; false when there are fewer of them than threads. */
static bool enough_processors(int threads, cpu_set_t *allowed)
{
    return threads > 1 && !sched_getaffinity(0, sizeof *allowed, allowed) && CPU_COUNT(allowed) >= threads;
}

/* The processor `steps` places after one among those allowed, in a circle. */
static size_t processor_after(const cpu_set_t *allowed, size_t from, int steps)
{
    size_t cpu = from;
    while (steps > 0) {
        cpu = (cpu + 1) % CPU_SETSIZE;
        steps -= CPU_ISSET(cpu, allowed) != 0;
    }
    return cpu;
}

void pt_affinity_bind(int threads)
{
    cpu_set_t allowed;
    int here = sched_getcpu();
    if (here < 0 || here >= CPU_SETSIZE || !enough_processors(threads, &allowed))
        return;
#pragma omp parallel num_threads(threads)
    {
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(processor_after(&allowed, (size_t)here, omp_get_thread_num()), &own);
        if (omp_get_thread_num() > 0)
            sched_setaffinity(0, sizeof own, &own);
    }
}

void pt_affinity_release(int threads)
{
    cpu_set_t allowed; /* the caller's, which the others had */
    if (!enough_processors(threads, &allowed))
        return;
#pragma omp parallel num_threads(threads)
    if (omp_get_thread_num() > 0)
        sched_setaffinity(0, sizeof allowed, &allowed);
}

#else

void pt_affinity_bind(int threads)
{
    (void)threads;
}

void pt_affinity_release(int threads)
{
    (void)threads;
}

#endif
