/* The active-set method.
 *
 * The working set is solved by pair steps (working.c). The other rows are priced (pricing.c): first those that are
 * near, and when these show no violation any more, the far ones too. Violators join the working set; members that have
 * become useless leave it. Near are the rows whose scores the last full pricing found low; at the start all, or a
 * random sample of very many. Members' scores are kept by the steps, so that after near and far rows have been priced
 * every score is known, and the least one gives the gap. */
#include <float.h>
#include <math.h>

#include "active/state.h"
#include "core/clock.h"

enum {
    FEATURE_MEMBERS = 1024, /* from which on features of the kernel are looked for */
    MOST_REFINED = 4,       /* times that a gap may turn out too large when it is computed more precisely */
    MOST_FRUITLESS = 16,    /* full pricings in a row that may show no progress */
};

/* Chosen by measurement; see docs/solver.md. */
#define INNER_SHARE 0.15 /* the working set is solved to this share of the last gap, */
#define INNER_MOST  0.3  /* but at least to this, */
#define INNER_FLOOR 0.95 /* and at most to this share of the target */
#define GAP_GAIN    0.9  /* a gap this much less is progress, where the objective's digits show none */
#define DRIFT_LEVEL                                                                                                    \
    1e7                    /* a diagonal of so many times 2f may leave rounding in the scores that shows in the gap    \
                            */
#define FEATURE_ERROR 3e-5 /* that features of the kernel may leave in scores, relative to 2f, for a certificate */
#define SAMPLE_GAP    0.3  /* when a random sample of near rows is solved to this gap, all rows are priced */

/* ---- Pricing ---- */

/* A pass is part of every valid result, and an interrupted one would have to be made again: interruptions wait. */
static partan_status price_whole(method *m, pt_view *view)
{
    m->context->deferred = true;
    partan_status status = pt_view_price(view, m->simplex, &m->working, m->scratch);
    m->context->deferred = false;
    return status;
}

static partan_status price(method *m, pt_view *view)
{
    partan_status status = price_whole(m, view);
    for (size_t i = 0; i < view->count && !status; i++) {
        size_t id = view->ids ? (size_t)view->ids[i] : i;
        if (!m->inside[id])
            m->scores[id] = view->scores[i];
    }
    return status;
}

/* The scores of the working set by a pass over its rows. */
partan_status pt_active_set_score(method *m)
{
    const pt_working *w = &m->working;
    pt_view view = {0};
    int64_t *ids = pt_copy(m->context, w->ids, w->count, sizeof *ids);
    partan_status status = ids ? pt_view_make(&view, m->simplex, ids, w->count, NULL, NULL)
                               : pt_out_of_memory(m->context, "the working set");
    if (!status)
        status = price_whole(m, &view);
    for (size_t i = 0; i < w->count && !status; i++)
        m->scores[w->ids[i]] = view.scores[i] + w->weights[i] * pt_simplex_inverse_cost(m->simplex, w->ids[i]);
    pt_view_free(m->context, &view);
    return status;
}

static double least_score(const method *m, const pt_view *view, double least)
{
    bool priced = view->basis.count > 0;
    for (size_t i = 0; i < view->count && priced; i++)
        if (view->scores[i] < least && !m->inside[view->ids ? (size_t)view->ids[i] : i])
            least = view->scores[i];
    return least;
}

/* Objective, support and gap over the working set, the near rows and, when priced, the far ones. */
static void measure(method *m, bool far)
{
    const pt_working *w = &m->working;
    double sum = 0, least = INFINITY;
    m->support = 0;
    for (size_t i = 0; i < w->count; i++) {
        m->scores[w->ids[i]] = w->scores[i];
        sum += w->weights[i] * w->scores[i];
        least = w->scores[i] < least ? w->scores[i] : least;
        m->support += w->weights[i] > 0;
        if (w->weights[i] > 0 && (double)w->diagonals[i] > m->largest)
            m->largest = (double)w->diagonals[i];
    }
    least = least_score(m, &m->near, least);
    if (far)
        least = least_score(m, &m->far, least);
    m->certificate.objective = sum / 2;
    m->certificate.gap = sum - least > 0 ? sum - least : 0;
}

/* Prices the near rows, and the far ones when it is their turn. */
static partan_status price_round(method *m, bool all, bool *complete)
{
    partan_status status = price(m, &m->near);
    if (status)
        return status;
    measure(m, false);
    double enough = m->sampled && target(m) < SAMPLE_GAP ? SAMPLE_GAP : target(m);
    *complete = all || m->far.count == 0 || (relative_gap(m) <= enough && !pt_active_set_in_continuation(m));
    if (!*complete)
        return PARTAN_OK;
    status = price(m, &m->far);
    if (!status)
        measure(m, true);
    return status;
}

/* ---- The loop ---- */

/* The weights of the working set as the iterate, with its certificate. */
static partan_status publish(method *m, bool *met)
{
    const pt_working *w = &m->working;
    int64_t *ids = pt_alloc(m->context, w->count, sizeof *ids);
    double *weights = pt_alloc(m->context, w->count, sizeof *weights);
    size_t count = 0;
    partan_status status = ids && weights ? PARTAN_OK : pt_out_of_memory(m->context, "the active set");
    for (size_t i = 0; i < w->count && !status; i++)
        if (w->weights[i] > 0) {
            ids[count] = w->ids[i];
            weights[count++] = w->weights[i];
        }
    if (!status)
        status = pt_iterate_start(m->iterate, ids, weights, count);
    pt_free(m->context, ids);
    pt_free(m->context, weights);
    double error = 0;
    m->context->deferred = true;
    if (!status)
        status = pt_active_set_error(m, &error);
    bool drifted = m->largest > DRIFT_LEVEL * 2 * m->certificate.objective /* see there */
                   || error > FEATURE_ERROR * 2 * m->certificate.objective;
    if (!status)
        status = (drifted ? pt_simplex_certify : pt_simplex_check)(m->simplex, m->iterate, m->scores, &m->certificate);
    m->by_features = m->by_features && !drifted;
    m->context->deferred = false;
    *met = !status && relative_gap(m) <= target(m);
    return status;
}

static uint64_t steps(const method *m)
{
    return m->working.steps - m->first_step;
}

static void trace(method *m, bool final)
{
    partan_trace_row row = {.iteration = (int64_t)steps(m),
                            .type = steps(m) ? PARTAN_STEP_SWAP : PARTAN_STEP_START,
                            .objective = m->certificate.objective,
                            .gap = m->certificate.gap,
                            .relative_gap = relative_gap(m),
                            .active = m->support,
                            .kernel_columns = m->working.computed};
    pt_trace_row(&m->trace, &row, pt_clock(), final);
}

static void log_round(const method *m, uint64_t done, bool complete)
{
    pt_log(m->context, PARTAN_LOG_DEBUG,
           "%.3f s: %llu steps on %zu members, %zu of them with weight; %zu near rows priced%s %zu far ones; 2f %.6g, "
           "relative gap %.4g",
           pt_clock() - m->trace.start, (unsigned long long)done, m->working.count, m->support, m->near.count,
           complete ? " and" : ", not", m->far.count, 2 * m->certificate.objective, relative_gap(m));
}

static partan_status report(method *m)
{
    /* The gap falls from about 3 to the target, and about as much time goes to each halving. */
    double gap = relative_gap(m), all = log(3 / target(m));
    double done = gap < 3 && all > 0 ? fmin(log(3 / gap) / all, 1) : 0;
    double seconds = pt_clock() - m->trace.start;
    partan_progress progress = {.done = done,
                                .seconds_left = done > 0.05 ? seconds * (1 - done) / done : -1,
                                .iterations = (int64_t)steps(m),
                                .gap = m->certificate.gap,
                                .relative_gap = gap,
                                .target = target(m),
                                .active = m->support};
    return pt_progress_report(m->context, &progress);
}

/* A limit that ends the run, or PARTAN_OK. */
static partan_status limit(method *m)
{
    if (m->settings->max_iter > 0 && steps(m) >= (uint64_t)m->settings->max_iter)
        return PARTAN_ITERATION_LIMIT;
    if (m->deadline > 0 && pt_clock() >= m->deadline)
        return PARTAN_TIME_LIMIT;
    return report(m);
}

static partan_status solve_working_set(method *m)
{
    uint64_t most = UINT64_MAX;
    if (m->settings->max_iter > 0)
        most = (uint64_t)m->settings->max_iter - steps(m);
    double eps = INNER_FLOOR * m->settings->eps;
    bool solved = false;
    partan_status status = pt_active_set_solve_by_features(m, eps, most, &solved);
    if (status || solved)
        return status;
    uint64_t patience = pt_active_set_patience(m), before = m->working.steps;
    status = pt_working_solve(&m->working, m->inner, eps, patience < most ? patience : most, m->deadline);
    if (m->working.steps - before >= patience)
        pt_active_set_give_way(m);
    return status;
}

void pt_active_set_aim(method *m)
{
    double share = INNER_SHARE * relative_gap(m), floor = INNER_FLOOR * target(m) / (1 << m->refined);
    m->inner = share < INNER_MOST ? share : INNER_MOST;
    m->inner = m->inner > floor ? m->inner : floor;
}

/* What the next round begins with, after a pricing that did not end the run. */
static partan_status next_round(method *m, bool complete)
{
    bool renew = complete && (relative_gap(m) < 1 || m->far.count > 0);
    partan_status status = pt_active_set_regroup(m, complete, renew);
    if (!status)
        status = (renew ? pt_active_set_renew : pt_active_set_shrink)(m);
    pt_active_set_aim(m);
    return status;
}

/* The end: the certificate, in double precision where it needs it, decides. */
static partan_status conclude(method *m, partan_status stop, pt_solution *solution)
{
    bool met = false;
    partan_status status = publish(m, &met);
    if (!status)
        trace(m, true);
    solution->converged = met;
    solution->status = met ? PARTAN_OK : stop;
    return status;
}

/* After pricing all rows: true when rounds have not lowered objective or gap for long, which is rounding's work. */
static bool hopeless(method *m)
{
    double objective = m->certificate.objective, gap = relative_gap(m);
    if (objective < m->lowest * (1 - 4 * DBL_EPSILON) || gap < GAP_GAIN * m->narrowest)
        m->fruitless = 0;
    else
        m->fruitless++;
    m->lowest = objective < m->lowest ? objective : m->lowest;
    m->narrowest = gap < m->narrowest ? gap : m->narrowest;
    return m->fruitless > MOST_FRUITLESS;
}

/* What the loop knows of a round. */
typedef struct outcome {
    uint64_t steps;
    partan_status inner, stop; /* how the working set's solution ended, and a limit that ends the run */
    bool idle;                 /* no step, no new member */
    bool number;               /* the objective is one */
    bool complete;             /* all rows are priced */
} outcome;

static partan_status run_round(method *m, outcome *r)
{
    uint64_t before = m->working.steps;
    r->inner = solve_working_set(m);
    r->steps = m->working.steps - before;
    r->idle = m->added == 0 && (r->inner == PARTAN_STALLED || r->steps == 0);
    measure(m, false);
    r->stop = r->inner < 0 ? r->inner : limit(m);
    if (r->stop < 0)
        return r->stop;
    /* A round without a step or a new member is the near rows' last; no number is the end of the run. */
    r->number = isfinite(m->certificate.objective);
    if (r->stop > 0 || !r->number)
        pt_active_set_end_continuation(m);
    partan_status status = price_round(m, r->stop > 0 || r->idle || !r->number, &r->complete);
    log_round(m, r->steps, r->complete);
    return status;
}

/* Whether a round was the last one; then its status, and the solution, are final. */
static bool finish(method *m, const outcome *r, pt_solution *solution, partan_status *status)
{
    bool met = r->complete && relative_gap(m) <= target(m);
    if (met || r->stop > 0 || !r->number) {
        *status = conclude(m, r->stop, solution);
        if (*status || r->stop > 0 || solution->converged)
            return true;
        m->refined++; /* the gap is larger when it is computed more precisely */
    }
    if (m->refined <= MOST_REFINED && !(r->complete && hopeless(m)))
        return false;
    *status = conclude(m, PARTAN_STALLED, solution);
    return true;
}

static partan_status run_rounds(method *m, pt_solution *solution)
{
    measure(m, false);
    trace(m, false);
    for (;;) {
        outcome r = {.complete = false};
        partan_status status = run_round(m, &r);
        if (status)
            return status;
        bool changed = pt_active_set_change_cost(m, r.steps, r.idle || r.inner == PARTAN_STALLED);
        if (changed)
            measure(m, r.complete);
        else if (!pt_active_set_in_continuation(m) && finish(m, &r, solution, &status))
            return status;
        trace(m, false);
        status = next_round(m, r.complete);
        if (status)
            return status;
        if (!changed && r.complete && m->added == 0 && r.inner == PARTAN_STALLED)
            return conclude(m, PARTAN_STALLED, solution);
    }
}

/* ---- Opening, solving, closing ---- */

static partan_status method_init(method *m)
{
    size_t count = vertices(m);
    m->scores = pt_alloc_zero(m->context, count, sizeof *m->scores);
    m->scratch = pt_alloc_zero(m->context, count, sizeof *m->scratch);
    m->inside = pt_alloc_zero(m->context, count, 1);
    if (!m->scores || !m->inside || !m->scratch)
        return pt_out_of_memory(m->context, "the scores");
    pt_working_init(&m->working, m->simplex);
    pt_extrapolation_init(&m->extrapolation, m->simplex, m->scratch);
    return PARTAN_OK;
}

partan_status pt_active_set_open(pt_simplex *simplex, const partan_settings *settings, pt_start start,
                                 pt_active_set **set)
{
    partan_context *context = simplex->problem.context;
    method *m = pt_alloc_zero(context, 1, sizeof *m);
    *set = NULL;
    if (!m)
        return pt_out_of_memory(context, "the active set");
    *m = (method){.context = context,
                  .simplex = simplex,
                  .settings = settings,
                  .budget = pt_simplex_budget(settings->cache_bytes),
                  .certificate = {.objective = 1, .gap = 6},
                  .inner = INNER_MOST,
                  .error = 1,
                  .basis_members = FEATURE_MEMBERS,
                  .opened = pt_clock()};
    m->inverse_cost = simplex->inverse_cost;
    m->may_continue = true;
    m->deadline = settings->time_limit > 0 ? m->opened + settings->time_limit : 0;
    partan_status status = method_init(m);
    if (!status)
        status = pt_active_set_begin(m, start);
    if (status)
        pt_active_set_close(m);
    else
        *set = m;
    return status;
}

void pt_active_set_close(pt_active_set *m)
{
    if (!m)
        return;
    m->simplex->basis = NULL;
    pt_basis_free(&m->basis);
    pt_extrapolation_free(&m->extrapolation);
    pt_working_free(&m->working);
    pt_view_free(m->context, &m->near);
    pt_view_free(m->context, &m->far);
    pt_free(m->context, m->scores);
    pt_free(m->context, m->scratch);
    pt_free(m->context, m->inside);
    pt_free(m->context, m->members);
    pt_free(m->context, m->found);
    pt_free(m->context, m);
}

static void count(method *m, int64_t *iterations)
{
    pt_counters *counters = &m->simplex->problem.counters;
    *iterations = (int64_t)steps(m);
    counters->kernel_values += m->working.values;
    counters->kernel_columns += m->working.computed;
    m->working.values = m->working.computed = 0;
}

partan_status pt_active_set_solve(pt_active_set *m, double cost, pt_iterate *iterate, pt_solution *solution,
                                  int64_t *iterations)
{
    m->iterate = iterate;
    m->first_step = m->working.steps;
    m->refined = m->fruitless = 0;
    m->lowest = m->narrowest = INFINITY;
    pt_trace_begin(&m->trace, m->context, m->settings->trace_rows, m->solved ? pt_clock() : m->opened);
    partan_status status = pt_iterate_init(iterate, m->context, (int64_t)vertices(m), false);
    m->inverse_cost = 1 / cost;
    if (!status && m->solved)
        status = pt_active_set_resume(m, m->inverse_cost);
    if (!status)
        status = run_rounds(m, solution);
    if (!status && solution->status > 0)
        pt_interrupt_clear(m->context);
    m->solved = true;
    solution->certificate = m->certificate;
    count(m, iterations);
    return status;
}
