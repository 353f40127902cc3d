/* What the fuzz targets of ratings share. */
#ifndef FUZZING_RATINGS_H
#define FUZZING_RATINGS_H

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/read/reader.h"

/* Everything that is let through must hold these. */
static inline void check_ratings(const partan_ratings *ratings, int unvalued)
{
    const char *text;
    char buffer[64];
    if (ratings->count == 0 || ratings->starts[0] != 0
        || ratings->starts[ratings->rows.count] != (int64_t)ratings->count)
        abort();
    for (size_t i = 0; i < ratings->rows.count; i++)
        for (int64_t k = ratings->starts[i]; k < ratings->starts[i + 1]; k++) {
            bool ascending = k == ratings->starts[i] || ratings->column[k] > ratings->column[k - 1];
            bool inside = ratings->column[k] >= 0 && (size_t)ratings->column[k] < ratings->columns.count;
            bool valid = isfinite(ratings->value[k]) || (unvalued && isnan(ratings->value[k]));
            if (!ascending || !inside || !valid)
                abort();
        }
    for (size_t k = 0; k < ratings->count; k++) {
        size_t row, column;
        double value;
        if (partan_ratings_entry(ratings, k, &row, &column, &value))
            abort();
        text = partan_ratings_row_name(ratings, row, buffer, sizeof buffer);
        if (pt_names_find(&ratings->rows, text, strlen(text)) != (int64_t)row)
            abort();
    }
}

/* Whole, and in small pieces: both succeed with the same content, or both fail with the same words. */
static inline void parse_ratings(const uint8_t *text, size_t size, const partan_ratings_options *options)
{
    partan_context_options one;
    partan_context_options_init(&one);
    one.threads = 1;
    partan_context *a = partan_create(&one), *b = partan_create(&one);
    partan_ratings *whole = NULL, *cut = NULL;
    partan_status status = pt_ratings_parse(a, "fuzz", (const char *)text, size, options, 1 << 16, &whole);
    partan_status again = pt_ratings_parse(b, "fuzz", (const char *)text, size, options, 1 + size / 7, &cut);
    if (status != again || !whole != !cut)
        abort();
    if (whole) {
        check_ratings(whole, options->unvalued);
        if (partan_ratings_fingerprint(whole) != partan_ratings_fingerprint(cut))
            abort();
    } else if (!*partan_error(a) || strcmp(partan_error(a), partan_error(b)) != 0) {
        abort();
    }
    partan_ratings_free(whole);
    partan_ratings_free(cut);
    partan_destroy(a);
    partan_destroy(b);
}

#endif
