/* What the fuzz targets of the readers share. */
#ifndef FUZZING_H
#define FUZZING_H

#include <stdint.h>
#include <stdlib.h>

#include "data/read/read.h"

/* Everything a reader lets through must hold these. */
static inline void check_data(const partan_data *data)
{
    const pt_matrix *matrix = &data->matrix;
    if (matrix->rows == 0 || matrix->features > INT32_MAX || matrix->features > (size_t)1 << 20)
        return;
    int32_t *indices = malloc((matrix->features + 1) * sizeof *indices);
    float *values = malloc((matrix->features + 1) * sizeof *values);
    uint64_t nonzeros = 0;
    for (size_t row = 0; row < matrix->rows; row++) {
        size_t count = pt_matrix_row(matrix, row, indices, values);
        nonzeros += count;
        for (size_t k = 0; k < count; k++)
            if (indices[k] < 0 || (size_t)indices[k] >= matrix->features || (k > 0 && indices[k] <= indices[k - 1])
                || !(values[k] - values[k] == 0) || values[k] == 0)
                abort();
        if (!(partan_data_weight(data, row) >= 0) || partan_data_weight(data, row) - partan_data_weight(data, row) != 0)
            abort();
        char text[64];
        if (!partan_data_label_text(data, row, text, sizeof text))
            abort();
    }
    if (nonzeros != matrix->nonzeros)
        abort();
    free(indices);
    free(values);
}

/* Parses whole and at speed, and in small pieces by the book: both succeed with the same content, or both fail with the
 * same words. */
static inline void parse_both(const uint8_t *text, size_t size, const partan_read_options *options)
{
    partan_context_options one;
    partan_context_options_init(&one);
    one.threads = 1;
    partan_context *a = partan_create(&one), *b = partan_create(&one);
    b->isa = PT_ISA_REFERENCE;
    partan_data *whole = NULL, *cut = NULL;
    partan_status status = pt_data_parse(a, "fuzz", (const char *)text, size, options, &whole);
    partan_status again = pt_data_parse_cut(b, "fuzz", (const char *)text, size, options, 1 + size / 7, &cut);
    if (status != again || !whole != !cut)
        abort();
    if (whole) {
        check_data(whole);
        if (partan_data_fingerprint(whole) != partan_data_fingerprint(cut))
            abort();
    } else {
        const char *x = partan_error(a), *y = partan_error(b);
        while (*x && *x == *y)
            x++, y++;
        if (*x != *y || !*partan_error(a))
            abort();
    }
    partan_data_free(whole);
    partan_data_free(cut);
    partan_destroy(a);
    partan_destroy(b);
}

#endif
