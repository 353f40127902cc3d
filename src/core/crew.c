#include "core/crew.h"

#include "core/cpus.h"
#include "core/team.h"

/* Where the processors are not there, or not for this process, more threads would only be in each other's way. */
void pt_crew_hire(pt_crew *crew, partan_context *context, int threads)
{
    int processors = pt_cpus() > context->threads ? pt_cpus() : context->threads;
    *crew = (pt_crew){.size = pt_team_most(threads < processors ? threads : processors)};
    if (crew->size > context->threads)
        crew->team = pt_alloc(context, 1, pt_team_bytes(crew->size));
    if (crew->team)
        pt_team_init(crew->team, crew->size);
}

void pt_crew_dismiss(pt_crew *crew, partan_context *context)
{
    if (crew->team)
        pt_team_end(crew->team);
    pt_free(context, crew->team);
    *crew = (pt_crew){0};
}

void pt_crew_begin(pt_crew *crew, partan_context *context)
{
    crew->own = context->team;
    crew->threads = context->threads;
    if (!crew->team)
        return;
    context->team = crew->team;
    context->threads = crew->size;
}

void pt_crew_end(pt_crew *crew, partan_context *context)
{
    context->team = crew->own;
    context->threads = crew->threads;
}
