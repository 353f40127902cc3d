/* Newton's method for the working set of a primal problem (simplex/tally.h) of two vertices a row, of which most rows
 * often have weight:
 *
 *     min P(b) = 1/2 b'Kb + 1/2 sum_r C_r max(0, |t_r - (Kb)_r| - epsilon)^2
 *
 * over the rows of the members, b_r being the weight of a row's first vertex less that of its second, and K without
 * the dual's signs and 1/C. A step solves the system (K + 1/C) b = t -+ epsilon of the rows that have a loss, b = 0
 * elsewhere, by conjugate gradients that are preconditioned by low-rank factors of the kernel, so far as the gap that
 * is wanted asks for it; and searches along the line to its solution. Every b gives weights of vertices, and so the
 * gap between them and P. */
#include <math.h>

#include "active/state.h"
#include "core/line_search.h"
#include "lowrank/preconditioner.h"
#include "simplex/rows.h"

enum {

    LEAST_RANK = 32, /* of the preconditioner, and most */
    MOST_RANK = 1536,
    MOST_STEPS = 50,
    MOST_PRODUCTS = 1000, /* of one step */
};

/* The preconditioner's rank is the root of the rows times this, */
#define LEAST_ROOT 2.5  /* with which factors cost about what a product does, */
#define MOST_ROOT  10.0 /* and as much more as products turn out to be needed */
#define RICHER     2.0  /* by this factor at a time */
#define FACTOR     0.1  /* nanoseconds for a row, by the square of the rank, of its factors and their matrix */
#define AGAIN      0.5  /* if as many products as cost this part of that are still to come, by their success so far */
#define LEAST_GAIN 1.25 /* in rank, for which it is made anew */
#define RESIDUAL   0.05 /* of 1 / C, below which they have nothing more to gain */
#define GROWN      2.0  /* rows, relative to those that the rank was chosen for, that ask for another choice */
#define ROUGH      1e-3 /* the relative gap down to which products are summed in float32 */
#define MANY       1000 /* rows: fewer are always summed in double, which costs little and ends more precisely than asked */
#define FORCING    0.1 /* of the gap, to which the system is solved, */
#define ENOUGH     0.3 /* or of the gap that is wanted */

typedef struct newton {
    method *m;
    pt_working *w;
    size_t count;      /* rows */
    size_t *member[2]; /* that are a row's vertices */
    int64_t *ids;      /* the rows among all */
    pt_matrix rows;
    pt_preconditioner preconditioner;
    double spent;              /* nanoseconds of products since it has its rank */
    double *costs;             /* C of the rows */
    double *targets[2];        /* t - epsilon, and -t - epsilon: -c of the vertices */
    double *point, *product;   /* b, and K b */
    double *counted;           /* C of the rows of the system, 0 for others */
    double *rest;              /* what the system's right side has left, 0 for others */
    double *solution, *solved; /* of the system, and K times it */
    double *search, *searched; /* conjugate gradients' direction, and K times it */
    double *better;            /* the preconditioned rest */
    double *weights;           /* of a support */
    int64_t *support;
} newton;

static void newton_free(newton *n)
{
    void *arrays[] = {n->member[0], n->member[1], n->ids,     n->costs,   n->targets[0], n->targets[1],
                      n->point,     n->product,   n->counted, n->rest,    n->solution,   n->solved,
                      n->search,    n->searched,  n->better,  n->weights, n->support};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pt_free(n->m->context, arrays[i]);
    pt_preconditioner_free(&n->preconditioner);
    pt_matrix_free(&n->rows);
}

static partan_status allocate(newton *n)
{
    partan_context *context = n->m->context;
    double **arrays[] = {&n->costs,    &n->targets[0], &n->targets[1], &n->point,    &n->product, &n->counted, &n->rest,
                         &n->solution, &n->solved,     &n->search,     &n->searched, &n->better,  &n->weights};
    bool done = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        done &= (*arrays[i] = pt_alloc_zero(context, n->count, sizeof **arrays[i])) != NULL;
    n->support = pt_alloc(context, n->count, sizeof *n->support);
    return done && n->support ? PARTAN_OK : pt_out_of_memory(context, "Newton's method");
}

static const pt_dual *dual_of(const newton *n)
{
    return &n->m->simplex->dual;
}

/* ---- Rows ---- */

/* Finds both vertices of each row among the members, which are there (members.c); false where they are not. */
static partan_status find_rows(newton *n, bool *found)
{
    const pt_working *w = n->w;
    size_t rows = dual_of(n)->rows;
    size_t *place = pt_alloc_zero(n->m->context, rows, sizeof *place); /* of the first vertex, from 1 */
    for (int k = 0; k < 2; k++)
        n->member[k] = pt_alloc(n->m->context, w->count, sizeof *n->member[k]);
    n->ids = pt_alloc(n->m->context, w->count, sizeof *n->ids);
    if (!place || !n->member[0] || !n->member[1] || !n->ids) {
        pt_free(n->m->context, place);
        return pt_out_of_memory(n->m->context, "Newton's method");
    }
    size_t firsts = 0;
    for (size_t i = 0; i < w->count; i++)
        if (w->ids[i] < (int64_t)rows) {
            place[w->ids[i]] = i + 1;
            firsts++;
        }
    for (size_t i = 0; i < w->count; i++) {
        int64_t row = w->ids[i] - (int64_t)rows;
        if (row < 0 || w->signs[i] == 0 || place[row] == 0)
            continue;
        n->ids[n->count] = row;
        n->member[0][n->count] = place[row] - 1;
        n->member[1][n->count++] = i;
    }
    pt_free(n->m->context, place);
    *found = n->count == firsts && 2 * n->count + 1 == w->count;
    return PARTAN_OK;
}

static partan_status gather_rows(newton *n)
{
    int64_t *places = pt_alloc(n->m->context, n->count, sizeof *places);
    if (!places)
        return pt_out_of_memory(n->m->context, "Newton's method");
    for (size_t r = 0; r < n->count; r++)
        places[r] = (int64_t)n->member[0][r];
    partan_status status = pt_matrix_gather(&n->w->matrix, places, n->count, &n->rows);
    pt_free(n->m->context, places);
    return status;
}

/* ---- Factors ---- */

static size_t wanted_rank(const newton *n, double root)
{
    size_t most = (size_t)(root * sqrt((double)n->count)), room = n->m->budget / (n->count * sizeof(double));
    most = most < MOST_RANK ? most : MOST_RANK;
    most = most < room ? most : room;
    return most > LEAST_RANK ? most : LEAST_RANK;
}

static double wanted_residual(const newton *n)
{
    return RESIDUAL * dual_of(n)->inverse_cost;
}

static partan_status choose_pivots(newton *n)
{
    method *m = n->m;
    pt_lowrank_free(&m->primal.pivots);
    m->primal.rows = (double)n->count;
    return pt_lowrank_make_coarse(&m->primal.pivots, m->context, &m->simplex->kernel,
                                  (pt_lowrank_points){m->simplex->points, NULL}, &m->simplex->counters.kernel_values,
                                  wanted_residual(n), wanted_rank(n, m->primal.root), n->ids, n->count);
}

/* The pivots stay while the set does not grow much. */
static partan_status make_preconditioner(newton *n)
{
    method *m = n->m;
    partan_status status = PARTAN_OK;
    m->primal.root = fmax(m->primal.root, LEAST_ROOT);
    n->spent = 0;
    if (m->primal.pivots.rank == 0 || (double)n->count > GROWN * m->primal.rows)
        status = choose_pivots(n);
    if (!status)
        status = pt_preconditioner_make(&n->preconditioner, &m->primal.pivots, &n->rows, n->ids,
                                        pt_simplex_bias(m->simplex));
    return status;
}

static double product_cost(const newton *n, size_t support)
{
    return n->w->value_cost * (double)n->count * (double)support;
}

/* Whether products have cost as much as factors of a higher rank would, if more rank is to be had, and so many more of
 * them would cost that again. */
static bool wants_richer(const newton *n, size_t support, double products)
{
    const pt_lowrank *pivots = &n->m->primal.pivots;
    double richer = (double)wanted_rank(n, fmin(n->m->primal.root * RICHER, MOST_ROOT));
    double cost = FACTOR * (double)n->count * richer * richer;
    bool fine = pivots->rank < pivots->most && pivots->residual <= wanted_residual(n);
    return !fine && richer >= LEAST_GAIN * (double)pivots->rank && n->spent >= cost
           && products * product_cost(n, support) >= AGAIN * cost;
}

static partan_status make_richer(newton *n)
{
    n->m->primal.root = fmin(n->m->primal.root * RICHER, MOST_ROOT);
    pt_preconditioner_free(&n->preconditioner);
    partan_status status = choose_pivots(n);
    if (!status)
        status = make_preconditioner(n);
    if (!status && !pt_preconditioner_set(&n->preconditioner, n->counted))
        status = PARTAN_STALLED;
    return status;
}

/* ---- Products ---- */

/* out = K v over all rows, for a v that is 0 but for the first so many of `support`, which are `vectors`. */
static partan_status multiply(newton *n, const double *v, size_t count, const pt_matrix *vectors, double *out)
{
    double total = 0;
    for (size_t k = 0; k < count; k++) {
        n->weights[k] = v[n->support[k]];
        total += n->weights[k];
    }
    pt_simplex *simplex = n->m->simplex;
    bool rough = n->m->inner_gap >= ROUGH && n->count >= MANY;
    partan_status status =
        (rough ? pt_kernel_sums_float32 : pt_kernel_sums)(n->m->context, &simplex->kernel, (pt_points){&n->rows, NULL},
                                                          (pt_points){vectors, NULL}, count, n->weights, out);
    simplex->counters.kernel_values += (uint64_t)n->count * count;
    n->spent += product_cost(n, count);
    for (size_t r = 0; r < n->count && !status; r++)
        out[r] += dual_of(n)->bias * total;
    if (!status && pt_interrupted(n->m->context))
        status = PARTAN_INTERRUPTED;
    return status;
}

/* The same for a v that is 0 but for few rows. */
static partan_status multiply_few(newton *n, const double *v, double *out)
{
    size_t count = 0;
    pt_matrix vectors = {0};
    for (size_t r = 0; r < n->count; r++) {
        if (v[r] != 0)
            n->support[count++] = (int64_t)r;
        out[r] = 0;
    }
    if (count == 0)
        return PARTAN_OK;
    partan_status status = pt_matrix_gather(&n->rows, n->support, count, &vectors);
    if (!status)
        status = multiply(n, v, count, &vectors, out);
    pt_matrix_free(&vectors);
    return status;
}

static double inner(const newton *n, const double *a, const double *b)
{
    double sum = 0;
    for (size_t r = 0; r < n->count; r++)
        sum += a[r] * b[r];
    return sum;
}

/* ---- Losses ---- */

/* By how much a row is beyond epsilon where its prediction is this; negative where it is too high. */
static double loss_at(const newton *n, size_t r, double predicted)
{
    double below = n->targets[0][r] - predicted, above = n->targets[1][r] + predicted;
    return below > 0 ? below : above > 0 ? -above : 0;
}

static double primal(const newton *n, const double *point, const double *product)
{
    double sum = inner(n, point, product);
    for (size_t r = 0; r < n->count; r++) {
        double loss = loss_at(n, r, product[r]);
        sum += n->costs[r] * loss * loss;
    }
    return sum / 2;
}

/* The gap between P and the weights that the point gives: the sum of simplex/tally.h over both vertices. */
static double gap_of(const newton *n)
{
    double sum = 0;
    for (size_t r = 0; r < n->count; r++)
        for (int k = 0; k < 2; k++) {
            double sign = k ? -1 : 1, weight = fmax(sign * n->point[r], 0), own = weight / n->costs[r];
            sum += pt_dual_between(dual_of(n), n->w->ids[n->member[k][r]], weight,
                                   sign * n->product[r] - n->targets[k][r] + own);
        }
    return sum;
}

/* What the gap is relative to, at a point with this P and gap. */
static double unit_of(const newton *n, double gap)
{
    return fmax(pt_dual_unit(dual_of(n), gap - primal(n, n->point, n->product)),
                pt_dual_unit(dual_of(n), n->w->objective));
}

/* ---- The system ---- */

/* What its rest adds to the gap. */
static double rest_gap(const newton *n)
{
    double sum = 0;
    for (size_t r = 0; r < n->count; r++)
        sum += n->counted[r] * n->rest[r] * n->rest[r] / 2;
    return sum;
}

/* The rows of a loss, with the point at these as the first guess. */
static partan_status begin_system(newton *n, size_t *count)
{
    for (size_t r = 0; r < n->count; r++) {
        bool counts = loss_at(n, r, n->product[r]) != 0;
        n->counted[r] = counts ? n->costs[r] : 0;
        n->solution[r] = counts ? n->point[r] : 0;
        n->search[r] = counts ? 0 : n->point[r];
    }
    partan_status status = multiply_few(n, n->search, n->searched);
    if (!status && !pt_preconditioner_set(&n->preconditioner, n->counted))
        status = PARTAN_STALLED;
    *count = 0;
    for (size_t r = 0; r < n->count && !status; r++) {
        double side = n->product[r] < n->targets[0][r] ? n->targets[0][r] : -n->targets[1][r];
        n->solved[r] = n->product[r] - n->searched[r];
        n->rest[r] = n->counted[r] > 0 ? side - n->solved[r] - n->solution[r] / n->counted[r] : 0;
        if (n->counted[r] > 0)
            n->support[(*count)++] = (int64_t)r;
    }
    return status;
}

static void step_along(newton *n, double step)
{
    for (size_t r = 0; r < n->count; r++) {
        n->solution[r] += step * n->search[r];
        n->solved[r] += step * n->searched[r];
        n->rest[r] -= n->counted[r] > 0 ? step * (n->searched[r] + n->search[r] / n->counted[r]) : 0;
    }
}

static double curvature_of(const newton *n)
{
    double sum = 0;
    for (size_t r = 0; r < n->count; r++)
        sum += n->counted[r] > 0 ? n->search[r] * (n->searched[r] + n->search[r] / n->counted[r]) : 0;
    return sum;
}

/* How many more products it takes from a rest to what is enough, if so many have made this of the first rest. */
static double products_left(int products, double first, double rest, double enough)
{
    return rest < first ? products * log(rest / enough) / log(first / rest) : INFINITY;
}

/* Until its rest is no more than `enough` of the gap. PARTAN_STALLED where rounding leaves no step. */
static partan_status solve_system(newton *n, size_t count, double enough)
{
    pt_matrix vectors = {0};
    partan_status status = pt_matrix_gather(&n->rows, n->support, count, &vectors);
    double before = 0, first = rest_gap(n);
    for (int k = 0; k < MOST_PRODUCTS && !status && rest_gap(n) > enough; k++) {
        if (wants_richer(n, count, products_left(k, first, rest_gap(n), enough))) {
            status = make_richer(n);
            before = 0;
            if (status)
                break;
        }
        pt_preconditioner_apply(&n->preconditioner, n->rest, n->better);
        double now = inner(n, n->rest, n->better);
        for (size_t r = 0; r < n->count; r++)
            n->search[r] = n->better[r] + (before > 0 ? now / before * n->search[r] : 0);
        before = now;
        status = multiply(n, n->search, count, &vectors, n->searched);
        double curvature = status ? 0 : curvature_of(n);
        if (!status && !(curvature > 0 && now > 0))
            status = PARTAN_STALLED;
        if (!status)
            step_along(n, now / curvature);
        n->w->steps++;
    }
    pt_matrix_free(&vectors);
    return status;
}

/* ---- The step ---- */

/* Of P, at `t` along the line from the point to the system's solution. */
static double slope(const void *user, double t)
{
    const newton *n = user;
    double sum = 0;
    for (size_t r = 0; r < n->count; r++) {
        double change = n->solved[r] - n->product[r], moved = n->point[r] + t * (n->solution[r] - n->point[r]);
        sum += (moved - n->costs[r] * loss_at(n, r, n->product[r] + t * change)) * change;
    }
    return sum;
}

/* How far to go. All the way, if that lowers P, since the set of losses settles soonest by whole steps. 0 where P does
 * not fall at first. */
static double step_length(const newton *n)
{
    if (primal(n, n->solution, n->solved) < primal(n, n->point, n->product))
        return 1;
    return slope(n, 0) < 0 ? pt_slope_search(slope, n) : 0;
}

static partan_status take_step(newton *n, double gap, double wanted)
{
    size_t count = 0;
    partan_status status = begin_system(n, &count);
    if (!status)
        status = solve_system(n, count, fmax(FORCING * gap, ENOUGH * wanted));
    double t = status ? 0 : step_length(n);
    if (!status && !(t > 0))
        return PARTAN_STALLED;
    for (size_t r = 0; r < n->count && !status; r++) {
        n->point[r] += t * (n->solution[r] - n->point[r]);
        n->product[r] += t * (n->solved[r] - n->product[r]);
    }
    return status;
}

/* Until the gap is as small as wanted. PARTAN_STALLED where nothing is gained any more. */
static partan_status run(newton *n, double eps, uint64_t most, bool *solved)
{
    uint64_t before = n->w->steps;
    partan_status status = PARTAN_OK;
    for (int k = 0; k < MOST_STEPS && !status; k++) {
        double gap = gap_of(n), wanted = fmax(n->m->inner_gap * unit_of(n, gap), eps);
        *solved = gap <= wanted || n->w->steps - before >= most;
        if (*solved)
            return PARTAN_OK;
        status = take_step(n, gap, wanted);
    }
    return status ? status : PARTAN_STALLED;
}

/* ---- From and to the working set ---- */

static void take_weights(newton *n)
{
    const pt_working *w = n->w;
    for (size_t r = 0; r < n->count; r++) {
        size_t first = n->member[0][r], second = n->member[1][r];
        n->costs[r] = 1 / pt_dual_inverse_cost(dual_of(n), w->ids[first]);
        n->targets[0][r] = -pt_dual_linear(dual_of(n), w->ids[first]);
        n->targets[1][r] = -pt_dual_linear(dual_of(n), w->ids[second]);
        n->point[r] = w->weights[first] - w->weights[second];
        n->product[r] = w->scores[first] + n->targets[0][r] - w->weights[first] / n->costs[r];
    }
}

/* The slack has what the weights leave of 1. */
static void give_weights(const newton *n)
{
    pt_working *w = n->w;
    double sum = 0, share = 1;
    for (size_t r = 0; r < n->count; r++)
        sum += fabs(n->point[r]);
    if (sum > 1)
        share = 1 / sum;
    for (size_t r = 0; r < n->count; r++)
        for (int k = 0; k < 2; k++) {
            size_t i = n->member[k][r];
            double sign = k ? -1 : 1, weight = fmax(sign * share * n->point[r], 0);
            w->weights[i] = weight;
            w->scores[i] = sign * share * n->product[r] - n->targets[k][r] + weight / n->costs[r];
        }
    for (size_t i = 0; i < w->count; i++) {
        if (w->signs[i] == 0)
            w->weights[i] = fmax(1 - share * sum, 0);
        w->diagonals[i] = w->weights[i] > 0 ? (float)pt_simplex_diagonal(w->simplex, w->ids[i]) : INFINITY;
    }
    w->least = -1;
    pt_working_refresh(w);
}

static bool serves(const method *m)
{
    return m->simplex->dual.primal && pt_kernel_definite(&m->simplex->kernel) && !m->primal.stalled;
}

partan_status pt_active_set_solve_primal(method *m, double eps, uint64_t most, bool *solved)
{
    newton n = {.m = m, .w = &m->working};
    bool found = false;
    *solved = false;
    if (!serves(m))
        return PARTAN_OK;
    partan_status status = find_rows(&n, &found);
    if (!status && found) {
        status = gather_rows(&n);
        if (!status)
            status = allocate(&n);
        if (!status)
            status = make_preconditioner(&n);
    }
    if (!status && found) {
        pt_working_refresh(n.w);
        take_weights(&n);
        status = run(&n, eps, most, solved);
        if (status == PARTAN_OK || status == PARTAN_STALLED || status == PARTAN_INTERRUPTED)
            give_weights(&n); /* P is less than before, or what it was */
        pt_active_set_coarsen(m);
    }
    newton_free(&n);
    m->primal.stalled = !*solved;
    return status == PARTAN_STALLED ? PARTAN_OK : status;
}
