/* The rows of a working set, of which Newton's method for primal problems finds the weights: both vertices of each
 * among the members, and what the method keeps for each row. */
#include <math.h>

#include "active/primal_newton.h"

/* Finds both vertices of each row among the members, which are there (members.c); false where they are not. */
static partan_status find_rows(pt_primal_newton *n, bool *found)
{
    const pt_working *w = n->w;
    const pt_dual *dual = pt_primal_dual(n);
    size_t guests = (dual->vertices - pt_dual_own_vertices(dual)) / dual->layers;
    size_t *place = pt_alloc_zero(n->m->context, dual->rows + guests, sizeof *place); /* of the first vertex, from 1 */
    for (int k = 0; k < 2; k++)
        n->member[k] = pt_alloc(n->m->context, w->count, sizeof *n->member[k]);
    n->ids = pt_alloc(n->m->context, w->count, sizeof *n->ids);
    if (!place || !n->member[0] || !n->member[1] || !n->ids) {
        pt_free(n->m->context, place);
        return pt_out_of_memory(n->m->context, "Newton's method");
    }
    size_t firsts = 0;
    for (size_t i = 0; i < w->count; i++)
        if (w->signs[i] != 0 && pt_dual_layer(dual, w->ids[i]) == 0) {
            place[pt_dual_row(dual, w->ids[i])] = i + 1;
            firsts++;
        }
    for (size_t i = 0; i < w->count; i++) {
        int64_t row = pt_dual_row(dual, w->ids[i]);
        if (w->signs[i] == 0 || pt_dual_layer(dual, w->ids[i]) == 0 || place[row] == 0)
            continue;
        n->ids[n->count] = row;
        n->member[0][n->count] = place[row] - 1;
        n->member[1][n->count++] = i;
    }
    pt_free(n->m->context, place);
    *found = n->count == firsts && 2 * n->count + 1 == w->count;
    return PARTAN_OK;
}

static partan_status gather_rows(pt_primal_newton *n)
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

/* Products are shared out by rows, each of which has a sum of its own; a linear kernel has a quicker way to all sums.
 */
static partan_status take_part(pt_primal_newton *n)
{
    const pt_share *share = n->m->simplex->share;
    if (!share || share->comm->size == 1 || n->m->simplex->kernel.kind == PARTAN_KERNEL_LINEAR)
        return PARTAN_OK;
    size_t rank = (size_t)share->comm->rank, size = (size_t)share->comm->size;
    n->shares = true;
    n->part = (pt_span){n->count * rank / size, n->count * (rank + 1) / size};
    for (size_t r = n->part.begin; r < n->part.end; r++)
        n->support[r - n->part.begin] = (int64_t)r;
    return pt_matrix_gather(&n->rows, n->support, n->part.end - n->part.begin, &n->part_rows);
}

static partan_status allocate(pt_primal_newton *n)
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

void pt_primal_rows_free(pt_primal_newton *n)
{
    void *arrays[] = {n->member[0], n->member[1], n->ids,     n->costs,   n->targets[0], n->targets[1],
                      n->point,     n->product,   n->counted, n->rest,    n->solution,   n->solved,
                      n->search,    n->searched,  n->better,  n->weights, n->support};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pt_free(n->m->context, arrays[i]);
    pt_preconditioner_free(&n->preconditioner);
    pt_matrix_free(&n->rows);
    pt_matrix_free(&n->part_rows);
}

static void take_weights(pt_primal_newton *n)
{
    const pt_working *w = n->w;
    for (size_t r = 0; r < n->count; r++) {
        size_t first = n->member[0][r], second = n->member[1][r];
        n->costs[r] = 1 / pt_dual_inverse_cost(pt_primal_dual(n), w->ids[first]);
        n->targets[0][r] = -pt_dual_linear(pt_primal_dual(n), w->ids[first]);
        n->targets[1][r] = -pt_dual_linear(pt_primal_dual(n), w->ids[second]);
        n->point[r] = w->weights[first] - w->weights[second];
        n->product[r] = w->scores[first] + n->targets[0][r] - w->weights[first] / n->costs[r];
    }
}

partan_status pt_primal_rows_open(pt_primal_newton *n, bool *found)
{
    partan_status status = find_rows(n, found);
    if (!status && *found)
        status = gather_rows(n);
    if (!status && *found)
        status = allocate(n);
    if (!status && *found)
        status = take_part(n);
    if (!status && *found) {
        pt_working_refresh(n->w);
        take_weights(n);
    }
    return status;
}

void pt_primal_rows_give(const pt_primal_newton *n)
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
