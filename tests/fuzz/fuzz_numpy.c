/* Fuzzes the reader of .npy arrays. What is accepted can be read to its last element, and makes a data set or a
 * sentence that says why not. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "data/read/numpy.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void use(partan_context *context, const pt_array *array)
{
    char text[64];
    partan_data *data = NULL;
    partan_read_options options;
    size_t rows = array->shape[0] < 1000 ? array->shape[0] : 1000, columns = array->shape[1];
    for (size_t row = 0; row < rows; row++) {
        for (size_t column = 0; column < columns && column < 1000; column++)
            (void)pt_array_number(array, row, column);
        if (columns == 0)
            continue;
        size_t length = pt_array_text(array, row, text, sizeof text);
        if (strlen(text) != length)
            abort();
    }
    partan_read_options_init(&options);
    /* The first column is the label, the second the weight. */
    pt_numpy_parts parts = {array, NULL, NULL, columns > 0 ? 0 : SIZE_MAX, columns > 1 ? 1 : SIZE_MAX};
    partan_status status = pt_numpy_data(context, "fuzz", &options, parts, &data);
    if ((status == PARTAN_OK) != (data != NULL) || (status && !*partan_error(context)))
        abort();
    partan_data_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    options.isa = "reference";
    partan_context *context = partan_create(&options);
    pt_array array;
    unsigned char *text = context ? pt_copy(context, bytes, size, 1) : NULL;
    if (text && pt_array_parse(context, "fuzz", text, size, &array) == PARTAN_OK)
        use(context, &array);
    if (text)
        pt_array_free(context, &array);
    partan_destroy(context);
    return 0;
}
