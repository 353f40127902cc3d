/* The rows that each machine of a model of more than two classes is about. */
#include <math.h>

#include "core/agree.h"
#include "svm/many/many.h"

bool pt_has_many(const partan_data *data, const partan_settings *settings)
{
    double first = (double)NAN, second = (double)NAN;
    bool many = false;
    if (settings->problem != PARTAN_CLASSIFICATION)
        return false;
    for (size_t row = 0; row < data->matrix.rows && data->labels; row++) {
        double label = data->labels[row];
        if (!(pt_data_weight(data, row) > 0))
            continue;
        if (isnan(label))
            return false;
        if (isnan(first))
            first = label;
        else if (label != first && isnan(second))
            second = label;
        many |= label != first && label != second && !isnan(second);
    }
    return many;
}

partan_status pt_outputs_for(const partan_data *data, partan_multiclass multiclass, size_t *outputs)
{
    pt_labels labels;
    int32_t *class_of;
    partan_status status = pt_data_labels(data, &labels, &class_of);
    *outputs = !status && labels.count > 2 ? pt_machine_count(multiclass, labels.count) : 1;
    pt_free(data->context, class_of);
    pt_labels_free(data->context, &labels);
    return status;
}

static double label_of(int32_t class, const int64_t sides[2])
{
    return class == sides[1] ? 1 : -1;
}

static bool takes(const int64_t sides[2], int32_t class)
{
    return sides[0] == PT_REST || class == sides[0] || class == sides[1];
}

static bool are_weighted(const partan_data *data, const pt_labels *labels)
{
    for (size_t i = 0; i < labels->count; i++)
        if (labels->weight[i] != 1)
            return true;
    return data->weights != NULL;
}

/* Labels and weights of the rows that are there. */
static partan_status label_rows(pt_part *part, const partan_data *data, const pt_labels *labels,
                                const int32_t *class_of, const int64_t sides[2])
{
    partan_context *context = data->context;
    partan_data *own = part->data;
    size_t rows = own->matrix.rows;
    bool weighted = are_weighted(data, labels);
    own->labels = pt_alloc(context, rows, sizeof *own->labels);
    own->weights = weighted ? pt_alloc(context, rows, sizeof *own->weights) : NULL;
    if (!own->labels || (weighted && !own->weights))
        return pt_out_of_memory(context, "the rows of two classes");
    for (size_t i = 0; i < rows; i++) {
        size_t row = part->rows ? (size_t)part->rows[i] : i;
        own->labels[i] = label_of(class_of[row], sides);
        if (weighted)
            own->weights[i] = pt_data_weight(data, row) * labels->weight[class_of[row]];
    }
    return PARTAN_OK;
}

/* The rows of two classes, copied together. */
static partan_status gather(pt_part *part, const partan_data *data, const int32_t *class_of, const int64_t sides[2])
{
    partan_context *context = data->context;
    size_t count = 0, rows = data->matrix.rows;
    part->rows = pt_alloc(context, rows, sizeof *part->rows);
    if (!part->rows)
        return pt_out_of_memory(context, "the rows of two classes");
    for (size_t row = 0; row < rows; row++)
        if (takes(sides, class_of[row]))
            part->rows[count++] = (int64_t)row;
    partan_status status = pt_data_create(context, data->name, &part->data);
    if (!status)
        status = pt_matrix_gather(&data->matrix, part->rows, count, &part->data->matrix);
    if (!status && data->matrix.hashes)
        status = pt_matrix_take_hashes(&part->data->matrix, &data->matrix, part->rows);
    if (!status && data->serials && !(part->data->serials = pt_alloc(context, count, sizeof *data->serials)))
        status = pt_out_of_memory(context, "serial numbers");
    for (size_t i = 0; i < count && data->serials && !status; i++)
        part->data->serials[i] = data->serials[part->rows[i]];
    return status;
}

partan_status pt_part_open(pt_part *part, const partan_data *data, pt_comm *comm, const pt_labels *labels,
                           const int32_t *class_of, const int64_t sides[2])
{

    *part = (pt_part){.context = data->context};
    partan_status status = PARTAN_OK;
    if (sides[0] == PT_REST) {
        part->lent = (partan_data){
            .context = data->context, .matrix = data->matrix, .serials = data->serials, .name = data->name};
        part->data = &part->lent;
    } else
        status = gather(part, data, class_of, sides);
    if (!status)
        status = label_rows(part, data, labels, class_of, sides);
    status = pt_agree(data->context, comm, status);
    if (!status)
        part->all = pt_count_all(comm, part->data->matrix.rows, &part->first);
    return status;
}

void pt_part_close(pt_part *part)
{
    if (part->data == &part->lent) {
        pt_free(part->lent.context, part->lent.labels);
        pt_free(part->lent.context, part->lent.weights);
    } else {
        pt_free(part->context, part->rows);
        partan_data_free(part->data);
    }
    *part = (pt_part){0};
}
