/* Fuzzes the reader of Lasso models. A model that is accepted must be written, read again and written once more to the
 * same bytes, and must be usable for prediction. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/arrays.h"
#include "lasso/model_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static char *written(const partan_lasso *model, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    require(file != NULL);
    require(pt_lasso_write(model, file) == PARTAN_OK);
    fclose(file);
    return text;
}

static void use(partan_context *context, const partan_lasso *model)
{
    static const float values[4] = {1, 0, -2, 0.5f};
    double value;
    for (int storage = PARTAN_STORAGE_DENSE; storage <= PARTAN_STORAGE_SPARSE; storage++) {
        partan_data *data = NULL;
        size_t features = model->features < 4 ? model->features : 4; /* more than the model has are refused */
        require(dense_data(context, values, 1, features, 4, NULL, (partan_storage)storage, &data) == PARTAN_OK);
        data->source.counted = false;
        require(partan_lasso_predict(context, model, data, &value) == PARTAN_OK);
        partan_data_free(data);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *context = partan_create(&options);
    char *text = malloc(size + 1);
    partan_lasso *model = NULL, *again = NULL;
    require(context && text);
    memcpy(text, bytes, size);
    text[size] = 0;
    require(pt_lasso_create(context, &model) == PARTAN_OK);
    partan_status status = pt_lasso_parse(context, "fuzz", text, size, model);
    require(status == PARTAN_OK || *partan_error(context));
    if (status == PARTAN_OK) {
        size_t first_size, second_size;
        use(context, model);
        char *first = written(model, &first_size);
        require(pt_lasso_create(context, &again) == PARTAN_OK);
        require(pt_lasso_parse(context, "fuzz", first, first_size, again) == PARTAN_OK);
        char *second = written(again, &second_size);
        require(first_size == second_size && memcmp(first, second, first_size) == 0);
        free(first);
        free(second);
    }
    partan_lasso_free(model);
    partan_lasso_free(again);
    free(text);
    partan_destroy(context);
    return 0;
}
