/* Trains on arrays of the program, keeps the model as bytes, and predicts single rows from them.
 *
 *   arrays            two noisy classes in the plane, in column-major order as Fortran, R and pandas have them */
#include <partan/partan.h>
#include <stdio.h>

enum { ROWS = 200, FEATURES = 2 };

/* Points around (1, 1) and (-1, -1), by a simple generator of random numbers. */
static void make_points(double *columns, const char **labels)
{
    unsigned state = 1;
    for (int i = 0; i < ROWS; i++) {
        labels[i] = i % 2 ? "upper" : "lower";
        for (int j = 0; j < FEATURES; j++) {
            state = state * 1664525u + 1013904223u;
            columns[j * ROWS + i] = (i % 2 ? 1 : -1) + 3.0 * ((double)(state >> 8) / (1 << 24) - 0.5);
        }
    }
}

static partan_status train(partan_context *context, char **bytes, size_t *size)
{
    static double columns[ROWS * FEATURES];
    const char *labels[ROWS];
    make_points(columns, labels);

    partan_dense points;
    partan_dense_init(&points);
    points.values = columns;
    points.type = PARTAN_FLOAT64;
    points.rows = ROWS;
    points.features = FEATURES;
    points.row_stride = 1;
    points.column_stride = ROWS;

    partan_array_options options;
    partan_array_options_init(&options);
    options.words = labels;

    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_settings settings;
    partan_settings_init(&settings);
    partan_status status = partan_data_from_dense(context, &points, &options, &data);
    if (status >= 0)
        status = partan_train(context, data, &settings, NULL, &model);
    if (status >= 0)
        printf("trained on %d points: relative gap %.3g\n", ROWS, partan_model_result(model)->relative_gap);
    if (status >= 0)
        status = partan_model_to_memory(context, model, PARTAN_MODEL_NATIVE, bytes, size);
    partan_model_free(model);
    partan_data_free(data); /* the arrays were copied, and the model does not need the data */
    return status;
}

static partan_status predict(partan_context *context, const char *bytes, size_t size)
{
    static const float corners[][FEATURES] = {{2, 2}, {-2, -2}, {0.5f, 0.25f}};
    partan_model *model = NULL;
    partan_status status = partan_model_from_memory(context, bytes, size, &model);
    for (int i = 0; i < 3 && status >= 0; i++) {
        double decision;
        partan_dense row;
        partan_dense_init(&row);
        row.values = corners[i];
        row.rows = 1;
        row.features = FEATURES;
        status = partan_predict_dense(context, model, &row, &decision);
        if (status >= 0)
            printf("(%g, %g): %s (%.3f)\n", (double)corners[i][0], (double)corners[i][1],
                   partan_model_label_text(model, decision > 0), decision);
    }
    partan_model_free(model);
    return status;
}

int main(void)
{
    partan_context *context = partan_create(NULL);
    if (!context)
        return 1;
    char *bytes = NULL;
    size_t size = 0;
    partan_status status = train(context, &bytes, &size);
    if (status >= 0)
        status = predict(context, bytes, size);
    if (status < 0)
        fprintf(stderr, "%s: %s\n", partan_status_name(status), partan_error(context));
    partan_free(context, bytes);
    partan_destroy(context);
    return status < 0;
}
