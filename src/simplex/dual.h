/* What K is: the data of the dual problem, and the one place for the formulas that have it.
 *
 *     min 1/2 a'Ka + c'a,    K_uv = y_u y_v (k(x_u, x_v) + bias) + [u = v] / C_u
 *
 * A vertex has a row of the data, a sign, a cost and a linear term; a row may have two vertices. One more vertex, of
 * sign 0 and infinite cost, may stand for weight that is not used: its row and column of K are 0. Whoever poses another
 * problem on the simplex (weights of rows, one class, regression) fills in another pt_dual, and changes no solver.
 * The relative gap is relative to a unit that must be positive on the whole domain: 2f, where there are no linear
 * terms. */
#ifndef PT_DUAL_H
#define PT_DUAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct pt_dual {
    size_t rows;         /* of the data */
    size_t layers;       /* vertices of a row: u, and if it has two, rows + u */
    bool slack;          /* whether one more vertex follows these */
    size_t vertices;     /* with this, and with those of guests (simplex/share.h), which come last */
    int64_t slack_row;   /* that stands in for the slack's, whatever it is */
    const float *signs;  /* y of each vertex */
    double bias;         /* added to every kernel value, which puts that of the decision function into the kernel */
    double inverse_cost; /* 1 / C */
    const double *cost_weights; /* C_u / C: the weight of a vertex's row, or the sum of those merged; NULL: 1 each */
    const double *linear;       /* c of each vertex; NULL: 0 */
    double unit_slope;          /* what gaps are relative to, where the objective is f: unit_slope f + unit_least, */
    double unit_least;          /* and where this is above 0, no less than it */
    bool primal;                /* the gap is that to a primal problem of squared losses (simplex/tally.h), which has */
    double losses;              /* so many, by weight, */
    double most;                /* and at 0 this objective: -f is never more */
} pt_dual;

/* Two classes: a vertex for each row, a sign for each class, and a bias in the kernel. */
static inline pt_dual pt_dual_of_classes(size_t rows, const float *signs, double cost)
{
    return (pt_dual){.rows = rows,
                     .layers = 1,
                     .vertices = rows,
                     .signs = signs,
                     .bias = 1,
                     .inverse_cost = 1 / cost,
                     .unit_slope = 2};
}

/* Whether there is a vertex for each row, and no other. */
static inline bool pt_dual_plain(const pt_dual *dual)
{
    return dual->layers == 1 && !dual->slack;
}

/* The slack, where there is one, and how many vertices there are without those of guests. */
static inline size_t pt_dual_slack(const pt_dual *dual)
{
    return dual->layers * dual->rows;
}

static inline size_t pt_dual_own_vertices(const pt_dual *dual)
{
    return pt_dual_slack(dual) + dual->slack;
}

/* The row of a vertex. Guests' rows follow the data's; each has its vertices side by side. */
static inline int64_t pt_dual_row(const pt_dual *dual, int64_t vertex)
{
    int64_t rows = (int64_t)dual->rows, slack = (int64_t)pt_dual_slack(dual);
    if (vertex < slack)
        return vertex < rows ? vertex : vertex - rows;
    if (dual->slack && vertex == slack)
        return dual->slack_row;
    return rows + (vertex - (int64_t)pt_dual_own_vertices(dual)) / (int64_t)dual->layers;
}

/* Which of its row's vertices a vertex is that is no slack, from 0 on; and the vertex that a row has there. */
static inline size_t pt_dual_layer(const pt_dual *dual, int64_t vertex)
{
    int64_t guest = vertex - (int64_t)pt_dual_own_vertices(dual);
    return guest < 0 ? vertex >= (int64_t)dual->rows : (size_t)guest % dual->layers;
}

static inline int64_t pt_dual_vertex(const pt_dual *dual, int64_t row, size_t layer)
{
    int64_t guest = row - (int64_t)dual->rows;
    return guest < 0 ? (int64_t)(layer * dual->rows) + row
                     : (int64_t)(pt_dual_own_vertices(dual) + (size_t)guest * dual->layers + layer);
}

/* The other vertex of a row of two, or -1. */
static inline int64_t pt_dual_other(const pt_dual *dual, int64_t vertex)
{
    if (dual->layers < 2 || (dual->slack && vertex == (int64_t)pt_dual_slack(dual)))
        return -1;
    return pt_dual_vertex(dual, pt_dual_row(dual, vertex), !pt_dual_layer(dual, vertex));
}

static inline double pt_dual_sign(const pt_dual *dual, int64_t vertex)
{
    return (double)dual->signs[vertex];
}

/* c of a vertex. */
static inline double pt_dual_linear(const pt_dual *dual, int64_t vertex)
{
    return dual->linear ? dual->linear[vertex] : 0;
}

/* A vertex's part of 1 / C, or of a change of it. */
static inline double pt_dual_part(const pt_dual *dual, int64_t vertex, double inverse_cost)
{
    return dual->cost_weights ? inverse_cost / dual->cost_weights[vertex] : inverse_cost;
}

static inline double pt_dual_inverse_cost(const pt_dual *dual, int64_t vertex) /* 1 / C_u */
{
    return pt_dual_part(dual, vertex, dual->inverse_cost);
}

/* What gaps, and errors of scores, are relative to, where the objective is this much (see docs/tolerance.md). Weights
 * of a regression may have an objective above 0, which bounds nothing: no gap is then small. */
static inline double pt_dual_unit(const pt_dual *dual, double objective)
{
    double part = dual->unit_slope * objective;
    return part < 0 && dual->unit_least > 0 ? dual->unit_least : part + dual->unit_least;
}

/* ---- From kernel values to entries of K ---- */

/* K_uv of two vertices, from k(x_u, x_v), without what the diagonal has beside it. */
static inline double pt_dual_entry(const pt_dual *dual, int64_t u, int64_t v, double value)
{
    return pt_dual_sign(dual, u) * pt_dual_sign(dual, v) * (value + dual->bias);
}

/* K_uu, from k(x_u, x_u). */
static inline double pt_dual_diagonal(const pt_dual *dual, int64_t vertex, double self)
{
    double sign = pt_dual_sign(dual, vertex);
    return sign * sign * (self + dual->bias) + pt_dual_inverse_cost(dual, vertex);
}

/* ---- From sums to scores ---- */

/* (Ka)_u of a vertex without weight, from sum_v a_v y_v k(x_u, x_v) and total = sum_v a_v y_v. */
static inline double pt_dual_product(const pt_dual *dual, int64_t vertex, double sum, double total)
{
    return pt_dual_sign(dual, vertex) * (sum + dual->bias * total);
}

/* What a vertex's own weight adds to that by the diagonal. */
static inline double pt_dual_own(const pt_dual *dual, int64_t vertex, double weight)
{
    return weight * pt_dual_inverse_cost(dual, vertex);
}

/* The score of a vertex without weight; and back from it to the sum. */
static inline double pt_dual_score(const pt_dual *dual, int64_t vertex, double sum, double total)
{
    return pt_dual_product(dual, vertex, sum, total) + pt_dual_linear(dual, vertex);
}

static inline double pt_dual_sum(const pt_dual *dual, int64_t vertex, double score, double total)
{
    return pt_dual_sign(dual, vertex) * (score - pt_dual_linear(dual, vertex)) - dual->bias * total;
}

#endif
