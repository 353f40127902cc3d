/* Works on the Lasso, ratings and matrices. */
#ifndef ALLOCATIONS_OTHERS_H
#define ALLOCATIONS_OTHERS_H

#include "allocations_data.h"

static inline int drop_lasso(void *user, size_t index, partan_lasso *model)
{
    (void)user, (void)index;
    partan_lasso_free(model);
    return 0;
}

static inline partan_status work_on_lassos(partan_context *context)
{
    partan_data *data = NULL;
    partan_lasso *model = NULL;
    partan_lasso_settings settings;
    partan_lasso_cv_result chosen;
    partan_lasso_verification verification;
    double values[20];
    CALL(partan_lasso_settings_init)(&settings);
    CALL(partan_lasso_cv_result_init)(&chosen);
    CALL(partan_lasso_verification_init)(&verification);
    settings.lambda = 0.1;
    settings.points = 3;
    settings.folds = 2;
    partan_status status = some_rows(context, 20, &data);
    NEXT(CALL(partan_lasso_fit)(context, data, &settings, NULL, &model));
    NEXT(CALL(partan_lasso_predict)(context, model, data, values));
    NEXT(CALL(partan_lasso_verify)(context, model, data, &verification));
    NEXT(CALL(partan_lasso_path)(context, data, &settings, NULL, NULL, 0, drop_lasso, NULL));
    NEXT(CALL(partan_lasso_cv)(context, data, &settings, NULL, NULL, NULL, &chosen));
    CALL(partan_lasso_free)(model);
    partan_data_free(data);
    return status;
}

static inline partan_status work_on_lasso_files(partan_context *context)
{
    partan_data *data = NULL, *again = NULL;
    partan_lasso *models[3] = {NULL};
    partan_model_file *file = NULL;
    partan_lasso_settings settings;
    partan_lasso_settings_init(&settings);
    settings.lambda = 0.1;
    const char *path = work_path(".lasso"), *table = work_path(".numbers");
    partan_status status = partan_data_read(context, table, NULL, &data);
    NEXT(partan_lasso_fit(context, data, &settings, NULL, &models[0]));
    NEXT(CALL(partan_lasso_write)(context, models[0], path));
    NEXT(CALL(partan_lasso_read)(context, path, &models[1]));
    NEXT(partan_model_file_read(context, path, &file));
    NEXT(CALL(partan_lasso_from_file)(context, file, &models[2]));
    NEXT(CALL(partan_lasso_data_read)(context, models[1], table, NULL, &again));
    for (size_t i = 0; i < 3; i++)
        partan_lasso_free(models[i]);
    partan_model_file_free(file);
    partan_data_free(data);
    partan_data_free(again);
    return status;
}

static inline partan_status work_on_lasso_bytes(partan_context *context)
{
    partan_dense dense = some_dense();
    partan_sparse sparse = some_sparse();
    partan_data *data = NULL;
    partan_lasso *model = NULL, *again = NULL;
    partan_lasso_settings settings;
    double values[3];
    char *bytes = NULL;
    size_t size = 0;
    partan_lasso_settings_init(&settings);
    settings.lambda = 0.1;
    partan_status status = partan_data_read(context, work_path(".numbers"), NULL, &data);
    NEXT(partan_lasso_fit(context, data, &settings, NULL, &model));
    NEXT(CALL(partan_lasso_to_memory)(context, model, &bytes, &size));
    NEXT(CALL(partan_lasso_from_memory)(context, bytes, size, &again));
    NEXT(CALL(partan_lasso_predict_dense)(context, again, &dense, values));
    NEXT(CALL(partan_lasso_predict_sparse)(context, again, &sparse, values));
    partan_free(context, bytes);
    partan_lasso_free(model);
    partan_lasso_free(again);
    partan_data_free(data);
    return status;
}

static inline partan_status some_ratings(partan_context *context, partan_ratings **ratings)
{
    partan_ratings_generator make;
    CALL(partan_ratings_generator_init)(&make);
    make.rows = 12;
    make.columns = 10;
    make.rank = 2;
    make.entries = 80;
    return CALL(partan_ratings_generate)(context, &make, ratings);
}

static inline partan_status work_on_ratings(partan_context *context)
{
    static const int64_t row[] = {0, 1, 1}, column[] = {0, 0, 1};
    static const double value[] = {1, 2, 3};
    partan_ratings *made = NULL, *listed = NULL, *read = NULL, *first = NULL, *second = NULL;
    partan_ratings_options options;
    CALL(partan_ratings_options_init)(&options);
    const char *path = work_path(".ratings");
    partan_status status = some_ratings(context, &made);
    NEXT(CALL(partan_ratings_from_triplets)(context, 2, 2, row, column, value, 3, &listed));
    NEXT(CALL(partan_ratings_write)(context, made, path));
    NEXT(CALL(partan_ratings_read)(context, path, &options, &read));
    NEXT(CALL(partan_ratings_split)(context, read, 0.3, 1, &first, &second));
    CALL(partan_ratings_free)(made);
    partan_ratings_free(listed);
    partan_ratings_free(read);
    partan_ratings_free(first);
    partan_ratings_free(second);
    return status;
}

#ifdef PARTAN_HAVE_ARPACK

static inline partan_status use_matrix(partan_context *context, const partan_matrix *matrix,
                                       const partan_ratings *ratings)
{
    double values[80], rmse, mae, best[3];
    size_t count = 3, columns[3];
    partan_matrix *again = NULL, *third = NULL, *fourth = NULL;
    partan_model_file *file = NULL;
    partan_matrix_verification verification;
    char *bytes = NULL;
    size_t size = 0;
    CALL(partan_matrix_verification_init)(&verification);
    const char *path = work_path(".matrix");
    partan_status status = CALL(partan_matrix_predict)(context, matrix, ratings, values, &rmse, &mae);
    NEXT(CALL(partan_matrix_top)(context, matrix, 0, ratings, &count, columns, best));
    NEXT(CALL(partan_matrix_verify)(context, matrix, ratings, &verification));
    NEXT(CALL(partan_matrix_write)(context, matrix, path));
    NEXT(CALL(partan_matrix_read)(context, path, &again));
    NEXT(partan_model_file_read(context, path, &file));
    NEXT(CALL(partan_matrix_from_file)(context, file, &third));
    NEXT(CALL(partan_matrix_to_memory)(context, matrix, &bytes, &size));
    NEXT(CALL(partan_matrix_from_memory)(context, bytes, size, &fourth));
    partan_free(context, bytes);
    partan_matrix_free(again);
    partan_matrix_free(third);
    partan_matrix_free(fourth);
    partan_model_file_free(file);
    return status;
}

static inline partan_status work_on_matrices(partan_context *context)
{
    partan_ratings *ratings = NULL;
    partan_matrix *matrix = NULL;
    partan_matrix_settings settings;
    CALL(partan_matrix_settings_init)(&settings);
    settings.radius = 10;
    partan_status status = some_ratings(context, &ratings);
    NEXT(CALL(partan_matrix_fit)(context, ratings, NULL, &settings, NULL, &matrix));
    NEXT(use_matrix(context, matrix, ratings));
    CALL(partan_matrix_free)(matrix);
    partan_ratings_free(ratings);
    return status;
}

static inline partan_status work_on_radii(partan_context *context)
{
    partan_ratings *ratings = NULL;
    partan_matrix_settings settings;
    partan_matrix_point best;
    partan_matrix_settings_init(&settings);
    CALL(partan_matrix_point_init)(&best);
    settings.points = 2;
    partan_status status = some_ratings(context, &ratings);
    NEXT(CALL(partan_matrix_choose)(context, ratings, NULL, &settings, NULL, NULL, &best));
    partan_ratings_free(ratings);
    return status;
}

/* All entries of a matrix of two rows and three columns, as measurements. */
static inline int measure(void *user, size_t rank, size_t stride, const double *left, const double *right,
                          double *values)
{
    (void)user;
    for (size_t i = 0; i < 2; i++)
        for (size_t j = 0; j < 3; j++) {
            values[3 * i + j] = 0;
            for (size_t k = 0; k < rank; k++)
                values[3 * i + j] += left[i * stride + k] * right[j * stride + k];
        }
    return 0;
}

static inline int times(void *user, const double *values, const double *x, double *out)
{
    (void)user;
    for (size_t i = 0; i < 2; i++)
        out[i] = values[3 * i] * x[0] + values[3 * i + 1] * x[1] + values[3 * i + 2] * x[2];
    return 0;
}

static inline int times_transposed(void *user, const double *values, const double *x, double *out)
{
    (void)user;
    for (size_t j = 0; j < 3; j++)
        out[j] = values[j] * x[0] + values[3 + j] * x[1];
    return 0;
}

static inline partan_status work_on_measurements(partan_context *context)
{
    static const double b[] = {1, 2, 3, 2, 4, 7};
    partan_measurements six;
    partan_matrix *matrix = NULL;
    partan_matrix_settings settings;
    CALL(partan_measurements_init)(&six);
    six.rows = 2;
    six.columns = 3;
    six.count = 6;
    six.apply = measure;
    six.times = times;
    six.times_transposed = times_transposed;
    partan_matrix_settings_init(&settings);
    settings.radius = 2;
    partan_status status = CALL(partan_matrix_recover)(context, &six, b, NULL, &settings, NULL, &matrix);
    partan_matrix_free(matrix);
    return status;
}

#endif

#endif
