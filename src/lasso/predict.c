/* Prediction: b0 + Xb. */
#include "core/require.h"
#include "data/read/read.h"
#include "data/storage/kept.h"
#include "data/storage/layout.h"
#include "lasso/model.h"

/* Dense rows: only the features that have a coefficient are read. */
static void add_dense(const partan_lasso *model, const pt_matrix *matrix, double *values)
{
    for (size_t tile = 0; tile < matrix->tiles; tile++)
        for (size_t i = 0; i < model->result.nonzeros; i++) {
            size_t feature = (size_t)model->ids[i];
            if (feature >= matrix->features)
                break;
            const float *x = matrix->dense + (tile * matrix->features + feature) * PT_TILE;
            for (size_t row = tile * PT_TILE; row < (tile + 1) * PT_TILE && row < matrix->rows; row++)
                values[row] += model->coefficients[i] * (double)x[row % PT_TILE];
        }
}

/* Rows of which most features are empty: a coefficient is looked for, so that none but those there are need memory. */
static void add_hollow(const partan_lasso *model, const pt_matrix *matrix, double *values)
{
    for (size_t row = 0; row < matrix->rows; row++) {
        size_t i = 0;
        for (int64_t k = matrix->offsets[row]; k < matrix->offsets[row + 1]; k++) {
            while (i < model->result.nonzeros && model->ids[i] < matrix->indices[k])
                i++;
            if (i < model->result.nonzeros && model->ids[i] == matrix->indices[k])
                values[row] += model->coefficients[i] * (double)matrix->values[k];
        }
    }
}

typedef struct products {
    const pt_matrix *matrix;
    const double *dense; /* coefficients of all features */
    double *values;
} products;

static void add_rows(void *user, size_t chunk, size_t thread)
{
    const products *p = user;
    const pt_layout *layout = pt_layout_of(p->matrix->storage);
    pt_span span = pt_span_of(p->matrix->rows, PT_CHUNK_ROWS, chunk);
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++) {
        pt_cursor cursor = {.matrix = p->matrix, .row = row};
        while (layout->next(&cursor))
            p->values[row] += p->dense[cursor.index] * (double)cursor.value;
    }
}

static partan_status add_by_row(const partan_lasso *model, const pt_matrix *matrix, double *values)
{
    partan_context *context = model->context;
    double *dense = pt_alloc_zero(context, matrix->features, sizeof *dense);
    if (!dense)
        return pt_out_of_memory(context, "the coefficients of all features");
    for (size_t i = 0; i < model->result.nonzeros && (size_t)model->ids[i] < matrix->features; i++)
        dense[model->ids[i]] = model->coefficients[i];
    pt_team_run(context, pt_rows_threads(context, matrix->rows), pt_span_count(matrix->rows, PT_CHUNK_ROWS), add_rows,
                &(products){matrix, dense, values});
    pt_free(context, dense);
    return PARTAN_OK;
}

static partan_status predict_rows(const partan_lasso *model, const pt_matrix *matrix, double *values)
{
    for (size_t row = 0; row < matrix->rows; row++)
        values[row] = model->intercept;
    if (!pt_is_hollow(matrix) && matrix->storage != PARTAN_STORAGE_DENSE)
        return add_by_row(model, matrix, values);
    if (pt_is_hollow(matrix))
        add_hollow(model, matrix, values);
    else
        add_dense(model, matrix, values);
    return PARTAN_OK;
}

partan_status partan_lasso_predict(partan_context *context, const partan_lasso *model, const partan_data *data,
                                   double *values)
{
    PT_REQUIRE(context, context && model && data && values);
    if (data->serials)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found rows of a precomputed kernel matrix, expected features",
                       data->name);
    pt_match match;
    partan_status status = pt_match_open(context, &model->source, model->features, data, &match);
    pt_progress_begin(context, "predict");
    if (!status)
        status = predict_rows(model, &match.data->matrix, values);
    pt_match_close(&match);
    return status;
}

partan_status partan_lasso_data_read(partan_context *context, const partan_lasso *model, const char *path,
                                     const partan_read_options *options, partan_data **data)
{
    PT_REQUIRE(context, context && model && path && data);
    return pt_data_read_like(context, path, options, &model->source, model->features, data);
}
