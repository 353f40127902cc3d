#include "svm/weights.h"

#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/number.h"

bool pt_has_weightless(const partan_data *data)
{
    for (size_t row = 0; row < data->matrix.rows && data->weights; row++)
        if (!(data->weights[row] > 0))
            return true;
    return false;
}

bool pt_any_weightless(pt_comm *comm, const partan_data *data)
{
    double found = pt_has_weightless(data);
    if (comm)
        comm->greatest(comm, &found, 1);
    return found > 0;
}

partan_status pt_leave_weightless(pt_comm *comm, const partan_data *data, partan_data **others, int64_t **rows)
{
    size_t count = 0;
    *others = NULL;
    *rows = pt_alloc(data->context, data->matrix.rows, sizeof **rows);
    partan_status status = *rows ? PARTAN_OK : pt_out_of_memory(data->context, "the rows with weight");
    status = pt_agree(data->context, comm, status);
    if (status)
        return status;
    for (size_t row = 0; row < data->matrix.rows; row++)
        if (pt_data_weight(data, row) > 0)
            (*rows)[count++] = (int64_t)row;
    uint64_t all = count;
    pt_add_up(comm, &all, 1);
    if (all == 0)
        return pt_fail(data->context, PARTAN_ERROR_DATA, "%s: all rows have weight 0, expected one above 0",
                       data->name);
    return pt_agree(data->context, comm, pt_data_gather(data, *rows, count, others));
}

/* ---- Classes ---- */

/* Numbers are compared as numbers: "1" is "+1.0". */
static int find_class(const pt_classes *classes, const char *label)
{
    double number;
    for (int i = 0; i < 2; i++)
        if (strcmp(classes->text[i], label) == 0
            || (!classes->words && pt_text_to_real(label, &number) && number == classes->label[i]))
            return i;
    return -1;
}

static partan_status check_weights(const partan_data *data, const partan_settings *settings)
{
    if (settings->balanced && settings->class_weight_count > 0)
        return pt_fail(data->context, PARTAN_ERROR_ARGUMENT,
                       "found balanced classes and weights of classes, expected one of the two");
    for (size_t i = 0; i < settings->class_weight_count; i++) {
        const partan_class_weight *given = &settings->class_weights[i];
        if (!(given->weight > 0) || isinf(given->weight))
            return pt_fail(data->context, PARTAN_ERROR_ARGUMENT,
                           "found weight %g for class '%.40s', expected a number above 0", given->weight, given->label);
    }
    return PARTAN_OK;
}

static partan_status set_listed(const partan_data *data, const partan_settings *settings, pt_classes *classes)
{
    for (size_t i = 0; i < settings->class_weight_count; i++) {
        const partan_class_weight *given = &settings->class_weights[i];
        int class = find_class(classes, given->label);
        if (class < 0)
            return pt_fail(data->context, PARTAN_ERROR_DATA,
                           "%s: found a weight for class '%.40s', expected one of the classes '%.40s' and '%.40s'",
                           data->name, given->label, classes->text[0], classes->text[1]);
        classes->weight[class] = given->weight;
    }
    return PARTAN_OK;
}

/* All classes are to weigh the same, and together what they weigh now. */
static void balance(const partan_data *data, const float *signs, pt_classes *classes)
{
    double sum[2] = {0};
    for (size_t row = 0; row < data->matrix.rows; row++)
        sum[signs[row] > 0] += pt_data_weight(data, row);
    for (int class = 0; class < 2; class ++)
        classes->weight[class] = (sum[0] + sum[1]) / (2 * sum[class]);
}

partan_status pt_class_weights(const partan_data *data, const partan_settings *settings, const float *signs,
                               pt_classes *classes)
{
    partan_status status = check_weights(data, settings);
    if (!status && settings->balanced)
        balance(data, signs, classes);
    return status ? status : set_listed(data, settings, classes);
}

typedef struct label_sums {
    const partan_data *data;
    const int32_t *class_of;
    size_t count;
} label_sums;

/* Of each class, and at the end of all. */
static void add_label_sums(void *user, double *sums)
{
    const label_sums *s = user;
    for (size_t row = 0; row < s->data->matrix.rows; row++) {
        sums[s->class_of[row]] += pt_data_weight(s->data, row);
        sums[s->count] += pt_data_weight(s->data, row);
    }
}

partan_status pt_label_weights(const partan_data *data, pt_comm *comm, const partan_settings *settings,
                               const int32_t *class_of, pt_labels *labels)
{
    partan_status status = check_weights(data, settings);
    label_sums s = {data, class_of, labels->count};
    double *sums = status ? NULL : pt_alloc_zero(data->context, labels->count + 1, sizeof *sums);
    if (!status && !sums)
        status = pt_out_of_memory(data->context, "the weights of the classes");
    status = pt_agree(data->context, comm, status);
    if (!status)
        pt_in_turn(comm, add_label_sums, &s, sums, labels->count + 1);
    for (size_t i = 0; i < labels->count && settings->balanced && !status; i++)
        labels->weight[i] = sums[labels->count] / ((double)labels->count * sums[i]);
    for (size_t i = 0; i < settings->class_weight_count && !status; i++) {
        const partan_class_weight *given = &settings->class_weights[i];
        int32_t class = pt_labels_find(labels, given->label);
        if (class < 0)
            status = pt_fail(data->context, PARTAN_ERROR_DATA,
                             "%s: found a weight for class '%.40s', expected one of the %zu classes", data->name,
                             given->label, labels->count);
        else
            labels->weight[class] = given->weight;
    }
    pt_free(data->context, sums);
    return pt_agree(data->context, comm, status);
}

partan_status pt_cost_weights(const partan_data *data, const pt_classes *classes, const float *signs, double **weights)
{
    *weights = NULL;
    if (!data->weights && pt_class_weight(classes, false) == 1 && pt_class_weight(classes, true) == 1)
        return PARTAN_OK;
    *weights = pt_alloc(data->context, data->matrix.rows, sizeof **weights);
    if (!*weights)
        return pt_out_of_memory(data->context, "the weights of the rows");
    for (size_t row = 0; row < data->matrix.rows; row++)
        (*weights)[row] = pt_data_weight(data, row) * pt_class_weight(classes, signs[row] > 0);
    return PARTAN_OK;
}
