#include "active/pairs.h"

static size_t least(const pt_pairs *p)
{
    size_t u = 0;
    for (size_t i = 1; i < p->count; i++)
        if (p->scores[i] < p->scores[u])
            u = i;
    return u;
}

/* How far the scores of vertices with weight reach above the least one. */
static double score_range(const pt_pairs *p, size_t u)
{
    double greatest = p->scores[u];
    for (size_t i = 0; i < p->count; i++)
        if (p->weights[i] > 0 && p->scores[i] > greatest)
            greatest = p->scores[i];
    return greatest - p->scores[u];
}

static double curvature(const pt_pairs *p, size_t u, size_t v)
{
    double eta = p->kernel[u][u] + p->kernel[v][v] - 2 * p->kernel[u][v];
    return eta > (double)PT_LEAST_CURVATURE ? eta : (double)PT_LEAST_CURVATURE;
}

/* The vertex whose weight gains most by moving to u; u: none. */
static size_t partner(const pt_pairs *p, size_t u)
{
    size_t v = u;
    double best = 0;
    for (size_t i = 0; i < p->count; i++) {
        double d = p->scores[i] - p->scores[u];
        if (!(p->weights[i] > 0 && d > 0))
            continue;
        double gain = d * d / curvature(p, u, i);
        if (gain > best) {
            best = gain;
            v = i;
        }
    }
    return v;
}

static void move(pt_pairs *p, size_t u, size_t v)
{
    double step = (p->scores[v] - p->scores[u]) / curvature(p, u, v);
    step = step < p->weights[v] ? step : p->weights[v];
    p->weights[u] += step;
    p->weights[v] = step < p->weights[v] ? p->weights[v] - step : 0;
    for (size_t i = 0; i < p->count; i++)
        p->scores[i] += step * (p->kernel[i][u] - p->kernel[i][v]);
}

size_t pt_pairs_solve(pt_pairs *p, double share, size_t most)
{
    double enough = share * score_range(p, least(p));
    for (size_t steps = 0;; steps++) {
        size_t u = least(p), v = partner(p, u);
        if (steps >= most || v == u || !(score_range(p, u) > enough))
            return steps;
        move(p, u, v);
    }
}
