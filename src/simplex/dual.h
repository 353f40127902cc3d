/* What K is: the data of the dual problem, and the one place for the formulas that have it.
 *
 *     min 1/2 a'Ka + c'a,    K_uv = y_u y_v (k(x_u, x_v) + bias) + [u = v] / C_u
 *
 * A vertex has a row of the data, a sign, a cost and a linear term. The functions say what these are; whoever adds
 * weights of rows, classes without a bias or two vertices for a row adds them here. What is fused or factored has the
 * bias built in as 1, and knows no linear term: `combine` and `sweep` of kernel/block.h, the seekers' diagonals in
 * active/working_round.c, and lowrank/newton.c. */
#ifndef PT_DUAL_H
#define PT_DUAL_H

#include <stddef.h>
#include <stdint.h>

typedef struct pt_dual {
    const float *signs;     /* y of each vertex */
    double inverse_cost;    /* 1 / C */
    const uint32_t *copies; /* rows merged into each vertex, whose costs add up; NULL: one each */
} pt_dual;

/* The row of a vertex, and the vertex of a row. */
static inline int64_t pt_dual_row(const pt_dual *dual, int64_t vertex)
{
    (void)dual;
    return vertex;
}

static inline int64_t pt_dual_vertex(const pt_dual *dual, size_t row)
{
    (void)dual;
    return (int64_t)row;
}

static inline double pt_dual_sign(const pt_dual *dual, int64_t vertex)
{
    return (double)dual->signs[vertex];
}

/* Added to every kernel value, which puts the bias of the decision function into the kernel. */
static inline double pt_dual_bias(const pt_dual *dual)
{
    (void)dual;
    return 1;
}

/* c of a vertex. */
static inline double pt_dual_linear(const pt_dual *dual, int64_t vertex)
{
    (void)dual;
    (void)vertex;
    return 0;
}

/* A vertex's part of 1 / C, or of a change of it: C_u is C times the rows merged into u. */
static inline double pt_dual_part(const pt_dual *dual, int64_t vertex, double inverse_cost)
{
    return dual->copies ? inverse_cost / dual->copies[vertex] : inverse_cost;
}

static inline double pt_dual_inverse_cost(const pt_dual *dual, int64_t vertex) /* 1 / C_u */
{
    return pt_dual_part(dual, vertex, dual->inverse_cost);
}

/* ---- From kernel values to entries of K ---- */

/* K_uv of two vertices, from k(x_u, x_v). */
static inline double pt_dual_entry(const pt_dual *dual, int64_t u, int64_t v, double value)
{
    return pt_dual_sign(dual, u) * pt_dual_sign(dual, v) * (value + pt_dual_bias(dual));
}

/* K_uu, from k(x_u, x_u). */
static inline double pt_dual_diagonal(const pt_dual *dual, int64_t vertex, double self)
{
    return self + pt_dual_bias(dual) + pt_dual_inverse_cost(dual, vertex);
}

/* ---- From sums to scores ---- */

/* (Ka)_u of a vertex without weight, from sum_v a_v y_v k(x_u, x_v) and total = sum_v a_v y_v. */
static inline double pt_dual_product(const pt_dual *dual, int64_t vertex, double sum, double total)
{
    return pt_dual_sign(dual, vertex) * (sum + pt_dual_bias(dual) * total);
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
    return pt_dual_sign(dual, vertex) * (score - pt_dual_linear(dual, vertex)) - pt_dual_bias(dual) * total;
}

#endif
