/* What the tests of the readers share: parsing of literals, and a plain rendering of what was read. */
#ifndef READING_H
#define READING_H

#include "testing.h"

#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "data/read/read.h"

/* Texts with NUL bytes in them are given with their size. */
typedef struct sample {
    const char *text;
    const char *result; /* the rendering, or the message after the name */
    size_t size;        /* 0: strlen */
} sample;

/* "label index:value ...;" for every row, indices from 0; "?" for a row without label; ends with the rest of what
 * there is to know: " @serial" after each label of a precomputed kernel. */
static inline void render(const partan_data *data, char *out, size_t size)
{
    int32_t indices[64];
    float values[64];
    char label[128], number[PT_NUMBER_SIZE];
    size_t at = 0;
    out[0] = '\0';
    for (size_t row = 0; row < partan_data_rows(data); row++) {
        const char *text = partan_data_label_text(data, row, label, sizeof label);
        at += (size_t)snprintf(out + at, size - at, "%s", *text ? text : "?");
        if (data->serials)
            at += (size_t)snprintf(out + at, size - at, " @%d", (int)data->serials[row]);
        assert_true(pt_matrix_row_room(&data->matrix) <= 64);
        size_t count = pt_matrix_row(&data->matrix, row, indices, values);
        for (size_t k = 0; k < count; k++) {
            pt_format_float(number, values[k]);
            at += (size_t)snprintf(out + at, size - at, " %d:%s", indices[k], number);
        }
        at += (size_t)snprintf(out + at, size - at, ";");
        assert_true(at < size);
    }
}

static inline void assert_accepted(partan_context *context, const sample *samples, size_t count,
                                   const partan_read_options *options)
{
    for (size_t i = 0; i < count; i++) {
        partan_data *data;
        char found[4096];
        size_t size = samples[i].size ? samples[i].size : strlen(samples[i].text);
        if (pt_data_parse(context, "it", samples[i].text, size, options, &data))
            fail_msg("\"%s\" was refused: %s", samples[i].text, partan_error(context));
        render(data, found, sizeof found);
        if (strcmp(found, samples[i].result) != 0)
            fail_msg("\"%s\" was read as \"%s\"", samples[i].text, found);
        partan_data_free(data);
    }
}

static inline void assert_refused(partan_context *context, const sample *samples, size_t count,
                                  const partan_read_options *options)
{
    for (size_t i = 0; i < count; i++) {
        partan_data *data;
        char expected[1024];
        size_t size = samples[i].size ? samples[i].size : strlen(samples[i].text);
        partan_status status = pt_data_parse(context, "it", samples[i].text, size, options, &data);
        if (!status)
            fail_msg("\"%s\" was accepted, expected: %s", samples[i].text, samples[i].result);
        assert_true(status == PARTAN_ERROR_FORMAT || status == PARTAN_ERROR_ARGUMENT || status == PARTAN_ERROR_DATA);
        assert_null(data);
        snprintf(expected, sizeof expected, "it:%s", samples[i].result);
        if (strcmp(partan_error(context), expected) != 0)
            fail_msg("\"%s\":\n  found    %s\n  expected %s", samples[i].text, partan_error(context), expected);
    }
}

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

#endif
