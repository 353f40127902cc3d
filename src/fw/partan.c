/* The PARTAN step (Algorithm 2 of the paper, in the minimisation convention): a Frank-Wolfe step to x~, then a line
 * search from the previous iterate b through x~.
 *
 *     x~ = (1 - lambda) x + lambda u
 *     x+ = x~ + mu (x~ - b) = (1+mu)(1-lambda) x - mu b + (1+mu) lambda u
 *
 * W = <x, Q b> is carried along by recursion (eq. recursive_W), so that both step sizes cost a few operations. */
#include <float.h>

#include "fw/variants.h"

/* Values after the Frank-Wolfe part of the step. */
typedef struct halfway {
    double lambda;
    double objective; /* f(x~) */
    double linear;    /* <c, x~> */
    double cross;     /* X = <x~, Q b> */
} halfway;

static halfway take_half(const pt_fw *fw)
{
    const pt_vertex *u = &fw->toward;
    pt_line line = pt_line_toward(fw, u);
    halfway h = {.lambda = pt_line_search(line, 1)};
    h.objective = fw->at.objective + pt_line_change(line, h.lambda);
    h.linear = (1 - h.lambda) * fw->at.linear + h.lambda * u->linear;
    h.cross = (1 - h.lambda) * fw->at.cross + h.lambda * (u->previous_score - u->linear);
    return h;
}

/* f along x~ + mu (x~ - b). */
static pt_line line_from_previous(const pt_fw *fw, const halfway *h)
{
    double half_q_half = 2 * (h->objective - h->linear);
    double previous_q_previous = 2 * (fw->at.previous_objective - fw->at.previous_linear);
    return (pt_line){.slope = half_q_half - h->cross + h->linear - fw->at.previous_linear,
                     .curvature = half_q_half - 2 * h->cross + previous_q_previous};
}

/* The curvature is a difference of near-equal numbers, f and W, which follow recursions. Between two recomputations
 * they drift by up to 1e-11 of themselves, but together: their difference drifts by less than 1e-13 (measured on a9a,
 * w8a and ijcnn1 with C from 1 to 10^4). Down to DRIFTING of their size the curvature is thus known to 1e-3, and the
 * second line search loses a millionth of its gain. Below it they are recomputed, which takes a pass over the active
 * set; where that leaves no more than ROUNDING, there is no second line search. */
#define DRIFTING 1e-10
#define ROUNDING (64 * DBL_EPSILON)

static bool trustworthy(const pt_fw *fw, pt_line line, double precision)
{
    double now_q_now = 2 * (fw->at.objective - fw->at.linear);
    double previous_q_previous = 2 * (fw->at.previous_objective - fw->at.previous_linear);
    return line.curvature > precision * (now_q_now + previous_q_previous) / 2;
}

static double search_from_previous(pt_fw *fw, halfway *h, pt_line *line, int64_t *blocking)
{
    *blocking = -1;
    *line = line_from_previous(fw, h);
    if (!trustworthy(fw, *line, DRIFTING) && fw->problem->ops->measure) {
        fw->problem->ops->measure(fw->problem, &fw->iterate, &fw->at);
        *h = take_half(fw);
        *line = line_from_previous(fw, h);
    }
    if (!trustworthy(fw, *line, ROUNDING) || line->slope >= 0)
        return 0;
    double wanted = -line->slope / line->curvature;
    return pt_iterate_ratio(&fw->iterate, 1 - h->lambda, fw->toward.id, h->lambda, wanted, blocking);
}

partan_status pt_partan_step(pt_fw *fw)
{
    pt_vertex *u = &fw->toward;
    partan_status status = fw->problem->ops->inspect(fw->problem, &fw->iterate, u);
    if (status)
        return status;

    halfway h = take_half(fw);
    pt_line line = {0};
    double mu = 0;
    int64_t blocking = -1;
    if (fw->has_previous)
        mu = search_from_previous(fw, &h, &line, &blocking);
    double lambda = h.lambda;

    /* <x, Q x+> for the next step's W, before x's own values are replaced. */
    double now_q_now = 2 * (fw->at.objective - fw->at.linear);
    double cross = (1 + mu) * ((1 - lambda) * now_q_now + lambda * (u->score - u->linear)) - mu * fw->at.cross;
    pt_measure next = {.objective = h.objective + pt_line_change(line, mu),
                       .linear = h.linear + mu * (h.linear - fw->at.previous_linear),
                       .cross = cross,
                       .previous_objective = fw->at.objective,
                       .previous_linear = fw->at.linear};
    fw->at = next;
    fw->has_previous = true;

    pt_move move = {.now_factor = (1 + mu) * (1 - lambda),
                    .previous_factor = -mu,
                    .terms = 1,
                    .term = {{u->id, (1 + mu) * lambda}},
                    .drop = blocking};
    return pt_fw_apply(fw, &move, PARTAN_STEP_PARTAN, lambda, mu);
}
