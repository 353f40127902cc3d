#include "svm/threshold.h"

#include <math.h>
#include <stdlib.h>

#include "core/random.h"
#include "kernel/kinds.h"

double pt_spread(const partan_data *data, const pt_kernel *kernel)
{
    pt_points points = {.matrix = &data->matrix};
    size_t before = SIZE_MAX, count = 0;
    double sum = 0;
    pt_random random;
    pt_random_seed(&random, 1);
    for (size_t row = 0; row < data->matrix.rows; row++) {
        if (!(pt_data_weight(data, row) > 0))
            continue;
        if (count > 0)
            sum += pt_kernel_self(kernel, points, row) + pt_kernel_self(kernel, points, before)
                   - 2 * pt_kernel_value(kernel, points, row, points, before);
        count++;
        if (before == SIZE_MAX || pt_random_below(&random, 2) == 0)
            before = row;
    }
    return count > 1 ? fmax(sum, 0) / (2 * (double)(count - 1)) : 0;
}

typedef struct row {
    double distance, weight;
} row;

static int farthest_first(const void *a, const void *b)
{
    double x = ((const row *)a)->distance, y = ((const row *)b)->distance;
    return (x < y) - (x > y);
}

#define SAME 1e-6 /* of the kernel's values: rows whose distances are closer than this are on the same side */

/* Half way between the last row outside and the first one inside. */
static double by_share(const row *rows, size_t count, double share, bool decays)
{
    double all = 0, outside = 0;
    size_t i = 0;
    for (size_t k = 0; k < count; k++)
        all += rows[k].weight;
    for (; i + 1 < count && outside + rows[i].weight <= share * all * (1 + 1e-12); i++)
        outside += rows[i].weight;
    double same = SAME * (decays ? 1 : fabs(rows[0].distance));
    while (i > 0 && rows[i - 1].distance - rows[i].distance <= same)
        i--;
    return i == 0 ? rows[0].distance + same : (rows[i - 1].distance + rows[i].distance) / 2;
}

/* R^2 with sum C_i max(0, d_i - R^2) / 2 = 1: among the farthest rows, it is linear in R^2. */
static double by_radius(const row *rows, size_t count, double cost)
{
    double weights = 0, sum = 0, radius = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        weights += cost * rows[i].weight;
        sum += cost * rows[i].weight * rows[i].distance;
        radius = (sum - 2) / weights;
        if (i + 1 < count && radius >= rows[i + 1].distance)
            break;
    }
    return radius;
}

partan_status pt_threshold(const partan_data *data, const partan_settings *settings, const double *distances,
                           double *radius)
{
    size_t count = 0;
    row *rows = pt_alloc(data->context, data->matrix.rows, sizeof *rows);
    if (!rows)
        return pt_out_of_memory(data->context, "the threshold");
    for (size_t i = 0; i < data->matrix.rows; i++)
        if (pt_data_weight(data, i) > 0)
            rows[count++] = (row){distances[i], pt_data_weight(data, i)};
    qsort(rows, count, sizeof *rows, farthest_first);
    *radius = settings->outliers > 0
                  ? by_share(rows, count, settings->outliers, pt_kernel_kind_of(settings->kernel)->decays)
                  : by_radius(rows, count, settings->cost);
    pt_free(data->context, rows);
    return PARTAN_OK;
}
