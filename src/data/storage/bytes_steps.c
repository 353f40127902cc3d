/* Whether values are all k * unit for k = 0 .. 255 and one unit, and which.
 *
 * The answer is exact: every value must be the float32 nearest to k * unit, or to what k * unit is when it is printed
 * with some significant digits, as programs do that write scaled pixels to text (svm-scale and printf's %g:
 * six). Units are guessed (1 for counts and pixels, 1/255 for pixels scaled to [0, 1], then fractions and the smallest
 * value) and each guess is tried first on a sample, which rules out nearly all wrong ones, then on all values. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "data/storage/layout.h"

enum { SAMPLE = 2048, LARGEST = 255 };

/* Fewer digits would leave values too far from multiples for float32; more, hardly any that is not the nearest one. */
enum { LEAST_DIGITS = 6, MOST_DIGITS = 12 };

typedef struct range {
    float least, most; /* of the values other than 0 */
} range;

/* The range of rows that threads share. */
typedef struct shared_range {
    const pt_rows *rows;
    _Atomic double least, most;
} shared_range;

static void find_range(void *user, size_t chunk, size_t thread)
{
    shared_range *r = user;
    pt_span span = pt_span_of(r->rows->count, PT_CHUNK_ROWS, chunk);
    float least = INFINITY, most = 0;
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++) {
        const int32_t *indices;
        const float *values;
        size_t count = pt_rows_get(r->rows, row, &indices, &values);
        for (size_t k = 0; k < count; k++) {
            float value = values[k] == 0 ? INFINITY : values[k];
            least = value < least ? value : least;
            most = values[k] > most ? values[k] : most;
        }
    }
    pt_atomic_least(&r->least, (double)least);
    pt_atomic_greatest(&r->most, (double)most);
}

static range range_of(partan_context *context, const pt_rows *rows)
{
    shared_range r = {.rows = rows};
    atomic_init(&r.least, (double)INFINITY);
    atomic_init(&r.most, 0);
    pt_team_run(context, pt_rows_threads(context, rows->count), pt_span_count(rows->count, PT_CHUNK_ROWS), find_range,
                &r);
    return (range){(float)atomic_load(&r.least), (float)atomic_load(&r.most)};
}

/* The float32 that a number becomes, or its text of so many digits. */
static float read_again(double value, int digits)
{
    char text[32];
    if (digits == 0)
        return (float)value;
    snprintf(text, sizeof text, "%.*g", digits, value);
    return strtof(text, NULL);
}

pt_byte_steps pt_byte_steps_of(double unit, int digits)
{
    pt_byte_steps s = {.unit = unit, .digits = digits};
    for (uint32_t k = 0; k <= LARGEST; k++)
        s.value[k] = read_again(k * unit, digits);
    return s;
}

static inline bool value_fits(float value, const pt_byte_steps *s, double inverse)
{
    double nearest = (double)value * inverse + 0.5;
    return nearest >= 0.5 && nearest < LARGEST + 1 && s->value[(int32_t)nearest] == value;
}

static bool all_fit(const float *values, size_t count, const pt_byte_steps *s)
{
    double inverse = 1 / s->unit;
    for (size_t k = 0; k < count; k++)
        if (!value_fits(values[k], s, inverse))
            return false;
    return true;
}

/* Whether everything fits, as far as threads have seen it. */
typedef struct fitting {
    partan_context *context;
    const pt_rows *views; /* or the rows of one of them */
    const pt_byte_steps *steps;
    atomic_bool bad;
} fitting;

static void fit_rows(void *user, size_t chunk, size_t thread)
{
    fitting *f = user;
    pt_span span = pt_span_of(f->views->count, PT_CHUNK_ROWS, chunk);
    (void)thread;
    for (size_t row = span.begin; row < span.end && !atomic_load(&f->bad); row++) {
        const int32_t *indices;
        const float *values;
        size_t count = pt_rows_get(f->views, row, &indices, &values);
        if (!all_fit(values, count, f->steps))
            atomic_store(&f->bad, true);
    }
}

static bool rows_fit(partan_context *context, const pt_rows *rows, const pt_byte_steps *s)
{
    fitting f = {.context = context, .views = rows, .steps = s};
    atomic_init(&f.bad, false);
    pt_team_run(context, pt_rows_threads(context, rows->count), pt_span_count(rows->count, PT_CHUNK_ROWS), fit_rows,
                &f);
    return !atomic_load(&f.bad);
}

static void fit_view(void *user, size_t view, size_t thread)
{
    fitting *f = user;
    (void)thread;
    if (!atomic_load(&f->bad) && !rows_fit(f->context, &f->views[view], f->steps))
        atomic_store(&f->bad, true);
}

bool pt_bytes_fit(partan_context *context, const pt_rows *views, size_t count, const pt_byte_steps *steps)
{
    fitting f = {.context = context, .views = views, .steps = steps};
    atomic_init(&f.bad, false);
    /* Many views or large ones: one of the two loops goes over threads. */
    pt_team_run(context, context->threads, count, fit_view, &f);
    return !atomic_load(&f.bad);
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
 * whatever the unit. Sorts the sample and leaves each value once. */
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

static bool try(const trial *t, double unit, int digits, pt_byte_steps *found)
{
    *found = pt_byte_steps_of(unit, digits);
    return all_fit(t->sample, t->sample_count, found) && pt_bytes_fit(t->context, t->views, t->count, found);
}

typedef struct whole_range {
    const trial *trial;
    _Atomic double least, most;
} whole_range;

static void find_range_of_view(void *user, size_t view, size_t thread)
{
    whole_range *r = user;
    range own = range_of(r->trial->context, &r->trial->views[view]);
    (void)thread;
    pt_atomic_least(&r->least, (double)own.least);
    pt_atomic_greatest(&r->most, (double)own.most);
}

static range range_of_all(const trial *t)
{
    whole_range r = {.trial = t};
    atomic_init(&r.least, (double)INFINITY);
    atomic_init(&r.most, 0);
    pt_team_run(t->context, t->context->threads, t->count, find_range_of_view, &r);
    return (range){(float)atomic_load(&r.least), (float)atomic_load(&r.most)};
}

/* The smallest value may be k = 1, 2, ... times the unit, so that no value equals it; and the unit may be a fraction
 * 1 / d (tenths, say, or 1/255) that is no float32. */
static bool try_fractions(const trial *t, int digits, pt_byte_steps *found)
{
    range all = range_of_all(t);
    double least = (double)all.least;
    if (all.least <= 0)
        return false;
    int most = (int)(LARGEST * least / (double)all.most + 0.5);
    for (int k = 1; k <= most; k++) {
        double denominator = nearbyint(k / least);
        if (denominator >= 1 && read_again(k / denominator, digits) == all.least
            && try(t, 1 / denominator, digits, found))
            return true;
        if (digits == 0 && try(t, least / k, digits, found))
            return true;
    }
    return false;
}

pt_byte_steps pt_bytes_steps(partan_context *context, const pt_rows *views, size_t count)
{
    float sample[SAMPLE];
    pt_byte_steps found;
    trial t = {context, views, count, sample, take_sample(views, count, sample)};
    if (t.sample_count == 0)
        return pt_byte_steps_of(1, 0);
    if (hopeless(sample, &t.sample_count))
        return (pt_byte_steps){0};
    if (try(&t, 1, 0, &found))
        return found;
    for (int digits = 0; digits <= MOST_DIGITS; digits = digits ? digits + 1 : LEAST_DIGITS)
        if (try(&t, 1.0 / LARGEST, digits, &found) || try_fractions(&t, digits, &found))
            return found;
    return (pt_byte_steps){0};
}
