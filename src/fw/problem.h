/* The problem interface: what a Frank-Wolfe variant may ask of a problem.
 *
 * A problem is a quadratic f(x) = 1/2 <x, Qx> + <c, x> over the convex hull of vertices, which have numbers. An iterate
 * is a convex combination of active vertices (fw/iterate.h); beside it the problem keeps a state that is affine in the
 * iterate (for the SVM the gradient over all rows), and for some variants that of the previous iterate too. Every step
 * of every variant is one linear combination
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
    double gap;    /* over the whole domain */
    int64_t worst; /* the vertex of least score */
} pt_certificate;

typedef struct pt_counters {
    uint64_t kernel_columns;
    uint64_t kernel_values;
    uint64_t cache_hits;
} pt_counters;

typedef struct pt_problem {
    const struct pt_problem_ops *ops;
    partan_context *context;
    bool sampled;        /* the oracle looks at a fresh sample each time: scores are true, minima are not */
    bool keeps_previous; /* the variant needs the previous iterate's state */
    bool positive;       /* f is positive on the whole domain */
    int64_t vertices;    /* how many the domain has */
    pt_counters counters;
} pt_problem;

typedef struct pt_problem_ops {
    /* Makes the state that belongs to the iterate's weights; there is no previous iterate then. */
    partan_status (*start)(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure);

    /* The vertex of least score: id and score. */
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
} pt_problem_ops;

#endif
