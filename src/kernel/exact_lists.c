#include "kernel/exact_lists.h"

#include <math.h>

static size_t most_nonzeros(const pt_matrix *matrix, size_t rows)
{
    int64_t most = 0;
    for (size_t first = 0; first < matrix->rows; first += rows) {
        size_t end = matrix->rows - first < rows ? matrix->rows : first + rows;
        int64_t nonzeros = matrix->offsets[end] - matrix->offsets[first];
        most = nonzeros > most ? nonzeros : most;
    }
    return (size_t)most;
}

partan_status pt_lists_init(pt_lists *lists, partan_context *context, const pt_matrix *matrix, size_t rows)
{
    *lists = (pt_lists){.context = context,
                        .features = matrix->features,
                        .lists = pt_alloc_zero(context, matrix->features, sizeof *lists->lists),
                        .entries = pt_alloc(context, most_nonzeros(matrix, rows), sizeof *lists->entries),
                        .total = pt_alloc(context, rows, sizeof *lists->total),
                        .met = pt_alloc(context, rows, sizeof *lists->met),
                        .share = pt_alloc(context, rows, sizeof *lists->share)};
    if (lists->lists && lists->entries && lists->total && lists->met && lists->share)
        return PARTAN_OK;
    pt_lists_free(lists);
    return pt_out_of_memory(context, "exact kernel values");
}

void pt_lists_free(pt_lists *lists)
{
    if (!lists->context)
        return;
    pt_free(lists->context, lists->lists);
    pt_free(lists->context, lists->entries);
    pt_free(lists->context, lists->total);
    pt_free(lists->context, lists->met);
    pt_free(lists->context, lists->share);
    *lists = (pt_lists){0};
}

static double part(pt_metric metric, double x)
{
    return metric == PT_METRIC_SQUARES ? x * x : metric == PT_METRIC_ABSOLUTE ? fabs(x) : 0;
}

/* What the rows of the last filling had. */
static void forget(pt_lists *lists)
{
    const pt_matrix *matrix = lists->matrix;
    if (matrix)
        for (int64_t i = matrix->offsets[lists->first]; i < matrix->offsets[lists->first + lists->rows]; i++)
            lists->lists[matrix->indices[i]] = (struct pt_list){0, 0};
}

void pt_lists_fill(pt_lists *lists, const pt_matrix *matrix, size_t first, size_t rows, pt_metric metric)
{
    const int64_t *offsets = matrix->offsets;
    forget(lists);
    lists->matrix = matrix;
    lists->first = first;
    lists->rows = rows;
    for (int64_t i = offsets[first]; i < offsets[first + rows]; i++)
        lists->lists[matrix->indices[i]].count++;
    uint32_t next = 0;
    for (int64_t i = offsets[first]; i < offsets[first + rows]; i++) {
        struct pt_list *list = &lists->lists[matrix->indices[i]];
        if (list->count > 0) { /* not yet dealt with: its place, and nothing in it so far */
            list->start = next;
            next += list->count;
            list->count = 0;
        }
    }
    for (size_t row = 0; row < rows; row++) {
        lists->total[row] = 0;
        for (int64_t i = offsets[first + row]; i < offsets[first + row + 1]; i++) {
            struct pt_list *list = &lists->lists[matrix->indices[i]];
            lists->entries[list->start + list->count++] = (struct pt_list_entry){(uint32_t)row, matrix->values[i]};
            lists->total[row] += part(metric, (double)matrix->values[i]);
        }
    }
}

static void add_products(const struct pt_list_entry *entry, const struct pt_list_entry *end, double z, double *u)
{
    for (; entry < end; entry++)
        u[entry->row] += (double)entry->value * z;
}

static void add_distances(const pt_lists *lists, pt_metric metric, struct pt_list list, double z, double *u)
{
    double share = part(metric, z);
    for (uint32_t i = list.start; i < list.start + list.count; i++) {
        double x = (double)lists->entries[i].value;
        uint32_t row = lists->entries[i].row;
        u[row] += part(metric, x - z);
        lists->met[row] += part(metric, x);
        lists->share[row] += share;
    }
}

/* Over the common features, and what is left of row and vertex beside them. Where there is no other feature, `met` and
 * `share` add up the same numbers in the same order as the totals did, and nothing is left exactly. */
void pt_lists_measure(const pt_lists *lists, pt_metric metric, const int32_t *indices, const float *values,
                      size_t count, double *u)
{
    double total = 0;
    for (size_t row = 0; row < lists->rows; row++)
        u[row] = lists->met[row] = lists->share[row] = 0;
    for (size_t k = 0; k < count; k++) {
        double z = (double)values[k];
        total += part(metric, z);
        if ((size_t)indices[k] >= lists->features)
            continue;
        struct pt_list list = lists->lists[indices[k]];
        const struct pt_list_entry *entry = lists->entries + list.start;
        if (metric == PT_METRIC_DOT)
            add_products(entry, entry + list.count, z, u);
        else
            add_distances(lists, metric, list, z, u);
    }
    if (metric != PT_METRIC_DOT)
        for (size_t row = 0; row < lists->rows; row++) {
            double own = lists->total[row] - lists->met[row], its = total - lists->share[row];
            u[row] += (own > 0 ? own : 0) + (its > 0 ? its : 0);
        }
}
