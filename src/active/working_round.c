/* A round of the pair method on the working set. */
#include <math.h>
#include <string.h>

#include "active/pairs.h"
#include "active/working.h"
#include "core/select.h"
#include "core/team.h"

enum { MOST_STEPS = 256 }; /* in a round */

#define SHARE 0.3 /* of the range of the seekers' and partners' scores is left by their steps */

/* The vertices of a round, seekers first, and the steps among them. */
typedef struct group {
    int64_t members[PT_PANEL_WIDE];
    size_t seekers, count;
    pt_pairs problem;
    double moved[PT_PANEL_WIDE]; /* weight gained */
} group;

static bool listed(const int64_t *list, size_t count, int64_t member)
{
    for (size_t i = 0; i < count; i++)
        if (list[i] == member)
            return true;
    return false;
}

/* ---- What the last pass found ---- */

static int64_t member_at(const pt_working *w, size_t chunk, int32_t row)
{
    return (int64_t)(pt_working_tile(w, chunk) * PT_TILE) + row;
}

/* The best partner of each seeker joins, unless it is in the group already: then the best of another chunk. */
static void add_partners(const pt_working *w, group *g)
{
    for (size_t k = 0; k < g->seekers; k++) {
        int64_t partner = -1;
        float best = 0;
        for (size_t chunk = 0; chunk < w->chunks; chunk++) {
            const pt_swept *swept = &w->swept[chunk];
            if (!(swept->gain[k] > best))
                continue;
            int64_t member = member_at(w, chunk, swept->gain_row[k]);
            if (!listed(g->members, g->count, member)) {
                best = swept->gain[k];
                partner = member;
            }
        }
        if (partner >= 0)
            g->members[g->count++] = partner;
    }
}

/* A low score that a pass found, and whose. */
typedef struct low_score {
    float score;
    int32_t row; /* of the chunk */
    size_t chunk;
} low_score;

/* Puts one among those found so far, lowest first and of equal ones the first, of which only `most` are kept; returns
 * how many there are now. */
static size_t insert(low_score *found, size_t count, size_t most, low_score new)
{
    size_t at = count < most ? count : most - 1;
    if (count == most && !(new.score < found[at].score))
        return count;
    for (; at > 0 && new.score < found[at - 1].score; at--)
        found[at] = found[at - 1];
    found[at] = new;
    return count < most ? count + 1 : most;
}

/* A bound that the lowest scores of `most` chunks are below. They are sorted by insertion without branches, which would
 * go one way or the other by chance. */
static float bound(const pt_working *w, size_t most)
{
    float lists[2][PT_WORKING_LOW + 1];
    for (size_t i = 0; i <= most; i++)
        lists[0][i] = lists[1][i] = i == 0 ? -INFINITY : INFINITY;
    for (size_t chunk = 0; chunk < w->chunks; chunk++) {
        const float *list = lists[chunk % 2];
        float score = w->swept[chunk].lowest, *next = lists[1 - chunk % 2];
        for (size_t i = 1; i <= most; i++) {
            float low = score > list[i - 1] ? score : list[i - 1];
            next[i] = low < list[i] ? low : list[i];
        }
    }
    return nextafterf(lists[w->chunks % 2][most], INFINITY);
}

/* Other cores have written what the pass found, and each line comes from there: all are asked for at once. */
static void fetch(const pt_working *w)
{
    for (size_t chunk = 0; chunk < w->chunks; chunk++)
        __builtin_prefetch(&w->swept[chunk]);
}

static void fetch_below(const pt_working *w, float limit)
{
    for (size_t chunk = 0; chunk < w->chunks; chunk++)
        if (w->swept[chunk].lowest < limit) {
            __builtin_prefetch(w->swept[chunk].least);
            __builtin_prefetch(w->swept[chunk].least_row);
        }
}

/* The same for few chunks: a bound of their low scores, of which each has some. */
static float bound_of_all(const pt_working *w, size_t most)
{
    double scores[PT_WORKING_LOW * PT_TILE];
    size_t count = 0;
    for (size_t chunk = 0; chunk < w->chunks; chunk++)
        for (size_t lane = 0; lane < PT_TILE; lane++)
            if (w->swept[chunk].least[lane] < INFINITY)
                scores[count++] = (double)w->swept[chunk].least[lane];
    return count > most ? nextafterf((float)pt_select(scores, count, most - 1), INFINITY) : INFINITY;
}

/* Keeps the members of low score, lowest first, as many as whoever asks for some that are not in a round's group may
 * have to look at; where columns are kept, those that are computed with them too. Only of chunks that may have one of
 * these is more read than the lowest, since other cores have written it. */
static void find_low(pt_working *w)
{
    low_score found[PT_WORKING_LOW];
    size_t count = 0, most = (pt_working_keeps(w) ? PT_WORKING_BATCH : w->pairs) + 2 * w->pairs;
    bool few = w->chunks < most;
    fetch(w);
    if (few)
        fetch_below(w, INFINITY);
    float limit = few ? bound_of_all(w, most) : bound(w, most);
    fetch_below(w, limit);
    for (size_t chunk = 0; chunk < w->chunks; chunk++) {
        const pt_swept *swept = &w->swept[chunk];
        for (size_t lane = 0; swept->lowest < limit && lane < PT_TILE; lane++)
            if (swept->least[lane] < limit)
                count = insert(found, count, most, (low_score){swept->least[lane], swept->least_row[lane], chunk});
    }
    for (size_t i = 0; i < count; i++)
        w->low[i] = member_at(w, found[i].chunk, found[i].row);
    w->low_count = count;
}

/* The lowest of them, `most` at most, but for those listed in `but`. */
static size_t take_low(const pt_working *w, const int64_t *but, size_t but_count, int64_t *low, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < w->low_count && count < most; i++)
        if (!listed(but, but_count, w->low[i]))
            low[count++] = w->low[i];
    return count;
}

/* The least score of all. In float32 several may look alike. None: no score is a number, nor will the gap be one. */
static int64_t lowest(const pt_working *w)
{
    size_t least = 0, count = w->low_count < w->pairs ? w->low_count : w->pairs;
    for (size_t i = 1; i < count; i++)
        if (w->scores[w->low[i]] < w->scores[w->low[least]])
            least = i;
    return count > 0 ? w->low[least] : 0;
}

/* ---- Steps among the group ---- */

/* The kernel values of a member with the pass's vertices, as the pass will have them. */
static void values_at(const pt_working *w, int64_t member, float *values)
{
    if (pt_working_keeps(w)) {
        for (size_t c = 0; c < 2 * w->pairs; c++)
            values[c] = w->store.values[w->vertices[c]][member];
        return;
    }
    _Alignas(PT_ALIGNMENT) float tile[PT_PANEL_WIDE * PT_TILE];
    pt_block_values(&w->block, &w->panels[0], (size_t)member / PT_TILE, 1, tile, PT_TILE);
    for (size_t c = 0; c < w->panels[0].width; c++)
        values[c] = tile[c * PT_TILE + (size_t)member % PT_TILE];
}

/* k(member, vertex i of the group): seekers' columns are kept, partners' are in the panel. */
static double value_of(const pt_working *w, const group *g, int64_t member, const float *panel, size_t i)
{
    return (double)(i < g->seekers ? w->kept[i * w->stride + (size_t)member] : panel[i - g->seekers]);
}

static void pose(const pt_working *w, group *g)
{
    pt_pairs *p = &g->problem;
    const pt_dual *dual = &w->simplex->dual;
    p->count = g->count;
    for (size_t i = 0; i < g->count; i++) {
        float panel[PT_PANEL_WIDE];
        int64_t member = g->members[i];
        values_at(w, member, panel);
        p->weights[i] = w->weights[member];
        p->scores[i] = w->scores[member];
        for (size_t j = 0; j < g->count; j++)
            p->kernel[i][j] =
                pt_dual_entry(dual, w->ids[member], w->ids[g->members[j]], value_of(w, g, member, panel, j));
        p->kernel[i][i] += pt_dual_inverse_cost(dual, w->ids[member]);
    }
    for (size_t i = 0; i < g->count; i++) /* symmetric but for rounding */
        for (size_t j = 0; j < i; j++)
            p->kernel[i][j] = p->kernel[j][i] = (p->kernel[i][j] + p->kernel[j][i]) / 2;
}

/* Takes the new weights over. The vertices' own scores jump by the diagonal, which the pass leaves out: they are set
 * before it, so that it sees them in the search. */
static void take(pt_working *w, group *g)
{
    double change = 0;
    for (size_t i = 0; i < g->count; i++) {
        int64_t member = g->members[i];
        double weight = g->problem.weights[i];
        g->moved[i] = weight - w->weights[member];
        change += g->moved[i] * (w->scores[member] + g->problem.scores[i]) / 2;
        w->weights[member] = weight;
        w->diagonals[member] = weight > 0 ? (float)g->problem.kernel[i][i] : INFINITY;
        w->scores[member] += pt_dual_own(&w->simplex->dual, w->ids[member], g->moved[i]);
        w->linear += g->moved[i] * pt_dual_linear(&w->simplex->dual, w->ids[member]);
    }
    w->objective += change;
}

static size_t solve(pt_working *w, group *g, uint64_t most)
{
    pose(w, g);
    size_t steps = pt_pairs_solve(&g->problem, SHARE, most < MOST_STEPS ? (size_t)most : MOST_STEPS);
    take(w, g);
    w->steps += steps;
    return steps;
}

/* ---- The pass ---- */

/* The step as the pass takes it. */
static void set_step(const pt_working *w, const group *g, pt_sweep *s)
{
    for (size_t i = 0; i < g->count; i++) {
        double factor = g->moved[i] * (double)w->signs[g->members[i]];
        *(i < g->seekers ? &s->kept_factor[i] : &s->step_factor[i - g->seekers]) = factor;
        s->shift += w->simplex->dual.bias * factor;
    }
}

/* The seekers as the pass sees them, with the scores that the step leaves them. */
static void set_seekers(const pt_working *w, const group *g, pt_sweep *s)
{
    const pt_dual *dual = &w->simplex->dual;
    double scores[PT_PAIRS_MOST];
    for (size_t k = 0; k < w->seeker_count; k++) {
        float panel[PT_PANEL_WIDE];
        int64_t member = w->seekers[k];
        values_at(w, member, panel);
        double sum = 0;
        for (size_t i = 0; i < g->count; i++)
            sum += g->moved[i]
                   * pt_dual_entry(dual, w->ids[member], w->ids[g->members[i]], value_of(w, g, member, panel, i));
        scores[k] = w->scores[member] + sum;
        s->origin = scores[k] < s->origin || k == 0 ? scores[k] : s->origin;
        s->seeker_sign[k] = w->signs[member];
        s->seeker_diagonal[k] = (float)pt_dual_diagonal(dual, w->ids[member], (double)panel[w->pairs + k]);
    }
    /* Positive whatever the objective is, or padding rows, whose scores are INFINITY, would be the lowest; and of its
     * size where the unit is next to nothing. */
    s->scale = 1 / fmax(fabs(pt_dual_unit(dual, w->objective)), w->objective);
    for (size_t k = 0; k < w->pairs; k++)
        s->seeker_score[k] = k < w->seeker_count ? (float)((scores[k] - s->origin) * s->scale) : INFINITY;
}

/* The kept columns of the pass's vertices over some rows. */
static void copy_columns(const pt_working *w, size_t begin, size_t end, float *out, size_t stride)
{
    for (size_t c = 0; c < 2 * w->pairs; c++)
        memcpy(out + c * stride, w->store.values[w->vertices[c]] + begin, (end - begin) * sizeof *out);
}

typedef struct sweep {
    pt_working *working;
    const pt_sweep *step;
} sweep;

static void sweep_chunk(void *user, size_t chunk, size_t thread)
{
    const sweep *all = user;
    pt_working *w = all->working;
    (void)thread;
    _Alignas(PT_ALIGNMENT) float fresh[PT_WORKING_VALUES];
    size_t first = pt_working_tile(w, chunk), end = pt_working_tile(w, chunk + 1);
    size_t stride = (end - first + 1) * PT_TILE; /* a tile more, so that columns are not a power of two apart */
    if (pt_working_keeps(w))
        copy_columns(w, first * PT_TILE, end * PT_TILE, fresh, stride);
    else
        pt_block_values(&w->block, &w->panels[0], first, end - first, fresh, stride);
    pt_pass_ops_for(w->context->isa)->sweep(all->step, fresh, stride, first * PT_TILE, end * PT_TILE, &w->swept[chunk]);
}

static void sweep_all(pt_working *w, const pt_sweep *s)
{
    size_t width = 2 * w->pairs;
    double values = (double)(w->count * width);
    int threads = pt_tuning_begin(&w->tuning, w->cost * values);
    pt_team_run(w->context, threads, w->chunks, sweep_chunk, &(sweep){w, s});
    pt_tuning_end(&w->tuning, values);
    if (!pt_working_keeps(w)) {
        w->values += w->count * width;
        w->computed += width;
    }
}

/* The partners and the next seekers as the pass's vertices. Places left over get a vertex that is there anyway, and no
 * part. */
static void set_vertices(pt_working *w, const group *g)
{
    for (size_t c = 0; c < 2 * w->pairs; c++)
        w->vertices[c] = w->seekers[0];
    for (size_t i = g->seekers; i < g->count; i++)
        w->vertices[i - g->seekers] = g->members[i];
    for (size_t k = 0; k < w->seeker_count; k++)
        w->vertices[w->pairs + k] = w->seekers[k];
}

/* Packs them, or sees to it that their columns are there. */
static partan_status prepare(pt_working *w, const group *g)
{
    int64_t low[PT_WORKING_BATCH] = {0};
    set_vertices(w, g);
    if (!pt_working_keeps(w))
        return pt_panel_pack(&w->panels[0], (pt_points){&w->matrix, w->serials}, w->vertices, 2 * w->pairs);
    bool first = g->count == 0; /* nothing has been swept */
    return pt_working_complete(w, low, first ? 0 : take_low(w, w->seekers, w->seeker_count, low, PT_WORKING_BATCH));
}

static void pass(pt_working *w, const group *g)
{
    pt_sweep s = {.pairs = w->pairs,
                  .scores = w->scores,
                  .signs = w->signs,
                  .diagonals = w->diagonals,
                  .kept = w->kept,
                  .stride = w->stride,
                  .bias = (float)w->simplex->dual.bias};
    set_step(w, g, &s);
    set_seekers(w, g, &s);
    sweep_all(w, &s);
    find_low(w);
    w->least = lowest(w);
}

partan_status pt_working_seek(pt_working *w)
{
    group none = {.count = 0};
    w->seekers[0] = w->least;
    w->seeker_count = 1;
    partan_status status = prepare(w, &none);
    if (!status)
        pass(w, &none);
    return status;
}

partan_status pt_working_round(pt_working *w, uint64_t most, size_t *steps)
{
    group g = {.seekers = w->seeker_count, .count = w->seeker_count};
    for (size_t k = 0; k < w->seeker_count; k++)
        g.members[k] = w->seekers[k];
    add_partners(w, &g);
    w->seeker_count = take_low(w, g.members, g.count, w->seekers, w->pairs);
    if (w->seeker_count == 0)
        w->seeker_count = take_low(w, NULL, 0, w->seekers, w->pairs);
    if (w->seeker_count == 0)
        return PARTAN_STALLED;
    partan_status status = prepare(w, &g);
    if (status)
        return status;
    *steps = solve(w, &g, most);
    pass(w, &g);
    return PARTAN_OK;
}
