/* What a data set holds: classes with their counts, ranges of features, equal rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/require.h"
#include "core/sized.h"
#include "data/data.h"
#include "data/storage/layout.h"
#include "data/storage/row_table.h"

enum { ROWS_A_LOOK = 1024 }; /* between two looks at interruptions */

static partan_status go_on(const partan_data *data, size_t row)
{
    return row % ROWS_A_LOOK ? PARTAN_OK : pt_progress_share(data->context, (double)row / (double)data->matrix.rows);
}

/* ---- Classes ---- */

typedef struct label_count {
    double label;
    const char *word; /* NULL: the label is a number */
    uint64_t rows;
} label_count;

/* Numbers in their order, words in that of strcmp; rows without label last. */
static int compare_labels(const void *a, const void *b)
{
    const label_count *x = a, *y = b;
    if (x->word && y->word)
        return strcmp(x->word, y->word);
    if (isnan(x->label) || isnan(y->label))
        return isnan(x->label) - isnan(y->label);
    return (x->label > y->label) - (x->label < y->label);
}

static partan_status list_labels(const partan_data *data, label_count **counts, size_t *count)
{
    size_t rows = data->matrix.rows;
    *count = data->words ? data->word_count : rows;
    *counts = pt_alloc_zero(data->context, *count, sizeof **counts);
    if (!*counts)
        return pt_out_of_memory(data->context, "the labels of a summary");
    for (size_t i = 0; data->words && i < *count; i++)
        (*counts)[i] = (label_count){.label = (double)i, .word = data->words[i]};
    for (size_t row = 0; row < rows; row++) {
        double label = partan_data_label(data, row);
        if (!data->words)
            (*counts)[row] = (label_count){.label = label, .rows = 1};
        else if (!isnan(label))
            (*counts)[(size_t)label].rows++;
    }
    qsort(*counts, *count, sizeof **counts, compare_labels);
    return PARTAN_OK;
}

/* Puts equal labels together and leaves out rows without one, and words that no row of this part has. */
static size_t merge_labels(label_count *counts, size_t count)
{
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (counts[i].rows == 0 || isnan(counts[i].label))
            continue;
        if (kept > 0 && counts[kept - 1].label == counts[i].label)
            counts[kept - 1].rows += counts[i].rows;
        else
            counts[kept++] = counts[i];
    }
    return kept;
}

static partan_status count_classes(const partan_data *data, partan_class_callback class_counted, void *user,
                                   partan_data_summary *found)
{
    label_count *counts;
    size_t count;
    partan_status status = list_labels(data, &counts, &count);
    if (!status) {
        found->classes = merge_labels(counts, count);
        for (size_t i = 0; i < found->classes; i++) {
            found->labelled += counts[i].rows;
            if (class_counted)
                class_counted(user, counts[i].label, counts[i].word, counts[i].rows);
        }
    }
    pt_free(data->context, counts);
    return status;
}

/* ---- Features ---- */

/* The features that are looked at. A few nonzeros may have any index: there is room for those that are there only. */
typedef struct feature_list {
    partan_feature *features;
    int32_t *present; /* their indices, ascending; NULL: all from 0 on */
    size_t count;
} feature_list;

static int compare_indices(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static partan_status find_present(const partan_data *data, feature_list *list)
{
    const pt_matrix *matrix = &data->matrix;
    size_t found = 0, nonzeros = (size_t)matrix->nonzeros;
    list->present = pt_alloc(data->context, nonzeros, sizeof *list->present);
    if (!list->present)
        return pt_out_of_memory(data->context, "the features of a summary");
    for (size_t row = 0; row < matrix->rows; row++) {
        pt_cursor at = {.matrix = matrix, .row = row};
        while (pt_layout_of(matrix->storage)->next(&at))
            list->present[found++] = at.index;
    }
    qsort(list->present, found, sizeof *list->present, compare_indices);
    for (size_t i = 0; i < found; i++)
        if (i == 0 || list->present[i] != list->present[list->count - 1])
            list->present[list->count++] = list->present[i];
    return PARTAN_OK;
}

static partan_status make_list(const partan_data *data, feature_list *list)
{
    const pt_matrix *matrix = &data->matrix;
    list->count = matrix->features;
    partan_status status = PARTAN_OK;
    if (matrix->features > matrix->nonzeros) {
        list->count = 0;
        status = find_present(data, list);
    }
    if (!status && !(list->features = pt_alloc_zero(data->context, list->count, sizeof *list->features)))
        status = pt_out_of_memory(data->context, "the features of a summary");
    return status;
}

static partan_feature *feature_at(const feature_list *list, int32_t index)
{
    if (!list->present)
        return &list->features[index];
    const int32_t *found = bsearch(&index, list->present, list->count, sizeof index, compare_indices);
    return &list->features[found - list->present];
}

static partan_status sum_features(const partan_data *data, const feature_list *list, uint64_t *empty)
{
    const pt_matrix *matrix = &data->matrix;
    const pt_layout *layout = pt_layout_of(matrix->storage);
    partan_status status = PARTAN_OK;
    for (size_t row = 0; row < matrix->rows && !status; row++) {
        pt_cursor at = {.matrix = matrix, .row = row};
        bool none = true;
        while (layout->next(&at)) {
            partan_feature *feature = feature_at(list, at.index);
            double value = (double)at.value;
            bool first = feature->nonzeros++ == 0;
            feature->least = first ? value : fmin(feature->least, value);
            feature->greatest = first ? value : fmax(feature->greatest, value);
            feature->mean += value;
            none = false;
        }
        *empty += none;
        status = go_on(data, row);
    }
    return status;
}

/* Zeros, which were left out so far, are values too. */
static void finish_feature(const partan_data *data, size_t index, partan_feature *feature)
{
    size_t rows = data->matrix.rows;
    feature->index = index;
    feature->name = partan_data_feature_name(data, index);
    feature->mean /= (double)rows;
    if (feature->nonzeros < rows) {
        feature->least = fmin(feature->least, 0);
        feature->greatest = fmax(feature->greatest, 0);
    }
}

static void tell_features(const partan_data *data, const feature_list *list, partan_feature_callback feature_seen,
                          void *user, partan_data_summary *found)
{
    size_t absent = data->matrix.features - list->count; /* zero in all rows */
    bool first = absent == 0;
    found->constant_features = absent;
    for (size_t i = 0; i < list->count; i++) {
        partan_feature *feature = &list->features[i];
        finish_feature(data, list->present ? (size_t)list->present[i] : i, feature);
        found->constant_features += feature->least == feature->greatest;
        found->least = first ? feature->least : fmin(found->least, feature->least);
        found->greatest = first ? feature->greatest : fmax(found->greatest, feature->greatest);
        first = false;
        if (feature_seen)
            feature_seen(user, feature);
    }
}

static partan_status look_at_features(const partan_data *data, partan_feature_callback feature_seen, void *user,
                                      partan_data_summary *found)
{
    feature_list list = {0};
    partan_status status = make_list(data, &list);
    if (!status)
        status = sum_features(data, &list, &found->empty_rows);
    if (!status)
        tell_features(data, &list, feature_seen, user, found);
    pt_free(data->context, list.features);
    pt_free(data->context, list.present);
    return status;
}

/* ---- Equal rows ---- */

static bool same_label(const partan_data *data, size_t a, size_t b)
{
    double x = partan_data_label(data, a), y = partan_data_label(data, b);
    return x == y || (isnan(x) && isnan(y));
}

/* Each row is compared with the first one that has its features. */
static partan_status count_repeated(const partan_data *data, partan_data_summary *found)
{
    pt_row_table table;
    size_t rows = data->matrix.rows;
    if (rows >= UINT32_MAX) {
        found->repeated_rows = found->contradictory_rows = UINT64_MAX;
        return PARTAN_OK;
    }
    partan_status status = pt_row_table_make(&table, &data->matrix);
    for (size_t row = 0; row < rows && !status; row++) {
        pt_row_search search = {.matrix = &data->matrix, .row = row, .hash = table.hashes[row]};
        size_t first;
        if (pt_row_table_next(&table, &search, &first)) {
            found->repeated_rows++;
            found->contradictory_rows += !same_label(data, first, row);
        } else {
            pt_row_table_add(&table, row);
        }
        status = go_on(data, row);
    }
    pt_row_table_free(&table);
    return status;
}

PT_STRUCT_INIT(partan_data_summary, .labelled = 0)

partan_status partan_data_summarise(partan_context *context, const partan_data *data,
                                    partan_class_callback class_counted, partan_feature_callback feature_seen,
                                    void *user, partan_data_summary *summary)
{
    PT_REQUIRE(context, context && data && summary);
    PT_CHECK_OUTPUT(context, partan_data_summary, summary);
    partan_data_summary found;
    partan_data_summary_init(&found);
    pt_progress_begin(context, "summarise");
    partan_status status = count_classes(data, class_counted, user, &found);
    if (!status)
        status = look_at_features(data, feature_seen, user, &found);
    if (!status)
        status = count_repeated(data, &found);
    if (!status)
        pt_struct_give(summary, &found, sizeof found);
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    return status;
}
