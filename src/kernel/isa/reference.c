/* Everything plainly, every kernel value from its definition in double precision. The instruction sets are tested
 * against this one. */
#include <math.h>

#include "kernel/instructions.h"

static double row_entry(const pt_matrix *rows, size_t tile, size_t lane, size_t feature)
{
    if (rows->storage == PARTAN_STORAGE_DENSE)
        return rows->dense[(tile * rows->features + feature) * PT_TILE + lane];
    if (rows->storage == PARTAN_STORAGE_BYTES) {
        size_t group = tile * rows->groups + feature / PT_BYTES_GROUP;
        uint8_t byte = rows->bytes[(group * PT_TILE + lane) * PT_BYTES_GROUP + feature % PT_BYTES_GROUP];
        return rows->steps.unit * byte;
    }
    uint32_t word = rows->bits[(tile * rows->words + feature / 32) * PT_TILE + lane];
    return word >> feature % 32 & 1;
}

static double panel_entry(const pt_panel *panel, size_t column, size_t feature)
{
    if (panel->dense)
        return panel->dense[pt_panel_place(panel, (int32_t)feature) * panel->width + column];
    if (panel->bytes) {
        const uint8_t *group = (const uint8_t *)&panel->bytes[feature / PT_BYTES_GROUP * panel->width + column];
        return panel->block->scale * group[feature % PT_BYTES_GROUP];
    }
    return panel->bits[feature / 32 * panel->width + column] >> feature % 32 & 1;
}

/* What one feature adds to the sum: a product, a squared or an absolute difference. */
static double share(pt_form form, double x, double z)
{
    switch (form) {
    case PT_FORM_RBF_DOT:
    case PT_FORM_RBF:
        return (x - z) * (x - z);
    case PT_FORM_LAPLACIAN:
        return fabs(x - z);
    default:
        return x * z;
    }
}

static double sum_over_features(const pt_block *block, const pt_panel *panel, size_t tile, size_t lane, size_t column)
{
    const pt_matrix *rows = block->rows;
    double sum = 0;
    if (rows->storage != PARTAN_STORAGE_SPARSE) {
        size_t features = rows->bits ? rows->words * 32 : rows->bytes ? rows->groups * PT_BYTES_GROUP : rows->features;
        for (size_t f = 0; f < features; f++)
            sum += share(block->form, row_entry(rows, tile, lane, f), panel_entry(panel, column, f));
        return sum;
    }
    /* Sparse rows: features absent from the row count with x = 0. */
    size_t row = tile * PT_TILE + lane;
    if (row < rows->rows)
        for (int64_t i = rows->offsets[row]; i < rows->offsets[row + 1]; i++) {
            double z = panel_entry(panel, column, (size_t)rows->indices[i]);
            sum += share(block->form, rows->values[i], z) - share(block->form, 0, z);
        }
    bool distance = block->form == PT_FORM_RBF_DOT || block->form == PT_FORM_RBF || block->form == PT_FORM_LAPLACIAN;
    return distance ? sum + panel->norm[column] - panel->beyond[column] : sum;
}

static double finish(const pt_block *block, double sum, double beyond)
{
    if (block->rows->storage == PARTAN_STORAGE_BYTES) /* counted in bytes */
        beyond *= block->form == PT_FORM_LAPLACIAN ? block->scale : block->scale * block->scale;
    double base = (double)block->gamma * sum + (double)block->coef0;
    switch (block->form) {
    case PT_FORM_POLYNOMIAL:
        return pow(base, block->degree);
    case PT_FORM_SIGMOID:
        return tanh(base);
    case PT_FORM_RBF_DOT:
    case PT_FORM_RBF:
    case PT_FORM_LAPLACIAN:
        base = -(double)block->gamma * (sum + beyond);
        return block->less_one ? expm1(base) : exp(base);
    default:
        return sum;
    }
}

static void values(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count, float *out,
                   size_t stride)
{
    for (size_t c = 0; c < panel->width; c++)
        for (size_t t = 0; t < tile_count; t++)
            for (size_t lane = 0; lane < PT_TILE; lane++) {
                double sum = sum_over_features(block, panel, first_tile + t, lane, c);
                out[c * stride + t * PT_TILE + lane] = (float)finish(block, sum, panel->beyond[c]);
            }
}

static void weigh(const pt_block *block, const pt_panel *panel, size_t first_tile, size_t tile_count,
                  const float *weights, double *sums)
{
    for (size_t c = 0; c < panel->width; c++)
        for (size_t t = 0; t < tile_count; t++)
            for (size_t lane = 0; lane < PT_TILE; lane++) {
                double sum = sum_over_features(block, panel, first_tile + t, lane, c);
                sums[t * PT_TILE + lane] += (double)weights[c] * finish(block, sum, panel->beyond[c]);
            }
}

static void accumulate(double *sums, const float *block, size_t stride, const double *weights, size_t count)
{
    for (size_t c = 0; c < PT_PANEL; c++)
        for (size_t i = 0; i < count; i++)
            sums[i] += weights[c] * (double)block[c * stride + i];
}

static void accumulate_picked(double *sums, const float *block, size_t stride, const pt_pick *picks, size_t pick_count,
                              size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float total = 0;
        for (size_t k = 0; k < pick_count; k++)
            total += picks[k].weight * block[picks[k].column * stride + i];
        sums[i] += (double)total;
    }
}

static void project(const float *block, size_t stride, const double *weights, size_t count, double *sums)
{
    for (size_t c = 0; c < PT_PANEL; c++)
        for (size_t i = 0; i < count; i++)
            sums[c] += weights[i] * (double)block[c * stride + i];
}

static double combine(const pt_combination *combination, size_t begin, size_t end)
{
    double least = INFINITY;
    for (size_t i = begin; i < end; i++) {
        double sum = 0;
        for (int t = 0; t < combination->terms; t++)
            sum += combination->factor[t] * ((double)combination->column[t][i - begin] + combination->bias);
        double next = combination->now_factor * combination->now[i] + (double)combination->signs[i] * sum;
        if (combination->previous)
            next += combination->previous_factor * combination->previous[i];
        combination->next[i] = next;
        least = next < least ? next : least;
    }
    return least;
}

static double step_of(const pt_sweep *s, const float *fresh, size_t stride, size_t begin, size_t i)
{
    double sum = s->shift;
    for (size_t c = 0; c < s->pairs; c++)
        sum += s->kept_factor[c] * (double)s->kept[c * s->stride + i]
               + s->step_factor[c] * (double)fresh[c * stride + i - begin];
    return (double)s->signs[i] * sum;
}

static float gain_of(const pt_sweep *s, size_t seeker, size_t i, float score, float column)
{
    float d = score - s->seeker_score[seeker];
    float sign = s->seeker_sign[seeker] * s->signs[i];
    float eta = s->seeker_diagonal[seeker] + s->diagonals[i] - 2 * sign * (column + s->bias);
    eta = eta > PT_LEAST_CURVATURE ? eta : PT_LEAST_CURVATURE;
    return d > 0 ? d * d / eta : 0;
}

static void sweep(const pt_sweep *s, const float *fresh, size_t stride, size_t begin, size_t end, pt_swept *found)
{
    *found = (pt_swept){.lowest = INFINITY};
    for (size_t lane = 0; lane < PT_TILE; lane++)
        found->least[lane] = INFINITY;
    for (size_t i = begin; i < end; i++) {
        size_t row = i - begin, lane = row % PT_TILE;
        s->scores[i] += step_of(s, fresh, stride, begin, i);
        float score = (float)((s->scores[i] - s->origin) * s->scale);
        if (score < found->least[lane]) {
            found->least[lane] = score;
            found->least_row[lane] = (int32_t)row;
        }
        found->lowest = score < found->lowest ? score : found->lowest;
        for (size_t k = 0; k < s->pairs; k++) {
            float column = fresh[(s->pairs + k) * stride + row], gain = gain_of(s, k, i, score, column);
            s->kept[k * s->stride + i] = column;
            if (gain > found->gain[k]) {
                found->gain[k] = gain;
                found->gain_row[k] = (int32_t)row;
            }
        }
    }
}

static void substitute(const double *factor, size_t stride, size_t rank, double *values)
{
    for (size_t i = 0; i < PT_EXACT_ROWS; i++)
        for (size_t k = 0; k < rank; k++) {
            double sum = values[k * PT_EXACT_ROWS + i];
            for (size_t l = 0; l < k; l++)
                sum -= factor[k * stride + l] * values[l * PT_EXACT_ROWS + i];
            values[k * PT_EXACT_ROWS + i] = sum / factor[k * stride + k];
        }
}

static void gram(const pt_gram *g, size_t first, size_t end, double *out)
{
    for (size_t k = first; k < end; k++)
        for (size_t l = 0; l <= k; l++)
            for (size_t i = 0; i < g->count; i++) {
                const double *row = g->rows + (size_t)g->which[i] * g->stride;
                out[k * g->stride + l] += g->weights[i] * row[k] * row[l];
            }
}

static void multiply(const double *left, size_t left_stride, size_t lines, const double *right, size_t inner,
                     size_t stride, double *out)
{
    for (size_t i = 0; i < lines; i++)
        for (size_t l = 0; l < stride; l++)
            for (size_t k = 0; k < inner; k++)
                out[i * stride + l] += left[i * left_stride + k] * right[k * stride + l];
}

/* Cholesky's method by its definition, in the lower triangle. */
static bool solve(double *A, size_t stride, size_t n, double *b)
{
    for (size_t k = 0; k < n; k++)
        for (size_t l = 0; l <= k; l++) {
            double sum = A[k * stride + l];
            for (size_t j = 0; j < l; j++)
                sum -= A[k * stride + j] * A[l * stride + j];
            if (l == k && !(sum > 0))
                return false;
            A[k * stride + l] = l == k ? sqrt(sum) : sum / A[l * stride + l];
        }
    for (size_t k = 0; k < n; k++) {
        for (size_t l = 0; l < k; l++)
            b[k] -= A[k * stride + l] * b[l];
        b[k] /= A[k * stride + k];
    }
    for (size_t k = n; k-- > 0;) {
        b[k] /= A[k * stride + k];
        for (size_t l = 0; l < k; l++)
            b[l] -= A[k * stride + l] * b[k];
    }
    return true;
}

static double measure_pair(pt_metric metric, const float *x, const double *z, size_t features, double sum)
{
    for (size_t f = 0; f < features; f++) {
        double row = (double)x[f * PT_TILE], difference = row - z[f];
        sum += metric == PT_METRIC_DOT       ? row * z[f]
               : metric == PT_METRIC_SQUARES ? difference * difference
                                             : fabs(difference);
    }
    return sum;
}

static void measure(pt_metric metric, const float *x, const pt_exact_points *z, size_t tiles, double *u)
{
    for (size_t k = 0; k < z->count; k++)
        for (size_t i = 0; i < tiles * PT_TILE; i++) {
            double *sum = &u[k * PT_EXACT_ROWS + i];
            const float *row = x + i / PT_TILE * z->features * PT_TILE + i % PT_TILE;
            *sum = measure_pair(metric, row, z->values + k * z->features, z->features, *sum);
        }
}

static void add_weighted(const double *values, size_t points, const double *weights, size_t count, double *sums)
{
    for (size_t k = 0; k < points; k++)
        for (size_t i = 0; i < count; i++)
            sums[i] += weights[k] * values[k * PT_EXACT_ROWS + i];
}

static void count(bool differing, const uint32_t *x, const uint32_t *z, size_t words, uint32_t *counts)
{
    for (size_t w = 0; w < words; w++)
        for (size_t lane = 0; lane < PT_TILE; lane++) {
            uint32_t row = x[w * PT_TILE + lane];
            counts[lane] += (uint32_t)__builtin_popcount(differing ? row ^ z[w] : row & z[w]);
        }
}

static void exponentials(bool less_one, double *values, size_t count, double rate)
{
    for (size_t i = 0; i < count; i++)
        values[i] = less_one ? expm1(-rate * values[i]) : exp(-rate * values[i]);
}

/* ---- Columns ---- */

static double column_value(const pt_columns *c, size_t column, size_t row)
{
    return (double)c->values[column * c->column_step + row / PT_TILE * c->line_step + row % PT_TILE];
}

static void dots(const pt_columns *c, const int64_t *which, size_t first, size_t count, const double *vector,
                 size_t stride, size_t vectors, double *out)
{
    for (size_t i = 0; i < count; i++)
        for (size_t v = 0; v < vectors; v++) {
            size_t column = which ? (size_t)which[i] : first + i;
            double sum = 0;
            for (size_t row = 0; row < c->lines * PT_TILE; row++)
                sum += column_value(c, column, row) * vector[v * stride + row];
            out[i * vectors + v] += sum;
        }
}

static void moments(const pt_columns *c, size_t column, const double *ones, double shift, double sums[2])
{
    sums[0] = sums[1] = 0;
    for (size_t row = 0; row < c->lines * PT_TILE; row++) {
        double d = (column_value(c, column, row) - shift) * ones[row];
        sums[0] += d;
        sums[1] += d * d;
    }
}

static void add_column(const pt_columns *c, size_t column, double factor, double *vector)
{
    for (size_t row = 0; row < c->lines * PT_TILE; row++)
        vector[row] += factor * column_value(c, column, row);
}

static void sparse_dots(const pt_sparse_columns *c, const int64_t *which, size_t first, size_t count,
                        const double *vector, size_t vectors, double *out)
{
    for (size_t i = 0; i < count; i++)
        for (size_t v = 0; v < vectors; v++) {
            size_t column = which ? (size_t)which[i] : first + i;
            double sum = 0;
            for (int64_t k = c->offsets[column]; k < c->offsets[column + 1]; k++)
                sum += (double)c->values[k] * vector[(size_t)c->rows[k] * vectors + v];
            out[i * vectors + v] += sum;
        }
}

static void axpy(double factor, const double *x, size_t count, double *y)
{
    for (size_t i = 0; i < count; i++)
        y[i] += factor * x[i];
}

static double dot(const double *x, const double *y, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * y[i];
    return sum;
}

const pt_instruction_set pt_instructions_reference = {
    .block = {.values = values,
              .weigh = weigh,
              .accumulate = accumulate,
              .accumulate_picked = accumulate_picked,
              .project = project},
    .pass = {.combine = combine, .sweep = sweep},
    .algebra = {.substitute = substitute, .gram = gram, .multiply = multiply, .solve = solve},
    .exact = {.measure = measure, .count = count, .exponentials = exponentials, .add = add_weighted},
    .columns =
        {.dots = dots, .moments = moments, .add = add_column, .sparse_dots = sparse_dots, .axpy = axpy, .dot = dot},
};
