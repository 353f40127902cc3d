/* The SWAP step: weight moves from the worst active vertex v to the best vertex u where that lowers f more than a
 * Frank-Wolfe step (the greedy choice of the paper). */
#include "fw/variants.h"

partan_status pt_swap_step(pt_fw *fw)
{
    const pt_problem_ops *ops = fw->problem->ops;
    pt_vertex *u = &fw->toward, v;
    double product;
    partan_status status = ops->away(fw->problem, &fw->iterate, &v);
    if (!status)
        status = ops->inspect(fw->problem, &fw->iterate, u);
    if (!status && v.id != u->id)
        status = ops->inspect(fw->problem, &fw->iterate, &v);
    if (!status && v.id != u->id)
        status = ops->product(fw->problem, u, &v, &product);
    if (status)
        return status;
    if (v.id == u->id)
        return pt_fw_step(fw);

    pt_line swap = {.slope = u->score - v.score, .curvature = u->diagonal + v.diagonal - 2 * product};
    double weight = pt_iterate_weight(&fw->iterate, v.id);
    double lambda = pt_line_search(swap, weight);
    double change = pt_line_change(swap, lambda);
    pt_line toward = pt_line_toward(fw, u);
    if (pt_line_change(toward, pt_line_search(toward, 1)) < change)
        return pt_fw_step(fw);

    fw->at.objective += change;
    fw->at.linear += lambda * (u->linear - v.linear);
    pt_move move = {
        .now_factor = 1, .terms = 2, .term = {{u->id, lambda}, {v.id, -lambda}}, .drop = lambda >= weight ? v.id : -1};
    return pt_fw_apply(fw, &move, PARTAN_STEP_SWAP, lambda, 0);
}
