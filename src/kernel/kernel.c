/* From settings to a kernel: gamma rules and checks. */
#include "kernel/kernel.h"

#include <math.h>

#include "kernel/kinds.h"

partan_status pt_kernel_from_settings(partan_context *context, const partan_settings *settings, const pt_matrix *rows,
                                      pt_kernel *kernel)
{
    *kernel = (pt_kernel){
        .kind = settings->kernel, .gamma = settings->gamma, .coef0 = settings->coef0, .degree = (int)settings->degree};
    if (!pt_kernel_kind_of(kernel->kind)->gamma)
        kernel->gamma = 1;
    else if (settings->gamma_rule == PARTAN_GAMMA_AUTO)
        kernel->gamma = pt_gamma_auto(rows);
    else if (settings->gamma_rule == PARTAN_GAMMA_SCALE)
        kernel->gamma = pt_gamma_scale(rows);
    if (isnan(kernel->gamma))
        return pt_out_of_memory(context, "the mean of the rows");
    if (!isfinite(kernel->gamma))
        return pt_fail(context, PARTAN_ERROR_NUMERIC,
                       "gamma is not finite: the feature values are too large or too small; scale the data");
    return PARTAN_OK;
}

/* Sums over all rows: of each feature, of all values, of all squares. */
typedef struct moments {
    double sum;
    double squares;
    double square_of_mean; /* |mean row|^2 */
} moments;

static bool take_moments(const pt_matrix *rows, moments *m)
{
    partan_context *context = rows->context;
    size_t room = pt_matrix_row_room(rows);
    double *totals = pt_alloc_zero(context, rows->features, sizeof *totals);
    int32_t *indices = pt_alloc(context, room, sizeof *indices);
    float *values = pt_alloc(context, room, sizeof *values);
    bool done = totals && indices && values;
    *m = (moments){0};
    if (done) {
        for (size_t row = 0; row < rows->rows; row++) {
            size_t count = pt_matrix_row(rows, row, indices, values);
            for (size_t i = 0; i < count; i++) {
                totals[indices[i]] += values[i];
                m->squares += (double)values[i] * values[i];
            }
        }
        for (size_t f = 0; f < rows->features; f++) {
            double mean = totals[f] / (double)rows->rows;
            m->sum += totals[f];
            m->square_of_mean += mean * mean;
        }
    }
    pt_free(context, totals);
    pt_free(context, indices);
    pt_free(context, values);
    return done;
}

double pt_gamma_auto(const pt_matrix *rows)
{
    /* mean over pairs of |x_i - x_j|^2 = 2 (mean |x|^2 - |mean x|^2) */
    moments m;
    if (!take_moments(rows, &m))
        return NAN;
    double mean_square = m.squares / (double)rows->rows;
    double mean_distance = 2 * (mean_square - m.square_of_mean);
    return mean_distance > 1e-12 * mean_square ? 1 / mean_distance : 1;
}

double pt_gamma_scale(const pt_matrix *rows)
{
    moments m;
    if (!take_moments(rows, &m))
        return NAN;
    double count = (double)rows->rows * (double)rows->features;
    double mean = m.sum / count;
    double variance = m.squares / count - mean * mean;
    return variance > 1e-12 * m.squares / count ? 1 / ((double)rows->features * variance) : 1;
}
