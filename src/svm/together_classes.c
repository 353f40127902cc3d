/* The two classes of rows that live in several processes. */
#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "svm/together.h"

enum { MOST_LABELS = 3, LABEL_SIZE = 240 };

/* Labels as they travel. */
typedef struct label {
    double number;
    int64_t word;
    char text[LABEL_SIZE];
} label;

static bool is_same(const label *a, const label *b)
{
    return a->word || b->word ? strcmp(a->text, b->text) == 0 : a->number == b->number;
}

static bool is_less(const label *a, const label *b)
{
    return a->word ? strcmp(a->text, b->text) < 0 : a->number < b->number;
}

static void add_label(label *list, size_t *count, const label *one)
{
    for (size_t i = 0; i < *count; i++)
        if (is_same(&list[i], one))
            return;
    if (*count < MOST_LABELS)
        list[(*count)++] = *one;
}

static label label_of(const partan_data *data, size_t row)
{
    label found = {.number = data->labels[row], .word = data->words != NULL};
    partan_data_label_text(data, row, found.text, sizeof found.text);
    return found;
}

/* Up to three different labels of the rows here. */
static partan_status find_labels(const partan_data *data, label *list, size_t *count)
{
    double last = (double)NAN;
    *count = 0;
    for (size_t row = 0; row < data->matrix.rows; row++) {
        if (!(pt_data_weight(data, row) > 0))
            continue;
        if (!data->labels || isnan(data->labels[row]))
            return pt_fail(data->context, PARTAN_ERROR_DATA, "%s: row %zu has no label", data->name, row + 1);
        if (data->labels[row] == last)
            continue;
        last = data->labels[row];
        label one = label_of(data, row);
        add_label(list, count, &one);
    }
    return PARTAN_OK;
}

static partan_status check_labels(const partan_data *part, const label *list, size_t count)
{
    partan_context *context = part->context;
    const char *name = part->name;
    if (count == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: training needs two classes, found no rows", name);
    if (count == 1)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: training needs two classes, found only '%s'", name,
                       list[0].text);
    if (count > 2)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: found more than two classes, expected two", name);
    if (list[0].word != list[1].word)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "%s: found labels that are numbers and labels that are words, "
                       "expected one kind",
                       name);
    return PARTAN_OK;
}

/* Different labels of all rows, up to three. */
static partan_status find_all_labels(partan_context *context, pt_comm *comm, const partan_data *part, label *list,
                                     size_t *count)
{
    label mine[MOST_LABELS];
    size_t here = 0;
    *count = 0;
    partan_status status = pt_agree(context, comm, find_labels(part, mine, &here));
    for (int i = 0; i < comm->size && !status; i++) {
        label theirs[MOST_LABELS];
        uint64_t some = here;
        memcpy(theirs, mine, sizeof mine);
        comm->broadcast(comm, i, &some, sizeof some);
        comm->broadcast(comm, i, theirs, sizeof theirs);
        for (size_t k = 0; k < some; k++)
            add_label(list, count, &theirs[k]);
    }
    return status;
}

partan_status pt_have_many(partan_context *context, pt_comm *comm, const partan_data *part, bool *many)
{
    label list[MOST_LABELS];
    size_t count;
    partan_status status = find_all_labels(context, comm, part, list, &count);
    *many = count > 2;
    return status;
}

static bool has_label(const partan_data *data, size_t row, const label *one)
{
    if (!data->labels || isnan(data->labels[row]))
        return false;
    return data->words ? strcmp(data->words[(size_t)data->labels[row]], one->text) == 0
                       : data->labels[row] == one->number;
}

partan_status pt_classes_of_all(partan_context *context, pt_comm *comm, const partan_data *part, pt_classes *classes,
                                float **signs)
{
    label list[MOST_LABELS];
    size_t count, rows = part->matrix.rows;
    *classes = (pt_classes){0};
    *signs = NULL;
    partan_status status = find_all_labels(context, comm, part, list, &count);
    if (!status)
        status = pt_agree(context, comm, check_labels(part, list, count));
    if (status)
        return status;
    int negative = !is_less(&list[0], &list[1]);
    const label *sides[2] = {&list[negative], &list[!negative]};
    classes->words = sides[0]->word != 0;
    for (int i = 0; i < 2; i++) {
        classes->label[i] = classes->words ? i : sides[i]->number;
        classes->text[i] = pt_copy(context, sides[i]->text, strlen(sides[i]->text) + 1, 1);
    }
    *signs = pt_alloc_zero(context, part->matrix.tiles * PT_TILE, sizeof **signs);
    if (!*signs || !classes->text[0] || !classes->text[1])
        status = pt_out_of_memory(context, "the classes of the rows");
    for (size_t row = 0; row < rows && !status; row++)
        (*signs)[row] = has_label(part, row, sides[1]) ? 1 : -1;
    return pt_agree(context, comm, status);
}
