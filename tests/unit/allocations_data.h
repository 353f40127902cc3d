/* Works on data: arrays, files, scaling, output files. */
#ifndef ALLOCATIONS_DATA_H
#define ALLOCATIONS_DATA_H

#include "allocations.h"

/* Three rows of two features, as two kinds of arrays: the same numbers serve both. */
static const float array_values[] = {1, 5, 2, 6, 3, 4};

static inline partan_dense some_dense(void)
{
    partan_dense array;
    CALL(partan_dense_init)(&array);
    array.values = array_values;
    array.rows = 3;
    array.features = 2;
    return array;
}

static inline partan_sparse some_sparse(void)
{
    static const int64_t offsets[] = {0, 2, 3, 4};
    static const int32_t indices[] = {0, 1, 1, 0};
    partan_sparse array;
    CALL(partan_sparse_init)(&array);
    array.rows = 3;
    array.features = 2;
    array.count = 4;
    array.offsets = offsets;
    array.indices = indices;
    array.values = array_values;
    return array;
}

static inline partan_status work_on_arrays(partan_context *context)
{
    static const double labels[] = {1, -1, 1}, weights[] = {1, 0.5, 2};
    static const char *const words[] = {"no", "yes", NULL}, *const names[] = {"width", "height"};
    partan_dense dense = some_dense();
    partan_sparse sparse = some_sparse();
    partan_array_options numbers, text;
    partan_data *data[2] = {NULL};
    CALL(partan_array_options_init)(&numbers);
    partan_array_options_init(&text);
    numbers.labels = labels;
    text.words = words;
    text.feature_names = names;
    text.weights = weights;
    text.precomputed = 1;
    text.storage = PARTAN_STORAGE_SPARSE;
    partan_status status = CALL(partan_data_from_dense)(context, &dense, &numbers, &data[0]);
    NEXT(CALL(partan_data_from_sparse)(context, &sparse, &text, &data[1]));
    NEXT(CALL(partan_data_set_weights)(context, data[0], weights));
    CALL(partan_data_free)(data[0]);
    partan_data_free(data[1]);
    return status;
}

static inline partan_status work_on_splits(partan_context *context)
{
    double weights[20];
    partan_data *first = NULL, *second = NULL, *rows = NULL;
    partan_status status = some_rows(context, 20, &rows);
    for (size_t i = 0; i < 20; i++)
        weights[i] = (double)i;
    NEXT(partan_data_set_weights(context, rows, weights));
    NEXT(CALL(partan_data_split)(context, rows, 0.3, 1, &first, &second));
    partan_data_free(rows);
    partan_data_free(first);
    partan_data_free(second);
    return status;
}

static inline void see_column(void *user, const partan_column *column)
{
    (void)user, (void)column;
}

static inline partan_status work_on_data_files(partan_context *context)
{
    partan_data *data = NULL;
    partan_file_survey survey;
    partan_data_summary summary;
    partan_read_options reading;
    partan_split_options split;
    CALL(partan_read_options_init)(&reading);
    reading.weight_name = "b";
    CALL(partan_split_options_init)(&split);
    CALL(partan_file_survey_init)(&survey);
    CALL(partan_data_summary_init)(&summary);
    const char *path = work_path(".csv");
    partan_status status = CALL(partan_data_survey)(context, path, &reading, see_column, NULL, &survey);
    NEXT(CALL(partan_data_read)(context, path, &reading, &data));
    NEXT(CALL(partan_data_read_weights)(context, data, work_path(".weights")));
    NEXT(CALL(partan_data_summarise)(context, data, NULL, NULL, NULL, &summary));
    NEXT(CALL(partan_data_write)(context, data, work_path(".written"), PARTAN_FORMAT_CSV));
    NEXT(CALL(partan_split_file)(context, path, &reading, &split, work_path(".first"), work_path(".second"), NULL));
    partan_data_free(data);
    return status;
}

static inline partan_status work_on_generated_files(partan_context *context)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "ringnorm";
    make.rows = 20;
    return CALL(partan_generate_file)(context, &make, work_path(".made"), PARTAN_FORMAT_LIBSVM);
}

static inline partan_status work_on_scalings(partan_context *context)
{
    partan_data *data = NULL, *scaled = NULL;
    partan_scaling *scaling = NULL, *again = NULL;
    const char *path = work_path(".scaling");
    partan_status status = CALL(partan_data_read)(context, work_path(".csv"), NULL, &data);
    NEXT(CALL(partan_scaling_fit)(context, data, PARTAN_SCALING_MINMAX, 0, 1, &scaling));
    NEXT(CALL(partan_scaling_write)(context, scaling, path));
    NEXT(CALL(partan_scaling_read)(context, path, &again));
    NEXT(CALL(partan_scaling_apply)(context, again, data, PARTAN_STORAGE_AUTO, &scaled));
    CALL(partan_scaling_free)(scaling);
    partan_scaling_free(again);
    partan_data_free(data);
    partan_data_free(scaled);
    return status;
}

static inline partan_status work_on_outputs(partan_context *context)
{
    partan_output output = {0}, other = {0};
    const char *path = work_path(".output");
    partan_status status = CALL(partan_output_check)(context, path);
    NEXT(CALL(partan_output_open)(context, path, &output));
    if (!status) {
        fputs("text\n", output.file);
        status = CALL(partan_output_commit)(&output);
    }
    NEXT(partan_output_open(context, path, &other));
    CALL(partan_output_abandon)(&other);
    return status;
}

#endif
