/* Files of completed matrices, of any bytes. What is accepted must be written, read again and written once more to the
 * same bytes, and must be usable for prediction. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "matrix/model_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static char *written(const partan_matrix *matrix, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    require(file != NULL && pt_matrix_write(matrix, file) == PARTAN_OK);
    fclose(file);
    return text;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *context = partan_create(&options);
    partan_matrix *matrix = NULL, *again = NULL;
    char *text = malloc(size + 1);
    require(context && text && pt_matrix_create(context, &matrix) == PARTAN_OK);
    memcpy(text, bytes, size);
    text[size] = 0;
    partan_status status = pt_matrix_parse(context, "fuzz", text, size, matrix);
    require(status == PARTAN_OK || *partan_error(context));
    if (status == PARTAN_OK) {
        size_t sizes[2];
        char *first = written(matrix, &sizes[0]);
        (void)pt_matrix_value(matrix, 0, (int64_t)matrix->columns.count - 1);
        require(pt_matrix_create(context, &again) == PARTAN_OK);
        require(pt_matrix_parse(context, "fuzz", first, sizes[0], again) == PARTAN_OK);
        char *second = written(again, &sizes[1]);
        require(sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0);
        free(first);
        free(second);
    }
    partan_matrix_free(matrix);
    partan_matrix_free(again);
    free(text);
    partan_destroy(context);
    return 0;
}
