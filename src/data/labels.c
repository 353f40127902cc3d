/* The classes of a data set, as many as there are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "data/data.h"

enum {
    MOST_CLASSES = 1 << 15,
    FEW_CLASSES = 64,         /* whose labels are compared with each row's, which is faster than sorting rows */
    REGRESSION_CLASSES = 256, /* of numbers: if there are more, and a row or two of each, they are measurements */
};

partan_status pt_labels_reserve(partan_context *context, size_t count, pt_labels *labels)
{
    *labels = (pt_labels){.count = count};
    labels->label = pt_alloc_zero(context, count, sizeof *labels->label);
    labels->text = pt_alloc_zero(context, count, sizeof *labels->text);
    labels->weight = pt_alloc(context, count, sizeof *labels->weight);
    if (!labels->label || !labels->text || !labels->weight) {
        pt_labels_free(context, labels);
        return pt_out_of_memory(context, "the classes");
    }
    for (size_t i = 0; i < count; i++)
        labels->weight[i] = 1;
    return PARTAN_OK;
}

void pt_labels_free(partan_context *context, pt_labels *labels)
{
    for (size_t i = 0; labels->text && i < labels->count; i++)
        pt_free(context, labels->text[i]);
    pt_free(context, labels->label);
    pt_free(context, labels->text);
    pt_free(context, labels->weight);
    *labels = (pt_labels){0};
}

int32_t pt_labels_find(const pt_labels *labels, const char *text)
{
    double number;
    bool numeric = !labels->words && pt_text_to_real(text, &number);
    for (size_t i = 0; i < labels->count; i++)
        if (strcmp(labels->text[i], text) == 0 || (numeric && labels->label[i] == number))
            return (int32_t)i;
    return -1;
}

/* ---- Of a data set ---- */

/* A label on its way into order; words are numbered as they appear. */
typedef struct sortable {
    double label;
    const char *word; /* NULL: a number */
} sortable;

static int compare(const void *a, const void *b)
{
    const sortable *x = a, *y = b;
    if (x->word)
        return strcmp(x->word, y->word);
    return (x->label > y->label) - (x->label < y->label);
}

static sortable sortable_of(const partan_data *data, double label)
{
    return (sortable){label, data->words ? data->words[(size_t)label] : NULL};
}

/* The different labels of the rows in the order of their appearance, where they are few, and which of them each row
 * has; returns how many, FEW_CLASSES + 1 for more. */
static size_t find_few(const partan_data *data, double different[FEW_CLASSES], int32_t *class_of)
{
    size_t count = 0, at = 0;
    for (size_t row = 0; row < data->matrix.rows; row++) {
        double label = data->labels[row];
        if (at == count || different[at] != label)
            for (at = 0; at < count && different[at] != label; at++)
                ;
        if (at == FEW_CLASSES)
            return FEW_CLASSES + 1;
        if (at == count)
            different[count++] = label;
        class_of[row] = (int32_t)at;
    }
    return count;
}

/* Puts few labels in order, and the rows' classes by it. */
static void sort_few(const partan_data *data, const double *different, size_t count, sortable *sorted,
                     int32_t *class_of)
{
    int32_t place[FEW_CLASSES] = {0};
    for (size_t i = 0; i < count; i++)
        sorted[i] = sortable_of(data, different[i]);
    qsort(sorted, count, sizeof *sorted, compare);
    for (size_t i = 0; i < count; i++) {
        sortable key = sortable_of(data, different[i]);
        const sortable *found = bsearch(&key, sorted, count, sizeof *sorted, compare);
        place[i] = (int32_t)(found - sorted);
    }
    for (size_t row = 0; row < data->matrix.rows; row++)
        class_of[row] = place[class_of[row]];
}

/* The different labels of the rows, in order; returns how many. */
static size_t sort_labels(const partan_data *data, sortable *sorted)
{
    size_t count = 0;
    for (size_t row = 0; row < data->matrix.rows; row++)
        sorted[row] = sortable_of(data, data->labels[row]);
    qsort(sorted, data->matrix.rows, sizeof *sorted, compare);
    for (size_t row = 0; row < data->matrix.rows; row++)
        if (row == 0 || compare(&sorted[row - 1], &sorted[row]) != 0)
            sorted[count++] = sorted[row];
    return count;
}

static partan_status take_text(partan_context *context, const sortable *one, char **text)
{
    char number[PT_NUMBER_SIZE];
    if (!one->word)
        pt_format_real(number, one->label);
    const char *from = one->word ? one->word : number;
    *text = pt_copy(context, from, strlen(from) + 1, 1);
    return *text ? PARTAN_OK : pt_out_of_memory(context, "the classes");
}

static bool is_regression(const pt_labels *labels, uint64_t rows)
{
    bool whole = true;
    for (size_t i = 0; i < labels->count; i++)
        whole = whole && labels->label[i] == floor(labels->label[i]);
    return !labels->words && labels->count > 2
           && (!whole || (labels->count > REGRESSION_CLASSES && labels->count > rows / 4));
}

partan_status pt_labels_check(const partan_data *data, const pt_labels *labels, uint64_t rows)
{
    partan_context *context = data->context;
    if (labels->count == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: there are no rows", data->name);
    if (labels->count == 1)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: training needs two classes or more, found only '%s'",
                       data->name, labels->text[0]);
    if (is_regression(labels, rows))
        return pt_fail(
            context, PARTAN_ERROR_DATA,
            "%s: found %zu different numbers as labels, which look like regression targets: did you mean problem "
            "regression?",
            data->name, labels->count);
    if (labels->count > MOST_CLASSES)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found %zu classes, expected at most %d", data->name,
                       labels->count, (int)MOST_CLASSES);
    return PARTAN_OK;
}

static void find_classes(const partan_data *data, const sortable *sorted, size_t count, int32_t *class_of)
{
    for (size_t row = 0; row < data->matrix.rows; row++) {
        sortable key = sortable_of(data, data->labels[row]);
        const sortable *found = bsearch(&key, sorted, count, sizeof *sorted, compare);
        class_of[row] = (int32_t)(found - sorted);
    }
}

/* The different labels, in order, and the rows' classes; returns how many. */
static size_t sort_classes(const partan_data *data, sortable *sorted, int32_t *class_of)
{
    double different[FEW_CLASSES];
    size_t count = find_few(data, different, class_of);
    if (count <= FEW_CLASSES) {
        sort_few(data, different, count, sorted, class_of);
        return count;
    }
    count = sort_labels(data, sorted);
    find_classes(data, sorted, count, class_of);
    return count;
}

partan_status pt_labels_of_rows(const partan_data *data, pt_labels *labels, int32_t **class_of)
{
    partan_context *context = data->context;
    size_t rows = data->matrix.rows;
    *labels = (pt_labels){0};
    *class_of = NULL;
    for (size_t row = 0; row < rows; row++)
        if (isnan(partan_data_label(data, row)))
            return pt_fail(context, PARTAN_ERROR_DATA, "%s: row %zu has no label", data->name, row + 1);
    sortable *sorted = pt_alloc(context, rows, sizeof *sorted);
    int32_t *classes = pt_alloc(context, rows, sizeof *classes);
    partan_status status = sorted && classes ? PARTAN_OK : pt_out_of_memory(context, "the classes of the rows");
    size_t count = status ? 0 : sort_classes(data, sorted, classes);
    if (!status)
        status = pt_labels_reserve(context, count, labels);
    labels->words = data->words != NULL;
    for (size_t i = 0; i < count && !status; i++) {
        labels->label[i] = sorted[i].label;
        status = take_text(context, &sorted[i], &labels->text[i]);
    }
    if (status)
        pt_labels_free(context, labels);
    pt_free(context, sorted);
    *class_of = status ? NULL : classes;
    if (status)
        pt_free(context, classes);
    return status;
}

partan_status pt_data_labels(const partan_data *data, pt_labels *labels, int32_t **class_of)
{
    partan_status status = pt_labels_of_rows(data, labels, class_of);
    if (!status && (status = pt_labels_check(data, labels, data->matrix.rows))) {
        pt_labels_free(data->context, labels);
        pt_free(data->context, *class_of);
        *class_of = NULL;
    }
    return status;
}
