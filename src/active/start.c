/* Where the active-set method begins: at a starting point and some rows drawn at random or, at another C, at what the
 * solutions before it suggest. */
#include <math.h>

#include "active/state.h"

enum {
    FIRST_MEMBERS = 512, /* of the first working set, half of each class */
    SAMPLE_ROWS = 16384, /* that are near at the start of a problem three times as large or more */
};

/* ---- The start ---- */

static partan_status draw_members(method *m, pt_random *random)
{
    size_t wanted[2] = {FIRST_MEMBERS / 2, FIRST_MEMBERS / 2};
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < 64 * FIRST_MEMBERS && !status && (wanted[0] || wanted[1]); i++) {
        int64_t id = (int64_t)pt_random_below(random, vertices(m));
        size_t *left = &wanted[pt_dual_sign(&m->simplex->dual, id) > 0];
        if (m->members.inside[id] || !*left)
            continue;
        (*left)--;
        status = pt_active_set_add(m, (pt_member){id, 0, 0});
    }
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
    partan_status status = pt_iterate_start(&iterate, start.ids, start.weights, start.count);
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
    if (vertices(m) < 3 * SAMPLE_ROWS || !pt_active_set_affordable(m, SAMPLE_ROWS))
        return pt_view_make(&m->outside.near, m->simplex, NULL, vertices(m), NULL, NULL);
    m->outside.lots = random;
    return pt_active_set_sample(m, SAMPLE_ROWS / (double)vertices(m));
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
