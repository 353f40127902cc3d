/* Fuzzes data sets and predictions from arrays: layouts that the input decides on, against a plain matrix. */
#include "../unit/layouts.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *context = partan_create(&options);
    byte_source source = {bytes, bytes + size};
    plain_matrix m = draw_matrix(&source);
    laid_out all = {0};
    bool is_right = false;
    partan_data *data = make_of_layout(context, &m, &source, &all, &is_right);
    if (!is_right)
        abort();
    partan_data_free(data);
    discard(&all);
    partan_destroy(context);
    return 0;
}
