/* The audit of a model of more than two classes: that of each of its machines, on the rows that it is about. */
#include "svm/many/verify.h"

#include <stdio.h>
#include <string.h>

#include "core/agree.h"
#include "svm/many/many.h"
#include "svm/weights.h"

typedef struct many {
    partan_context *context;
    const partan_model *model;
    const partan_data *data; /* without rows of weight 0 */
    partan_data *weighty;
    int64_t *rows;        /* of these in the original; NULL: all, in order */
    int32_t *class_of;    /* of the rows, by the model's numbers */
    int64_t *place;       /* of each row of the original among those of a part; -1: none */
    size_t original_rows; /* of this process */
    uint64_t all, before; /* of all, and of processes before this one */
    partan_verification *found;
} many;

/* The data's classes must be the model's. */
static partan_status match_classes(many *m, bool *same)
{
    pt_labels labels;
    const pt_labels *ours = &m->model->labels;
    partan_status status = pt_labels_of_all(m->data, m->context->comm, &labels, &m->class_of);
    if (status)
        return status;
    *same = labels.count == ours->count && labels.words == ours->words;
    if (!*same)
        pt_reject(m->found->reason, sizeof m->found->reason, "the model has %zu classes, the data %zu", ours->count,
                  labels.count);
    for (size_t i = 0; i < ours->count && *same; i++) {
        *same = ours->words ? strcmp(labels.text[i], ours->text[i]) == 0 : labels.label[i] == ours->label[i];
        if (!*same)
            pt_reject(m->found->reason, sizeof m->found->reason,
                      "class %zu is '%.40s' in the model and '%.40s' in the data", i + 1, ours->text[i],
                      labels.text[i]);
    }
    pt_labels_free(m->data->context, &labels);
    return PARTAN_OK;
}

/* A support vector's row among those of the part; one that it does not have if it is none of them. */
static partan_status place_rows(many *m, const pt_part *part, partan_model *alone)
{
    size_t count = part->data->matrix.rows;
    for (size_t row = 0; row < m->original_rows; row++)
        m->place[row] = -1;
    for (size_t i = 0; i < count; i++) {
        size_t row = part->rows ? (size_t)part->rows[i] : i;
        m->place[m->rows ? (size_t)m->rows[row] : row] = (int64_t)i;
    }
    for (size_t i = 0; i < alone->count; i++) {
        int64_t row = alone->origin[i] - (int64_t)m->before;
        bool there = alone->origin[i] >= 0 && row >= 0 && (uint64_t)row < m->original_rows && m->place[row] >= 0;
        alone->origin[i] = there ? (int64_t)part->first + m->place[row] : -1;
    }
    alone->rows = part->all;
    return pt_tell_numbers(m->context, m->context->comm, alone->origin, alone->count);
}

static const char *side_name(const partan_model *model, int64_t class)
{
    return class == PT_REST ? "the rest" : model->labels.text[class];
}

/* The whole holds what all machines hold, and has the numbers of the worst. */
static void take_over(const many *m, size_t i, const partan_verification *one)
{
    partan_verification *all = m->found;
    bool worst = i == 0 || !(one->relative_gap <= all->relative_gap);
    bool sound = i == 0 || all->matches;
    if (worst) {
        all->objective = one->objective;
        all->gap = one->gap;
        all->relative_gap = one->relative_gap;
    }
    all->weight_sum = i == 0 || !(one->matches) ? one->weight_sum : all->weight_sum;
    all->least_weight = i == 0 || !(one->least_weight >= all->least_weight) ? one->least_weight : all->least_weight;
    all->feasible = (i == 0 || all->feasible) && one->feasible;
    all->matches = sound && one->matches;
    const int64_t *sides = m->model->machines[i]->sides;
    if (sound && !one->matches)
        snprintf(all->reason, sizeof all->reason, "machine %zu ('%.20s' against '%.20s'): %.180s", i + 1,
                 side_name(m->model, sides[1]), side_name(m->model, sides[0]), one->reason);
}

static partan_status verify_machine(many *m, size_t i)
{
    pt_part part;
    partan_model *alone = NULL;
    partan_verification one;
    partan_verification_init(&one);
    partan_status status =
        pt_part_open(&part, m->data, m->context->comm, &m->model->labels, m->class_of, m->model->machines[i]->sides);
    if (!status)
        status = pt_machine_alone(m->model, i, &alone);
    if (!status)
        status = place_rows(m, &part, alone);
    if (!status)
        status = pt_audit_model(m->context, alone, part.data, 0, &one);
    if (!status)
        take_over(m, i, &one);
    partan_model_free(alone);
    pt_part_close(&part);
    return status;
}

static partan_status run(many *m)
{
    bool same = false;
    pt_comm *comm = m->context->comm;
    partan_status status = PARTAN_OK;
    if (pt_any_weightless(comm, m->data)) {
        status = pt_leave_weightless(comm, m->data, &m->weighty, &m->rows);
        m->data = m->weighty ? m->weighty : m->data;
    }
    m->all = pt_count_all(comm, m->original_rows, &m->before);
    m->place = status ? NULL : pt_alloc(m->context, m->original_rows, sizeof *m->place);
    if (!status && !m->place)
        status = pt_out_of_memory(m->context, "the rows");
    status = pt_agree(m->context, comm, status);
    if (!status)
        status = match_classes(m, &same);
    for (size_t i = 0; i < m->model->machine_count && same && !status; i++)
        status = verify_machine(m, i);
    return status;
}

partan_status pt_verify_many(partan_context *context, const partan_model *model, const partan_data *data,
                             uint64_t fingerprint, partan_verification *found)
{
    many m = {.context = context, .model = model, .data = data, .original_rows = data->matrix.rows, .found = found};
    partan_status status = run(&m);
    if (!status && found->matches && (!pt_is_fingerprint_of(model->fingerprint, fingerprint) || model->rows != m.all)) {
        found->matches = 0;
        pt_reject(found->reason, sizeof found->reason,
                  "the data's fingerprint is %016jx, that of the training data was %016jx", (uintmax_t)fingerprint,
                  (uintmax_t)model->fingerprint);
    }
    pt_free(context, m.place);
    pt_free(data->context, m.rows);
    pt_free(data->context, m.class_of);
    partan_data_free(m.weighty);
    return status;
}
