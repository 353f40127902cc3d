#include "core/select.h"

#include <stdint.h>

static void swap(double *a, double *b)
{
    double kept = *a;
    *a = *b;
    *b = kept;
}

/* Values less than the pivot to the front, greater ones to the back; returns the place of the first that is not less,
 * and in `after` that of the first greater one. */
static size_t part(double *values, size_t count, double pivot, size_t *after)
{
    size_t less = 0, next = 0, greater = count;
    while (next < greater)
        if (values[next] < pivot)
            swap(&values[next++], &values[less++]);
        else if (values[next] > pivot)
            swap(&values[next], &values[--greater]);
        else
            next++;
    *after = greater;
    return less;
}

/* Quickselect. Pivots are taken from places that follow no pattern of the values (a linear congruential sequence), so
 * that neither order nor equal values make it slow. */
double pt_select(double *values, size_t count, size_t k)
{
    uint64_t place = 1;
    for (;;) {
        place = place * 6364136223846793005u + 1442695040888963407u;
        double pivot = values[(size_t)(place >> 33) % count];
        size_t after, first = part(values, count, pivot, &after);
        if (k >= first && k < after)
            return pivot;
        if (k < first) {
            count = first;
        } else {
            values += after;
            count -= after;
            k -= after;
        }
    }
}
