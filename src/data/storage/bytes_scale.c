/* Whether values are all k * scale for k = 0 .. 255 and one scale, and which.
 *
 * The answer is exact: every value must be the float32 nearest to k * scale. Scales are guessed (1 for counts and
 * pixels, 1/255 for pixels scaled to [0, 1], then fractions and the smallest value) and each guess is tried first on
 * a sample, which rules out nearly all wrong ones, then on all values. */
#include <math.h>
#include <stdlib.h>

#include "data/storage/layout.h"

enum { SAMPLE = 2048, LARGEST = 255 };

typedef struct range {
    float least, most; /* of the values other than 0 */
} range;

static range range_of(partan_context *context, const pt_rows *rows)
{
    float least = INFINITY, most = 0;
#pragma omp parallel for num_threads(context->threads) if (rows->count > PT_PARALLEL_ROWS) reduction(min               \
                                                                                                     : least)          \
    reduction(max                                                                                                      \
              : most) schedule(static)
    for (size_t row = 0; row < rows->count; row++) {
        const int32_t *indices;
        const float *values;
        size_t count = pt_rows_get(rows, row, &indices, &values);
        for (size_t k = 0; k < count; k++) {
            float value = values[k] == 0 ? INFINITY : values[k];
            least = value < least ? value : least;
            most = values[k] > most ? values[k] : most;
        }
    }
    return (range){least, most};
}

/* All the values that there may be at one scale. */
typedef struct steps {
    float step[LARGEST + 1];
    double inverse;
} steps;

static steps steps_of(double scale)
{
    steps s = {.inverse = 1 / scale};
    for (uint32_t k = 0; k <= LARGEST; k++)
        s.step[k] = pt_byte_value(k, scale);
    return s;
}

static inline bool value_fits(float value, const steps *s)
{
    double nearest = (double)value * s->inverse + 0.5;
    return nearest >= 0.5 && nearest < LARGEST + 1 && s->step[(int32_t)nearest] == value;
}

static bool all_fit(const float *values, size_t count, const steps *s)
{
    for (size_t k = 0; k < count; k++)
        if (!value_fits(values[k], s))
            return false;
    return true;
}

static bool rows_fit(partan_context *context, const pt_rows *rows, const steps *s)
{
    int bad = 0;
#pragma omp parallel for num_threads(context->threads) if (rows->count > PT_PARALLEL_ROWS) reduction(|                 \
                                                                                                     : bad)            \
    schedule(static)
    for (size_t row = 0; row < rows->count; row++) {
        const int32_t *indices;
        const float *values;
        if (bad)
            continue;
        size_t count = pt_rows_get(rows, row, &indices, &values);
        bad = !all_fit(values, count, s);
    }
    return !bad;
}

bool pt_bytes_fit(partan_context *context, const pt_rows *views, size_t count, double scale)
{
    steps s = steps_of(scale);
    int bad = 0;
    /* Many views or large ones: one of the two loops goes over threads. */
#pragma omp parallel for num_threads(context->threads) if (count > 1) reduction(| : bad) schedule(dynamic)
    for (size_t i = 0; i < count; i++)
        if (!bad)
            bad = !rows_fit(context, &views[i], &s);
    return !bad;
}

/* The first values other than 0; returns how many. */
static size_t take_sample(const pt_rows *views, size_t count, float *sample)
{
    size_t taken = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t row = 0; row < views[i].count; row++) {
            const int32_t *indices;
            const float *values;
            size_t length = pt_rows_get(&views[i], row, &indices, &values);
            for (size_t k = 0; k < length; k++) {
                if (taken == SAMPLE)
                    return taken;
                if (values[k] != 0)
                    sample[taken++] = values[k];
            }
        }
    return taken;
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* More different values than bytes have, negative ones, or some more than 255 times as large as others cannot fit
 * whatever the scale. Sorts the sample and leaves each value once. */
static bool hopeless(float *sample, size_t *count)
{
    qsort(sample, *count, sizeof *sample, ascending);
    size_t different = 0;
    for (size_t k = 0; k < *count; k++)
        if (k == 0 || sample[k] != sample[k - 1])
            sample[different++] = sample[k];
    *count = different;
    return different > LARGEST || sample[0] < 0 || (double)sample[different - 1] > 1.001 * LARGEST * (double)sample[0];
}

typedef struct trial {
    partan_context *context;
    const pt_rows *views;
    size_t count;
    const float *sample;
    size_t sample_count;
} trial;

static bool try_scale(const trial *t, double scale)
{
    steps s = steps_of(scale);
    return all_fit(t->sample, t->sample_count, &s) && pt_bytes_fit(t->context, t->views, t->count, scale);
}

static range range_of_all(const trial *t)
{
    float least = INFINITY, most = 0;
#pragma omp parallel for num_threads(t->context->threads) if (t->count > 1) reduction(min                              \
                                                                                      : least) reduction(max           \
                                                                                                         : most)       \
    schedule(dynamic)
    for (size_t i = 0; i < t->count; i++) {
        range own = range_of(t->context, &t->views[i]);
        least = own.least < least ? own.least : least;
        most = own.most > most ? own.most : most;
    }
    return (range){least, most};
}

/* The smallest value may be k = 1, 2, ... times the scale, so that no value equals it; and the scale may be a fraction
 * 1 / d (tenths, say, or 1/255) that is no float32. */
static double try_fractions(const trial *t)
{
    range found = range_of_all(t);
    double least = (double)found.least;
    if (found.least <= 0)
        return 0;
    int most = (int)(LARGEST * least / (double)found.most + 0.5);
    for (int k = 1; k <= most; k++) {
        double denominator = nearbyint(k / least);
        if (denominator >= 1 && (float)(k / denominator) == found.least && try_scale(t, 1 / denominator))
            return 1 / denominator;
        if (try_scale(t, least / k))
            return least / k;
    }
    return 0;
}

double pt_bytes_scale(partan_context *context, const pt_rows *views, size_t count)
{
    float sample[SAMPLE];
    trial t = {context, views, count, sample, take_sample(views, count, sample)};
    if (t.sample_count == 0)
        return 1;
    if (hopeless(sample, &t.sample_count))
        return 0;
    if (try_scale(&t, 1))
        return 1;
    if (try_scale(&t, 1.0 / LARGEST))
        return 1.0 / LARGEST;
    return try_fractions(&t);
}
