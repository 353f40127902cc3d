/* What weights and scores of vertices come to, vertex by vertex: objective and gap.
 *
 * For most problems the gap is Frank-Wolfe's, a'g less the least score. Where the dual is that of a primal problem with
 * squared losses at a given scale (dual->primal), it is what lies between the two objectives, which close to the
 * solution is much less:
 *
 *     P(a) + f(a) = sum_u of  g_u^2 C_u / 2                where h_u = g_u - a_u / C_u is negative: a loss
 *                             a_u h_u + a_u^2 / (2 C_u)    elsewhere */
#ifndef PT_TALLY_H
#define PT_TALLY_H

#include "fw/problem.h"
#include "simplex/dual.h"

typedef struct pt_tally {
    double inner, linear; /* a'g and c'a */
    double least;         /* score */
    double between;       /* the objectives, by the sum above */
} pt_tally;

static inline pt_tally pt_tally_begin(void)
{
    return (pt_tally){.least = (double)INFINITY};
}

/* What a vertex adds to the gap between primal and dual. */
static inline double pt_dual_between(const pt_dual *dual, int64_t vertex, double weight, double score)
{
    double inverse = pt_dual_inverse_cost(dual, vertex), loss = score - weight * inverse;
    if (loss < 0 && inverse > 0)
        return score * score / (2 * inverse);
    return weight * (loss + weight * inverse / 2);
}

static inline void pt_tally_add(pt_tally *tally, const pt_dual *dual, int64_t vertex, double weight, double score)
{
    tally->inner += weight * score;
    tally->linear += weight * pt_dual_linear(dual, vertex);
    tally->least = score < tally->least ? score : tally->least;
    if (dual->primal)
        tally->between += pt_dual_between(dual, vertex, weight, score);
}

static inline pt_certificate pt_tally_certificate(const pt_tally *tally, const pt_dual *dual)
{
    pt_certificate certificate = pt_certificate_of(tally->inner, tally->linear, tally->least);
    if (dual->primal)
        certificate.gap = tally->between > 0 ? tally->between : 0;
    return certificate;
}

#endif
