#include "lowrank/newton.h"

#include <math.h>
#include <string.h>

#include "core/clock.h"
#include "core/line_search.h"
#include "core/stall.h"
#include "core/team.h"
#include "kernel/cholesky.h"

enum {
    CHUNK = 256,      /* members of a chunk, whose factors stay in the cache */
    LINES = 8,        /* of the Hessian, that a thread takes at a time */
    MOST_STEPS = 200, /* many times what has been seen */
    MOST_STILL = 8,   /* steps without progress */
    ROWS = 256,       /* of a product with all factors, that a thread takes at a time */
    LEAST_HELD = 512, /* members whose factors are held at a time */
};

#define BEYOND   100.0 /* times the residual of the factors: a member that needs pivots of its own */
#define SLACK    1e-9  /* of 2f, that rounding may add to it */
#define GAP_GAIN 0.9   /* a gap this much less is progress */
#define PRODUCT  0.5   /* nanoseconds, of two entries */

typedef struct newton {
    partan_context *context;
    pt_newton_members *members;
    const pt_algebra_ops *ops;
    size_t count, rank, stride;
    const pt_lowrank *lowrank;
    double *factors; /* [member][stride], the last of `rank` is the bias's: of so many members from one on */
    size_t held, first;
    partan_status status;     /* of computing them */
    double *margins, *slopes; /* y_i u'psi_i, and how it changes along the step */
    double *residuals;
    double *targets;        /* of the margins: 1, less what the factors leave out of them */
    unsigned char *counted; /* whose margins are below these, as the Hessian has it */
    int64_t *which;         /* those that have changed, and by how much of their square */
    double *weights;
    double *hessian;  /* lower triangle, by lines */
    pt_cholesky root; /* of I + the Hessian */
    double *point, *step, *right;
    double *alphas, *scores; /* what the point says of the dual */
    double twice, gap;       /* 2f and gap at these */
    double before;           /* 2f at the start */
    double *best_alphas, *best_scores, best_twice,
        best_gap; /* the best so far of those that are better than the start */
    pt_stall stall;
    uint64_t steps;
} newton;

static void newton_free(newton *n)
{
    void *arrays[] = {n->factors, n->margins,     n->slopes,      n->residuals, n->counted, n->which,
                      n->weights, n->hessian,     n->point,       n->step,      n->right,   n->alphas,
                      n->scores,  n->best_alphas, n->best_scores, n->targets};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pt_free(n->context, arrays[i]);
    pt_cholesky_free(&n->root);
    *n =
        (newton){.context = n->context, .members = n->members, .ops = n->ops, .count = n->count, .lowrank = n->lowrank};
}

static size_t stride_of(const pt_lowrank *lowrank)
{
    return (lowrank->rank + 1 + PT_GRAM_UNIT - 1) / PT_GRAM_UNIT * PT_GRAM_UNIT;
}

/* How many members' factors there is room for at a time. */
static size_t held_at_once(const newton *n)
{
    size_t most = n->members->room / (n->stride * sizeof *n->factors);
    most = most < LEAST_HELD ? LEAST_HELD : most;
    return most < n->count ? most : n->count;
}

static partan_status allocate(newton *n)
{
    size_t count = n->count, square = n->stride * n->stride;
    n->held = held_at_once(n);
    n->first = SIZE_MAX;
    double **arrays[] = {&n->margins, &n->slopes, &n->residuals,   &n->weights,    &n->targets,
                         &n->alphas,  &n->scores, &n->best_alphas, &n->best_scores};
    double **lines[] = {&n->point, &n->step, &n->right};
    bool done = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        done &= (*arrays[i] = pt_alloc_zero(n->context, count, sizeof(double))) != NULL;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        done &= (*lines[i] = pt_alloc_zero(n->context, n->stride, sizeof(double))) != NULL;
    n->factors = pt_alloc(n->context, n->held * n->stride, sizeof *n->factors);
    n->hessian = pt_alloc_zero(n->context, square, sizeof *n->hessian);
    n->counted = pt_alloc_zero(n->context, count, 1);
    n->which = pt_alloc(n->context, count, sizeof *n->which);
    done &= n->factors && n->hessian && n->counted && n->which;
    return done ? pt_cholesky_make(&n->root, n->context, n->rank) : pt_out_of_memory(n->context, "Newton's method");
}

/* ---- Factors ---- */

static bool held_whole(const newton *n)
{
    return n->held == n->count;
}

static size_t held_end(const newton *n, size_t first)
{
    return n->count - first < n->held ? n->count : first + n->held;
}

/* The factors of the members from `first` on, and their residuals unless these are NULL. */
static partan_status compute_factors(newton *n, size_t first, double *residuals)
{
    const pt_newton_members *m = n->members;
    size_t count = held_end(n, first) - first;
    pt_matrix part = {0};
    partan_status status = held_whole(n) ? PARTAN_OK : pt_lowrank_gather(n->lowrank, m->ids + first, count, &part);
    if (!status)
        status = pt_lowrank_factors(n->lowrank, held_whole(n) ? m->rows : &part, m->ids + first, n->factors, n->stride,
                                    residuals);
    pt_matrix_free(&part);
    for (size_t i = 0; i < count && !status; i++)
        n->factors[i * n->stride + n->rank - 1] = sqrt(m->bias);
    n->first = status ? SIZE_MAX : first;
    return status;
}

/* Sees to it that they are there. False when they cannot be computed, or that was interrupted: see status. */
static bool hold(newton *n, size_t first)
{
    if (n->first != first && !n->status)
        n->status = compute_factors(n, first, NULL);
    return n->status == PARTAN_OK;
}

/* ---- Products with the factors ---- */

/* Threads that are worth waking for a product with all factors. */
static int threads(const newton *n)
{
    return pt_team_for(n->context, PRODUCT * (double)(n->count * n->stride));
}

typedef struct product {
    const newton *newton;
    const double *by;
    double *out;
} product;

static void along_rows(void *user, size_t chunk, size_t thread)
{
    const product *p = user;
    const newton *n = p->newton;
    pt_span span = pt_span_of(held_end(n, n->first) - n->first, ROWS, chunk);
    (void)thread;
    for (size_t i = span.begin; i < span.end; i++)
        p->out[n->first + i] =
            (double)n->members->signs[n->first + i] * pt_line_product(n->factors + i * n->stride, p->by, n->rank);
}

/* out_i = y_i psi_i'v */
static void along(newton *n, const double *v, double *out)
{
    for (size_t first = 0; first < n->count && hold(n, first); first += n->held)
        pt_team_run(n->context, threads(n), pt_span_count(held_end(n, first) - first, ROWS), along_rows,
                    &(product){n, v, out});
}

static void combine_lines(void *user, size_t chunk, size_t thread)
{
    const product *p = user;
    const newton *n = p->newton;
    double sum[LINES];
    (void)thread;
    memcpy(sum, p->out + chunk * LINES, sizeof sum);
    for (size_t i = n->first; i < held_end(n, n->first); i++) {
        double factor = p->by[i] * (double)n->members->signs[i];
        const double *row = n->factors + (i - n->first) * n->stride + chunk * LINES;
        for (size_t j = 0; j < LINES && factor != 0; j++)
            sum[j] += factor * row[j];
    }
    memcpy(p->out + chunk * LINES, sum, sizeof sum);
}

/* out = sum_i factors_i y_i psi_i, each thread some of its entries. */
static void combine(newton *n, const double *factors, double *out)
{
    memset(out, 0, n->stride * sizeof *out);
    for (size_t first = 0; first < n->count && hold(n, first); first += n->held)
        pt_team_run(n->context, threads(n), n->stride / LINES, combine_lines, &(product){n, factors, out});
}

/* ---- A step ---- */

typedef struct hessian_part {
    const newton *newton;
    pt_gram gram;
} hessian_part;

/* The longest lines first. */
static void add_gram(void *user, size_t chunk, size_t thread)
{
    const hessian_part *part = user;
    const newton *n = part->newton;
    size_t end = n->stride - chunk * LINES;
    (void)thread;
    n->ops->gram(&part->gram, end - LINES, end, n->hessian);
}

/* Among the members from `begin` on, of whom factors are held at a time: those whose margins have crossed 1. */
static size_t find_changed(newton *n, size_t begin)
{
    size_t changed = 0;
    for (size_t i = begin; i < held_end(n, begin); i++) {
        bool counts = n->margins[i] < n->targets[i];
        if (counts != n->counted[i]) {
            n->which[changed] = (int64_t)(i - begin);
            n->weights[changed++] = counts ? n->members->costs[i] : -n->members->costs[i];
        }
        n->counted[i] = counts;
    }
    return changed;
}

/* The Hessian, I + sum of C_i psi_i psi_i' over margins below 1, from what it was. An interruption leaves it
 * unfinished. */
static void update_part(newton *n, size_t changed)
{
    for (size_t first = 0; first < changed && !pt_interrupted(n->context); first += CHUNK) {
        size_t rows = changed - first < CHUNK ? changed - first : CHUNK;
        hessian_part part = {n, {n->factors, n->stride, n->which + first, n->weights + first, rows}};
        double products = (double)(rows * n->stride) * (double)n->stride / 2;
        pt_team_run(n->context, pt_team_for(n->context, PRODUCT / 4 * products), n->stride / LINES, add_gram, &part);
    }
}

static void update_hessian(newton *n)
{
    for (size_t begin = 0; begin < n->count && !n->status; begin += n->held) {
        size_t changed = find_changed(n, begin);
        if (changed > 0 && hold(n, begin))
            update_part(n, changed);
    }
}

static double short_of(const newton *n, size_t i)
{
    return n->margins[i] < n->targets[i] ? n->targets[i] - n->margins[i] : 0;
}

/* Of the objective, at `t` along the step. */
static double slope(const void *user, double t)
{
    const newton *n = user;
    double sum = pt_line_product(n->point, n->step, n->rank) + t * pt_line_product(n->step, n->step, n->rank);
    for (size_t i = 0; i < n->count; i++) {
        double below = n->targets[i] - n->margins[i] - t * n->slopes[i];
        sum -= below > 0 ? n->members->costs[i] * below * n->slopes[i] : 0;
    }
    return sum;
}

/* Solves (I + Hessian) x = x for the step. */
static partan_status solve_step(newton *n)
{
    for (size_t k = 0; k < n->rank; k++)
        for (size_t l = 0; l <= k; l++)
            *pt_cholesky_entry(&n->root, k, l) = n->hessian[k * n->stride + l] + (k == l);
    partan_status status = pt_cholesky_factorise(&n->root);
    return status ? status : pt_cholesky_solve(&n->root, n->step);
}

static partan_status take_step(newton *n)
{
    /* The gradient first: what is left of it tells how far rounding has gone, and the next step corrects that. */
    for (size_t i = 0; i < n->count; i++)
        n->weights[i] = n->members->costs[i] * short_of(n, i);
    combine(n, n->weights, n->step);
    for (size_t k = 0; k < n->rank; k++)
        n->step[k] -= n->point[k];
    update_hessian(n);
    if (n->status || pt_interrupted(n->context))
        return n->status ? n->status : PARTAN_INTERRUPTED;
    partan_status status = solve_step(n);
    if (status)
        return status;
    along(n, n->step, n->slopes);
    double t = pt_slope_search(slope, n);
    for (size_t k = 0; k < n->rank; k++)
        n->point[k] += t * n->step[k];
    if (held_whole(n))
        along(n, n->point, n->margins); /* rather than as below, so that rounding does not add up */
    for (size_t i = 0; i < n->count && !held_whole(n); i++)
        n->margins[i] += t * n->slopes[i];
    n->steps++;
    return n->status;
}

/* ---- The dual ---- */

/* Scores, 2f and gap of the weights, which are those of the point over `total`. */
static void score(newton *n, double total)
{
    double twice = 0, least = INFINITY;
    combine(n, n->alphas, n->right);
    along(n, n->right, n->scores);
    for (size_t i = 0; i < n->count; i++) {
        n->scores[i] += n->alphas[i] / n->members->costs[i] + (1 - n->targets[i]) / total;
        twice += n->alphas[i] * n->scores[i];
        least = n->scores[i] < least ? n->scores[i] : least;
    }
    n->twice = twice;
    n->gap = twice - least;
}

/* The weights that the point gives. */
static void look_at_dual(newton *n)
{
    double total = 0;
    for (size_t i = 0; i < n->count; i++) {
        n->alphas[i] = n->members->costs[i] * short_of(n, i);
        total += n->alphas[i];
    }
    n->twice = INFINITY;
    if (!(total > 0)) /* a point too far out: the next step comes back */
        return;
    for (size_t i = 0; i < n->count; i++)
        n->alphas[i] /= total;
    score(n, total);
}

/* The primal objective, which the line search lowers at every step, whatever the dual does meanwhile. */
static double primal(const newton *n)
{
    double sum = pt_line_product(n->point, n->point, n->rank);
    for (size_t i = 0; i < n->count; i++)
        sum += n->members->costs[i] * short_of(n, i) * short_of(n, i);
    return sum / 2;
}

/* Remembers the weights where these are no worse than those at the start, and the best so far. */
static void keep(newton *n)
{
    if (!(n->twice <= n->before * (1 + SLACK) && n->gap < n->best_gap))
        return;
    memcpy(n->best_alphas, n->alphas, n->count * sizeof *n->alphas);
    memcpy(n->best_scores, n->scores, n->count * sizeof *n->scores);
    n->best_twice = n->twice;
    n->best_gap = n->gap;
}

/* The members' factors. Members that these leave a large residual become pivots, and then it begins anew. */
static partan_status take_factors(newton *n, pt_lowrank *lowrank)
{
    const pt_newton_members *m = n->members;
    size_t beyond = 0;
    n->rank = lowrank->rank + 1;
    n->stride = stride_of(lowrank);
    n->lowrank = lowrank;
    partan_status status = allocate(n);
    for (size_t first = 0; first < n->count && !status; first += n->held)
        status = compute_factors(n, first, n->residuals + first);
    for (size_t i = 0; i < n->count && !status; i++)
        if (n->residuals[i] > BEYOND * lowrank->residual)
            n->which[beyond++] = m->ids[i];
    if (status || beyond == 0)
        return status;
    status = pt_lowrank_extend(lowrank, n->which, beyond);
    newton_free(n);
    return status ? status : lowrank->rank == 0 ? PARTAN_STALLED : take_factors(n, lowrank);
}

/* Scores that are known more precisely than the factors give them show what these leave out. At the solution that is
 * nearly the same, and the next solution has an error that is smaller by as much as the factors' own. */
static void correct_targets(newton *n)
{
    const pt_newton_members *m = n->members;
    double twice = 0, least = INFINITY;
    for (size_t i = 0; i < n->count; i++) {
        twice += m->weights[i] * m->scores[i];
        least = fmin(least, m->scores[i]);
    }
    for (size_t i = 0; i < n->count && twice > 0; i++)
        n->targets[i] = 1 - (m->scores[i] - n->scores[i]) / twice;
    n->twice = twice;
    n->gap = twice - least;
}

static partan_status begin(newton *n, pt_lowrank *lowrank)
{
    partan_status status = take_factors(n, lowrank);
    if (status)
        return status;
    for (size_t i = 0; i < n->count; i++) {
        n->alphas[i] = n->members->weights[i];
        n->targets[i] = 1;
    }
    score(n, 1);
    if (n->members->precise)
        correct_targets(n);
    n->before = n->twice;
    n->best_gap = n->before > 0 ? n->gap : INFINITY;
    n->twice = INFINITY;
    n->stall = pt_stall_begin();
    for (size_t k = 0; k < n->rank; k++)
        n->point[k] = n->right[k] / n->before;
    along(n, n->point, n->margins);
    return n->status;
}

/* The members take over what the dual has. */
static void finish(const newton *n)
{
    pt_newton_members *m = n->members;
    double sum = 0;
    for (size_t i = 0; i < n->count; i++) {
        m->weights[i] = n->best_alphas[i];
        m->scores[i] = n->best_scores[i];
        sum += n->best_alphas[i] * sqrt(n->residuals[i]);
    }
    m->objective = n->best_twice / 2;
    m->steps = n->steps;
    m->error = sum;
    m->solved = true;
}

partan_status pt_newton_solve(pt_newton_members *members, pt_lowrank *lowrank, double tol, double eps, uint64_t most)
{
    partan_context *context = lowrank->context;
    newton n = {.context = context, .members = members, .ops = lowrank->ops, .count = members->count};
    members->solved = false;
    partan_status status = begin(&n, lowrank);
    while (!status && n.steps < most) {
        if (pt_interrupted(context))
            status = PARTAN_INTERRUPTED;
        else
            status = take_step(&n);
        if (status)
            break;
        look_at_dual(&n);
        if (n.status) {
            status = n.status;
            break;
        }
        keep(&n);
        if (n.best_gap <= tol * n.best_twice || (n.best_twice > 0 && n.best_gap <= eps))
            break;
        if (pt_stall_look(&n.stall, primal(&n), n.gap, GAP_GAIN) >= MOST_STILL || n.steps == MOST_STEPS)
            status = PARTAN_STALLED;
    }
    if (status >= 0 && n.best_twice > 0)
        finish(&n);
    else if (status == PARTAN_OK)
        status = PARTAN_STALLED;
    newton_free(&n);
    return status;
}
