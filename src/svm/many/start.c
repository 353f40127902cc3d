/* Where the machines of a training for more than two classes start: from the machines of a model that tell the same
 * classes apart, or from their solutions at another cost. */
#include <stdlib.h>
#include <string.h>

#include "core/agree.h"
#include "data/storage/row_table.h"
#include "svm/many/training.h"

void pt_points_of_machines_free(partan_context *context, pt_points_of_machines *points)
{
    for (size_t i = 0; i < points->count; i++) {
        pt_free(context, points->machines[i].rows);
        pt_free(context, points->machines[i].weights);
    }
    pt_free(context, points->machines);
    *points = (pt_points_of_machines){0};
}

static partan_status make_points(partan_context *context, size_t count, pt_points_of_machines *points)
{
    points->machines = pt_alloc_zero(context, count, sizeof *points->machines);
    points->count = points->machines ? count : 0;
    return points->machines ? PARTAN_OK : pt_out_of_memory(context, "the starts of the machines");
}

static partan_status make_point(partan_context *context, size_t room, pt_point *point)
{
    point->rows = pt_alloc(context, room, sizeof *point->rows);
    point->weights = pt_alloc(context, room, sizeof *point->weights);
    return point->rows && point->weights ? PARTAN_OK : pt_out_of_memory(context, "the starts of the machines");
}

/* ---- From one training to the next ---- */

partan_status pt_many_keep_solutions(const pt_many *m, pt_points_of_machines *points)
{
    pt_points_of_machines_free(m->context, points);
    partan_status status = make_points(m->context, m->model->machine_count, points);
    for (size_t i = 0; i < points->count && !status; i++) {
        const partan_model *machine = m->model->machines[i];
        pt_point *point = &points->machines[i];
        status = make_point(m->context, machine->count, point);
        if (status)
            break;
        memcpy(point->rows, machine->origin, machine->count * sizeof *point->rows);
        memcpy(point->weights, machine->weights, machine->count * sizeof *point->weights);
        point->count = machine->count;
    }
    return status;
}

static int64_t find_number(const int64_t *numbers, size_t count, int64_t number)
{
    const int64_t *at = bsearch(&number, numbers, count, sizeof *numbers, pt_compare_ids);
    return at ? at - numbers : -1;
}

/* Of a row of the data that is here; -1: it is not. */
static int64_t own_row(const pt_many *m, int64_t number)
{
    int64_t own = m->comm ? number - pt_share_first(&m->share) : number;
    return own >= 0 && own < (int64_t)m->data->matrix.rows ? own : -1;
}

partan_status pt_many_place_start(const pt_many *m, const pt_point *point, const pt_part *part, int64_t *ids)
{
    for (size_t i = 0; i < point->count; i++) {
        int64_t row = own_row(m, point->rows[i]);
        if (row >= 0 && part->rows)
            row = find_number(part->rows, part->data->matrix.rows, row);
        ids[i] = row < 0 ? -1 : (int64_t)part->first + row;
    }
    return pt_tell_numbers(m->context, m->comm, ids, point->count);
}

/* ---- From a model ---- */

typedef struct start {
    pt_many *m;
    const partan_model *model;
    int32_t *class;  /* of the model, for each of the data */
    int64_t *row_of; /* each support vector; -1: none */
    pt_row_table table;
} start;

static partan_status match_classes(start *s)
{
    const pt_labels *ours = &s->m->labels, *theirs = &s->model->labels;
    partan_context *context = s->m->context;
    size_t count = pt_class_count(s->model);
    if (s->model->settings.problem != PARTAN_CLASSIFICATION)
        return pt_fail(context, PARTAN_ERROR_DATA, "the initial model is one of %s, expected one of %s",
                       partan_problem_name(s->model->settings.problem), partan_problem_name(PARTAN_CLASSIFICATION));
    if (count != ours->count)
        return pt_fail(context, PARTAN_ERROR_DATA, "the initial model has %zu classes, the data %zu", count,
                       ours->count);
    for (size_t i = 0; i < count; i++) {
        s->class[i] = pt_labels_find(theirs, ours->text[i]);
        if (s->class[i] < 0)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "class '%.40s' of the data is none of the initial model's %zu classes", ours->text[i],
                           count);
    }
    if (s->model->settings.multiclass != s->m->settings.multiclass)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "the initial model has a machine for each %s, expected multiclass %s as in this training",
                       s->m->settings.multiclass == PARTAN_ONE_VS_ONE ? "class" : "pair of classes",
                       partan_multiclass_name(s->m->settings.multiclass));
    return PARTAN_OK;
}

/* Support vectors of the same data are known by their rows. */
static bool is_known(const start *s)
{
    const pt_many *m = s->m;
    if (s->model->by_number)
        return true;
    return s->model->format == PARTAN_MODEL_NATIVE && s->model->rows == m->all
           && s->model->fingerprint == (m->comm ? m->fingerprint : partan_data_fingerprint(m->original));
}

static int64_t number_of(const pt_many *m, size_t row)
{
    return m->comm ? pt_share_first(&m->share) + (int64_t)row : (int64_t)row;
}

static bool are_alike(const start *s, size_t vector, size_t row)
{
    return s->model->class_of[vector] == s->class[s->m->class_of[row]];
}

static partan_status take_known(const start *s)
{
    const pt_many *m = s->m;
    for (size_t i = 0; i < s->model->count; i++) {
        int64_t row = s->model->origin[i] - (int64_t)m->before;
        row = m->rows ? find_number(m->rows, m->data->matrix.rows, row) : row;
        bool there = row >= 0 && (uint64_t)row < m->data->matrix.rows; /* a file may say anything */
        s->row_of[i] = there && are_alike(s, i, (size_t)row) ? number_of(m, (size_t)row) : -1;
    }
    return pt_tell_numbers(m->context, m->comm, s->row_of, s->model->count);
}

/* Others by their values and classes; each is one row at most. */
static void match_row(const start *s, size_t row, double *taken)
{
    const pt_matrix *rows = &s->m->data->matrix;
    pt_row_search search = {.matrix = rows, .row = row, .hash = pt_matrix_row_hash(rows, row)};
    size_t i;
    while (pt_row_table_next(&s->table, &search, &i))
        if (taken[i] == 0 && are_alike(s, i, row)) {
            taken[i] = (double)number_of(s->m, row) + 1;
            return;
        }
}

/* taken[i]: the number of the row that vector i is, from 1; 0: none yet. */
static void match_own(void *user, double *taken)
{
    const start *s = user;
    for (size_t row = 0; row < s->m->data->matrix.rows; row++)
        match_row(s, row, taken);
}

static partan_status match_rows(start *s)
{
    size_t count = s->model->count;
    if (s->model->serials)
        return PARTAN_OK; /* kernel values do not say whose they are */
    double *taken = pt_alloc_zero(s->m->context, count, sizeof *taken);
    partan_status status = taken ? pt_row_table_make(&s->table, &s->model->vectors)
                                 : pt_out_of_memory(s->m->context, "the starts of the machines");
    status = pt_agree(s->m->context, s->m->comm, status);
    for (size_t i = 0; i < count && !status; i++)
        pt_row_table_add(&s->table, i);
    if (!status)
        pt_in_turn(s->m->comm, match_own, s, taken, count);
    for (size_t i = 0; i < count && !status; i++)
        s->row_of[i] = (int64_t)taken[i] - 1;
    pt_row_table_free(&s->table);
    pt_free(s->m->context, taken);
    return status;
}

static const partan_model *counterpart(const start *s, const int64_t sides[2])
{
    size_t positive = (size_t)s->class[sides[1]];
    if (sides[0] == PT_REST)
        return s->model->machines[positive];
    return s->model->machines[pt_machine_of_pair(s->model->labels.count, (size_t)s->class[sides[0]], positive)];
}

static partan_status take_machine(const start *s, size_t i, pt_point *point)
{
    int64_t sides[2];
    pt_machine_sides(s->m->settings.multiclass, s->m->labels.count, i, sides);
    const partan_model *machine = counterpart(s, sides);
    partan_status status = make_point(s->m->context, machine->count, point);
    for (size_t k = 0; k < machine->count && !status; k++) {
        int64_t row = s->row_of[machine->members[k]];
        if (row < 0 || !(machine->weights[k] > 0))
            continue;
        point->rows[point->count] = row;
        point->weights[point->count++] = machine->weights[k];
    }
    return status;
}

static partan_status take_machines(start *s)
{
    pt_points_of_machines *points = &s->m->from;
    size_t count = pt_machine_count(s->m->settings.multiclass, s->m->labels.count), found = 0;
    partan_status status = make_points(s->m->context, count, points);
    for (size_t i = 0; i < points->count && !status; i++) {
        status = take_machine(s, i, &points->machines[i]);
        found += points->machines[i].count;
    }
    if (!status && found == 0)
        status = pt_fail(s->m->context, PARTAN_ERROR_DATA, "%s: no row is a support vector of the initial model",
                         s->m->data->name);
    return status;
}

partan_status pt_many_start_from(pt_many *m, const partan_model *model)
{
    start s = {.m = m, .model = model};
    s.class = pt_alloc(m->context, m->labels.count, sizeof *s.class);
    s.row_of = pt_alloc(m->context, model->count, sizeof *s.row_of);
    partan_status status = s.class && s.row_of ? PARTAN_OK : pt_out_of_memory(m->context, "the starts of the machines");
    if (!status)
        status = match_classes(&s);
    for (size_t i = 0; i < model->count && !status; i++)
        s.row_of[i] = -1;
    if (!status && is_known(&s))
        status = take_known(&s);
    else if (!status)
        status = match_rows(&s);
    if (!status)
        status = take_machines(&s);
    m->continues = true;
    pt_free(m->context, s.class);
    pt_free(m->context, s.row_of);
    return status;
}
