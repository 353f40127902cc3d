/* From settings to a kernel: gamma rules and checks. */
#include "kernel/kernel.h"

#include <math.h>

#include "kernel/kinds.h"

enum { GAMMA_ROWS = 1 << 18 }; /* that gamma is made of at most: to 0.2 % or so, as soon as anybody would wait for it */

partan_status pt_kernel_from_settings(partan_context *context, const partan_settings *settings, const pt_matrix *rows,
                                      pt_kernel *kernel)
{
    *kernel = (pt_kernel){
        .kind = settings->kernel, .gamma = settings->gamma, .coef0 = settings->coef0, .degree = (int)settings->degree};
    if (!pt_kernel_kind_of(kernel->kind)->gamma)
        kernel->gamma = 1;
    else if (settings->gamma_rule != PARTAN_GAMMA_VALUE)
        kernel->gamma = pt_gamma_of(settings->gamma_rule, rows, rows->features);
    if (isnan(kernel->gamma))
        return pt_out_of_memory(context, "the mean of the rows");
    if (!isfinite(kernel->gamma))
        return pt_fail(context, PARTAN_ERROR_NUMERIC,
                       "gamma is not finite: the feature values are too large or too small; scale the data");
    return PARTAN_OK;
}

/* Sums over rows: of each feature, of all values, of all squares. */
typedef struct moments {
    double sum;
    double squares;
    double square_of_mean; /* |mean row|^2 */
} moments;

/* How many rows gamma is made of: all, or, of very many, some at even distances. */
static uint64_t sample_of(uint64_t all)
{
    return all < GAMMA_ROWS ? all : GAMMA_ROWS;
}

/* The first of these that is row `first` or a later one. */
static uint64_t first_sampled(uint64_t first, uint64_t all)
{
    uint64_t i = first * sample_of(all) / all;
    return i * all / sample_of(all) < first ? i + 1 : i;
}

static void add_row(const int32_t *indices, const float *values, size_t count, double *sums, double *squares)
{
    for (size_t i = 0; i < count; i++) {
        sums[indices[i]] += values[i];
        *squares += (double)values[i] * values[i];
    }
}

bool pt_moments_add(const pt_matrix *rows, uint64_t first, uint64_t all, double *sums)
{
    partan_context *context = rows->context;
    size_t room = pt_matrix_row_room(rows);
    int32_t *indices = pt_alloc(context, room, sizeof *indices);
    float *values = pt_alloc(context, room, sizeof *values);
    bool done = indices && values;
    double squares = sums[rows->features];
    uint64_t begin = first_sampled(first, all), end = first_sampled(first + rows->rows, all);
    for (uint64_t i = begin; i < end && done; i++) {
        size_t count = pt_matrix_row(rows, (size_t)(i * all / sample_of(all) - first), indices, values);
        add_row(indices, values, count, sums, &squares);
    }
    sums[rows->features] = squares;
    pt_free(context, indices);
    pt_free(context, values);
    return done;
}

static moments moments_of(double rows, size_t columns, const double *sums)
{
    moments m = {.squares = sums[columns]};
    for (size_t f = 0; f < columns; f++) {
        double mean = sums[f] / rows;
        m.sum += sums[f];
        m.square_of_mean += mean * mean;
    }
    return m;
}

double pt_gamma_by(partan_gamma rule, uint64_t all, size_t features, const double *sums, size_t columns)
{
    double rows = (double)sample_of(all);
    moments m = moments_of(rows, columns, sums);
    if (rule == PARTAN_GAMMA_AUTO) {
        /* mean over pairs of |x_i - x_j|^2 = 2 (mean |x|^2 - |mean x|^2) */
        double mean_square = m.squares / rows;
        double mean_distance = 2 * (mean_square - m.square_of_mean);
        return mean_distance > 1e-12 * mean_square ? 1 / mean_distance : 1;
    }
    double count = rows * (double)features;
    double mean = m.sum / count;
    double variance = m.squares / count - mean * mean;
    return variance > 1e-12 * m.squares / count ? 1 / ((double)features * variance) : 1;
}

double pt_gamma_of(partan_gamma rule, const pt_matrix *rows, size_t features)
{
    double *sums = pt_alloc_zero(rows->context, rows->features + 1, sizeof *sums), gamma = NAN;
    if (sums && pt_moments_add(rows, 0, rows->rows, sums))
        gamma = pt_gamma_by(rule, rows->rows, features, sums, rows->features);
    pt_free(rows->context, sums);
    return gamma;
}

bool pt_kernel_definite(const pt_kernel *kernel)
{
    return pt_kernel_kind_of(kernel->kind)->decays || kernel->kind == PARTAN_KERNEL_LINEAR
           || (kernel->kind == PARTAN_KERNEL_POLYNOMIAL && kernel->coef0 >= 0);
}
