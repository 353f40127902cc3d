/* The support vectors of all machines as those of the model: once each, in the order of their classes. */
#include <stdlib.h>

#include "core/agree.h"
#include "svm/many/training.h"

/* A row that is a support vector of any machine. */
typedef struct vector {
    int64_t row, class;
    size_t place;
} vector;

typedef struct vectors {
    vector *of; /* in the order of their rows */
    int64_t *rows;
    size_t count;
} vectors;

static partan_status no_room(const pt_many *m)
{
    return pt_out_of_memory(m->context, "the model");
}

static partan_status list_rows(const pt_many *m, vectors *v)
{
    size_t all = 0, n = 0;
    for (size_t i = 0; i < m->model->machine_count; i++)
        all += m->model->machines[i]->count;
    v->rows = pt_alloc(m->context, all, sizeof *v->rows);
    if (!v->rows)
        return no_room(m);
    for (size_t i = 0; i < m->model->machine_count; i++)
        for (size_t k = 0; k < m->model->machines[i]->count; k++)
            v->rows[n++] = m->model->machines[i]->origin[k];
    qsort(v->rows, all, sizeof *v->rows, pt_compare_ids);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || v->rows[i] != v->rows[i - 1])
            v->rows[v->count++] = v->rows[i];
    return PARTAN_OK;
}

static int by_class(const void *a, const void *b)
{
    const vector *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_row(const void *a, const void *b)
{
    const vector *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* Rows get the order that they have in the model; what `of` has, that of rows. */
static partan_status place(const pt_many *m, vectors *v)
{
    int64_t *classes = pt_alloc(m->context, v->count, sizeof *classes);
    v->of = pt_alloc(m->context, v->count, sizeof *v->of);
    partan_status status = classes && v->of ? PARTAN_OK : no_room(m);
    for (size_t i = 0; i < v->count && !status; i++)
        classes[i] = v->rows[i];
    if (!status)
        status = pt_many_take_classes(m, classes, v->count);
    for (size_t i = 0; i < v->count && !status; i++)
        v->of[i] = (vector){.row = v->rows[i], .class = classes[i]};
    pt_free(m->context, classes);
    if (status)
        return status;
    qsort(v->of, v->count, sizeof *v->of, by_class);
    for (size_t i = 0; i < v->count; i++) {
        v->rows[i] = v->of[i].row;
        m->model->class_of[i] = (int32_t)v->of[i].class;
        v->of[i].place = i;
    }
    qsort(v->of, v->count, sizeof *v->of, by_row);
    return PARTAN_OK;
}

/* A support vector of a machine, on its way into the order of all. */
typedef struct member {
    size_t place;
    double weight;
    float sign;
} member;

static int compare_places(const void *a, const void *b)
{
    size_t x = ((const member *)a)->place, y = ((const member *)b)->place;
    return (x > y) - (x < y);
}

static size_t place_of(const vectors *v, int64_t row)
{
    const vector *at = bsearch(&(vector){.row = row}, v->of, v->count, sizeof *v->of, by_row);
    return at->place;
}

/* In that order, in which they are in a file too, so that sums over them have the same bits. */
static partan_status name_members(partan_context *context, partan_model *machine, const vectors *v)
{
    size_t count = machine->count;
    member *sorted = pt_alloc(context, count, sizeof *sorted);
    machine->members = pt_alloc(context, count, sizeof *machine->members);
    if (!sorted || !machine->members) {
        pt_free(context, sorted);
        return pt_out_of_memory(context, "the machines");
    }
    for (size_t k = 0; k < count; k++)
        sorted[k] = (member){place_of(v, machine->origin[k]), machine->weights[k], machine->signs[k]};
    qsort(sorted, count, sizeof *sorted, compare_places);
    for (size_t k = 0; k < count; k++) {
        machine->members[k] = sorted[k].place;
        machine->weights[k] = sorted[k].weight;
        machine->signs[k] = sorted[k].sign;
    }
    pt_free(context, sorted);
    pt_free(context, machine->origin); /* the whole has it */
    machine->origin = NULL;
    return PARTAN_OK;
}

/* The numbers that rows had before those of weight 0 were left out. */
static partan_status take_origins(const pt_many *m, const vectors *v)
{
    int64_t *origin = m->model->origin;
    for (size_t i = 0; i < v->count; i++) {
        int64_t own = pt_many_own(m, v->rows[i]);
        origin[i] = !m->rows ? v->rows[i] : own < 0 ? -1 : (int64_t)m->before + m->rows[own];
        if (m->data->serials)
            m->model->serials[i] = m->data->serials[own];
    }
    return m->rows ? pt_tell_numbers(m->context, m->comm, origin, v->count) : PARTAN_OK;
}

static partan_status take_values(pt_many *m, const vectors *v)
{
    pt_matrix *values = &m->model->vectors;
    if (m->data->serials)
        return PARTAN_OK;
    return m->comm ? pt_share_gather(&m->share, v->rows, v->count, values)
                   : pt_matrix_gather(&m->data->matrix, v->rows, v->count, values);
}

static partan_status take(pt_many *m, vectors *v)
{
    partan_context *context = m->context;
    partan_model *model = m->model;
    bool precomputed = m->data->serials != NULL;
    model->count = v->count;
    model->origin = pt_alloc(context, v->count, sizeof *model->origin);
    model->class_of = pt_alloc(context, v->count, sizeof *model->class_of);
    model->serials = precomputed ? pt_alloc(context, v->count, sizeof *model->serials) : NULL;
    if (!model->origin || !model->class_of || (precomputed && !model->serials))
        return no_room(m);
    partan_status status = place(m, v);
    if (!status)
        status = take_origins(m, v);
    for (size_t i = 0; i < model->machine_count && !status; i++)
        status = name_members(context, model->machines[i], v);
    return status ? status : take_values(m, v);
}

partan_status pt_many_share_vectors(pt_many *m)
{
    vectors v = {0};
    partan_status status = list_rows(m, &v);
    if (!status)
        status = take(m, &v);
    pt_free(m->context, v.rows);
    pt_free(m->context, v.of);
    return status;
}
