#include "lasso/l1_tangents.h"

#include <math.h>
#include <string.h>

#define RANK_LIMIT 1e-12 /* of a direction's own curvature: less left of it beside the others is nothing */

void pt_l1_tangents_init(pt_l1_tangents *t, partan_context *context)
{
    *t = (pt_l1_tangents){.context = context};
}

void pt_l1_tangents_free(pt_l1_tangents *t)
{
    for (size_t k = 0; k < PT_L1_TANGENTS && t->context; k++) {
        pt_free(t->context, t->x[k]);
        pt_free(t->context, t->score[k]);
        t->x[k] = t->score[k] = NULL;
    }
    t->count = t->room = 0;
}

void pt_l1_tangents_forget(pt_l1_tangents *t)
{
    t->count = 0;
}

static partan_status reserve(pt_l1_tangents *t, size_t capacity)
{
    if (capacity <= t->room)
        return PARTAN_OK;
    pt_l1_tangents_free(t);
    for (size_t k = 0; k < PT_L1_TANGENTS; k++) {
        t->x[k] = pt_alloc(t->context, capacity, sizeof(double));
        t->score[k] = pt_alloc(t->context, capacity, sizeof(double));
        if (!t->x[k] || !t->score[k])
            return pt_out_of_memory(t->context, "previous iterates");
    }
    t->room = capacity;
    return PARTAN_OK;
}

partan_status pt_l1_tangents_keep(pt_l1_tangents *t, pt_members *m)
{
    partan_status status = reserve(t, m->capacity);
    if (status)
        return status;
    pt_members_refresh(m);
    t->newest = (t->newest + 1) % PT_L1_TANGENTS;
    t->count = t->count < PT_L1_TANGENTS ? t->count + 1 : PT_L1_TANGENTS;
    memcpy(t->x[t->newest], m->x, m->count * sizeof *m->x);
    memcpy(t->score[t->newest], m->score, m->count * sizeof *m->score);
    return PARTAN_OK;
}

/* ---- The combination ---- */

/* d_k = x - x_k, of the k-th latest iterate. */
typedef struct span {
    const double *x[PT_L1_TANGENTS], *score[PT_L1_TANGENTS];
    double curvature[PT_L1_TANGENTS][PT_L1_TANGENTS]; /* <d_i, G d_j> */
    double slope[PT_L1_TANGENTS];                     /* of the objective along d_i, signs kept */
} span;

static void measure(const pt_l1_tangents *t, const pt_members *m, double lambda, span *s)
{
    for (size_t k = 0; k < t->count; k++) {
        size_t at = (t->newest + PT_L1_TANGENTS - k) % PT_L1_TANGENTS;
        s->x[k] = t->x[at];
        s->score[k] = t->score[at];
    }
    for (size_t i = 0; i < t->count; i++) {
        s->slope[i] = 0;
        for (size_t j = 0; j < m->count; j++)
            s->slope[i] += (m->x[j] - s->x[i][j]) * (copysign(m->x[j] != 0 ? lambda : 0, m->x[j]) - m->score[j]);
        for (size_t k = 0; k <= i; k++) {
            double sum = 0;
            for (size_t j = 0; j < m->count; j++)
                sum += (m->x[j] - s->x[i][j]) * (s->score[k][j] - m->score[j]);
            s->curvature[i][k] = s->curvature[k][i] = sum;
        }
    }
}

/* Minimises over the first n directions by elimination; one that the others span gets 0. */
static void best_factors(const span *s, size_t n, double factors[PT_L1_TANGENTS])
{
    double A[PT_L1_TANGENTS][PT_L1_TANGENTS + 1];
    for (size_t i = 0; i < n; i++) {
        memcpy(A[i], s->curvature[i], sizeof s->curvature[i]);
        A[i][PT_L1_TANGENTS] = -s->slope[i];
    }
    for (size_t k = 0; k < n; k++)
        for (size_t i = k + 1; i < n && A[k][k] > RANK_LIMIT * s->curvature[k][k]; i++) {
            double ratio = A[i][k] / A[k][k];
            for (size_t j = k; j < n; j++)
                A[i][j] -= ratio * A[k][j];
            A[i][PT_L1_TANGENTS] -= ratio * A[k][PT_L1_TANGENTS];
        }
    for (size_t k = n; k-- > 0;) {
        double rest = A[k][PT_L1_TANGENTS];
        for (size_t j = k + 1; j < n; j++)
            rest -= A[k][j] * factors[j];
        factors[k] = A[k][k] > RANK_LIMIT * s->curvature[k][k] ? rest / A[k][k] : 0;
    }
}

static double moved(const span *s, size_t n, const double *factors, const double *x, size_t j)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++)
        sum += factors[k] * (x[j] - s->x[k][j]);
    return sum;
}

/* The share of the way at which the first sign would change. A member at 0 that would leave it stops all. */
static double longest(const span *s, size_t n, const double *factors, const pt_members *m)
{
    double share = 1;
    for (size_t j = 0; j < m->count && share > 0; j++) {
        double d = moved(s, n, factors, m->x, j);
        if (m->x[j] == 0 && d != 0)
            share = 0;
        else if (d * m->x[j] < 0 && fabs(d) * share > fabs(m->x[j]))
            share = fabs(m->x[j] / d);
    }
    return share;
}

static double gain(const span *s, size_t n, const double *factors, double share)
{
    double slope = 0, curvature = 0;
    for (size_t i = 0; i < n; i++) {
        slope += factors[i] * s->slope[i];
        for (size_t k = 0; k < n; k++)
            curvature += factors[i] * factors[k] * s->curvature[i][k];
    }
    return -(share * slope + share * share * curvature / 2);
}

/* Scores move as coefficients do; a residual follows from these. */
static void move(const span *s, size_t n, const double *factors, double share, pt_members *m)
{
    bool crossed = false;
    for (size_t j = 0; j < m->count; j++) {
        double x = m->x[j], score = m->score[j];
        for (size_t k = 0; k < n; k++) {
            m->x[j] += share * factors[k] * (x - s->x[k][j]);
            m->score[j] += share * factors[k] * (score - s->score[k][j]);
        }
        if (x != 0 && m->x[j] * x <= 0) { /* where the cut was: rounding must leave no other sign */
            m->x[j] = 0;
            crossed = true;
        }
    }
    if (crossed || !m->stored)
        pt_members_rescore(m);
}

bool pt_l1_tangents_step(const pt_l1_tangents *t, pt_members *m, double lambda)
{
    span s;
    double best = 0, best_share = 0, best_factor[PT_L1_TANGENTS];
    size_t best_count = 0;
    if (t->count == 0)
        return false;
    pt_members_refresh(m);
    measure(t, m, lambda, &s);
    for (size_t n = t->count; n > 0; n /= 2) {
        double factors[PT_L1_TANGENTS] = {0};
        best_factors(&s, n, factors);
        double share = longest(&s, n, factors, m), found = gain(&s, n, factors, share);
        if (found > best) {
            best = found;
            best_share = share;
            best_count = n;
            memcpy(best_factor, factors, sizeof factors);
        }
    }
    if (best_count > 0)
        move(&s, best_count, best_factor, best_share, m);
    return best_count > 0;
}
