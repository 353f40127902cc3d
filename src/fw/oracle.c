/* Asking the oracle. A vertex that it finds may be of its own making; the problem is told when nobody has it any more:
 * neither the two iterates nor `toward`, the answer in use. */
#include "fw/fw.h"

static void forget(pt_fw *fw, int64_t id)
{
    if (fw->problem->ops->forget)
        fw->problem->ops->forget(fw->problem, id);
}

/* The iterate's word that a vertex has left it; the oracle's answer is in use whether it has weight or not. */
static void vertex_left(void *owner, int64_t id)
{
    pt_fw *fw = owner;
    if (id != fw->toward.id)
        forget(fw, id);
}

void pt_fw_open(pt_fw *fw, pt_problem *problem, partan_step rule)
{
    *fw = (pt_fw){.context = problem->context, .problem = problem, .rule = rule, .toward.id = -1};
    pt_iterate_init(&fw->iterate, problem->context, problem->keeps_previous);
    fw->iterate.left = vertex_left;
    fw->iterate.owner = fw;
}

/* Takes a new answer; the old one is forgotten where nothing has become of it. */
static void replace(pt_fw *fw, const pt_vertex *vertex)
{
    int64_t old = fw->toward.id;
    fw->toward = *vertex;
    if (old >= 0 && old != vertex->id && !pt_iterate_has(&fw->iterate, old))
        forget(fw, old);
}

partan_status pt_fw_ask(pt_fw *fw)
{
    pt_vertex vertex = {.id = -1};
    partan_status status = fw->problem->ops->toward(fw->problem, &fw->iterate, &vertex);
    if (!status)
        replace(fw, &vertex);
    return status;
}

partan_status pt_fw_ask_again(pt_fw *fw)
{
    pt_vertex vertex = {.id = -1}, first = fw->toward;
    partan_status status = fw->problem->ops->toward(fw->problem, &fw->iterate, &vertex);
    if (status)
        return status;
    if (vertex.score < first.score)
        replace(fw, &vertex);
    else if (vertex.id != first.id && !pt_iterate_has(&fw->iterate, vertex.id))
        forget(fw, vertex.id);
    return PARTAN_OK;
}

void pt_fw_close(pt_fw *fw)
{
    replace(fw, &(pt_vertex){.id = -1});
    fw->iterate.left = NULL;
}
