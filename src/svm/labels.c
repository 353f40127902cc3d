#include "svm/labels.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/agree.h"
#include "core/number.h"
#include "core/require.h"

static bool is_class(const partan_model *model, int positive, const char *word)
{
    double number;
    if (strcmp(word, model->classes.text[positive]) == 0)
        return true;
    return !model->classes.words && pt_text_to_real(word, &number) && number == model->classes.label[positive];
}

static int32_t class_of_word(const partan_model *model, const char *word)
{
    if (model->machine_count > 0)
        return pt_labels_find(&model->labels, word);
    return is_class(model, PT_POSITIVE, word)   ? PT_POSITIVE
           : is_class(model, PT_NEGATIVE, word) ? PT_NEGATIVE
                                                : PT_OTHER_LABEL;
}

static int32_t find_number(const partan_model *model, double label)
{
    size_t count = model->machine_count > 0 ? model->labels.count : 2;
    const double *labels = model->machine_count > 0 ? model->labels.label : model->classes.label;
    for (size_t i = 0; i < count; i++)
        if (labels[i] == label)
            return (int32_t)i;
    return PT_OTHER_LABEL;
}

/* A number in the data is compared with a model's numbers by value ("1" is "+1.0"), with its words by text. */
static int32_t class_of_number(const partan_model *model, double label)
{
    char text[PT_NUMBER_SIZE];
    if (isnan(label))
        return PT_UNLABELLED;
    if (!(model->machine_count > 0 ? model->labels.words : model->classes.words))
        return find_number(model, label);
    pt_format_real(text, label);
    return class_of_word(model, text);
}

partan_status pt_label_classes(partan_context *context, const partan_model *model, const partan_data *data,
                               int32_t *classes)
{
    int32_t *of_word = pt_alloc(context, data->word_count, sizeof *of_word);
    if (!of_word)
        return pt_out_of_memory(context, "the classes of labels");
    for (size_t i = 0; i < data->word_count; i++)
        of_word[i] = class_of_word(model, data->words[i]);
    for (size_t row = 0; row < data->matrix.rows; row++) {
        double label = partan_data_label(data, row);
        if (data->words)
            classes[row] = isnan(label) ? PT_UNLABELLED : of_word[(size_t)label];
        else
            classes[row] = class_of_number(model, label);
        if (classes[row] == PT_OTHER_LABEL && model->settings.problem == PARTAN_OUTLIER)
            classes[row] = PT_UNLABELLED; /* which were not used */
    }
    pt_free(context, of_word);
    return PARTAN_OK;
}

/* ---- Whether labels and model are about the same classes ---- */

enum { LABEL_SIZE = 48 }; /* more than is shown */

/* What is counted, and the first two different labels that are no class, as far as there are any. */
typedef struct count {
    uint64_t labelled, unknown;
    int different;
    char labels[2][LABEL_SIZE];
} count;

static void note_unknown(count *found, const char *label)
{
    snprintf(found->labels[found->different++], LABEL_SIZE, "%.*s", LABEL_SIZE - 1, label);
}

static count count_labels(const partan_data *data, const int32_t *classes)
{
    count found = {0};
    double first = (double)NAN;
    char buffer[PT_NUMBER_SIZE];
    for (size_t row = 0; row < data->matrix.rows; row++) {
        found.labelled += classes[row] != PT_UNLABELLED;
        if (classes[row] != PT_OTHER_LABEL)
            continue;
        found.unknown++;
        if (found.different == 2 || data->labels[row] == first)
            continue;
        note_unknown(&found, partan_data_label_text(data, row, buffer, sizeof buffer));
        first = data->labels[row];
    }
    return found;
}

/* What all processes have counted. */
static count count_of_all(pt_comm *comm, const count *mine)
{
    count all = {0};
    for (int rank = 0; rank < comm->size; rank++) {
        count theirs = *mine;
        comm->broadcast(comm, rank, &theirs, sizeof theirs);
        all.labelled += theirs.labelled;
        all.unknown += theirs.unknown;
        for (int i = 0; i < theirs.different && all.different < 2; i++)
            if (all.different == 0 || strcmp(all.labels[0], theirs.labels[i]) != 0)
                note_unknown(&all, theirs.labels[i]);
    }
    return all;
}

/* Of a model that predicts numbers. */
static partan_status check_numbers(partan_context *context, const partan_data *data, uint64_t *labelled)
{
    *labelled = 0;
    for (size_t row = 0; row < data->matrix.rows; row++)
        *labelled += isnan(partan_data_label(data, row)) ? 0 : 1;
    partan_status status = PARTAN_OK;
    if (data->words && *labelled > 0)
        status = pt_fail(context, PARTAN_ERROR_DATA, "%s: found label '%.40s', the model predicts numbers", data->name,
                         data->words[0]);
    status = pt_agree(context, context->comm, status);
    if (!status)
        pt_add_up(context->comm, labelled, 1);
    return status;
}

static partan_status refuse(partan_context *context, const partan_model *model, const partan_data *data,
                            const count *found)
{
    if (model->machine_count > 0)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "%s: found labels '%.40s' and '%.40s', which are none of the model's %zu classes", data->name,
                       found->labels[0], found->labels[1], model->labels.count);
    return pt_fail(context, PARTAN_ERROR_DATA,
                   "%s: found labels '%.40s' and '%.40s', the model's classes are '%.40s' and "
                   "'%.40s'",
                   data->name, found->labels[0], found->labels[1], model->classes.text[1], model->classes.text[0]);
}

partan_status partan_model_check_labels(partan_context *context, const partan_model *model, const partan_data *data,
                                        uint64_t *labelled, uint64_t *unknown)
{
    PT_REQUIRE(context, context && model && data && labelled && unknown);
    *unknown = 0;
    if (partan_model_class_count(model) == 0)
        return check_numbers(context, data, labelled);
    int32_t *classes = pt_alloc(context, data->matrix.rows, sizeof *classes);
    partan_status status =
        classes ? pt_label_classes(context, model, data, classes) : pt_out_of_memory(context, "the classes of rows");
    count found = status ? (count){0} : count_labels(data, classes);
    pt_free(context, classes);
    status = pt_agree(context, context->comm, status);
    if (status)
        return status;
    if (context->comm)
        found = count_of_all(context->comm, &found);
    *labelled = found.labelled;
    *unknown = found.unknown;
    bool none = found.unknown == found.labelled && found.different == 2;
    return pt_agree(context, context->comm, none ? refuse(context, model, data, &found) : PARTAN_OK);
}
