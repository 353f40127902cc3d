/* The active-set method's working set: which members stay, leave and join. */
#include "active/state.h"
#include "core/choose.h"
#include "core/select.h"

enum { LEAST_ADDED = 128 }; /* violators of each class added in a round, at least */

/* Chosen by measurement; see docs/notebook.md. */
#define EARLY_GROWTH 2.0 /* violators added, relative to the support, while the gap exceeds 1 */
#define LATE_GROWTH  1.5 /* and after that */
#define DROP_LEVEL   0.3 /* a member without weight whose score is this share of 2f too high is useless */
#define ALL_GROWTH   4.0 /* all rows join that are so many times the members at most, */
#define ALL_SHARE    0.9 /* if this share of the members has weight */

partan_status pt_active_set_add(method *m, pt_member member)
{
    if (pt_reserve(m->context, (void **)&m->members.list, &m->members.capacity, m->members.count, m->members.count + 1,
                   sizeof *m->members.list))
        return pt_out_of_memory(m->context, "the working set");
    m->members.list[m->members.count++] = member;
    m->members.inside[member.id] = 1;
    return PARTAN_OK;
}

/* Whether the i-th member has no weight and a score above this one. */
static bool is_useless(const method *m, size_t i, double high)
{
    const pt_working *w = &m->working;
    return !(w->weights[i] > 0) && !(w->scores[i] < high) && w->signs[i] != 0;
}

size_t pt_active_set_useless(const method *m)
{
    double high = level(m, DROP_LEVEL);
    size_t count = 0;
    for (size_t i = 0; i < m->working.count && !m->members.all; i++)
        count += is_useless(m, i, high);
    return count;
}

/* Useless members are dropped only where the views are made anew, so that one of them will hold the dropped rows. */
static partan_status keep_members(method *m, bool drop)
{
    const pt_working *w = &m->working;
    double high = level(m, DROP_LEVEL);
    partan_status status = PARTAN_OK;
    m->members.count = 0;
    for (size_t i = 0; i < w->count && !status; i++) {
        m->members.inside[w->ids[i]] = 0;
        if (!drop || !is_useless(m, i, high))
            status = pt_active_set_add(m, (pt_member){w->ids[i], w->weights[i], w->scores[i]});
    }
    return status;
}

typedef struct search {
    const method *m;
    const pt_view *view;
    float sign;
    double low;
} search;

/* The scores are as of the last pricing of each row, which need not have been the view's. */
static size_t find_in(const void *user, size_t begin, size_t end, int64_t *out)
{
    const search *s = user;
    const method *m = s->m;
    const float *signs = m->simplex->dual.signs;
    size_t count = 0;
    for (size_t i = begin; i < end; i++) {
        int64_t id = pt_view_vertex(s->view, i);
        if (!(m->scores[id] < s->low) || signs[id] != s->sign || m->members.inside[id])
            continue;
        if (out)
            out[count] = id;
        count++;
    }
    return count;
}

/* Adds those that a view has to the ones found so far. */
static partan_status find_violators(method *m, const pt_view *view, float sign, double low, size_t *found)
{
    int64_t *ids;
    size_t count;
    partan_status status = pt_choose(m->context, view->count, find_in, &(search){m, view, sign, low}, &ids, &count);
    if (!status
        && pt_reserve(m->context, (void **)&m->members.found, &m->members.found_capacity, *found, *found + count,
                      sizeof *m->members.found))
        status = pt_out_of_memory(m->context, "the violators");
    for (size_t i = 0; i < count && !status; i++)
        m->members.found[(*found)++] = (pt_member){ids[i], 0, m->scores[ids[i]]};
    pt_free(m->context, ids);
    return status;
}

/* Keeps the `most` worst of the violators in their order; of equal ones the first. */
static partan_status keep_worst(method *m, size_t *found, size_t most)
{
    pt_member *list = m->members.found;
    size_t kept = 0, equal = most;
    double *scores = pt_alloc(m->context, *found, sizeof *scores);
    if (!scores)
        return pt_out_of_memory(m->context, "the violators");
    for (size_t i = 0; i < *found; i++)
        scores[i] = list[i].score;
    double last = pt_select(scores, *found, most - 1);
    pt_free(m->context, scores);
    for (size_t i = 0; i < *found; i++)
        equal -= list[i].score < last;
    for (size_t i = 0; i < *found; i++) {
        bool tie = list[i].score == last && equal > 0;
        equal -= tie;
        if (list[i].score < last || tie)
            list[kept++] = list[i];
    }
    *found = kept;
    return PARTAN_OK;
}

static partan_status add_shared(method *m, size_t found, size_t near, size_t most)
{
    pt_member *joining = NULL;
    partan_status status = pt_active_set_exchange(m, m->members.found, &found, near, most, &joining);
    for (size_t i = 0; i < found && !status; i++)
        status = pt_active_set_add(m, joining[i]);
    pt_free(m->context, joining);
    return status;
}

/* Adds the worst violators of one class. By class, because the bias term pushes one whole class at a time, and the
 * worst of all would be now the one class and now the other. */
static partan_status add_violators(method *m, float sign, size_t most, double low, bool far)
{
    size_t found = 0;
    partan_status status = find_violators(m, &m->outside.near, sign, low, &found);
    size_t near = found;
    if (!status && far)
        status = find_violators(m, &m->outside.far, sign, low, &found);
    if (!status && m->simplex->share)
        return add_shared(m, found, near, most);
    if (!status && found > most)
        status = keep_worst(m, &found, most);
    for (size_t i = 0; i < found && !status; i++)
        if (!m->members.inside[m->members.found[i].id])
            status = pt_active_set_add(m, m->members.found[i]);
    return status;
}

partan_status pt_active_set_pair(method *m)
{
    const pt_dual *dual = &m->simplex->dual;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < m->members.count && dual->primal && !status; i++) {
        pt_member one = m->members.list[i];
        int64_t other = pt_dual_other(dual, one.id);
        if (other < 0 || m->members.inside[other])
            continue;
        /* Without what its own weight adds to it, a score is s (Ka) + c, and s is -1 for the other. */
        double score = one.score - pt_dual_own(dual, one.id, one.weight);
        score = pt_dual_linear(dual, other) + pt_dual_linear(dual, one.id) - score;
        m->scores[other] = score;
        status = pt_active_set_add(m, (pt_member){other, 0, score});
    }
    return status;
}

/* The worst violators join the list. */
static partan_status find_joining(method *m, bool far)
{
    size_t kept = m->members.count;
    double growth = relative_gap(m) > 1 ? EARLY_GROWTH : LATE_GROWTH;
    size_t most = (size_t)(growth * (double)m->support / 2);
    most = most < LEAST_ADDED ? LEAST_ADDED : most;
    /* Gaps of a primal problem are sums of squares. */
    double low = level(m, -(m->simplex->dual.primal ? sqrt(target(m)) : target(m)) / 2);
    partan_status status = PARTAN_OK;
    for (int class = -1; class <= 1 && !status; class += 2)
        status = add_violators(m, (float)class, most, low, far);
    m->members.added = m->members.count - kept;
    return status ? status : pt_active_set_pair(m);
}

partan_status pt_active_set_extend(method *m, bool far)
{
    partan_status status = find_joining(m, far);
    return status ? status : pt_working_set(&m->working, m->members.list, m->members.count, m->certificate.objective);
}

/* The members are those of the working set again. */
static partan_status stay(method *m)
{
    for (size_t i = 0; i < m->members.count; i++)
        m->members.inside[m->members.list[i].id] = 0;
    m->members.added = 0;
    return keep_members(m, false);
}

partan_status pt_active_set_regroup(method *m, bool far, bool drop, bool *changed)
{
    bool heed = !m->simplex->share;
    *changed = !(heed && pt_interrupted(m->context));
    if (!*changed)
        return PARTAN_OK;
    partan_status status = keep_members(m, drop && !m->members.all);
    if (!status)
        status = find_joining(m, far);
    if (!status)
        status = (heed ? pt_working_set_heeding : pt_working_set)(&m->working, m->members.list, m->members.count,
                                                                  m->certificate.objective);
    *changed = status != PARTAN_INTERRUPTED;
    return *changed ? status : stay(m);
}

bool pt_active_set_wants_all(const method *m)
{
    const pt_dual *dual = &m->simplex->dual;
    double members = (double)m->working.count;
    return !m->members.all && !m->simplex->share && pt_dual_plain(dual) && !m->simplex->lowrank && m->outside.share >= 1
           && m->working.count < vertices(m) && (double)m->support >= ALL_SHARE * members
           && (double)vertices(m) <= ALL_GROWTH * members && pt_working_affords(&m->working, vertices(m));
}

/* The members that there were. */
static partan_status give_back(method *m, size_t kept)
{
    for (size_t i = kept; i < m->members.count; i++)
        m->members.inside[m->members.list[i].id] = 0;
    m->members.count = kept;
    return pt_working_set(&m->working, m->members.list, kept, m->certificate.objective);
}

partan_status pt_active_set_take_all(method *m)
{
    partan_status status = keep_members(m, false);
    size_t kept = m->members.count;
    for (size_t id = 0; id < vertices(m) && !status; id++)
        if (!m->members.inside[id])
            status = pt_active_set_add(m, (pt_member){(int64_t)id, 0, 0});
    if (!status)
        status = pt_working_set(&m->working, m->members.list, m->members.count, m->certificate.objective);
    if (!status)
        status = pt_working_fill(&m->working, kept);
    if (status == PARTAN_INTERRUPTED) {
        partan_status other = give_back(m, kept);
        return other ? other : status;
    }
    m->members.added = m->members.count - kept;
    m->members.all = true;
    pt_view_free(m->context, &m->outside.near);
    pt_view_free(m->context, &m->outside.far);
    return status;
}

partan_status pt_active_set_retake_all(method *m)
{
    const pt_working *w = &m->working;
    for (size_t i = 0; i < m->members.count; i++)
        m->scratch[m->members.list[i].id] = m->members.list[i].weight;
    partan_status status = PARTAN_OK;
    m->members.count = 0;
    for (size_t i = 0; i < w->count && !status; i++) {
        int64_t id = w->ids[i];
        status = pt_active_set_add(m, (pt_member){id, m->scratch[id], m->scores[id]});
        m->scratch[id] = 0;
    }
    return status;
}
