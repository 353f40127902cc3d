/* What both forms of the simplex problem share: entries of K, and sums over some vertices. */
#include "simplex/simplex.h"

#include <unistd.h>

#include "core/agree.h"
#include "kernel/kinds.h"
#include "simplex/rows.h"
#include "simplex/support.h"

enum { LOWRANK_PAYS = 4 }; /* a value in double costs as much as so many in float32 */

#define MEMORY_SHARE 4 /* the default budget is this fraction of the memory now free */

partan_status pt_simplex_init(pt_simplex *simplex, partan_context *context, const pt_kernel *kernel, pt_points points,
                              const pt_dual *dual)
{
    simplex->problem.context = context;
    simplex->problem.positive = !dual->linear;
    simplex->kernel = *kernel;
    simplex->points = points;
    simplex->dual = *dual;
    simplex->kernel.less_one = simplex->share ? simplex->share->near_one : pt_kernel_near_one(kernel, points.matrix);
    if (simplex->kernel.less_one)
        simplex->dual.bias += 1;
    return pt_block_init(&simplex->block, context, &simplex->kernel, points.matrix, points.matrix);
}

double pt_simplex_scale(const pt_problem *problem, double objective)
{
    return pt_dual_unit(&((const pt_simplex *)problem)->dual, objective);
}

uint64_t pt_simplex_work(const pt_problem *problem)
{
    return ((const pt_simplex *)problem)->counters.kernel_values;
}

void pt_simplex_trace(const pt_problem *problem, partan_trace_row *row)
{
    row->kernel_columns = ((const pt_simplex *)problem)->counters.kernel_columns;
}

bool pt_simplex_by_lowrank(const pt_simplex *simplex, size_t count)
{
    return simplex->lowrank && count > LOWRANK_PAYS * simplex->lowrank->rank;
}

/* From sums of k to sums of k - 1. */
static void take_ones(const double *weights, size_t count, double *sums, size_t rows)
{
    double total = 0;
    for (size_t i = 0; i < count; i++)
        total += weights[i];
    for (size_t i = 0; i < rows; i++)
        sums[i] -= total;
}

partan_status pt_simplex_sums(pt_simplex *simplex, const pt_matrix *rows, const int64_t *ids, const double *weights,
                              size_t count, double *sums)
{
    partan_context *context = simplex->problem.context;
    pt_support s = {.count = count};
    partan_status status = PARTAN_OK;
    if (pt_simplex_by_lowrank(simplex, count)) {
        status = pt_lowrank_sums(simplex->lowrank, rows, ids, weights, count, sums);
        if (!status && simplex->kernel.less_one)
            take_ones(weights, count, sums, rows->rows);
        return status;
    }
    status = pt_simplex_serials(simplex, ids, count, &s.serials);
    if (!status && !s.serials)
        status = pt_simplex_gather_heeding(simplex, ids, count, &s.vectors);
    if (!status)
        status = pt_simplex_row_sums(simplex, rows, pt_support_points(&s), weights, count, sums);
    pt_support_free(context, &s);
    return status;
}

double pt_simplex_self(const pt_simplex *simplex, int64_t id)
{
    size_t row;
    pt_points points = simplex->points;
    points.matrix = pt_simplex_matrix(simplex, id, &row);
    bool kept = simplex->selves && points.matrix == simplex->points.matrix;
    return kept ? simplex->selves[row] : pt_kernel_self(&simplex->kernel, points, row);
}

partan_status pt_simplex_meet(pt_simplex *simplex, int64_t number, double (*extra)[2], int64_t *vertex, bool *news)
{
    partan_status status = pt_share_meet(simplex->share, number, extra, vertex, news);
    pt_share_take(simplex->share, &simplex->dual);
    return status;
}

partan_status pt_simplex_meet_all(pt_simplex *simplex, const int64_t *numbers, size_t count, int64_t *vertices)
{
    partan_status status = pt_share_meet_all(simplex->share, numbers, count, vertices);
    pt_share_take(simplex->share, &simplex->dual);
    return status;
}

typedef struct range {
    pt_range_adder *add;
    void *user;
    size_t begin, end;
} range;

static void add_range(void *user, double *values)
{
    const range *r = user;
    r->add(r->user, r->begin, r->end, values);
}

void pt_simplex_add_up(const pt_simplex *simplex, pt_range_adder *add, void *user, double *values, size_t count)
{
    const pt_dual *dual = &simplex->dual;
    size_t slack = pt_dual_slack(dual);
    if (!simplex->share) {
        add(user, 0, dual->vertices, values);
        return;
    }
    for (size_t layer = 0; layer < dual->layers; layer++)
        pt_in_turn(simplex->share->comm, add_range, &(range){add, user, layer * dual->rows, (layer + 1) * dual->rows},
                   values, count);
    if (dual->slack) /* which all know */
        add(user, slack, slack + 1, values);
}

bool pt_simplex_interrupted(const pt_simplex *simplex)
{
    return simplex->share ? pt_share_ask(simplex->share) : pt_interrupted(simplex->problem.context);
}

partan_status pt_simplex_keep_selves(pt_simplex *simplex)
{
    partan_context *context = simplex->problem.context;
    size_t rows = simplex->points.matrix->rows;
    if (pt_kernel_kind_of(simplex->kernel.kind)->decays || simplex->kernel.kind == PARTAN_KERNEL_PRECOMPUTED)
        return PARTAN_OK;
    simplex->selves = pt_alloc(context, rows, sizeof *simplex->selves);
    if (!simplex->selves)
        return pt_out_of_memory(context, "the kernel's diagonal");
    pt_kernel_selves(context, &simplex->kernel, simplex->points, simplex->selves);
    return PARTAN_OK;
}

pt_lowrank_points pt_simplex_points(const pt_simplex *simplex)
{
    return (pt_lowrank_points){simplex->points, simplex->share ? &simplex->share->guests : NULL};
}

partan_status pt_simplex_factors(pt_simplex *simplex, double residual, size_t most, pt_lowrank *lowrank)
{
    partan_context *context = simplex->problem.context;
    size_t count = 0;
    int64_t *ids = pt_lowrank_draw(context, pt_simplex_rows(simplex), &count);
    partan_status status = ids ? PARTAN_OK : pt_out_of_memory(context, "low-rank factors");
    if (!status && simplex->share)
        status = pt_simplex_meet_all(simplex, ids, count, ids);
    if (!status)
        status = pt_lowrank_make(lowrank, context, &simplex->kernel, pt_simplex_points(simplex),
                                 &simplex->counters.kernel_values, residual, most, ids, count);
    pt_free(context, ids);
    return status;
}

partan_status pt_simplex_factors_among(pt_simplex *simplex, double residual, const int64_t *ids, size_t count,
                                       size_t most, pt_lowrank *lowrank)
{
    return pt_lowrank_make_among(lowrank, simplex->problem.context, &simplex->kernel, pt_simplex_points(simplex),
                                 &simplex->counters.kernel_values, residual, most, ids, count);
}

double pt_simplex_diagonal(const pt_simplex *simplex, int64_t id)
{
    return pt_dual_diagonal(&simplex->dual, id, pt_simplex_self(simplex, id));
}

size_t pt_simplex_budget(int64_t cache_bytes)
{
    if (cache_bytes >= 0)
        return (size_t)cache_bytes;
    long pages = sysconf(_SC_AVPHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages * (size_t)size / MEMORY_SHARE : 0;
}
