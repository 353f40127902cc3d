/* The Frank-Wolfe step (Algorithm 1 of the paper), and the formulas that the variants share. */
#include "fw/variants.h"

double pt_inner(const pt_fw *fw)
{
    return pt_inner_product(fw->at.objective, fw->at.linear);
}

double pt_gap(const pt_fw *fw)
{
    return pt_inner(fw) - fw->toward.score + fw->toward.slack;
}

pt_line pt_line_toward(const pt_fw *fw, const pt_vertex *u)
{
    double now_q_now = 2 * (fw->at.objective - fw->at.linear);
    double u_q_now = u->score - u->linear;
    return (pt_line){.slope = u->score - pt_inner(fw), .curvature = u->diagonal - 2 * u_q_now + now_q_now};
}

double pt_line_search(pt_line line, double longest)
{
    if (line.slope >= 0)
        return 0;
    double step = -line.slope / line.curvature;
    return line.curvature > 0 && step < longest ? step : longest;
}

double pt_line_change(pt_line line, double step)
{
    return step * (line.slope + step * line.curvature / 2);
}

partan_status pt_fw_apply(pt_fw *fw, const pt_move *move, partan_step_type type, double lambda, double mu)
{
    fw->type = type;
    fw->lambda = lambda;
    fw->mu = mu;
    partan_status status = fw->problem->ops->move(fw->problem, &fw->iterate, move);
    return status ? status : pt_iterate_move(&fw->iterate, move);
}

/* now + lambda (u - now), with lambda by exact line search or 2/(k+2). */
partan_status pt_fw_step(pt_fw *fw)
{
    pt_vertex *u = &fw->toward;
    partan_status status = fw->problem->ops->inspect(fw->problem, &fw->iterate, u);
    if (status)
        return status;

    pt_line line = pt_line_toward(fw, u);
    double lambda = fw->rule == PARTAN_STEP_CLASSIC ? 2.0 / (double)(fw->iteration + 2) : pt_line_search(line, 1);
    fw->at.objective += pt_line_change(line, lambda);
    fw->at.linear += lambda * (u->linear - fw->at.linear);

    pt_move move = {.now_factor = 1 - lambda, .terms = 1, .term = {{u->id, lambda}}, .drop = -1};
    return pt_fw_apply(fw, &move, PARTAN_STEP_TOWARD, lambda, 0);
}
