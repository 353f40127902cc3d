/* The least of a quadratic function of the weights. */
#include <math.h>

#include "svm/sparse/sparse.h"

enum { ROUNDS = 4 }; /* of conjugate gradients in place of a sweep */

static void multiply(const double *Q, size_t stride, size_t count, const double *a, double *out)
{
    for (size_t i = 0; i < count; i++) {
        double sum = 0;
        for (size_t j = 0; j < count; j++)
            sum += Q[i * stride + j] * a[j];
        out[i] = sum;
    }
}

/* Over all weights: conjugate gradients, preconditioned by the diagonal. */
static void solve_free(const double *Q, size_t stride, size_t count, const double *c, double *a, double *room,
                       int rounds)
{
    double *rest = room, *along = room + count, *product = room + 2 * count, before = 0, first = 0;
    multiply(Q, stride, count, a, product);
    for (size_t i = 0; i < count; i++)
        rest[i] = c[i] - product[i];
    for (int round = 0; round < rounds; round++) {
        double now = 0, bend = 0;
        for (size_t i = 0; i < count; i++)
            now += rest[i] * rest[i] / Q[i * stride + i];
        first = round == 0 ? now : first;
        if (!(now > 1e-20 * first))
            return;
        for (size_t i = 0; i < count; i++)
            along[i] = rest[i] / Q[i * stride + i] + (round == 0 ? 0 : now / before * along[i]);
        multiply(Q, stride, count, along, product);
        for (size_t i = 0; i < count; i++)
            bend += along[i] * product[i];
        if (!(bend > 0))
            return;
        for (size_t i = 0; i < count; i++) {
            a[i] += now / bend * along[i];
            rest[i] -= now / bend * product[i];
        }
        before = now;
    }
}

void pt_sparse_descend(const double *Q, size_t stride, size_t count, const double *c, bool free, double *a,
                       double *gradient, int sweeps)
{
    if (free) {
        solve_free(Q, stride, count, c, a, gradient, ROUNDS * sweeps);
        return;
    }
    multiply(Q, stride, count, a, gradient);
    for (size_t i = 0; i < count; i++)
        gradient[i] -= c[i];
    double largest = 0;
    for (int sweep = 0; sweep < sweeps; sweep++) {
        double change = 0;
        for (size_t i = 0; i < count; i++) {
            double step = fmax(-a[i], -gradient[i] / Q[i * stride + i]);
            if (step == 0 || !isfinite(step))
                continue;
            a[i] += step;
            change = fmax(change, fabs(step));
            largest = fmax(largest, a[i]);
            for (size_t j = 0; j < count; j++)
                gradient[j] += step * Q[i * stride + j];
        }
        if (change <= 1e-4 * largest)
            return;
    }
}
