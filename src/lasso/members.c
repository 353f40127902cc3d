#include "lasso/members.h"

#include <string.h>

#include "core/team.h"

enum {
    FIRST_CAPACITY = 256,
    CHUNK = 32,           /* members that a thread takes at a time */
    SHORT_COLUMN = 40,    /* entries: a product with it costs no more than a line of some hundred inner products */
    MOST_STORED = 1 << 13 /* members: half a gigabyte of inner products */
};

partan_status pt_members_init(pt_members *m, const pt_design *design)
{
    partan_context *context = design->context;
    size_t padded = design->store->padded;
    *m = (pt_members){.design = design};
    m->place = pt_alloc_zero(context, design->store->features, sizeof *m->place);
    m->stored = !(design->store->sparse && pt_store_length(design->store) <= SHORT_COLUMN);
    m->fresh = pt_alloc_zero(context, padded * PT_COLUMN_VECTORS, sizeof *m->fresh);
    m->residual = pt_alloc(context, padded, sizeof *m->residual);
    if (design->store->sparse)
        m->rows_first = pt_alloc(context, padded * PT_COLUMN_VECTORS, sizeof *m->rows_first);
    if (!m->place || !m->fresh || !m->residual || (!m->rows_first && design->store->sparse)) {
        pt_members_free(m);
        return pt_out_of_memory(context, "the working set");
    }
    pt_members_rescore(m);
    return PARTAN_OK;
}

void pt_members_free(pt_members *m)
{
    if (!m->design)
        return;
    partan_context *context = m->design->context;
    pt_free(context, m->ids);
    pt_free(context, m->place);
    pt_free(context, m->panel);
    pt_free(context, m->gram);
    pt_free(context, m->linear);
    pt_free(context, m->square);
    pt_free(context, m->residual);
    pt_free(context, m->x);
    pt_free(context, m->score);
    pt_free(context, m->fresh);
    pt_free(context, m->rows_first);
    *m = (pt_members){0};
}

/* ---- Room ---- */

/* Moves an array to its larger place; false when there is no memory. */
static bool enlarge(partan_context *context, void *pointer, size_t used, size_t room, size_t size)
{
    void **array = pointer, *larger = pt_alloc(context, room, size);
    if (!larger)
        return false;
    if (used)
        memcpy(larger, *array, used * size);
    pt_free(context, *array);
    *array = larger;
    return true;
}

/* Lines of the Gram matrix become longer. */
static bool enlarge_gram(pt_members *m, size_t capacity)
{
    partan_context *context = m->design->context;
    double *larger = capacity <= SIZE_MAX / capacity ? pt_alloc(context, capacity * capacity, sizeof *larger) : NULL;
    if (!larger)
        return false;
    for (size_t i = 0; i < m->count; i++)
        memcpy(larger + i * capacity, pt_members_gram(m, i), m->count * sizeof *larger);
    pt_free(context, m->gram);
    m->gram = larger;
    return true;
}

/* Too many for their inner products: from now on without. */
static void give_up_products(pt_members *m)
{
    partan_context *context = m->design->context;
    pt_free(context, m->gram);
    pt_free(context, m->panel);
    m->gram = NULL;
    m->panel = NULL;
    m->stored = false;
    pt_members_rescore(m);
}

static partan_status reserve(pt_members *m, size_t need)
{
    partan_context *context = m->design->context;
    size_t capacity = m->capacity ? 2 * m->capacity : FIRST_CAPACITY, n = m->count;
    if (need <= m->capacity)
        return PARTAN_OK;
    if (capacity < need)
        capacity = (need + 63) / 64 * 64;
    if (m->stored && need > MOST_STORED)
        give_up_products(m);
    capacity = m->stored && capacity > MOST_STORED ? MOST_STORED : capacity;
    size_t padded = m->design->store->sparse ? 0 : m->design->store->padded;
    bool done = enlarge(context, &m->ids, n, capacity, sizeof *m->ids)
                && enlarge(context, &m->linear, n, capacity, sizeof *m->linear)
                && enlarge(context, &m->square, n, capacity, sizeof *m->square)
                && enlarge(context, &m->x, n, capacity, sizeof *m->x)
                && enlarge(context, &m->score, n, capacity, sizeof *m->score);
    if (done && m->stored)
        done =
            enlarge(context, &m->panel, n * padded, capacity * padded, sizeof *m->panel) && enlarge_gram(m, capacity);
    if (done) {
        m->capacity = capacity;
        return PARTAN_OK;
    }
    return pt_fail(context, PARTAN_ERROR_MEMORY, "out of memory for a working set of %zu columns", capacity);
}

/* ---- New members ---- */

/* A contiguous copy of a dense column. */
static void copy_column(pt_members *m, size_t member)
{
    const pt_columns *c = &m->design->store->dense;
    const float *from = c->values + (size_t)m->ids[member] * c->column_step;
    float *to = m->panel + member * m->design->store->padded;
    for (size_t line = 0; line < c->lines; line++)
        memcpy(to + line * PT_TILE, from + line * c->line_step, PT_TILE * sizeof *to);
}

/* <column, fresh column> of members first .. first + count - 1 with `fresh` new ones. */
static void products(const pt_members *m, size_t first, size_t count, size_t fresh, const double *sums, double *out)
{
    const pt_design *d = m->design;
    const pt_store *store = d->store;
    if (store->sparse) {
        pt_store_dots(store, m->ids + first, 0, count, m->fresh, m->rows_first, fresh, out);
    } else {
        pt_columns panel = {m->panel, store->padded, PT_TILE, store->padded / PT_TILE};
        memset(out, 0, count * fresh * sizeof *out);
        store->ops->dots(&panel, NULL, first, count, m->fresh, store->padded, fresh, out);
    }
    for (size_t i = 0; i < count; i++) {
        int64_t id = m->ids[first + i];
        for (size_t v = 0; v < fresh; v++)
            out[i * fresh + v] = (out[i * fresh + v] - d->centre[id] * sums[v]) * d->inverse[id] / (double)d->counted;
    }
}

typedef struct extension {
    pt_members *members;
    size_t fresh;
    const double *sums;
} extension;

static void extend_lines(void *user, size_t chunk, size_t thread)
{
    const extension *e = user;
    pt_members *m = e->members;
    size_t fresh = e->fresh, old = m->count - fresh;
    pt_span span = pt_span_of(m->count, CHUNK, chunk);
    double found[CHUNK * PT_COLUMN_VECTORS];
    (void)thread;
    products(m, span.begin, span.end - span.begin, fresh, e->sums, found);
    for (size_t i = span.begin; i < span.end; i++)
        for (size_t v = 0; v < fresh; v++)
            if (i <= old + v) {
                double value = found[(i - span.begin) * fresh + v];
                m->gram[(old + v) * m->capacity + i] = value;
                m->gram[i * m->capacity + old + v] = value;
            }
}

/* Lines and columns of the Gram matrix for the last `fresh` members; what two of them have is computed once. */
static void extend_gram(pt_members *m, size_t fresh, const double *sums)
{
    double work = (double)(m->count * pt_store_length(m->design->store) * fresh);
    pt_tuning *tuning = &m->design->tuning->gram;
    int threads = pt_tuning_begin(tuning, PT_PRODUCT_NANOSECONDS * work);
    pt_team_run(m->design->context, threads, pt_span_count(m->count, CHUNK), extend_lines,
                &(extension){m, fresh, sums});
    pt_tuning_end(tuning, work);
}

static void enter(pt_members *m, int64_t id)
{
    size_t member = m->count++;
    m->ids[member] = id;
    m->place[id] = (int32_t)member + 1;
    m->linear[member] = m->design->correlation[id];
    m->square[member] = m->design->square[id];
    m->x[member] = 0;
}

/* With their inner products; scores are those of the present x. */
static void add_some(pt_members *m, const int64_t *ids, size_t fresh)
{
    const pt_store *store = m->design->store;
    double sums[PT_COLUMN_VECTORS] = {0};
    for (size_t v = 0; v < fresh; v++) {
        double *column = m->fresh + v * store->padded;
        enter(m, ids[v]);
        pt_design_column(m->design, (size_t)ids[v], column);
        for (size_t row = 0; row < store->padded; row++)
            sums[v] += column[row];
        if (!store->sparse)
            copy_column(m, m->count - 1);
    }
    if (store->sparse)
        pt_store_interleave(store, m->fresh, fresh, m->rows_first);
    extend_gram(m, fresh, sums);
    for (size_t member = m->count - fresh; member < m->count; member++)
        m->score[member] = m->linear[member] - store->ops->dot(pt_members_gram(m, member), m->x, m->count);
}

partan_status pt_members_add(pt_members *m, const int64_t *ids, size_t count)
{
    partan_status status = reserve(m, m->count + count);
    for (size_t i = 0; i < count && !status && !m->stored; i++)
        enter(m, ids[i]);
    m->stale = !m->stored;
    if (!m->stored)
        return status;
    for (size_t i = 0; i < count && !status; i += PT_COLUMN_VECTORS) {
        add_some(m, ids + i, count - i < PT_COLUMN_VECTORS ? count - i : PT_COLUMN_VECTORS);
        if (pt_interrupted(m->design->context))
            status = PARTAN_INTERRUPTED;
    }
    return status;
}
