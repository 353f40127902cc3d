/* Where the active-set method begins: at a starting point and some rows drawn at random or, at another C, at what the
 * solutions before it suggest. */
#include <math.h>

#include "active/state.h"

enum {
    FIRST_MEMBERS = 512, /* of the first working set, half of each class */
    DRAWS = 1024,        /* that are looked at together */
    SAMPLE_ROWS = 16384, /* that are near at the start of a problem three times as large or more */
};

/* ---- The start ---- */

/* The first members by their numbers, as they are drawn. */
typedef struct draw {
    pt_random *random;
    size_t wanted[2]; /* of each class, yet */
    int64_t numbers[FIRST_MEMBERS];
    size_t count;
} draw;

static bool is_taken(const method *m, const draw *d, int64_t number)
{
    const pt_share *share = m->simplex->share;
    int64_t id = share ? pt_share_find(share, number) : number;
    bool taken = id >= 0 && m->members.inside[id];
    for (size_t i = 0; i < d->count && !taken; i++)
        taken = d->numbers[i] == number;
    return taken;
}

/* So many draws, or fewer when there are enough. The classes of all are asked for at once. */
static void draw_some(method *m, draw *d)
{
    int64_t numbers[DRAWS];
    double signs[DRAWS] = {0};
    pt_random ahead = *d->random;
    for (size_t i = 0; i < DRAWS; i++)
        numbers[i] = (int64_t)pt_random_below(&ahead, all_vertices(m));
    pt_active_set_signs(m, numbers, DRAWS, signs);
    for (size_t i = 0; i < DRAWS && (d->wanted[0] || d->wanted[1]); i++) {
        size_t *left = &d->wanted[signs[i] > 0];
        (void)pt_random_below(d->random, all_vertices(m));
        if (!*left || is_taken(m, d, numbers[i]))
            continue;
        (*left)--;
        d->numbers[d->count++] = numbers[i];
    }
}

static partan_status draw_members(method *m, pt_random *random)
{
    draw d = {.random = random, .wanted = {FIRST_MEMBERS / 2, FIRST_MEMBERS / 2}};
    int64_t ids[FIRST_MEMBERS];
    for (size_t i = 0; i < 64 * FIRST_MEMBERS / DRAWS && (d.wanted[0] || d.wanted[1]); i++)
        draw_some(m, &d);
    partan_status status = pt_active_set_meet(m, d.numbers, d.count, ids);
    for (size_t i = 0; i < d.count && !status; i++)
        status = pt_active_set_add(m, (pt_member){ids[i], 0, 0});
    return status;
}

/* The starting point's scores at the first members. */
static partan_status score_members(method *m)
{
    partan_status status = pt_working_set(&m->working, m->members.list, m->members.count, 1);
    if (!status)
        status = pt_active_set_score(m);
    for (size_t i = 0; i < m->members.count && !status; i++)
        m->members.list[i].score = m->scores[m->members.list[i].id];
    return status ? status : pt_working_set(&m->working, m->members.list, m->members.count, 1);
}

static partan_status take_start(method *m, pt_start start)
{
    pt_iterate iterate;
    pt_iterate_init(&iterate, m->context, false);
    int64_t *ids = pt_alloc(m->context, start.count, sizeof *ids);
    partan_status status =
        ids ? pt_active_set_meet(m, start.ids, start.count, ids) : pt_out_of_memory(m->context, "the starting point");
    if (!status)
        status = pt_iterate_start(&iterate, ids, start.weights, start.count);
    pt_free(m->context, ids);
    for (size_t i = 0; i < iterate.count && !status; i++)
        status = pt_active_set_add(m, (pt_member){iterate.id[i], iterate.now[i], 0});
    pt_iterate_free(&iterate);
    return status;
}

partan_status pt_active_set_begin(method *m, pt_start start)
{
    pt_random random;
    pt_random_seed(&random, m->settings->seed);
    partan_status status = take_start(m, start);
    if (!status)
        status = draw_members(m, &random);
    if (!status)
        status = pt_active_set_pair(m);
    m->members.added = m->members.count;
    if (!status)
        status = score_members(m);
    if (status)
        return status;
    m->outside.share = 1;
    if (all_vertices(m) < 3 * SAMPLE_ROWS || !pt_active_set_affordable(m, SAMPLE_ROWS))
        return pt_active_set_view_all(m);
    m->outside.lots = random;
    return pt_active_set_sample(m, SAMPLE_ROWS / (double)all_vertices(m));
}

/* ---- From one C to the next ---- */

/* The solution that the working set and the scores hold. */
static partan_status remember(method *m)
{
    const pt_working *w = &m->working;
    pt_path_point point = {.ids = pt_alloc(m->context, w->count, sizeof *point.ids),
                           .weights = pt_alloc(m->context, w->count, sizeof *point.weights),
                           .products = pt_copy(m->context, m->scores, vertices(m), sizeof *m->scores),
                           .error = m->error + 1};
    const pt_dual *dual = &m->simplex->dual;
    if (!point.ids || !point.weights || !point.products) {
        pt_path_point_free(m->context, &point);
        return pt_out_of_memory(m->context, "the path over C");
    }
    for (size_t i = 0; i < w->count; i++)
        if (w->weights[i] > 0) {
            point.ids[point.count] = w->ids[i];
            point.weights[point.count++] = w->weights[i];
            point.products[w->ids[i]] -= pt_dual_own(dual, w->ids[i], w->weights[i]);
        }
    for (size_t i = 0; i < vertices(m) && dual->linear; i++)
        point.products[i] -= dual->linear[i];
    pt_extrapolation_add(&m->extrapolation, point);
    return PARTAN_OK;
}

/* Weights and scores of a point whose products are known for all vertices, and with them its certificate. */
static partan_status take_point(method *m, const pt_path_point *point)
{
    const pt_dual *dual = &m->simplex->dual;
    pt_tally tally = pt_tally_begin();
    partan_status status = PARTAN_OK;
    m->members.count = 0;
    for (size_t i = 0; i < vertices(m); i++) {
        m->members.inside[i] = 0;
        m->scores[i] = point->products[i] + pt_dual_linear(dual, (int64_t)i);
    }
    for (size_t i = 0; i < point->count && !status; i++) {
        int64_t id = point->ids[i];
        m->scores[id] += pt_dual_own(dual, id, point->weights[i]);
        pt_tally_add(&tally, dual, id, point->weights[i], m->scores[id]);
        status = pt_active_set_add(m, (pt_member){id, point->weights[i], m->scores[id]});
    }
    for (size_t i = 0; i < vertices(m); i++)
        if (!m->members.inside[i])
            pt_tally_add(&tally, dual, (int64_t)i, 0, m->scores[i]);
    m->support = point->count;
    m->certificate = pt_tally_certificate(&tally, dual);
    m->error = point->error;
    return status;
}

/* The views of all vertices outside, whose scores belong to the point. */
static partan_status view_point(method *m, const pt_path_point *point)
{
    pt_weights weights;
    partan_status status = pt_weights_make(m->context, &weights, point->count);
    for (size_t i = 0; i < point->count && !status; i++)
        pt_weights_add(&weights, point->ids[i], point->weights[i] * pt_dual_sign(&m->simplex->dual, point->ids[i]));
    pt_view_free(m->context, &m->outside.near);
    pt_view_free(m->context, &m->outside.far);
    m->outside.share = 1;
    if (!status)
        status = pt_active_set_split(m, pt_active_set_near(m), &weights);
    pt_weights_free(m->context, &weights);
    return status;
}

partan_status pt_active_set_resume(method *m, double inverse_cost)
{
    pt_path_point point = {0};
    partan_status status = remember(m);
    m->simplex->lowrank = NULL; /* of the solution before */
    pt_defer_begin(m->context); /* an interruption comes to a point that has its certificate */
    m->simplex->dual.inverse_cost = inverse_cost;
    if (!status)
        status = pt_extrapolation_next(&m->extrapolation, &point);
    if (!status)
        status = take_point(m, &point);
    if (!status && m->members.all)
        status = pt_active_set_retake_all(m);
    if (!status)
        status = view_point(m, &point);
    if (!status)
        status = pt_active_set_extend(m, true);
    pt_defer_end(m->context);
    pt_path_point_free(m->context, &point);
    pt_active_set_aim(m);
    return status;
}
