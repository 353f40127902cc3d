#include "core/choose.h"

#include "core/team.h"

enum { PART = 1 << 13 }; /* items; at a nanosecond or more each, some microseconds of work */

#define NANOSECONDS 2.0 /* an item: mostly that its values come from memory */

typedef struct choosing {
    pt_choose_part *part;
    const void *user;
    size_t total;
    size_t *places; /* of each part: how many it has, then where they begin */
    int64_t *chosen;
} choosing;

static void run_part(void *user, size_t chunk, size_t thread)
{
    const choosing *c = user;
    pt_span span = pt_span_of(c->total, PART, chunk);
    (void)thread;
    if (c->chosen)
        c->part(c->user, span.begin, span.end, c->chosen + c->places[chunk]);
    else
        c->places[chunk] = c->part(c->user, span.begin, span.end, NULL);
}

/* Makes of how many each part has where they begin; returns how many there are. */
static size_t add_up(size_t *places, size_t parts)
{
    size_t sum = 0;
    for (size_t i = 0; i < parts; i++) {
        size_t count = places[i];
        places[i] = sum;
        sum += count;
    }
    return sum;
}

partan_status pt_choose(partan_context *context, size_t total, pt_choose_part *part, const void *user, int64_t **chosen,
                        size_t *count)
{
    size_t parts = pt_span_count(total, PART);
    int threads = pt_team_for(context, NANOSECONDS * (double)total);
    choosing c = {.part = part, .user = user, .total = total, .places = pt_alloc(context, parts, sizeof *c.places)};
    *chosen = NULL;
    *count = 0;
    if (!c.places)
        return pt_out_of_memory(context, "a choice of rows");
    pt_team_run(context, threads, parts, run_part, &c);
    *count = add_up(c.places, parts);
    *chosen = c.chosen = pt_alloc(context, *count, sizeof *c.chosen);
    if (c.chosen)
        pt_team_run(context, threads, parts, run_part, &c);
    pt_free(context, c.places);
    return c.chosen ? PARTAN_OK : pt_out_of_memory(context, "a choice of rows");
}
