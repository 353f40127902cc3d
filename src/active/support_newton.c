#include "active/support_newton.h"

#include <math.h>
#include <string.h>

#include "core/line_search.h"
#include "core/stall.h"
#include "kernel/cholesky.h"

enum {
    MOST_STEPS = 60, /* many times what has been seen */
    MOST_STILL = 4,  /* steps without progress */
};

#define SLACK    1e-6 /* of 2f, that rounding may add to it where that is small beside entries of K */
#define GAP_GAIN 0.9  /* a gap this much less is progress */

typedef struct newton {
    partan_context *context;
    const pt_working *working;
    const pt_dual *dual;
    size_t count;
    double *weights, *margins;           /* b and m */
    double *next_weights, *next_margins; /* what the system gives */
    int64_t *lacking, *others;           /* the members that fall short of their margin, S, and the others */
    size_t size;                         /* of S */
    size_t most_bytes;                   /* of its system */
    pt_matrix rows;                      /* of S */
    double *alphas, *scores;             /* what the margins say of the problem on the simplex: a and Ka, */
    double objective, gap;               /* f and the gap */
    double *best_alphas, *best_scores;   /* the best so far, of those that are no worse than the start */
    double before, best_objective, best_gap;
    bool found; /* there is one */
    double *room;
    uint64_t steps;
} newton;

bool pt_support_newton_serves(const pt_simplex *simplex)
{
    const pt_dual *dual = &simplex->dual;
    return pt_kernel_definite(&simplex->kernel) && !dual->linear && pt_dual_plain(dual);
}

static void newton_free(newton *n)
{
    void *arrays[] = {n->weights, n->margins, n->next_weights, n->next_margins, n->lacking, n->others,
                      n->alphas,  n->scores,  n->best_alphas,  n->best_scores,  n->room};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pt_free(n->context, arrays[i]);
    pt_matrix_free(&n->rows);
}

static partan_status allocate(newton *n)
{
    double **arrays[] = {&n->weights, &n->margins,     &n->next_weights, &n->next_margins, &n->alphas,
                         &n->scores,  &n->best_alphas, &n->best_scores,  &n->room};
    bool done = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        done &= (*arrays[i] = pt_alloc_zero(n->context, n->count, sizeof(double))) != NULL;
    n->lacking = pt_alloc(n->context, n->count, sizeof *n->lacking);
    n->others = pt_alloc(n->context, n->count, sizeof *n->others);
    return done && n->lacking && n->others ? PARTAN_OK : pt_out_of_memory(n->context, "Newton's method");
}

/* ---- Members ---- */

static double inverse_cost(const newton *n, size_t i)
{
    return pt_dual_inverse_cost(n->dual, n->working->ids[i]);
}

static double loss(double margin)
{
    return margin < 1 ? 1 - margin : 0;
}

/* Those that fall short of their margin, and the others; false when they are the same as before. */
static bool divide(newton *n)
{
    size_t size = 0, rest = 0;
    bool changed = false;
    for (size_t i = 0; i < n->count; i++)
        if (n->margins[i] < 1) {
            changed |= size >= n->size || n->lacking[size] != (int64_t)i;
            n->lacking[size++] = (int64_t)i;
        } else
            n->others[rest++] = (int64_t)i;
    changed |= size != n->size;
    n->size = size;
    return changed;
}

static partan_status gather(newton *n)
{
    pt_matrix_free(&n->rows);
    return pt_matrix_gather(&n->working->matrix, n->lacking, n->size, &n->rows);
}

/* m of some members by weights of S, whose rows are gathered. */
static partan_status sum_margins(newton *n, const int64_t *members, size_t count, const double *weights,
                                 double *margins)
{
    const pt_working *w = n->working;
    pt_matrix some = {0};
    double total = 0, *sums = n->room, *signed_weights = pt_alloc(n->context, n->size, sizeof *signed_weights);
    partan_status status = signed_weights ? pt_matrix_gather(&w->matrix, members, count, &some)
                                          : pt_out_of_memory(n->context, "Newton's method");
    for (size_t k = 0; k < n->size && !status; k++) {
        signed_weights[k] = weights[n->lacking[k]] * (double)w->signs[n->lacking[k]];
        total += signed_weights[k];
    }
    if (!status && count > 0)
        status = pt_kernel_sums_exact(n->context, &w->simplex->kernel, (pt_points){&some, NULL},
                                      (pt_points){&n->rows, NULL}, n->size, signed_weights, sums);
    for (size_t k = 0; k < count && !status; k++)
        margins[members[k]] = pt_dual_product(n->dual, w->ids[members[k]], sums[k], total);
    pt_matrix_free(&some);
    pt_free(n->context, signed_weights);
    return status;
}

/* ---- The system ---- */

typedef struct entries {
    const newton *newton;
    pt_cholesky *matrix;
} entries;

static void take_entries(void *user, size_t first, size_t rows, double *values)
{
    const entries *e = user;
    const newton *n = e->newton;
    const int64_t *ids = n->working->ids;
    for (size_t line = first; line < first + rows; line++) {
        int64_t id = ids[n->lacking[line]];
        for (size_t v = 0; v <= line; v++)
            *pt_cholesky_entry(e->matrix, line, v) =
                pt_dual_entry(n->dual, id, ids[n->lacking[v]], values[v * PT_EXACT_ROWS + line - first]);
        *pt_cholesky_entry(e->matrix, line, line) += pt_dual_inverse_cost(n->dual, id);
    }
}

/* b_S with K_SS b_S = 1, and the margins that it gives all members. */
static partan_status solve_system(newton *n)
{
    pt_cholesky matrix;
    pt_points points = {&n->rows, NULL};
    double *x = n->room;
    if (pt_cholesky_bytes(n->size) > (double)n->most_bytes)
        return PARTAN_STALLED;
    partan_status status = pt_cholesky_make(&matrix, n->context, n->size);
    if (!status)
        status = pt_kernel_values_exact(n->context, &n->working->simplex->kernel, points, points, n->size, take_entries,
                                        &(entries){n, &matrix});
    if (!status)
        status = pt_cholesky_factorise(&matrix);
    for (size_t k = 0; k < n->size; k++)
        x[k] = 1;
    if (!status)
        status = pt_cholesky_solve(&matrix, x);
    pt_cholesky_free(&matrix);
    if (status)
        return status;
    memset(n->next_weights, 0, n->count * sizeof *n->next_weights);
    for (size_t k = 0; k < n->size; k++) {
        size_t i = (size_t)n->lacking[k];
        n->next_weights[i] = x[k];
        n->next_margins[i] = 1 - x[k] * inverse_cost(n, i);
    }
    return sum_margins(n, n->others, n->count - n->size, n->next_weights, n->next_margins);
}

/* ---- A step ---- */

/* Of the primal objective, at `t` along the step. */
static double slope(const void *user, double t)
{
    const newton *n = user;
    double sum = 0;
    for (size_t i = 0; i < n->count; i++) {
        double change = n->next_margins[i] - n->margins[i], margin = n->margins[i] + t * change;
        sum += (n->next_weights[i] - n->weights[i]) * margin - loss(margin) / inverse_cost(n, i) * change;
    }
    return sum;
}

static double primal(const newton *n)
{
    double sum = 0;
    for (size_t i = 0; i < n->count; i++) {
        double short_of = loss(n->margins[i]);
        sum += n->weights[i] * n->margins[i] + short_of * short_of / inverse_cost(n, i);
    }
    return sum / 2;
}

/* Whether the step went all the way. */
static bool move(newton *n)
{
    double t = pt_slope_search(slope, n);
    for (size_t i = 0; i < n->count; i++) {
        n->weights[i] = t < 1 ? (1 - t) * n->weights[i] + t * n->next_weights[i] : n->next_weights[i];
        n->margins[i] = t < 1 ? (1 - t) * n->margins[i] + t * n->next_margins[i] : n->next_margins[i];
    }
    n->steps++;
    return t >= 1;
}

/* ---- The problem on the simplex ---- */

/* Objective and gap of the weights a, from b that are these times `total`, and Kb. */
static void measure(newton *n, double total)
{
    double inner = 0, least = INFINITY;
    for (size_t i = 0; i < n->count; i++) {
        n->alphas[i] /= total;
        n->scores[i] /= total;
        inner += n->alphas[i] * n->scores[i];
        least = n->scores[i] < least ? n->scores[i] : least;
    }
    n->objective = inner / 2;
    n->gap = inner - least;
}

/* The weights C_i max(0, 1 - m_i), which are b itself at the solution, and better known so; their scores. */
static partan_status look_at_dual(newton *n, bool solution)
{
    double total = 0;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < n->count; i++) {
        n->alphas[i] = solution ? fmax(n->weights[i], 0) : loss(n->margins[i]) / inverse_cost(n, i);
        total += n->alphas[i];
        n->scores[i] = n->margins[i];
        n->others[i] = (int64_t)i; /* for now: all */
    }
    if (!solution)
        status = sum_margins(n, n->others, n->count, n->alphas, n->scores);
    for (size_t i = 0; i < n->count; i++)
        n->scores[i] += n->alphas[i] * inverse_cost(n, i);
    n->objective = INFINITY;
    if (!status && total > 0)
        measure(n, total);
    return status;
}

static void keep(newton *n)
{
    memcpy(n->best_alphas, n->alphas, n->count * sizeof *n->alphas);
    memcpy(n->best_scores, n->scores, n->count * sizeof *n->scores);
    n->best_objective = n->objective;
    n->best_gap = n->gap;
    n->found = true;
}

/* ---- The loop ---- */

/* The working set's weights, with margins in double precision. */
static partan_status begin(newton *n)
{
    const pt_working *w = n->working;
    partan_status status = allocate(n);
    for (size_t i = 0; i < n->count && !status; i++) {
        n->margins[i] = w->weights[i] > 0 ? 0 : 1; /* for now: who has weight */
        n->weights[i] = n->alphas[i] = w->weights[i];
        n->next_weights[i] = 0;
    }
    if (status)
        return status;
    divide(n);
    status = gather(n);
    for (size_t i = 0; i < n->count; i++)
        n->others[i] = (int64_t)i;
    if (!status)
        status = sum_margins(n, n->others, n->count, n->weights, n->margins);
    if (status)
        return status;
    for (size_t i = 0; i < n->count; i++)
        n->scores[i] = n->margins[i] + n->weights[i] * inverse_cost(n, i);
    measure(n, 1);
    keep(n);
    n->found = false; /* nothing better than the start */
    n->before = n->objective;
    for (size_t i = 0; i < n->count && n->before > 0; i++) {
        n->weights[i] /= 2 * n->before;
        n->margins[i] /= 2 * n->before;
    }
    divide(n);
    return n->before > 0 && n->size > 0 ? gather(n) : PARTAN_STALLED;
}

static bool enough(const newton *n, double tol, double eps)
{
    return n->best_gap <= tol * 2 * n->best_objective || n->best_gap <= eps;
}

static partan_status run(newton *n, double tol, double eps, uint64_t most)
{
    pt_stall stall = pt_stall_begin();
    partan_status status = begin(n);
    if (!status && enough(n, tol, eps)) {
        n->found = true; /* the start itself */
        return PARTAN_OK;
    }
    while (!status && n->steps < most) {
        status = pt_interrupted(n->context) ? PARTAN_INTERRUPTED : solve_system(n);
        if (status)
            break;
        bool whole = move(n), changed = divide(n);
        status = n->size > 0 ? gather(n) : PARTAN_STALLED;
        if (!status)
            status = look_at_dual(n, whole && !changed);
        if (status)
            break;
        if (n->objective <= n->before * (1 + SLACK) && n->gap < n->best_gap)
            keep(n);
        divide(n); /* the list of the others */
        if (n->found && enough(n, tol, eps))
            break;
        if ((whole && !changed) || pt_stall_look(&stall, primal(n), n->gap, GAP_GAIN) >= MOST_STILL
            || n->steps >= MOST_STEPS)
            status = PARTAN_STALLED;
    }
    return status;
}

static void take_over(const newton *n, pt_working *w)
{
    for (size_t i = 0; i < n->count; i++) {
        w->weights[i] = n->best_alphas[i];
        w->scores[i] = n->best_scores[i];
        w->diagonals[i] = w->weights[i] > 0 ? (float)pt_simplex_diagonal(w->simplex, w->ids[i]) : INFINITY;
    }
    w->objective = n->best_objective;
    w->linear = 0;
    w->least = -1;
    w->steps += n->steps;
}

partan_status pt_support_newton(pt_working *w, size_t room, double tol, double eps, uint64_t most, bool *solved)
{
    newton n = {.context = w->context, .working = w, .dual = &w->simplex->dual, .count = w->count, .most_bytes = room};
    partan_status status = run(&n, tol, eps, most);
    *solved = status >= 0 && n.found;
    if (*solved)
        take_over(&n, w);
    newton_free(&n);
    return status;
}
