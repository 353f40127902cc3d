/* Fuzzes the readers of both formats, of two classes and of more. A model that is accepted must be written, read again
 * and written once more to the same bytes, and must be usable for prediction. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/arrays.h"
#include "partan/probability.h"
#include "svm/model/machines.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

typedef partan_status (*parser)(partan_context *, const char *, const char *, size_t, partan_model *);
typedef partan_status (*writer)(const partan_model *, FILE *);

static void require(int condition)
{
    if (!condition)
        abort();
}

static char *written(const partan_model *model, writer write, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    require(file != NULL);
    partan_status status = write(model, file);
    fclose(file);
    if (status) {
        free(text);
        return NULL;
    }
    return text;
}

/* Whatever the sigmoids are, those of a row are probabilities. */
static void ask_for_probabilities(partan_context *context, const partan_model *model, const double *decision)
{
    size_t classes = pt_class_count(model);
    double *probabilities = calloc(classes, sizeof *probabilities), sum = 0;
    require(probabilities != NULL);
    partan_status status = partan_probabilities(context, model, decision, 1, probabilities);
    require((status == PARTAN_OK) == model->calibrated);
    for (size_t i = 0; i < classes && !status; i++) {
        require(probabilities[i] >= 0 && probabilities[i] <= 1);
        sum += probabilities[i];
    }
    require(status || fabs(sum - 1) < 1e-6);
    free(probabilities);
}

/* Few enough features that a dense row is cheap; not more than the model has, which would be refused. */
static void predict_one_row(partan_context *context, const partan_model *model)
{
    static const float values[4] = {1, 0, -2, 0.5f};
    partan_data *data = NULL;
    double *decision = calloc(pt_outputs(model), sizeof *decision);
    require(decision != NULL);
    size_t features = model->features > 0 && model->features < 4 ? (size_t)model->features : 4;
    require(dense_data(context, values, 1, features, 4, NULL, PARTAN_STORAGE_DENSE, &data) == PARTAN_OK);
    data->source.counted = false;
    if (model->vectors.features < 100000 && partan_predict(context, model, data, decision) == PARTAN_OK)
        ask_for_probabilities(context, model, decision);
    free(decision);
    partan_data_free(data);
}

static void try_format(partan_context *context, const char *text, size_t size, parser parse, writer write)
{
    partan_model *model = NULL, *again = NULL;
    require(pt_model_create(context, &model) == PARTAN_OK);
    partan_status status = parse(context, "fuzz", text, size, model);
    require(status == PARTAN_OK || *partan_error(context));
    if (status == PARTAN_OK) {
        predict_one_row(context, model);
        size_t first_size, second_size;
        char *first = written(model, write, &first_size);
        require(pt_model_create(context, &again) == PARTAN_OK);
        if (first && parse(context, "fuzz", first, first_size, again) == PARTAN_OK) {
            char *second = written(again, write, &second_size);
            require(second != NULL);
            if (parse != pt_model_parse_libsvm) /* a LIBSVM file's coefficients are rounded on the way to weights */
                require(first_size == second_size && memcmp(first, second, first_size) == 0);
            free(second);
        } else {
            require(!first || parse == pt_model_parse_libsvm);
        }
        free(first);
    }
    partan_model_free(model);
    partan_model_free(again);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *context = partan_create(&options);
    char *text = malloc(size + 1);
    require(context && text);
    memcpy(text, bytes, size);
    text[size] = 0;
    try_format(context, text, size, pt_model_parse_native, pt_model_write_native);
    try_format(context, text, size, pt_many_parse, pt_model_write_native);
    try_format(context, text, size, pt_model_parse_libsvm, pt_model_write_libsvm);
    free(text);
    partan_destroy(context);
    return 0;
}
