/* Lists of entries and tables of any bytes: no crash, nothing unsound is let through, and the same whatever is read at
 * a time. The first byte chooses options. */
#include "fuzzing_ratings.h"

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size)
{
    partan_ratings_options options;
    partan_ratings_options_init(&options);
    options.format = PARTAN_RATINGS_TRIPLETS;
    parse_ratings(text, size, &options);
    if (size == 0)
        return 0;
    options.format = text[0] & 1 ? PARTAN_RATINGS_TABLE : text[0] & 2 ? PARTAN_RATINGS_AUTO : PARTAN_RATINGS_TRIPLETS;
    options.header = text[0] >> 2 & 1 ? -1 : text[0] >> 3 & 1;
    options.unvalued = text[0] >> 4 & 1;
    options.first_column = (partan_first_column)((text[0] >> 5 & 3) % 3);
    options.missing = 99;
    parse_ratings(text + 1, size - 1, &options);
    return 0;
}
