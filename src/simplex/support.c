#include "simplex/support.h"

#include <stdlib.h>

#include "simplex/rows.h"

void pt_support_free(partan_context *context, pt_support *s)
{
    pt_free(context, s->ids);
    pt_free(context, s->weights);
    pt_free(context, s->serials);
    pt_matrix_free(&s->vectors);
}

/* By their numbers, which they are here as they come from there. */
static void sort(const pt_simplex *simplex, pt_support *s)
{
    for (size_t i = 0; i < s->count; i++)
        s->ids[i] = pt_simplex_number(simplex, s->ids[i]);
    qsort(s->ids, s->count, sizeof *s->ids, pt_compare_ids);
    for (size_t i = 0; i < s->count && simplex->share; i++)
        s->ids[i] = pt_share_find(simplex->share, s->ids[i]);
}

partan_status pt_support_gather(const pt_simplex *simplex, const pt_iterate *iterate, pt_support *s)
{
    partan_context *context = simplex->problem.context;
    *s = (pt_support){0};
    s->ids = pt_alloc(context, iterate->count, sizeof *s->ids);
    s->weights = pt_alloc(context, iterate->count, sizeof *s->weights);
    if (!s->ids || !s->weights)
        return pt_out_of_memory(context, "the support vectors");
    for (size_t i = 0; i < iterate->count; i++)
        if (iterate->now[i] > 0)
            s->ids[s->count++] = iterate->id[i];
    sort(simplex, s);
    for (size_t i = 0; i < s->count; i++) {
        int64_t id = s->ids[i];
        s->weights[i] = pt_iterate_weight(iterate, id) * pt_dual_sign(&simplex->dual, id);
        s->total += s->weights[i];
        s->linear += pt_iterate_weight(iterate, id) * pt_dual_linear(&simplex->dual, id);
    }
    partan_status status = pt_simplex_serials(simplex, s->ids, s->count, &s->serials);
    return status || s->serials ? status : pt_simplex_gather_heeding(simplex, s->ids, s->count, &s->vectors);
}

void pt_support_finish(const pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s, const int64_t *ids,
                       size_t count, double *sums)
{
    for (size_t i = 0; i < count; i++) {
        int64_t id = ids ? ids[i] : (int64_t)i;
        sums[i] = pt_dual_score(&simplex->dual, id, sums[i], s->total)
                  + pt_dual_own(&simplex->dual, id, pt_iterate_weight(iterate, id));
    }
}

pt_points pt_support_points(const pt_support *s)
{
    return s->serials ? (pt_points){NULL, s->serials} : (pt_points){&s->vectors, NULL};
}

/* Of guests, each of which has its vertices side by side: from behind, so that no sum is lost before it is taken. */
static void spread(const pt_dual *dual, size_t guests, double *sums)
{
    for (size_t i = guests; i-- > 0;)
        for (size_t layer = dual->layers; layer-- > 0;)
            sums[i * dual->layers + layer] = sums[i];
}

static partan_status add_guests(pt_simplex *simplex, const pt_support *s, double *gradient)
{
    const pt_dual *dual = &simplex->dual;
    const pt_matrix *guests = &simplex->share->guests;
    double *sums = gradient + pt_dual_own_vertices(dual);
    if (dual->slack)
        gradient[pt_dual_slack(dual)] = 0;
    partan_status status = pt_simplex_row_sums(simplex, guests, pt_support_points(s), s->weights, s->count, sums);
    spread(dual, guests->rows, sums);
    return status;
}

partan_status pt_support_gradient(pt_simplex *simplex, const pt_iterate *iterate, const pt_support *s, double *gradient)
{
    const pt_matrix *rows = simplex->points.matrix;
    uint64_t before = simplex->counters.kernel_values;
    partan_status status = pt_simplex_row_sums(simplex, rows, pt_support_points(s), s->weights, s->count, gradient);
    if (!status && simplex->share) {
        status = add_guests(simplex, s, gradient);
        simplex->counters.kernel_values = before + (uint64_t)pt_simplex_rows(simplex) * s->count; /* as one process */
    }
    if (!status)
        pt_support_finish(simplex, iterate, s, NULL, simplex->dual.vertices, gradient);
    return status;
}

partan_status pt_simplex_gradient(pt_simplex *simplex, const pt_iterate *iterate, double *gradient)
{
    pt_support s;
    partan_status status = pt_support_gather(simplex, iterate, &s);
    if (!status)
        status = pt_support_gradient(simplex, iterate, &s, gradient);
    pt_support_free(simplex->problem.context, &s);
    return status;
}
