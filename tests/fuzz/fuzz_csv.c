/* CSV and TSV text of any bytes: no crash, and nothing unsound is let through. The first two bytes choose options. */
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size)
{
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = PARTAN_FORMAT_CSV;
    parse_both(text, size, &options);
    if (size < 2)
        return 0;
    options.format = text[0] & 1 ? PARTAN_FORMAT_TSV : PARTAN_FORMAT_CSV;
    options.header = text[0] >> 1 & 1 ? -1 : text[0] >> 2 & 1;
    options.label_name = text[0] & 8 ? "y" : NULL;
    options.unlabelled = text[0] >> 4 & 1;
    options.precomputed = text[0] >> 5 & 1;
    options.storage = text[0] & 64 ? PARTAN_STORAGE_SPARSE : PARTAN_STORAGE_AUTO;
    options.label_column = (int64_t)(text[1] % 7) - 3;
    options.weight_column = (int64_t)(text[1] / 7 % 5) - 2;
    options.weight_name = text[0] & 128 ? "w" : NULL;
    parse_both(text + 2, size - 2, &options);
    return 0;
}
