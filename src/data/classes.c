/* The two classes of a data set. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "data/data.h"

enum { COUNTED_CLASSES = 256 }; /* more than this are not counted one by one */

static char *label_text(const partan_data *data, double label)
{
    if (data->words) {
        const char *word = data->words[(size_t)label];
        return pt_copy(data->context, word, strlen(word) + 1, 1);
    }
    char number[PT_NUMBER_SIZE];
    size_t length = pt_format_real(number, label);
    return pt_copy(data->context, number, length + 1, 1);
}

/* Collects different labels of rows with weight, in order of appearance, at most `most` of them. Returns how many, or
 * the number of the first row without label, from 1 and negative. */
static int64_t find_labels(const partan_data *data, double *found, int64_t most)
{
    int64_t count = 0;
    for (size_t row = 0; row < data->matrix.rows; row++) {
        double label = partan_data_label(data, row);
        if (!(pt_data_weight(data, row) > 0))
            continue;
        if (isnan(label))
            return -(int64_t)row - 1;
        int64_t i = 0;
        while (i < count && found[i] != label)
            i++;
        if (i == count && count == most)
            break;
        if (i == count)
            found[count++] = label;
    }
    return count;
}

static partan_status too_many(const partan_data *data, int64_t count)
{
    bool counted = count <= COUNTED_CLASSES;
    return pt_fail(data->context, PARTAN_ERROR_DATA, "%s: found %s%lld classes, expected two", data->name,
                   counted ? "" : "more than ", counted ? (long long)count : (long long)COUNTED_CLASSES);
}

static partan_status wrong_count(const partan_data *data, int64_t count, const double *found)
{
    partan_context *context = data->context;
    if (count < 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: row %lld has no label", data->name, (long long)-count);
    if (count == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: training needs two classes, found no rows", data->name);
    if (count > 1)
        return too_many(data, count);
    char *text = label_text(data, found[0]);
    partan_status status = pt_fail(context, PARTAN_ERROR_DATA, "%s: training needs two classes, found only '%s'",
                                   data->name, text ? text : "one");
    pt_free(context, text);
    return status;
}

partan_status pt_data_classes(const partan_data *data, pt_classes *classes, float **signs)
{
    partan_context *context = data->context;
    *classes = (pt_classes){0};
    *signs = NULL;
    double found[COUNTED_CLASSES + 1];
    int64_t count = find_labels(data, found, COUNTED_CLASSES + 1);
    if (count != 2)
        return wrong_count(data, count, found);

    bool first_greater =
        data->words ? strcmp(data->words[(size_t)found[0]], data->words[(size_t)found[1]]) > 0 : found[0] > found[1];
    classes->words = data->words != NULL;
    classes->label[0] = found[first_greater];
    classes->label[1] = found[!first_greater];
    classes->text[0] = label_text(data, classes->label[0]);
    classes->text[1] = label_text(data, classes->label[1]);
    size_t padded = data->matrix.tiles * PT_TILE;
    float *made = pt_alloc_zero(context, padded, sizeof *made);
    if (!made || !classes->text[0] || !classes->text[1]) {
        pt_free(context, made);
        pt_classes_free(context, classes);
        return pt_out_of_memory(context, "the classes of the rows");
    }
    for (size_t row = 0; row < data->matrix.rows; row++)
        made[row] = data->labels[row] == classes->label[1] ? 1 : -1;
    *signs = made;
    return PARTAN_OK;
}

void pt_classes_free(partan_context *context, pt_classes *classes)
{
    pt_free(context, classes->text[0]);
    pt_free(context, classes->text[1]);
    *classes = (pt_classes){0};
}
