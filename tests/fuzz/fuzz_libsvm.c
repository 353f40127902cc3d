/* LIBSVM text of any bytes: no crash, and nothing unsound is let through. The first byte chooses options. */
#include "fuzzing.h"

#include <stdbool.h>

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size);

/* Precomputed kernels are dense: with a large index a short text would need much memory. */
static bool has_long_number(const uint8_t *text, size_t size)
{
    size_t run = 0;
    for (size_t i = 0; i < size; i++) {
        run = text[i] >= '0' && text[i] <= '9' ? run + 1 : 0;
        if (run > 4)
            return true;
    }
    return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size)
{
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = PARTAN_FORMAT_LIBSVM;
    options.storage = PARTAN_STORAGE_SPARSE;
    parse_both(text, size, &options);
    if (size == 0)
        return 0;
    options.unlabelled = text[0] & 1;
    options.precomputed = text[0] >> 1 & 1 && !has_long_number(text, size);
    options.min_features = text[0] & 4 ? 5 : 0;
    options.format = text[0] & 8 ? PARTAN_FORMAT_AUTO : PARTAN_FORMAT_LIBSVM;
    parse_both(text + 1, size - 1, &options);
    return 0;
}
