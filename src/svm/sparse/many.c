/* Few support vectors for more than two classes: at most so many rows in all, which the machines share. First each
 * machine chooses on its own; the rows that have most weight in all of them stay, and each machine fits its weights to
 * those. */
#include <stdlib.h>
#include <string.h>

#include "svm/many/training.h"
#include "svm/sparse/compress.h"
#include "svm/sparse/sparse.h"
#include "svm/together.h"

typedef struct pool {
    const partan_model *from;
    size_t most;
    unsigned char *allowed; /* the rows here that stay; NULL: not chosen yet */
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
    pt_together g;
    partan_settings s = m->settings;
    unsigned char *allowed = p->allowed ? allowed_of(p, part) : NULL;
    bool room = !p->allowed || allowed;
    partan_status status =
        pt_agree(m->context, m->comm, room ? PARTAN_OK : pt_out_of_memory(m->context, "the rows of two classes"));
    if (status) {
        pt_free(m->context, allowed);
        return status;
    }
    status = pt_together_open(&g, m->context, m->comm, part->data, &s);
    if (!status)
        status = pt_sparse_model(&g.t, alone, most, allowed, machine);
    pt_together_close(&g);
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
        status = pt_agree(m->context, m->comm, pt_machine_alone(p->from, i, &alone));
    if (!status)
        status = fit_part(m, p, &part, alone, most, &made);
    if (!status)
        status = pt_many_take_rows(m, &part, sides, made);
    if (!status) {
        partan_model_free(m->model->machines[i]);
        m->model->machines[i] = made;
        made = NULL;
    }
    partan_model_free(made);
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

/* A support vector of any machine. */
typedef struct scored {
    double score; /* the weights that machines give it */
    int64_t row, class;
    size_t machine;
} scored;

static int by_row(const void *a, const void *b)
{
    const scored *x = a, *y = b;
    if (x->row != y->row)
        return x->row < y->row ? -1 : 1;
    return (x->machine > y->machine) - (x->machine < y->machine);
}

static int by_score(const void *a, const void *b)
{
    const scored *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Each once, in the order of their rows. All processes have the same list. */
static scored *list_rows(const pt_many *m, size_t *count)
{
    const partan_model *model = m->model;
    size_t all = 0, n = 0;
    for (size_t i = 0; i < model->machine_count; i++)
        all += model->machines[i]->count;
    scored *list = pt_alloc(m->context, all, sizeof *list);
    *count = 0;
    if (!list)
        return NULL;
    for (size_t i = 0; i < model->machine_count; i++)
        for (size_t k = 0; k < model->machines[i]->count; k++)
            list[n++] =
                (scored){.score = model->machines[i]->weights[k], .row = model->machines[i]->origin[k], .machine = i};
    qsort(list, all, sizeof *list, by_row);
    for (size_t i = 0; i < all; i++)
        if (*count > 0 && list[*count - 1].row == list[i].row)
            list[*count - 1].score += list[i].score;
        else
            list[(*count)++] = list[i];
    return list;
}

static partan_status find_classes(const pt_many *m, scored *list, size_t count)
{
    int64_t *classes = pt_alloc(m->context, count, sizeof *classes);
    partan_status status = classes ? PARTAN_OK : pt_out_of_memory(m->context, "the rows of the machines");
    status = pt_agree(m->context, m->comm, status);
    for (size_t i = 0; i < count && !status; i++)
        classes[i] = list[i].row;
    if (!status)
        status = pt_many_take_classes(m, classes, count);
    for (size_t i = 0; i < count && !status; i++)
        list[i].class = classes[i];
    pt_free(m->context, classes);
    return status;
}

static void allow(const pt_many *m, pool *p, scored *one)
{
    int64_t own = pt_many_own(m, one->row);
    if (own >= 0)
        p->allowed[own] = 1;
    one->score = 0; /* taken */
}

/* The best of each class first, then the best of all. */
static partan_status choose_rows(pt_many *m, pool *p, scored *list, size_t count)
{
    size_t taken = 0;
    unsigned char *has = pt_alloc_zero(m->context, m->labels.count, 1);
    p->allowed = pt_alloc_zero(m->context, m->data->matrix.rows, 1);
    partan_status status = has && p->allowed ? PARTAN_OK : pt_out_of_memory(m->context, "the rows of the machines");
    status = pt_agree(m->context, m->comm, status);
    if (!status)
        status = find_classes(m, list, count);
    if (!status)
        qsort(list, count, sizeof *list, by_score);
    for (size_t i = 0; i < count && taken < p->most && !status; i++)
        if (!has[list[i].class]) {
            has[list[i].class] = 1;
            allow(m, p, &list[i]);
            taken++;
        }
    for (size_t i = 0; i < count && taken < p->most && !status; i++)
        if (list[i].score > 0) {
            allow(m, p, &list[i]);
            taken++;
        }
    pt_free(m->context, has);
    return status;
}

/* Whether there are more rows than may stay; then those that do. */
static partan_status pool_rows(pt_many *m, pool *p, bool *again)
{
    size_t count = 0;
    scored *list = list_rows(m, &count);
    partan_status status = list ? PARTAN_OK : pt_out_of_memory(m->context, "the rows of the machines");
    status = pt_agree(m->context, m->comm, status);
    *again = !status && count > p->most;
    if (*again)
        status = choose_rows(m, p, list, count);
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

partan_status pt_compress_many(partan_context *context, pt_comm *comm, const partan_model *model,
                               const partan_data *data, size_t most, partan_model **out)
{
    pool p = {.from = model, .most = most};
    pt_many m = {.context = context,
                 .comm = comm && comm->size > 1 ? comm : NULL,
                 .original = data,
                 .data = data,
                 .settings = pt_compress_settings(model),
                 .user = &p};
    partan_status status = pt_many_make(&m, make_machines, out);
    pt_free(context, p.allowed);
    return status;
}
