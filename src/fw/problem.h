/* The problem interface: what a Frank-Wolfe variant may ask of a problem.
 *
 * A problem is a quadratic f(x) = 1/2 <x, Qx> + <c, x> over the convex hull of vertices (atoms). A vertex is known by a
 * number >= 0 of the problem's own, which the oracle may have made up for it: a row of the data, a signed coordinate, a
 * matrix of rank one. An iterate is a convex combination of active vertices (fw/iterate.h); beside it the problem keeps
 * a state that is affine in the iterate (for the SVM the gradient over all rows), and for some variants that of the
 * previous iterate too. Every step of every variant is one linear combination
 *
 *     next = c_now * now + c_previous * previous + sum_t c_t * vertex_t
 *
 * applied by `move` to the state, and by pt_iterate_move to the weights. */
#ifndef PT_PROBLEM_H
#define PT_PROBLEM_H

#include "fw/iterate.h"

typedef struct pt_vertex {
    int64_t id;
    double score;          /* <grad f(now), vertex> */
    double slack;          /* the least score of all is not below score - slack; 0 from an exact oracle */
    double previous_score; /* <grad f(previous), vertex> */
    double diagonal;       /* <vertex, Q vertex> */
    double linear;         /* <c, vertex> */
} pt_vertex;

/* Exact values at now and previous, recomputed from the state. */
typedef struct pt_measure {
    double objective; /* f(now) */
    double linear;    /* <c, now> */
    double cross;     /* <now, Q previous> */
    double previous_objective;
    double previous_linear;
} pt_measure;

typedef struct pt_certificate {
    double objective;
    double linear; /* <c, now> */
    double gap;    /* over the whole domain, with the oracle's slack if it has any */
    bool bound;    /* the gap is not computed, it is only known to be no larger */
} pt_certificate;

typedef struct pt_problem {
    const struct pt_problem_ops *ops;
    partan_context *context;
    bool sampled;        /* the oracle looks at a fresh sample each time: scores are true, minima are not */
    bool keeps_previous; /* the variant needs the previous iterate's state */
    bool positive;       /* f is positive on the whole domain */
    double constant;     /* that f leaves out; traces add it */
} pt_problem;

typedef struct pt_problem_ops {
    /* Makes the state that belongs to the iterate's weights; there is no previous iterate then. */
    partan_status (*start)(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure);

    /* The oracle: the vertex of least score. Id and score, and the slack where it may not be quite the least. */
    partan_status (*toward)(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex);

    /* The active vertex of greatest score: id and score. */
    partan_status (*away)(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex);

    /* Fills in the rest of a vertex from its id and score. */
    partan_status (*inspect)(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex);

    /* <u, Q v> of two vertices. */
    partan_status (*product)(pt_problem *problem, const pt_vertex *u, const pt_vertex *v, double *product);

    /* The state follows the move; `iterate` is as it was before it. */
    partan_status (*move)(pt_problem *problem, const pt_iterate *iterate, const pt_move *move);

    /* Recomputes the measures from the state, against drift. NULL when the state does not allow it cheaply. */
    void (*measure)(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure);

    /* Objective and gap from scratch, over the whole domain, from the weights alone. May refresh the state, after which
     * there is no previous iterate. */
    partan_status (*certify)(pt_problem *problem, const pt_iterate *iterate, double target,
                             pt_certificate *certificate);

    /* The same where there is no time for it: the certificate has the objective and the gap by the oracle (INFINITY
     * where that looks at samples), which becomes a bound of the true one. NULL: certify is always given its time. */
    void (*bound)(pt_problem *problem, const pt_iterate *iterate, pt_certificate *certificate);

    /* A vertex of the oracle's will not be named again, unless the oracle finds it anew: it has left both iterates, or
     * has never been in one. NULL where vertices take no room. */
    void (*forget)(pt_problem *problem, int64_t id);

    /* What the gap is relative to, where the objective is this much. */
    double (*scale)(const pt_problem *problem, double objective);

    /* The work done so far in a unit of the problem's own, by which the loop weighs full passes against steps. */
    uint64_t (*work)(const pt_problem *problem);

    /* Fills in what a row of the trace tells of the problem beside the step; NULL: nothing. */
    void (*trace)(const pt_problem *problem, partan_trace_row *row);

    /* The problem and all it owns. NULL where its maker frees it otherwise. */
    void (*free)(pt_problem *problem);

    /* The sentence for an objective that is not finite. */
    const char *not_finite;
} pt_problem_ops;

static inline void pt_problem_free(pt_problem *problem)
{
    if (problem && problem->ops->free)
        problem->ops->free(problem);
}

/* ---- What follows from f being quadratic ---- */

/* f(x) from <grad f(x), x> and <c, x>, and the other way round. */
static inline double pt_objective(double inner, double linear)
{
    return (inner + linear) / 2;
}

static inline double pt_inner_product(double objective, double linear)
{
    return 2 * objective - linear;
}

/* Objective and gap, given the least score of all vertices. A gap below 0 is rounding. */
static inline pt_certificate pt_certificate_of(double inner, double linear, double least)
{
    return (pt_certificate){
        .objective = pt_objective(inner, linear), .linear = linear, .gap = inner - least > 0 ? inner - least : 0};
}

/* ---- Targets ---- */

static inline double pt_relative_gap(const pt_problem *problem, double gap, double objective)
{
    return gap / problem->ops->scale(problem, objective);
}

/* The gap at which the settings' criteria hold; the looser of the two stops. */
static inline double pt_target_gap(const pt_problem *problem, const partan_settings *settings, double objective)
{
    double scale = problem->ops->scale(problem, objective);
    double relative = settings->tol > 0 && scale > 0 ? settings->tol * scale : 0;
    return relative > settings->eps ? relative : settings->eps;
}

#endif
