#include "lasso/design.h"

#include <math.h>
#include <string.h>

#include "core/team.h"

enum {
    HEARD_WORK = 1 << 28, /* products between two looks at interruptions */
    RESIDUAL_LINES = 64   /* of the residual that a thread takes at a time */
};

/* ---- Making ---- */

static partan_status allocate(pt_design *d)
{
    partan_context *context = d->context;
    size_t padded = d->store->padded, features = d->store->features;
    d->ones = pt_alloc_zero(context, padded, sizeof *d->ones);
    d->target = pt_alloc_zero(context, padded, sizeof *d->target);
    d->centre = pt_alloc(context, features, sizeof *d->centre);
    d->inverse = pt_alloc(context, features, sizeof *d->inverse);
    d->square = pt_alloc(context, features, sizeof *d->square);
    d->correlation = pt_alloc(context, features, sizeof *d->correlation);
    d->tuning = pt_alloc(context, 1, sizeof *d->tuning);
    if (d->tuning) {
        pt_tuning_init(&d->tuning->scan, context);
        pt_tuning_init(&d->tuning->residual, context);
        pt_tuning_init(&d->tuning->gram, context);
    }
    if (d->tuning && d->ones && d->target && d->centre && d->inverse && d->square && d->correlation)
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_MEMORY, "out of memory for the means and scales of %zu features", features);
}

static void take_target(pt_design *d, const double *targets, const unsigned char *left_out)
{
    double sum = 0;
    for (size_t row = 0; row < d->store->rows; row++)
        if (!left_out || !left_out[row]) {
            d->ones[row] = 1;
            sum += targets[row];
            d->counted++;
        }
    d->target_mean = d->intercept ? sum / (double)d->counted : 0;
    for (size_t row = 0; row < d->store->rows; row++)
        d->target[row] = d->ones[row] > 0 ? targets[row] - d->target_mean : 0;
    d->target_square = d->store->ops->dot(d->target, d->target, d->store->padded) / (double)d->counted;
}

static void standardise_column(pt_design *d, size_t column)
{
    double mean, variance;
    pt_store_moments(d->store, column, d->ones, d->counted, &mean, &variance);
    double scale = d->standardise ? sqrt(variance) : 1;
    d->centre[column] = d->intercept ? mean : 0;
    d->inverse[column] = variance > 0 && scale > 0 ? 1 / scale : 0;
    double square = d->intercept ? variance : variance + mean * mean;
    d->square[column] = square * d->inverse[column] * d->inverse[column];
}

typedef struct description {
    pt_design *design;
    double sum; /* of the target */
} description;

static void describe_chunk(void *user, size_t chunk, size_t thread)
{
    const description *all = user;
    pt_design *d = all->design;
    pt_span span = pt_span_of(d->store->features, PT_SCAN_CHUNK, chunk);
    double *correlation = d->correlation;
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++)
        standardise_column(d, i);
    pt_store_dots(d->store, NULL, span.begin, span.end - span.begin, d->target, NULL, 1, correlation + span.begin);
    for (size_t i = span.begin; i < span.end; i++)
        correlation[i] = (correlation[i] - d->centre[i] * all->sum) * d->inverse[i] / (double)d->counted;
}

/* Means, scales and correlations, a chunk of columns at a time: they are read from memory once. */
static void describe_columns(pt_design *d)
{
    double work = (double)(d->store->features * pt_store_length(d->store));
    description all = {.design = d};
    for (size_t row = 0; row < d->store->padded; row++)
        all.sum += d->target[row];
    pt_team_run(d->context, pt_team_for(d->context, PT_PRODUCT_NANOSECONDS * work),
                pt_span_count(d->store->features, PT_SCAN_CHUNK), describe_chunk, &all);
}

partan_status pt_design_make(pt_design *d, const pt_store *store, const double *targets, const unsigned char *left_out,
                             bool intercept, bool standardise)
{
    *d = (pt_design){.context = store->context, .store = store, .intercept = intercept, .standardise = standardise};
    partan_status status = allocate(d);
    if (status) {
        pt_design_free(d);
        return status;
    }
    take_target(d, targets, left_out);
    describe_columns(d);
    for (size_t column = 0; column < store->features; column++)
        d->largest = fmax(d->largest, fabs(d->correlation[column]));
    return PARTAN_OK;
}

void pt_design_free(pt_design *d)
{
    if (!d->context)
        return;
    pt_free(d->context, d->ones);
    pt_free(d->context, d->target);
    pt_free(d->context, d->centre);
    pt_free(d->context, d->inverse);
    pt_free(d->context, d->square);
    pt_free(d->context, d->correlation);
    pt_free(d->context, d->tuning);
    *d = (pt_design){0};
}

/* ---- Passes ---- */

typedef struct scan {
    const pt_design *design;
    const int64_t *which;
    size_t count;
    const double *vectors;
    double *rows_first; /* the same for compressed columns, if there are several */
    size_t vector_count;
    double sums[PT_COLUMN_VECTORS]; /* of the vectors */
    pt_scan_visit visit;
    void *user;
    const partan_progress *progress;
} scan;

static void scan_chunk(const scan *s, size_t first, size_t count)
{
    const pt_design *d = s->design;
    size_t vectors = s->vector_count;
    double products[PT_SCAN_CHUNK * PT_COLUMN_VECTORS], n = (double)d->counted;
    const int64_t *which = s->which ? s->which + first : NULL;
    pt_store_dots(d->store, which, first, count, s->vectors, s->rows_first, vectors, products);
    for (size_t i = 0; i < count; i++) {
        size_t column = which ? (size_t)which[i] : first + i;
        double centre = d->centre[column], factor = d->inverse[column] / n;
        for (size_t v = 0; v < vectors; v++)
            products[i * vectors + v] = (products[i * vectors + v] - centre * s->sums[v]) * factor;
    }
    s->visit(s->user, first, count, products);
}

typedef struct scanning {
    const scan *scan;
    size_t first; /* chunk */
} scanning;

static void scan_one(void *user, size_t chunk, size_t thread)
{
    const scanning *s = user;
    pt_span span = pt_span_of(s->scan->count, PT_SCAN_CHUNK, s->first + chunk);
    (void)thread;
    scan_chunk(s->scan, span.begin, span.end - span.begin);
}

/* Chunks first .. end - 1. */
static void scan_chunks(const scan *s, size_t first, size_t end, double work)
{
    pt_tuning *tuning = &s->design->tuning->scan;
    int threads = pt_tuning_begin(tuning, PT_PRODUCT_NANOSECONDS * work);
    pt_team_run(s->design->context, threads, end - first, scan_one, &(scanning){s, first});
    pt_tuning_end(tuning, work);
}

static partan_status scan_all(const scan *s)
{
    const pt_design *d = s->design;
    size_t chunks = (s->count + PT_SCAN_CHUNK - 1) / PT_SCAN_CHUNK;
    size_t work = PT_SCAN_CHUNK * pt_store_length(d->store) * s->vector_count, step = HEARD_WORK / work + 1;
    for (size_t chunk = 0; chunk < chunks; chunk += step) {
        size_t end = chunks - chunk < step ? chunks : chunk + step;
        scan_chunks(s, chunk, end, (double)((end - chunk) * work));
        if (s->progress) {
            partan_progress progress = *s->progress;
            pt_progress_report(d->context, &progress);
        }
        if (pt_interrupted(d->context))
            return PARTAN_INTERRUPTED;
    }
    return PARTAN_OK;
}

partan_status pt_design_scan(const pt_design *d, const int64_t *which, size_t count, const double *vectors,
                             size_t vector_count, pt_scan_visit visit, void *user, const partan_progress *progress)
{
    const pt_store *store = d->store;
    scan s = {d, which, count, vectors, NULL, vector_count, {0}, visit, user, progress};
    for (size_t v = 0; v < vector_count; v++)
        for (size_t row = 0; row < store->padded; row++)
            s.sums[v] += vectors[v * store->padded + row];
    if (store->sparse && vector_count > 1) {
        s.rows_first = pt_alloc(d->context, store->padded * PT_COLUMN_VECTORS, sizeof *s.rows_first);
        if (!s.rows_first)
            return pt_out_of_memory(d->context, "the residuals of a pass");
        pt_store_interleave(store, vectors, vector_count, s.rows_first);
    }
    partan_status status = scan_all(&s);
    pt_free(d->context, s.rows_first);
    return status;
}

/* ---- Single columns ---- */

/* target + offset - Xb, for given columns. */
typedef struct residual {
    const pt_design *design;
    const int64_t *ids;
    const double *coefficients;
    size_t count;
    double offset;
    double *vector;
} residual;

static void residual_lines(const residual *r, size_t first, size_t lines)
{
    const pt_design *d = r->design;
    double *vector = r->vector;
    for (size_t row = first * PT_TILE; row < (first + lines) * PT_TILE; row++)
        vector[row] = d->target[row] + r->offset;
    for (size_t i = 0; i < r->count; i++) {
        double factor = r->coefficients[i] * d->inverse[r->ids[i]];
        if (factor != 0)
            pt_store_add(d->store, (size_t)r->ids[i], -factor, first, lines, vector);
    }
    for (size_t row = first * PT_TILE; row < (first + lines) * PT_TILE; row++)
        vector[row] *= d->ones[row];
}

static void residual_chunk(void *user, size_t chunk, size_t thread)
{
    const residual *r = user;
    pt_span span = pt_span_of(r->design->store->padded / PT_TILE, RESIDUAL_LINES, chunk);
    (void)thread;
    residual_lines(r, span.begin, span.end - span.begin);
}

void pt_design_residual(const pt_design *d, const int64_t *ids, const double *coefficients, size_t count,
                        double *vector)
{
    size_t lines = d->store->padded / PT_TILE;
    residual r = {d, ids, coefficients, count, 0, vector};
    for (size_t i = 0; i < count; i++)
        r.offset += coefficients[i] * d->inverse[ids[i]] * d->centre[ids[i]];
    if (d->store->sparse) { /* a column's rows are not found by their lines */
        residual_lines(&r, 0, lines);
        return;
    }
    double work = (double)(lines * PT_TILE * count);
    int threads = pt_tuning_begin(&d->tuning->residual, PT_PRODUCT_NANOSECONDS * work);
    pt_team_run(d->context, threads, pt_span_count(lines, RESIDUAL_LINES), residual_chunk, &r);
    pt_tuning_end(&d->tuning->residual, work);
}

void pt_design_column(const pt_design *d, size_t column, double *vector)
{
    double inverse = d->inverse[column], offset = -d->centre[column] * inverse;
    size_t padded = d->store->padded;
    for (size_t row = 0; row < padded; row++)
        vector[row] = offset;
    if (inverse > 0)
        pt_store_add(d->store, column, inverse, 0, padded / PT_TILE, vector);
    for (size_t row = 0; row < padded; row++)
        vector[row] *= d->ones[row];
}

double pt_dual_factor(double square, double along, double lambda, double largest)
{
    double bound = largest > lambda ? lambda / largest : 1, factor = square > 0 ? along / square : bound;
    return factor < -bound ? -bound : factor > bound ? bound : factor;
}

double pt_dual_value(double square, double along, double lambda, double largest)
{
    double factor = pt_dual_factor(square, along, lambda, largest);
    return factor * along - factor * factor * square / 2;
}
