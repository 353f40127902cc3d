/* A step of Newton's method for primal problems: the system
 *
 *     (K + 1/C) b = t -+ epsilon
 *
 * of the rows that have a loss, b = 0 elsewhere, by conjugate gradients that are preconditioned by low-rank factors of
 * the kernel. */
#include <math.h>
#include <string.h>

#include "active/primal_newton.h"
#include "simplex/rows.h"

enum {

    LEAST_RANK = 32, /* of the preconditioner, and most */
    MOST_RANK = 1536,
    MOST_PRODUCTS = 1000, /* of one step */
};

/* The preconditioner's rank is the root of the rows times this, */
#define LEAST_ROOT    2.5  /* with which factors cost about what a product does, */
#define MOST_ROOT     10.0 /* and as much more as products turn out to be needed */
#define RICHER        2.0  /* by this factor at a time */
#define FACTOR        0.1  /* nanoseconds for a row, by the square of the rank, of its factors and their matrix */
#define AGAIN         0.5 /* if as many products as cost this part of that are still to come, by their success so far */
#define LEAST_GAIN    1.25 /* in rank, for which it is made anew */
#define RESIDUAL      0.05 /* of 1 / C, below which they have nothing more to gain */
#define GROWN         2.0  /* rows, relative to those that the rank was chosen for, that ask for another choice */
#define ROUGH         1e-3 /* the relative gap down to which products are summed in float32 */
#define WORTH_SHARING 1e6  /* nanoseconds of a product that processes share out */
#define MANY          1000 /* rows: fewer are always summed in double, which costs little and ends more precisely than asked */

/* ---- Factors ---- */

static size_t wanted_rank(const pt_primal_newton *n, double root)
{
    size_t most = (size_t)(root * sqrt((double)n->count)), room = n->m->budget / (n->count * sizeof(double));
    most = most < MOST_RANK ? most : MOST_RANK;
    most = most < room ? most : room;
    return most > LEAST_RANK ? most : LEAST_RANK;
}

static double wanted_residual(const pt_primal_newton *n)
{
    return RESIDUAL * pt_primal_dual(n)->inverse_cost;
}

static partan_status choose_pivots(pt_primal_newton *n)
{
    method *m = n->m;
    pt_lowrank_free(&m->primal.pivots);
    m->primal.rows = (double)n->count;
    return pt_lowrank_make_coarse(&m->primal.pivots, m->context, &m->simplex->kernel, pt_simplex_points(m->simplex),
                                  &m->simplex->counters.kernel_values, wanted_residual(n),
                                  wanted_rank(n, m->primal.root), n->ids, n->count);
}

partan_status pt_primal_system_precondition(pt_primal_newton *n)
{
    method *m = n->m;
    partan_status status = PARTAN_OK;
    m->primal.root = fmax(m->primal.root, LEAST_ROOT);
    n->spent = 0;
    if (m->primal.pivots.rank == 0 || (double)n->count > GROWN * m->primal.rows)
        status = choose_pivots(n);
    if (!status)
        status = pt_preconditioner_make(&n->preconditioner, &m->primal.pivots, &n->rows, pt_simplex_bias(m->simplex));
    return status;
}

static double product_cost(const pt_primal_newton *n, size_t support)
{
    return n->w->value_cost * (double)n->count * (double)support;
}

/* Whether products have cost as much as factors of a higher rank would, if more rank is to be had, and so many more of
 * them would cost that again. */
static bool wants_richer(const pt_primal_newton *n, size_t support, double products)
{
    const pt_lowrank *pivots = &n->m->primal.pivots;
    double richer = (double)wanted_rank(n, fmin(n->m->primal.root * RICHER, MOST_ROOT));
    double cost = FACTOR * (double)n->count * richer * richer;
    bool fine = pivots->rank < pivots->most && pivots->residual <= wanted_residual(n);
    return !fine && richer >= LEAST_GAIN * (double)pivots->rank && n->spent >= cost
           && products * product_cost(n, support) >= AGAIN * cost;
}

static partan_status make_richer(pt_primal_newton *n)
{
    n->m->primal.root = fmin(n->m->primal.root * RICHER, MOST_ROOT);
    pt_preconditioner_free(&n->preconditioner);
    partan_status status = choose_pivots(n);
    if (!status)
        status = pt_primal_system_precondition(n);
    return status ? status : pt_preconditioner_set(&n->preconditioner, n->counted);
}

/* ---- Products ---- */

/* The sums of all rows, or of this process's part of them, and then from all processes. */
static partan_status sum_rows(pt_primal_newton *n, size_t count, const pt_matrix *vectors, double *out)
{
    partan_context *context = n->m->context;
    const pt_kernel *kernel = &n->m->simplex->kernel;
    bool rough = n->m->inner_gap >= ROUGH && n->count >= MANY;
    bool shared = n->shares && product_cost(n, count) >= WORTH_SHARING;
    pt_points rows = {shared ? &n->part_rows : &n->rows, NULL};
    if (shared)
        memset(out, 0, n->count * sizeof *out);
    partan_status status = (rough ? pt_kernel_sums_float32 : pt_kernel_sums)(
        context, kernel, rows, (pt_points){vectors, NULL}, count, n->weights, shared ? out + n->part.begin : out);
    if (!status && shared) {
        pt_comm *comm = n->m->simplex->share->comm;
        comm->sum(comm, out, n->count);
    }
    return status;
}

/* out = K v over all rows, for a v that is 0 but for the first so many of `support`, which are `vectors`. */
static partan_status multiply(pt_primal_newton *n, const double *v, size_t count, const pt_matrix *vectors, double *out)
{
    double total = 0;
    for (size_t k = 0; k < count; k++) {
        n->weights[k] = v[n->support[k]];
        total += n->weights[k];
    }
    pt_simplex *simplex = n->m->simplex;
    partan_status status = sum_rows(n, count, vectors, out);
    simplex->counters.kernel_values += (uint64_t)n->count * count;
    n->spent += product_cost(n, count);
    for (size_t r = 0; r < n->count && !status; r++)
        out[r] += pt_primal_dual(n)->bias * total;
    if (!status && pt_simplex_interrupted(simplex))
        status = PARTAN_INTERRUPTED;
    return status;
}

/* The same for a v that is 0 but for few rows. */
static partan_status multiply_few(pt_primal_newton *n, const double *v, double *out)
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

/* ---- Conjugate gradients ---- */

/* What its rest adds to the gap. */
static double rest_gap(const pt_primal_newton *n)
{
    double sum = 0;
    for (size_t r = 0; r < n->count; r++)
        sum += n->counted[r] * n->rest[r] * n->rest[r] / 2;
    return sum;
}

/* The rows of a loss, with the point at these as the first guess. */
static partan_status begin(pt_primal_newton *n, size_t *count)
{
    for (size_t r = 0; r < n->count; r++) {
        bool counts = pt_primal_loss(n, r, n->product[r]) != 0;
        n->counted[r] = counts ? n->costs[r] : 0;
        n->solution[r] = counts ? n->point[r] : 0;
        n->search[r] = counts ? 0 : n->point[r];
    }
    partan_status status = multiply_few(n, n->search, n->searched);
    if (!status)
        status = pt_preconditioner_set(&n->preconditioner, n->counted);
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

static void step_along(pt_primal_newton *n, double step)
{
    for (size_t r = 0; r < n->count; r++) {
        n->solution[r] += step * n->search[r];
        n->solved[r] += step * n->searched[r];
        n->rest[r] -= n->counted[r] > 0 ? step * (n->searched[r] + n->search[r] / n->counted[r]) : 0;
    }
}

static double curvature_of(const pt_primal_newton *n)
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

static partan_status go_on(pt_primal_newton *n, size_t count, double enough)
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
        status = pt_preconditioner_apply(&n->preconditioner, n->rest, n->better);
        if (status)
            break;
        double now = pt_primal_inner(n, n->rest, n->better);
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

partan_status pt_primal_system_solve(pt_primal_newton *n, double enough)
{
    size_t count = 0;
    partan_status status = begin(n, &count);
    return status ? status : go_on(n, count, enough);
}
