/* Works on data: arrays, files, scaling, output files. */
#ifndef ALLOCATIONS_DATA_H
#define ALLOCATIONS_DATA_H

#include "allocations.h"

static inline partan_status work_on_arrays(partan_context *context)
{
    static const float values[] = {1, 0, 2, 0, 3, 4};
    static const int64_t offsets[] = {0, 2, 3, 4};
    static const int32_t indices[] = {0, 1, 1, 0};
    static const double labels[] = {1, -1, 1};
    partan_data *dense = NULL, *sparse = NULL, *first = NULL, *second = NULL, *rows = NULL;
    partan_status status = CALL(partan_data_from_dense)(context, values, 3, 2, 2, labels, PARTAN_STORAGE_AUTO, &dense);
    NEXT(CALL(partan_data_from_csr)(context, 3, 2, offsets, indices, values, labels, PARTAN_STORAGE_SPARSE, &sparse));
    NEXT(some_rows(context, 20, &rows));
    NEXT(CALL(partan_data_split)(context, rows, 0.3, 1, &first, &second));
    CALL(partan_data_free)(dense);
    partan_data_free(sparse);
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
    CALL(partan_split_options_init)(&split);
    const char *path = work_path(".csv");
    partan_status status = CALL(partan_data_survey)(context, path, &reading, see_column, NULL, &survey);
    NEXT(CALL(partan_data_read)(context, path, &reading, &data));
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
