/* Timing: samples of at least a millisecond, as many as fit into the time given, at least three. */
#include <stdlib.h>

#include "core/clock.h"
#include "micro.h"

enum { MOST_SAMPLES = 1000, LEAST_SAMPLES = 3 };
#define SAMPLE_SECONDS 1e-3

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sample(void (*work)(void *), void *state, uint64_t calls)
{
    double start = pt_clock();
    for (uint64_t i = 0; i < calls; i++)
        work(state);
    return pt_clock() - start;
}

timing measure(double seconds, void (*work)(void *state), void *state)
{
    static double samples[MOST_SAMPLES];
    uint64_t calls = 1;
    double first = sample(work, state, 1); /* warms up, too */
    while ((first = sample(work, state, calls)) < SAMPLE_SECONDS)
        calls *= 2;
    double end = pt_clock() + seconds;
    size_t count = 0;
    while (count < MOST_SAMPLES && (count < LEAST_SAMPLES || pt_clock() < end))
        samples[count++] = sample(work, state, calls) / (double)calls;
    qsort(samples, count, sizeof *samples, ascending);
    return (timing){.best = samples[0], .median = samples[count / 2]};
}
