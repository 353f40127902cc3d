#include "active/column_store.h"

#include <string.h>

#include "core/team.h"
#include "data/storage/matrix.h"

enum { LEAST_KEPT = 4 * PT_STORE_TURNS }; /* columns, or it is not worth the trouble */

static void forget_turns(pt_column_store *c)
{
    for (size_t i = 0; i < PT_STORE_TURNS; i++)
        c->turns[i] = -1;
    c->turn = 0;
}

void pt_column_store_init(pt_column_store *c, partan_context *context, size_t budget)
{
    *c = (pt_column_store){.context = context, .budget = budget};
    forget_turns(c);
}

static void free_values(pt_column_store *c, float **values, size_t count)
{
    for (size_t i = 0; values && i < count; i++)
        pt_free(c->context, values[i]);
    pt_free(c->context, values);
}

static void clear(pt_column_store *c)
{
    free_values(c, c->values, c->members);
    pt_free(c->context, c->known);
    pt_column_store_init(c, c->context, c->budget);
}

void pt_column_store_free(pt_column_store *c)
{
    if (c->context)
        clear(c);
    *c = (pt_column_store){0};
}

/* Members that stay and were neighbours before: from `begin` on now, from `first` on before. */
typedef struct run {
    size_t begin, first, length;
} run;

/* How a column of the members before becomes one of those now. */
typedef struct move {
    const pt_column_store *before;
    pt_column_store *now;
    const size_t *from;
    size_t stayed;
    run *runs;
    size_t run_count;
    size_t *moving; /* new places of the members whose columns move */
} move;

static void find_runs(move *m)
{
    for (size_t i = 0; i < m->stayed; i++) {
        bool goes_on = i > 0 && m->from[i] == m->from[i - 1] + 1;
        if (!goes_on)
            m->runs[m->run_count++] = (run){.begin = i, .first = m->from[i]};
        m->runs[m->run_count - 1].length++;
    }
}

/* The values of those that stay move up. Without memory for it, or when asked to stop, the column is given up. */
static void move_column(void *user, size_t chunk, size_t thread)
{
    const move *m = user;
    partan_context *context = m->now->context;
    size_t i = m->moving[chunk], known = 0, limit = m->before->known[m->from[i]];
    float *old = m->before->values[m->from[i]];
    float *values = pt_interrupted(context) ? NULL : pt_alloc(context, m->now->stride, sizeof *values);
    (void)thread;
    for (const run *r = m->runs; values && r < m->runs + m->run_count && r->first < limit; r++) {
        size_t length = limit - r->first < r->length ? limit - r->first : r->length;
        memcpy(values + r->begin, old + r->first, length * sizeof *values);
        known = r->begin + length;
    }
    m->now->values[i] = values;
    m->now->known[i] = known / PT_TILE * PT_TILE;
    pt_free(m->before->context, old);
    m->before->values[m->from[i]] = NULL;
}

/* Moves as many columns as there is room for. */
static partan_status move_columns(move *m, size_t room)
{
    pt_column_store *now = m->now;
    size_t count = 0;
    if (!m->before->values || room == 0)
        return PARTAN_OK;
    m->moving = pt_alloc(now->context, m->stayed, sizeof *m->moving);
    m->runs = pt_alloc(now->context, m->stayed, sizeof *m->runs);
    if (!m->moving || !m->runs) {
        pt_free(now->context, m->moving);
        pt_free(now->context, m->runs);
        return pt_out_of_memory(now->context, "kernel columns");
    }
    find_runs(m);
    for (size_t i = 0; i < m->stayed && count < room; i++)
        if (m->before->values[m->from[i]])
            m->moving[count++] = i;
    pt_team_run(now->context, pt_team_for(now->context, (double)(count * m->stayed)), count, move_column, m);
    for (size_t i = 0; i < count; i++)
        now->count += now->values[m->moving[i]] != NULL;
    pt_free(now->context, m->moving);
    pt_free(now->context, m->runs);
    return PARTAN_OK;
}

partan_status pt_column_store_set(pt_column_store *c, size_t count, size_t stride, const size_t *from, size_t stayed)
{
    pt_column_store now;
    pt_column_store_init(&now, c->context, c->budget);
    now.members = count;
    now.stride = stride;
    now.most = stride > 0 ? c->budget / (stride * sizeof(float)) : 0;
    now.values = pt_alloc_zero(c->context, count, sizeof *now.values);
    now.known = pt_alloc_zero(c->context, count, sizeof *now.known);
    if (!now.values || !now.known) {
        free_values(&now, now.values, 0);
        pt_free(c->context, now.known);
        clear(c);
        return pt_out_of_memory(c->context, "kernel columns");
    }
    if (now.most < LEAST_KEPT)
        now.most = 0;
    size_t room = now.most > PT_STORE_TURNS ? now.most - PT_STORE_TURNS : 0;
    partan_status status = move_columns(&(move){.before = c, .now = &now, .from = from, .stayed = stayed}, room);
    clear(c);
    *c = now;
    return status;
}

/* The member in turn loses its column to another one. */
static float *take_turn(pt_column_store *c, int64_t member)
{
    int64_t loser = c->turns[c->turn];
    float *values = loser >= 0 ? c->values[loser] : NULL;
    if (loser >= 0)
        c->values[loser] = NULL;
    else if ((values = pt_alloc(c->context, c->stride, sizeof *values)) != NULL)
        c->count++;
    c->turns[c->turn] = member;
    c->turn = (c->turn + 1) % PT_STORE_TURNS;
    return values;
}

float *pt_column_store_room(pt_column_store *c, int64_t member)
{
    if (c->values[member])
        return c->values[member];
    float *values = NULL;
    if (c->count + PT_STORE_TURNS < c->most) {
        values = pt_alloc(c->context, c->stride, sizeof *values);
        c->count += values != NULL;
        c->most = values ? c->most : c->count;
    }
    if (!values)
        values = take_turn(c, member);
    c->values[member] = values;
    c->known[member] = 0;
    return values;
}
