#include "lasso/factor.h"

#include <math.h>
#include <string.h>

#define DEPENDENT 1e-11 /* of a column's own square: less left of it beside the others is rounding */

void pt_factor_init(pt_factor *f, pt_members *members)
{
    *f = (pt_factor){.members = members};
}

void pt_factor_free(pt_factor *f)
{
    if (!f->members)
        return;
    partan_context *context = f->members->design->context;
    pt_free(context, f->which);
    pt_free(context, f->lower);
    pt_free(context, f->work);
    *f = (pt_factor){0};
}

static partan_status reserve(pt_factor *f, size_t need)
{
    partan_context *context = f->members->design->context;
    if (need <= f->capacity)
        return PARTAN_OK;
    size_t capacity = f->capacity ? 2 * f->capacity : 64;
    size_t *which = pt_alloc(context, capacity, sizeof *which);
    double *lower = pt_alloc(context, capacity * capacity, sizeof *lower);
    double *work = pt_alloc(context, capacity, sizeof *work);
    if (!which || !lower || !work) {
        pt_free(context, which);
        pt_free(context, lower);
        pt_free(context, work);
        return pt_out_of_memory(context, "the factor of the active columns");
    }
    for (size_t i = 0; i < f->count; i++) {
        which[i] = f->which[i];
        memcpy(lower + i * capacity, f->lower + i * f->capacity, (i + 1) * sizeof *lower);
    }
    pt_free(context, f->which);
    pt_free(context, f->lower);
    pt_free(context, f->work);
    f->which = which;
    f->lower = lower;
    f->work = work;
    f->capacity = capacity;
    return PARTAN_OK;
}

/* Solves L' v = v in place. */
static void substitute_back(const pt_factor *f, double *v)
{
    for (size_t i = f->count; i-- > 0;) {
        const double *line = f->lower + i * f->capacity;
        v[i] /= line[i];
        f->members->design->store->ops->axpy(-v[i], line, i, v);
    }
}

partan_status pt_factor_append(pt_factor *f, size_t member, bool *joined, double *share)
{
    const pt_columns_ops *ops = f->members->design->store->ops;
    *joined = false;
    partan_status status = reserve(f, f->count + 1);
    if (status)
        return status;
    double *line = f->lower + f->count * f->capacity, square = f->members->square[member];
    pt_members_products(f->members, member, f->which, f->count, line);
    for (size_t i = 0; i < f->count; i++) {
        const double *other = f->lower + i * f->capacity;
        line[i] = (line[i] - ops->dot(other, line, i)) / other[i];
    }
    double left = square - ops->dot(line, line, f->count);
    if (!(left > DEPENDENT * square)) {
        memcpy(share, line, f->count * sizeof *share);
        substitute_back(f, share);
        return PARTAN_OK;
    }
    line[f->count] = sqrt(left);
    f->which[f->count++] = member;
    *joined = true;
    return PARTAN_OK;
}

/* The lines below move up; each is one entry too long then, which plane rotations of neighbouring columns mend. */
void pt_factor_remove(pt_factor *f, size_t line)
{
    size_t last = --f->count;
    for (size_t i = line; i < last; i++) {
        f->which[i] = f->which[i + 1];
        memcpy(f->lower + i * f->capacity, f->lower + (i + 1) * f->capacity, (i + 2) * sizeof *f->lower);
    }
    for (size_t k = line; k < last; k++) {
        double *pivot = f->lower + k * f->capacity + k, length = hypot(pivot[0], pivot[1]);
        double cosine = pivot[0] / length, sine = pivot[1] / length;
        pivot[0] = length;
        for (size_t i = k + 1; i < last; i++) {
            double *at = f->lower + i * f->capacity + k, left = at[0], right = at[1];
            at[0] = cosine * left + sine * right;
            at[1] = cosine * right - sine * left;
        }
    }
}

void pt_factor_solve(const pt_factor *f, double *v)
{
    const pt_columns_ops *ops = f->members->design->store->ops;
    for (size_t i = 0; i < f->count; i++) {
        const double *line = f->lower + i * f->capacity;
        v[i] = (v[i] - ops->dot(line, v, i)) / line[i];
    }
    substitute_back(f, v);
}
