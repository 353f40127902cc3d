/* The modified Frank-Wolfe step: away from the worst active vertex where that direction is the steeper one. */
#include "fw/variants.h"

/* now + lambda (now - v), at most until v has no weight left. */
static partan_status away_step(pt_fw *fw, pt_vertex *v)
{
    partan_status status = fw->problem->ops->inspect(fw->problem, &fw->iterate, v);
    if (status)
        return status;

    /* The line of the direction now - v is that of v - now with the slope's sign changed. */
    pt_line line = pt_line_toward(fw, v);
    line.slope = -line.slope;
    double weight = pt_iterate_weight(&fw->iterate, v->id);
    double longest = weight / (1 - weight);
    double lambda = pt_line_search(line, longest);
    fw->at.objective += pt_line_change(line, lambda);
    fw->at.linear -= lambda * (v->linear - fw->at.linear);

    pt_move move = {
        .now_factor = 1 + lambda, .terms = 1, .term = {{v->id, -lambda}}, .drop = lambda >= longest ? v->id : -1};
    return pt_fw_apply(fw, &move, PARTAN_STEP_AWAY, lambda, 0);
}

partan_status pt_mfw_step(pt_fw *fw)
{
    pt_vertex v;
    partan_status status = fw->problem->ops->away(fw->problem, &fw->iterate, &v);
    if (status)
        return status;
    double toward = pt_inner(fw) - fw->toward.score, away = v.score - pt_inner(fw);
    /* A lone vertex cannot be left: its away direction is zero. */
    bool lone = pt_iterate_weight(&fw->iterate, v.id) >= 1;
    return away >= toward && away > 0 && !lone ? away_step(fw, &v) : pt_fw_step(fw);
}
