/* A complete program on libpartan: read data (or make some), train, verify, predict.
 *
 *     train [DATA [TEST]]
 *
 * How to compile it: see README.md beside this file. */
#include <partan/partan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A file, or without one generated rows: ringnorm, others for each seed. */
static partan_status get_data(partan_context *context, const char *path, uint64_t seed, partan_data **data)
{
    if (path) {
        partan_read_options options;
        partan_read_options_init(&options);
        return partan_data_read(context, path, &options, data);
    }
    partan_generator_options options;
    partan_generator_options_init(&options);
    options.kind = "ringnorm";
    options.rows = 2000;
    options.seed = seed;
    return partan_generate(context, &options, PARTAN_STORAGE_AUTO, data);
}

/* How many rows of the data the model puts on the side of their own label. */
static partan_status count_correct(partan_context *context, const partan_model *model, const partan_data *data,
                                   size_t *correct)
{
    size_t rows = partan_data_rows(data);
    double *decision = malloc(rows * sizeof *decision);
    if (!decision)
        return PARTAN_ERROR_MEMORY;
    partan_status status = partan_predict(context, model, data, decision);
    *correct = 0;
    for (size_t i = 0; i < rows && status >= 0; i++) {
        char label[64];
        const char *own = partan_data_label_text(data, i, label, sizeof label);
        *correct += strcmp(own, partan_model_label_text(model, decision[i] > 0)) == 0;
    }
    free(decision);
    return status;
}

static partan_status run(partan_context *context, const char *path, const char *test_path)
{
    partan_data *data = NULL, *test = NULL;
    partan_model *model = NULL;
    partan_verification found;
    partan_verification_init(&found);
    size_t correct = 0;

    partan_settings settings;
    partan_settings_init(&settings);
    settings.solver = PARTAN_SOLVER_PARTAN;
    settings.cost = 10;
    settings.tol = 0.05; /* the margin is proven to be within 5 % of the best one */

    /* Negative statuses are failures; positive ones (a limit was reached, say) still come with a model. */
    partan_status status = get_data(context, path, 1, &data);
    if (status >= 0)
        status = get_data(context, path ? test_path : NULL, 2, &test);
    if (status >= 0)
        status = partan_train(context, data, &settings, NULL, &model);
    if (status >= 0)
        status = partan_verify(context, model, data, &found);
    if (status >= 0)
        status = count_correct(context, model, test, &correct);
    if (status >= 0) {
        const partan_result *result = partan_model_result(model);
        printf("%zu rows, %zu features: %s after %lld iterations, %llu support vectors\n", partan_data_rows(data),
               partan_data_features(data), partan_status_name(result->status), (long long)result->iterations,
               (unsigned long long)result->support_vectors);
        printf("relative gap %.4f, %s\n", found.relative_gap, found.matches ? "verified" : found.reason);
        printf("%zu of %zu test rows right\n", correct, partan_data_rows(test));
    }
    partan_model_free(model);
    partan_data_free(test);
    partan_data_free(data);
    return status;
}

int main(int argc, char **argv)
{
    partan_context *context = partan_create(NULL);
    if (!context) {
        fprintf(stderr, "train: no context\n");
        return EXIT_FAILURE;
    }
    const char *path = argc > 1 ? argv[1] : NULL;
    partan_status status = run(context, path, argc > 2 ? argv[2] : path);
    if (status < 0)
        fprintf(stderr, "train: %s: %s\n", partan_status_name(status), partan_error(context));
    partan_destroy(context);
    return status < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
