#include "active/block_pivots.h"

#include <math.h>
#include <string.h>

enum { MOST_SYSTEMS = 12 }; /* more than have been seen to change anything */

/* Chosen by measurement: docs/notebook.md, "Systems of the support". */
#define EARLY 1e-2 /* of the objective, that the rest of a system may be, */
#define LATE  1e-3 /* and when few leave S: */
#define FEW   0.02 /* less than this share of it */
#define LEFT  0.03 /* of the objective, that the rest must be to begin with, by its bound: see pt_block_pivots_pay */
#define FINE  1e-6 /* of the rest itself, that it may be where weights are refined */
#define GAIN  0.5  /* and the gap of what it was */

typedef struct pivoting {
    pt_working *working;
    pt_support_gradients *gradients;
    bool fine;                  /* weights are refined */
    size_t count, size;         /* members, and those of S */
    int64_t *inside;            /* S, */
    double *weights, *products; /* b, and Qb of S, Q being K without 1 / C */
    double *left, *gone;        /* b of those who leave, and Q times it */
} pivoting;

static void pivoting_free(pivoting *p)
{
    void *arrays[] = {p->inside, p->weights, p->products, p->left, p->gone};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pt_free(p->working->context, arrays[i]);
}

static partan_status allocate(pivoting *p)
{
    partan_context *context = p->working->context;
    double **arrays[] = {&p->weights, &p->products, &p->left, &p->gone};
    bool done = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        done &= (*arrays[i] = pt_alloc_zero(context, p->count, sizeof(double))) != NULL;
    p->inside = pt_alloc(context, p->count, sizeof *p->inside);
    return done && p->inside ? PARTAN_OK : pt_out_of_memory(context, "systems of the support");
}

static double inverse_cost(const pivoting *p, size_t i)
{
    return pt_dual_inverse_cost(&p->working->simplex->dual, p->working->ids[i]);
}

static double total(const pivoting *p)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        sum += p->weights[i];
    return sum;
}

static void find_support(pivoting *p)
{
    p->size = 0;
    for (size_t i = 0; i < p->count; i++)
        if (p->weights[i] > 0)
            p->inside[p->size++] = (int64_t)i;
}

static void begin(pivoting *p)
{
    const pt_working *w = p->working;
    for (size_t i = 0; i < p->count; i++) {
        p->weights[i] = w->weights[i] / (2 * w->objective);
        p->products[i] = w->scores[i] / (2 * w->objective) - p->weights[i] * inverse_cost(p, i);
    }
    find_support(p);
}

static partan_status solve_system(pivoting *p, double rest)
{
    pt_matrix rows = {0};
    partan_status status = pt_matrix_gather(&p->working->matrix, p->inside, p->size, &rows);
    if (!status)
        status = pt_support_gradients_solve(p->gradients, p->inside, p->size, &rows, p->fine ? 0 : rest * total(p),
                                            p->fine ? FINE : 0, p->weights, p->products);
    pt_matrix_free(&rows);
    return status;
}

/* Members of negative weight leave S. */
static partan_status drop_negative(pivoting *p, size_t *dropped)
{
    *dropped = 0;
    memset(p->left, 0, p->count * sizeof *p->left);
    for (size_t i = 0; i < p->count; i++)
        if (p->weights[i] < 0) {
            p->left[i] = p->weights[i];
            p->weights[i] = 0;
            ++*dropped;
        }
    find_support(p);
    if (*dropped == 0)
        return PARTAN_OK;
    partan_status status = pt_support_gradients_multiply(p->gradients, p->left, p->inside, p->size, p->gone);
    for (size_t k = 0; k < p->size; k++)
        p->products[p->inside[k]] -= p->gone[p->inside[k]];
    return status;
}

/* Fewer leave S each time. */
static partan_status run(pivoting *p)
{
    size_t dropped = p->size;
    partan_status status = PARTAN_OK;
    for (int k = 0; k < MOST_SYSTEMS && !status && dropped > 0 && p->size > 0; k++) {
        status = solve_system(p, (double)dropped > FEW * (double)p->size ? EARLY : LATE);
        if (!status)
            status = drop_negative(p, &dropped);
    }
    return status;
}

/* In `left`, what has changed of the weights since the beginning; in `gone`, Q times it. */
static partan_status find_changes(pivoting *p)
{
    const pt_working *w = p->working;
    for (size_t i = 0; i < p->count; i++) {
        p->left[i] = p->weights[i] - w->weights[i] / (2 * w->objective);
        p->inside[i] = (int64_t)i;
    }
    return pt_support_gradients_multiply(p->gradients, p->left, p->inside, p->count, p->gone);
}

/* Twice the objective less the least score. */
static double gap_of(double inner, const double *scores, size_t count)
{
    double least = INFINITY;
    for (size_t i = 0; i < count; i++)
        least = fmin(least, scores[i]);
    return inner - least;
}

/* The weights as they are, on the simplex, with scores from those of the beginning: as precise as these, but for the
 * changes. Returns twice the objective. */
static double find_scores(pivoting *p)
{
    const pt_working *w = p->working;
    double sum = total(p), inner = 0;
    for (size_t i = 0; i < p->count; i++) {
        double before = w->scores[i] / (2 * w->objective);
        p->products[i] = (before + p->gone[i] + p->left[i] * inverse_cost(p, i)) / sum;
        p->weights[i] /= sum;
        inner += p->weights[i] * p->products[i];
    }
    return inner;
}

/* Whether the new weights are worth having. */
static bool improved(const pivoting *p, double inner)
{
    const pt_working *w = p->working;
    if (!p->fine)
        return inner / 2 < w->objective;
    return gap_of(inner, p->products, p->count) < GAIN * gap_of(2 * w->objective, w->scores, p->count);
}

static partan_status take_over(pivoting *p, bool *better)
{
    pt_working *w = p->working;
    partan_status status = find_changes(p);
    if (status)
        return status;
    double inner = find_scores(p);
    *better = improved(p, inner);
    for (size_t i = 0; i < p->count && *better; i++) {
        w->weights[i] = p->weights[i];
        w->scores[i] = p->products[i];
        w->diagonals[i] = w->weights[i] > 0 ? (float)pt_simplex_diagonal(w->simplex, w->ids[i]) : INFINITY;
    }
    if (*better) {
        w->objective = inner / 2;
        w->least = -1;
    }
    return PARTAN_OK;
}

/* The rest by r'Cr, which is r'M^-1 r or more. Where it is small, what keeps pair steps busy are other members. */
bool pt_block_pivots_pay(const pt_working *w)
{
    double unit = 2 * w->objective, rest = 0;
    for (size_t i = 0; i < w->count; i++) {
        double short_of = 1 - w->scores[i] / unit;
        rest += w->weights[i] > 0 ? short_of * short_of / pt_dual_inverse_cost(&w->simplex->dual, w->ids[i]) : 0;
    }
    return rest * unit > LEFT;
}

static partan_status improve(pt_working *w, pt_support_gradients *gradients, bool fine, bool *better)
{
    pivoting p = {.working = w, .gradients = gradients, .count = w->count, .fine = fine};
    *better = false;
    pt_working_refresh(w);
    partan_status status = allocate(&p);
    if (!status) {
        begin(&p);
        status = run(&p);
    }
    if (!status)
        status = take_over(&p, better);
    w->steps += gradients->products;
    pivoting_free(&p);
    return status == PARTAN_STALLED ? PARTAN_OK : status;
}

partan_status pt_block_pivots(pt_working *w, pt_support_gradients *gradients, bool *better)
{
    return improve(w, gradients, false, better);
}

partan_status pt_block_pivots_refine(pt_working *w, pt_support_gradients *gradients, bool *better)
{
    return improve(w, gradients, true, better);
}
