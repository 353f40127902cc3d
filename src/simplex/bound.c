/* A gap that is known without kernel values, for runs that have no time left for a pass over all rows.
 *
 * With w = sum a_j y_j phi(x_j), phi the features of the kernel with its bias, the score of a row without weight is
 * <w, y phi(x)> >= -|w| |phi(x)|; for kernels that are not positive semidefinite, >= -sum a_j (|k| + bias). */
#include <float.h>
#include <math.h>

#include "core/team.h"
#include "data/storage/layout.h"
#include "kernel/kinds.h"
#include "simplex/rows.h"

#define ROUNDING 4.0       /* units of float32 that kernel values, and so scores, may be wrong by */
#define CAUTION  1.001     /* for the rounding of |w| */
#define NEARLY   0.999999f /* for the rounding of |x|^2 to float32 */
enum { SELF_ROWS = 4096 };

typedef struct selves {
    pt_points points;
    pt_kernel kernel;
    const float *norms; /* NULL: not known */
    float least;        /* of the norms that the longest row could have */
    _Atomic double largest;
} selves;

static void find_largest(void *user, size_t chunk, size_t thread)
{
    selves *s = user;
    pt_span span = pt_span_of(s->points.matrix->rows, SELF_ROWS, chunk);
    double largest = 0;
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++)
        if (!s->norms || s->norms[row] >= s->least)
            largest = fmax(largest, pt_kernel_self(&s->kernel, s->points, row));
    pt_atomic_greatest(&s->largest, largest);
}

/* A kernel of a product, with its constant made positive, is largest for the longest row: the others need no look,
 * which would take a second for a million rows, too long to end a run that was stopped. */
static void find_longest(selves *s)
{
    const pt_matrix *matrix = s->points.matrix;
    float longest = 0;
    s->norms = pt_kernel_kind_of(s->kernel.kind)->metric == PT_METRIC_DOT ? matrix->norms : NULL;
    for (size_t row = 0; s->norms && row < matrix->rows; row++)
        longest = s->norms[row] > longest ? s->norms[row] : longest;
    s->least = NEARLY * longest;
}

static double largest_entry(const pt_matrix *matrix)
{
    double largest = 0;
    for (size_t row = 0; row < matrix->rows; row++)
        for (pt_cursor at = {.matrix = matrix, .row = row}; pt_layout_of(matrix->storage)->next(&at);)
            largest = fmax(largest, fabs((double)at.value));
    return largest;
}

/* |k| is at most 1, whatever the rows are. */
static bool is_within_one(const pt_kernel *kernel)
{
    return pt_kernel_kind_of(kernel->kind)->decays || kernel->kind == PARTAN_KERNEL_SIGMOID;
}

double pt_largest_value(partan_context *context, const pt_kernel *kernel, pt_points points)
{
    if (kernel->kind == PARTAN_KERNEL_PRECOMPUTED)
        return largest_entry(points.matrix);
    if (is_within_one(kernel))
        return 1;
    selves s = {.points = points, .kernel = *kernel};
    s.kernel.coef0 = fabs(s.kernel.coef0);
    atomic_init(&s.largest, 0);
    find_longest(&s);
    pt_team_run(context, context->threads, pt_span_count(points.matrix->rows, SELF_ROWS), find_largest, &s);
    return atomic_load(&s.largest);
}

double pt_simplex_largest(pt_simplex *simplex)
{
    const pt_kernel *kernel = &simplex->kernel;
    bool known = kernel->kind == PARTAN_KERNEL_PRECOMPUTED || is_within_one(kernel);
    if (!known && simplex->largest > 0)
        return simplex->largest;
    double largest = pt_largest_value(simplex->problem.context, kernel, simplex->points);
    if (known)
        return largest;
    simplex->largest = largest;
    if (simplex->share)
        simplex->share->comm->greatest(simplex->share->comm, &simplex->largest, 1);
    return simplex->largest;
}

double pt_least_score(const pt_kernel *kernel, double squared, double self)
{
    return -CAUTION * (pt_kernel_definite(kernel) ? sqrt(fmax(squared, 0) * self) : self);
}

/* The least that a score could be. */
static double lowest(const pt_simplex *simplex, const pt_iterate *iterate, const pt_certificate *at, double largest)
{
    const pt_dual *dual = &simplex->dual;
    double squared = pt_inner_product(at->objective, at->linear) - at->linear,
           self = largest + pt_simplex_bias(simplex), linear = 0;
    for (size_t i = 0; i < iterate->count; i++)
        squared -= iterate->now[i] * pt_dual_own(dual, iterate->id[i], iterate->now[i]);
    for (size_t i = 0; i < dual->vertices && dual->linear; i++)
        linear = fmin(linear, dual->linear[i]);
    return linear + pt_least_score(&simplex->kernel, squared, self);
}

void pt_simplex_bound(pt_problem *problem, const pt_iterate *iterate, pt_certificate *certificate)
{
    pt_simplex *simplex = (pt_simplex *)problem;
    certificate->bound = true;
    if (simplex->dual.primal) { /* -f is at most the primal objective at 0 */
        certificate->gap = fmin(certificate->gap, simplex->dual.most + certificate->objective);
        return;
    }
    double largest = pt_simplex_largest(simplex), inner = pt_inner_product(certificate->objective, certificate->linear);
    double least = fmax(lowest(simplex, iterate, certificate, largest),
                        inner - certificate->gap - ROUNDING * (double)FLT_EPSILON * (largest + simplex->dual.bias));
    certificate->gap = inner - least;
}
