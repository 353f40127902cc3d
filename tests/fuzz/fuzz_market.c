/* Matrix Market text of any bytes: no crash, nothing unsound is let through. */
#include <string.h>

#include "fuzzing_ratings.h"

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size);

/* A size line may announce any number of rows, for each of which there is a little room: short texts would need much
 * memory. */
static int has_long_number(const uint8_t *text, size_t size)
{
    size_t run = 0;
    for (size_t i = 0; i < size; i++) {
        run = text[i] >= '0' && text[i] <= '9' ? run + 1 : 0;
        if (run > 5)
            return 1;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *text, size_t size)
{
    static const char banner[] = "%%MatrixMarket matrix coordinate real general\n";
    partan_ratings_options options;
    partan_ratings_options_init(&options);
    options.format = PARTAN_RATINGS_MARKET;
    if (has_long_number(text, size))
        return 0;
    parse_ratings(text, size, &options);
    /* Behind a banner, so that more of them get far. */
    uint8_t *whole = malloc(size + sizeof banner);
    memcpy(whole, banner, sizeof banner - 1);
    if (size > 0)
        memcpy(whole + sizeof banner - 1, text, size);
    parse_ratings(whole, size + sizeof banner - 1, &options);
    free(whole);
    return 0;
}
