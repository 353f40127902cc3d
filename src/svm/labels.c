/* The labels of data that a model is applied to, against the model's classes. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/require.h"
#include "svm/model/model.h"

/* What is counted, and the first two labels that are no class. */
typedef struct count {
    uint64_t labelled, unknown;
    size_t first, second; /* their rows; SIZE_MAX: none */
} count;

/* Labels that are numbers are compared as numbers ("1" is "+1.0"), words as words. */
static bool is_class(const partan_model *model, const partan_data *data, double label)
{
    for (int class = 0; class < 2; class ++) {
        double number = label;
        const char *word = data->words ? data->words[(size_t)label] : NULL;
        bool numeric = !model->classes.words && (!word || pt_text_to_real(word, &number));
        char buffer[PT_NUMBER_SIZE];
        if (!word && !numeric) {
            pt_format_real(buffer, label);
            word = buffer;
        }
        if (numeric ? number == model->classes.label[class] : strcmp(word, model->classes.text[class]) == 0)
            return true;
    }
    return false;
}

static count count_labels(const partan_model *model, const partan_data *data)
{
    count found = {.first = SIZE_MAX, .second = SIZE_MAX};
    double last = NAN;
    bool last_known = false;
    for (size_t row = 0; data->labels && row < data->matrix.rows; row++) {
        double label = data->labels[row];
        if (isnan(label))
            continue;
        found.labelled++;
        if (label != last)
            last_known = is_class(model, data, label);
        last = label;
        if (last_known)
            continue;
        found.unknown++;
        if (found.first == SIZE_MAX)
            found.first = row;
        else if (found.second == SIZE_MAX && label != data->labels[found.first])
            found.second = row;
    }
    return found;
}

partan_status partan_model_check_labels(partan_context *context, const partan_model *model, const partan_data *data,
                                        uint64_t *labelled, uint64_t *unknown)
{
    PT_REQUIRE(context, context && model && data && labelled && unknown);
    char buffers[2][PT_NUMBER_SIZE];
    count found = count_labels(model, data);
    *labelled = found.labelled;
    *unknown = found.unknown;
    if (found.unknown < found.labelled || found.second == SIZE_MAX)
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_DATA,
                   "%s: found labels '%.40s' and '%.40s', the model's classes are '%.40s' and "
                   "'%.40s'",
                   data->name, partan_data_label_text(data, found.first, buffers[0], PT_NUMBER_SIZE),
                   partan_data_label_text(data, found.second, buffers[1], PT_NUMBER_SIZE), model->classes.text[1],
                   model->classes.text[0]);
}
