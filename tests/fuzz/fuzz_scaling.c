/* Files of scalings, of any bytes. What is accepted must be written, read again and written once more to the same
 * bytes, and must be usable. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/data.h"
#include "data/scale.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static char *written(const partan_scaling *scaling, size_t *size)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, size);
    require(file != NULL);
    pt_scaling_put(file, scaling);
    require(fclose(file) == 0);
    return text;
}

static void check_again(partan_context *context, const partan_scaling *scaling)
{
    size_t sizes[2];
    partan_scaling *again = NULL;
    char *first = written(scaling, &sizes[0]);
    require(pt_scaling_parse(context, "fuzz", first, sizes[0], &again) == PARTAN_OK);
    char *second = written(again, &sizes[1]);
    require(sizes[0] == sizes[1] && memcmp(first, second, sizes[0]) == 0);
    free(first);
    free(second);
    partan_scaling_free(again);
}

/* Ranges are in order, each of a feature that there is. Few features: with many, a row that is dense takes long. */
static void use(partan_context *context, const partan_scaling *scaling)
{
    static const float values[4] = {1, 0, -2, 0.5f};
    partan_data *data = NULL, *scaled = NULL;
    partan_dense row;
    partan_dense_init(&row);
    row.values = values;
    row.rows = 1;
    row.features = 4;
    for (size_t i = 0; i < scaling->count; i++) {
        size_t feature = pt_scaling_feature(scaling, i);
        require(feature < scaling->features && pt_scaling_find(scaling, feature) == (int64_t)i);
        (void)pt_scaling_map(scaling, i, 0.5);
    }
    if (scaling->features > 1000)
        return;
    require(partan_data_from_dense(context, &row, NULL, &data) == PARTAN_OK);
    partan_status status = partan_scaling_apply(context, scaling, data, PARTAN_STORAGE_AUTO, &scaled);
    require((status == PARTAN_OK) == (scaled != NULL) && (status == PARTAN_OK || *partan_error(context)));
    if (scaled)
        require(partan_data_rows(scaled) == 1 && partan_data_features(scaled) == scaling->features);
    partan_data_free(scaled);
    partan_data_free(data);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *context = partan_create(&options);
    partan_scaling *scaling = NULL;
    require(context != NULL);
    partan_status status = pt_scaling_parse(context, "fuzz", (const char *)bytes, size, &scaling);
    require((status == PARTAN_OK) == (scaling != NULL) && (status == PARTAN_OK || *partan_error(context)));
    if (scaling) {
        check_again(context, scaling);
        use(context, scaling);
    }
    partan_scaling_free(scaling);
    partan_destroy(context);
    return 0;
}
