/* Frank-Wolfe variants: the state they share, and the formulas they have in common. Their table is fw/variants.h.
 *
 * Minimisation convention throughout: f(x) = 1/2 <x, Qx> + <c, x>, score_i = <grad f, vertex_i>, u the vertex of least
 * score, gap = <grad f, x> - score_u >= f - f* (and the oracle's slack, where u may not be quite the least). */
#ifndef PT_FW_H
#define PT_FW_H

#include "fw/problem.h"

typedef struct pt_fw {
    partan_context *context;
    pt_problem *problem;
    pt_iterate iterate;
    partan_step rule;
    int64_t iteration; /* steps taken */

    pt_measure at;     /* f(now), <c, now>; with a previous iterate W = <now, Q previous> and its values */
    bool has_previous; /* false at the start: the first PARTAN step is a plain one */
    pt_vertex toward;  /* u: the oracle's answer at now */

    /* The last step, for the trace. */
    partan_step_type type;
    double lambda;
    double mu;
} pt_fw;

/* ---- oracle.c ---- */

/* At no iterate yet, the problem's keeps_previous being set; and done, but for the iterate, which the caller frees. */
void pt_fw_open(pt_fw *fw, pt_problem *problem, partan_step rule);
void pt_fw_close(pt_fw *fw);

/* Asks the oracle: its answer becomes `toward`; when asked again at the same iterate, only if it is the better one. The
 * problem is told of answers that nothing became of. */
partan_status pt_fw_ask(pt_fw *fw);
partan_status pt_fw_ask_again(pt_fw *fw);

/* ---- Common formulas ---- */

/* f along now + t d: f + t slope + t^2 curvature / 2. */
typedef struct pt_line {
    double slope;     /* <grad f, d> */
    double curvature; /* <d, Q d> */
} pt_line;

double pt_inner(const pt_fw *fw);                            /* <grad f(now), now> */
double pt_gap(const pt_fw *fw);                              /* by the oracle's answer */
pt_line pt_line_toward(const pt_fw *fw, const pt_vertex *u); /* d = u - now */
double pt_line_search(pt_line line, double longest);         /* the exact step in [0, longest] */
double pt_line_change(pt_line line, double step);            /* f(now + step d) - f(now) */

/* Applies a move to problem and weights, and notes the step. The caller has updated the measures. */
partan_status pt_fw_apply(pt_fw *fw, const pt_move *move, partan_step_type type, double lambda, double mu);

#endif
