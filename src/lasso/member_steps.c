/* Steps of members and their scores, by inner products or by a residual.
 *
 * With r = target - sum_i x_i (column_i - centre_i) / scale_i and q = target - sum_i x_i column_i / scale_i, which is r
 * but for a constant, <column_j - centre_j, r> = <column_j, q> - centre_j sum(q): the centres are means, or 0. */
#include <string.h>

#include "lasso/members.h"

static double score_of(const pt_members *m, size_t i, double product)
{
    const pt_design *d = m->design;
    int64_t id = m->ids[i];
    return (product - d->centre[id] * m->sum) * d->inverse[id] / (double)d->counted;
}

double pt_members_score(const pt_members *m, size_t i)
{
    if (m->stored || !m->stale)
        return m->score[i];
    double product;
    pt_store_dots(m->design->store, m->ids + i, 0, 1, m->residual, NULL, 1, &product);
    return score_of(m, i, product);
}

void pt_members_refresh(pt_members *m)
{
    if (m->stored || !m->stale)
        return;
    pt_store_dots(m->design->store, m->ids, 0, m->count, m->residual, NULL, 1, m->score);
    for (size_t i = 0; i < m->count; i++)
        m->score[i] = score_of(m, i, m->score[i]);
    m->stale = false;
}

/* The residual less step * column, on the rows that count. */
static void move_residual(pt_members *m, size_t i, double step)
{
    const pt_design *d = m->design;
    const pt_store *store = d->store;
    size_t id = (size_t)m->ids[i];
    double factor = step * d->inverse[id];
    if (store->sparse) {
        const pt_sparse_columns *c = &store->compressed;
        for (int64_t k = c->offsets[id]; k < c->offsets[id + 1]; k++)
            m->residual[c->rows[k]] -= factor * (double)c->values[k] * d->ones[c->rows[k]];
    } else {
        pt_store_add(store, id, -factor, 0, store->padded / PT_TILE, m->residual);
        for (size_t row = 0; d->counted < store->rows && row < store->rows; row++)
            m->residual[row] *= d->ones[row];
    }
    m->sum -= factor * d->centre[id] * (double)d->counted;
    m->stale = true;
}

void pt_members_move(pt_members *m, size_t i, double step)
{
    m->x[i] += step;
    if (m->stored)
        m->design->store->ops->axpy(-step, pt_members_gram(m, i), m->count, m->score);
    else
        move_residual(m, i, step);
}

void pt_members_move_all(pt_members *m, const size_t *which, const double *steps, size_t count)
{
    for (size_t k = 0; k < count; k++)
        pt_members_move(m, which[k], steps[k]);
}

void pt_members_rescore(pt_members *m)
{
    const pt_store *store = m->design->store;
    if (m->stored) {
        memcpy(m->score, m->linear, m->count * sizeof *m->score);
        for (size_t i = 0; i < m->count; i++)
            if (m->x[i] != 0)
                store->ops->axpy(-m->x[i], pt_members_gram(m, i), m->count, m->score);
        return;
    }
    memcpy(m->residual, m->design->target, store->padded * sizeof *m->residual);
    m->sum = 0;
    for (size_t row = 0; row < store->padded; row++)
        m->sum += m->residual[row];
    for (size_t i = 0; i < m->count; i++)
        if (m->x[i] != 0)
            move_residual(m, i, m->x[i]);
    m->stale = true;
}

/* ---- Inner products ---- */

void pt_members_products(pt_members *m, size_t i, const size_t *which, size_t count, double *out)
{
    const pt_design *d = m->design;
    if (m->stored) {
        for (size_t k = 0; k < count; k++)
            out[k] = pt_members_gram(m, i)[which[k]];
        return;
    }
    double sum = 0;
    pt_design_column(d, (size_t)m->ids[i], m->fresh);
    for (size_t row = 0; row < d->store->padded; row++)
        sum += m->fresh[row];
    for (size_t k = 0; k < count; k++) {
        int64_t id = m->ids[which[k]];
        pt_store_dots(d->store, &id, 0, 1, m->fresh, NULL, 1, &out[k]);
        out[k] = (out[k] - d->centre[id] * sum) * d->inverse[id] / (double)d->counted;
    }
}

#define SCATTERED 16.0 /* an entry of a compressed column costs as much as this many numbers in a row */

static double column_cost(const pt_store *store)
{
    return (store->sparse ? SCATTERED : 1) * (double)pt_store_length(store);
}

double pt_members_sweep_cost(const pt_members *m, size_t active)
{
    if (m->stored)
        return (double)(active + 1) * (double)m->count;
    return column_cost(m->design->store) * (double)(m->count + active);
}

double pt_members_product_cost(const pt_members *m)
{
    return m->stored ? 1 : column_cost(m->design->store);
}
