/* Platt, "Probabilistic Outputs for Support Vector Machines" (1999), in the form of Lin, Lin and Weng, "A Note on
 * Platt's Probabilistic Outputs for Support Vector Machines" (Machine Learning 68, 2007): Newton's method with
 * backtracking, and sums that neither overflow nor cancel. The problem is convex, so the way there does not matter. */
#include "svm/probability/fit.h"

#include <math.h>

#include "core/agree.h"

enum { MOST_STEPS = 100 };

#define PRECISION  1e-10 /* of the gradient, relative to the sum of the weights */
#define RIDGE      1e-12 /* added to the second derivatives, relative to the sum of the weights */
#define LEAST_STEP 1e-10
#define SUFFICIENT 1e-4 /* share of the decrease that the gradient promises */

/* Decision values are divided by the largest, so that slope and offset are of one size. */
typedef struct fit {
    pt_comm *comm; /* of processes that each have some of the values, in their order; NULL: one has all */
    const pt_held *values;
    size_t count;
    pt_sigmoid at; /* where sums are made */
    double unit;
    double target[2]; /* of negative and positive rows */
    double total;     /* weight */
} fit;

typedef struct derivatives {
    double gradient[2]; /* by slope, by offset */
    double hessian[3];  /* slope slope, slope offset, offset offset */
} derivatives;

enum { DERIVATIVES = sizeof(derivatives) / sizeof(double) };

static void add_weights(void *user, double *sums)
{
    const fit *f = user;
    for (size_t i = 0; i < f->count; i++)
        sums[f->values[i].positive] += f->values[i].weight;
}

static fit prepare(pt_comm *comm, const pt_held *values, size_t count, double sums[2])
{
    fit f = {.comm = comm, .values = values, .count = count, .unit = 0};
    sums[0] = sums[1] = 0;
    pt_in_turn(comm, add_weights, &f, sums, 2);
    for (size_t i = 0; i < count; i++)
        f.unit = fmax(f.unit, fabs(values[i].decision));
    if (comm)
        comm->greatest(comm, &f.unit, 1);
    f.unit = f.unit > 0 ? f.unit : 1;
    f.total = sums[0] + sums[1];
    f.target[0] = 1 / (sums[0] + 2);
    f.target[1] = (sums[1] + 1) / (sums[1] + 2);
    return f;
}

/* -log likelihood: of one row, target * t + log(1 + exp(-t)) with t = slope f + offset. */
static void add_losses(void *user, double *sum)
{
    const fit *f = user;
    pt_sigmoid s = f->at;
    for (size_t i = 0; i < f->count; i++) {
        const pt_held *v = &f->values[i];
        double t = s.slope * (v->decision / f->unit) + s.offset, target = f->target[v->positive];
        *sum += v->weight * (t >= 0 ? target * t + log1p(exp(-t)) : (target - 1) * t + log1p(exp(t)));
    }
}

static double objective(fit *f, pt_sigmoid s)
{
    double sum = 0;
    f->at = s;
    pt_in_turn(f->comm, add_losses, f, &sum, 1);
    return sum;
}

static void add_derivatives(void *user, double *sums)
{
    const fit *f = user;
    pt_sigmoid s = f->at;
    for (size_t i = 0; i < f->count; i++) {
        const pt_held *v = &f->values[i];
        double x = v->decision / f->unit, p = pt_sigmoid_at(s, x),
               q = pt_sigmoid_at((pt_sigmoid){-s.slope, -s.offset}, x);
        double first = v->weight * (f->target[v->positive] - p), second = v->weight * p * q;
        double terms[DERIVATIVES] = {first * x, first, second * x * x, second * x, second};
        for (size_t k = 0; k < DERIVATIVES; k++)
            sums[k] += terms[k];
    }
}

static derivatives differentiate(fit *f, pt_sigmoid s)
{
    double sums[DERIVATIVES] = {0, 0, RIDGE * f->total, 0, RIDGE * f->total};
    f->at = s;
    pt_in_turn(f->comm, add_derivatives, f, sums, DERIVATIVES);
    return (derivatives){{sums[0], sums[1]}, {sums[2], sums[3], sums[4]}};
}

/* One step of Newton's method, shortened until it helps. False: none does, which is the end. */
static bool step(fit *f, const derivatives *d, pt_sigmoid *s, double *value)
{
    double determinant = d->hessian[0] * d->hessian[2] - d->hessian[1] * d->hessian[1];
    double slope = -(d->hessian[2] * d->gradient[0] - d->hessian[1] * d->gradient[1]) / determinant;
    double offset = -(d->hessian[0] * d->gradient[1] - d->hessian[1] * d->gradient[0]) / determinant;
    double promised = d->gradient[0] * slope + d->gradient[1] * offset;
    for (double length = 1; length >= LEAST_STEP; length /= 2) {
        pt_sigmoid next = {s->slope + length * slope, s->offset + length * offset};
        double found = objective(f, next);
        if (found < *value + SUFFICIENT * length * promised) {
            *s = next;
            *value = found;
            return true;
        }
    }
    return false;
}

pt_sigmoid pt_sigmoid_fit(pt_comm *comm, const pt_held *values, size_t count)
{
    double sums[2];
    fit f = prepare(comm, values, count, sums);
    pt_sigmoid s = {0, log((sums[0] + 1) / (sums[1] + 1))};
    double value = objective(&f, s);
    for (int i = 0; i < MOST_STEPS; i++) {
        derivatives d = differentiate(&f, s);
        if (fmax(fabs(d.gradient[0]), fabs(d.gradient[1])) <= PRECISION * f.total || !step(&f, &d, &s, &value))
            break;
    }
    s.slope /= f.unit;
    return s;
}
