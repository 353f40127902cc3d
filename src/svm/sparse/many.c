/* Few support vectors for more than two classes: at most so many rows in all, which the machines share. First each
 * machine chooses on its own; the rows that have most weight in all of them stay, and each machine fits its weights to
 * those. */
#include <stdlib.h>
#include <string.h>

#include "svm/many/training.h"
#include "svm/sparse/compress.h"
#include "svm/sparse/sparse.h"

typedef struct pool {
    const partan_model *from;
    size_t most;
    unsigned char *allowed; /* the rows that stay; NULL: not chosen yet */
} pool;

/* ---- One machine ---- */

static unsigned char *allowed_of(const pool *p, const pt_part *part)
{
    size_t rows = part->data->matrix.rows;
    unsigned char *allowed = pt_alloc(part->context, rows, 1);
    for (size_t i = 0; i < rows && allowed; i++)
        allowed[i] = p->allowed[part->rows ? (size_t)part->rows[i] : i];
    return allowed;
}

static partan_status fit_part(pt_many *m, const pool *p, const pt_part *part, const partan_model *alone, size_t most,
                              partan_model **machine)
{
    pt_training t;
    partan_settings s = m->settings;
    unsigned char *allowed = p->allowed ? allowed_of(p, part) : NULL;
    if (p->allowed && !allowed)
        return pt_out_of_memory(m->context, "the rows of two classes");
    partan_status status = pt_training_open(&t, m->context, part->data, &s);
    if (!status)
        status = pt_sparse_model(&t, alone, most, allowed, machine);
    pt_training_close(&t);
    pt_free(m->context, allowed);
    return status;
}

static partan_status fit_machine(pt_many *m, const pool *p, size_t i, size_t most)
{
    pt_part part;
    partan_model *alone = NULL, *made = NULL;
    const int64_t *sides = p->from->machines[i]->sides;
    partan_status status = pt_part_open(&part, m->data, m->comm, &m->labels, m->class_of, sides);
    if (!status)
        status = pt_machine_alone(p->from, i, &alone);
    if (!status)
        status = fit_part(m, p, &part, alone, most, &made);
    if (!status)
        status = pt_many_take_rows(m, &part, sides, made);
    if (!status) {
        partan_model_free(m->model->machines[i]);
        m->model->machines[i] = made;
    }
    partan_model_free(alone);
    pt_part_close(&part);
    return status;
}

static partan_status fit_all(pt_many *m, const pool *p, size_t most)
{
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < p->from->machine_count && !status; i++) {
        pt_progress_next_point(m->context);
        status = fit_machine(m, p, i, most);
        m->model->machine_count = i + 1 > m->model->machine_count ? i + 1 : m->model->machine_count;
        if (!status && m->model->machines[i]->result.status == PARTAN_INTERRUPTED)
            atomic_store(&m->ending, true);
    }
    return status;
}

/* ---- The rows that stay ---- */

typedef struct scored {
    double score;
    size_t row;
} scored;

static int by_score(const void *a, const void *b)
{
    const scored *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* The best of each class first, then the best of all. */
static partan_status choose_rows(pt_many *m, pool *p, scored *list)
{
    size_t rows = m->data->matrix.rows, taken = 0;
    unsigned char *has = pt_alloc_zero(m->context, m->labels.count, 1);
    p->allowed = pt_alloc_zero(m->context, rows, 1);
    if (!has || !p->allowed) {
        pt_free(m->context, has);
        return pt_out_of_memory(m->context, "the rows of the machines");
    }
    qsort(list, rows, sizeof *list, by_score);
    for (size_t i = 0; i < rows && taken < p->most; i++) {
        int32_t class = m->class_of[list[i].row];
        if (!has[class] && list[i].score > 0) {
            has[class] = p->allowed[list[i].row] = 1;
            taken++;
        }
    }
    for (size_t i = 0; i < rows && taken < p->most && list[i].score > 0; i++)
        if (!p->allowed[list[i].row]) {
            p->allowed[list[i].row] = 1;
            taken++;
        }
    pt_free(m->context, has);
    return PARTAN_OK;
}

/* Whether there are more rows than may stay; then those that do. */
static partan_status pool_rows(pt_many *m, pool *p, bool *again)
{
    size_t rows = m->data->matrix.rows, count = 0;
    scored *list = pt_alloc(m->context, rows, sizeof *list);
    if (!list)
        return pt_out_of_memory(m->context, "the rows of the machines");
    for (size_t row = 0; row < rows; row++)
        list[row] = (scored){0, row};
    for (size_t i = 0; i < m->model->machine_count; i++) {
        const partan_model *machine = m->model->machines[i];
        for (size_t k = 0; k < machine->count; k++)
            list[machine->origin[k]].score += machine->weights[k];
    }
    for (size_t row = 0; row < rows; row++)
        count += list[row].score > 0;
    *again = count > p->most;
    partan_status status = *again ? choose_rows(m, p, list) : PARTAN_OK;
    pt_free(m->context, list);
    return status;
}

/* ---- All machines ---- */

static partan_status check_classes(const pt_many *m, const partan_model *from)
{
    bool same = m->labels.count == from->labels.count;
    for (size_t i = 0; i < m->labels.count && same; i++)
        same = pt_labels_find(&from->labels, m->labels.text[i]) == (int32_t)i;
    return same ? PARTAN_OK
                : pt_fail(m->context, PARTAN_ERROR_DATA, "%s: found %zu classes, expected the %zu of the model",
                          m->data->name, m->labels.count, from->labels.count);
}

static partan_status make_machines(pt_many *m)
{
    pool *p = m->user;
    bool again = false;
    size_t count = p->from->machine_count, share = p->most;
    partan_status status = check_classes(m, p->from);
    if (status)
        return status;
    memcpy(m->labels.weight, p->from->labels.weight, m->labels.count * sizeof *m->labels.weight);
    if (m->settings.multiclass == PARTAN_ONE_VS_ONE)
        share = 2 * p->most / m->labels.count;
    m->model->machines = pt_alloc_zero(m->context, count, sizeof *m->model->machines);
    if (!m->model->machines)
        return pt_out_of_memory(m->context, "the machines");
    pt_progress_points(m->context, 2 * count);
    status = fit_all(m, p, share);
    if (!status)
        status = pool_rows(m, p, &again);
    return status || !again ? status : fit_all(m, p, p->most);
}

partan_status pt_compress_many(partan_context *context, const partan_model *model, const partan_data *data, size_t most,
                               partan_model **out)
{
    pool p = {.from = model, .most = most};
    pt_many m = {
        .context = context, .original = data, .data = data, .settings = pt_compress_settings(model), .user = &p};
    partan_status status = pt_many_make(&m, make_machines, out);
    pt_free(context, p.allowed);
    return status;
}
