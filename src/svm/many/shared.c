/* Machines of processes that each have a part of the rows. All of them train a machine together, one after the other.
 */
#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/clock.h"
#include "svm/many/training.h"
#include "svm/together.h"

static partan_status no_room(const pt_many *m)
{
    return pt_out_of_memory(m->context, "the rows of the machines");
}

partan_status pt_many_open_share(pt_many *m)
{
    partan_status status = pt_share_open(&m->share, m->context, m->comm, &m->data->matrix);
    return status ? status : pt_kernel_of_all(&m->share, &m->settings, &m->kernel);
}

void pt_many_ask(pt_many *m)
{
    double asked[2] = {atomic_load(&m->context->interrupted), m->deadline > 0 && pt_clock() >= m->deadline};
    m->comm->greatest(m->comm, asked, 2);
    m->late = asked[1] > 0;
    if (asked[0] > 0)
        atomic_store(&m->ending, true);
}

/* ---- The first row of each class ---- */

static void find_own(const pt_many *m, double *least)
{
    for (size_t class = 0; class < m->labels.count; class ++)
        least[class] = -INFINITY;
    for (size_t row = m->data->matrix.rows; row-- > 0;)
        least[m->class_of[row]] = -(double)(pt_share_first(&m->share) + (int64_t)row);
}

static void take_weights(const pt_many *m, const double *least, double *weights)
{
    int64_t own = (int64_t)m->data->matrix.rows;
    for (size_t class = 0; class < m->labels.count; class ++) {
        int64_t row = (int64_t)-least[class] - pt_share_first(&m->share);
        weights[class] = row >= 0 && row < own ? pt_data_weight(m->data, (size_t)row) : 0;
    }
}

partan_status pt_many_find_first_rows(pt_many *m)
{
    size_t count = m->labels.count;
    double *least = pt_alloc(m->context, 2 * count, sizeof *least), *weights = least + count;
    int64_t *vertices = pt_alloc(m->context, count, sizeof *vertices);
    partan_status status = pt_agree(m->context, m->comm, least && vertices ? PARTAN_OK : no_room(m));
    if (!status) {
        find_own(m, least);
        m->comm->greatest(m->comm, least, count);
        take_weights(m, least, weights);
        m->comm->sum(m->comm, weights, count);
    }
    for (size_t class = 0; class < count && !status; class ++) {
        vertices[class] = (int64_t)-least[class];
        m->first[class] = (pt_first_row){.number = vertices[class], .at = class, .weight = weights[class]};
    }
    if (!status)
        status = pt_share_gather(&m->share, vertices, count, &m->met);
    m->firsts = (pt_points){.matrix = &m->met};
    pt_free(m->context, least);
    pt_free(m->context, vertices);
    return status;
}

/* ---- Rows by their numbers ---- */

int64_t pt_many_own(const pt_many *m, int64_t number)
{
    int64_t own = m->comm ? number - pt_share_first(&m->share) : number;
    return own >= 0 && own < (int64_t)m->data->matrix.rows ? own : -1;
}

partan_status pt_many_take_classes(const pt_many *m, int64_t *numbers, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        int64_t own = pt_many_own(m, numbers[i]);
        numbers[i] = own < 0 ? -1 : m->class_of[own];
    }
    return pt_tell_numbers(m->context, m->comm, numbers, count);
}

/* ---- A machine ---- */

typedef struct task {
    const pt_many *m;
    size_t machine;
    const pt_part *part;
} task;

static partan_status solve(pt_training *t, void *user)
{
    const task *at = user;
    return pt_many_solve(at->m, at->machine, at->part, t);
}

partan_status pt_many_take_numbers(const pt_many *m, const pt_part *part, int64_t *numbers, size_t count)
{
    int64_t own = (int64_t)part->data->matrix.rows;
    for (size_t i = 0; i < count; i++) {
        int64_t row = numbers[i] - (int64_t)part->first;
        bool here = row >= 0 && row < own;
        numbers[i] = here ? pt_share_first(&m->share) + (part->rows ? part->rows[row] : row) : -1;
    }
    return pt_tell_numbers(m->context, m->comm, numbers, count);
}

partan_status pt_many_train_shared(const pt_many *m, size_t i, const pt_part *part, const partan_settings *settings,
                                   partan_model **machine)
{
    task at = {m, i, part};
    return pt_train_machine_together(m->context, m->comm, part->data, settings, solve, &at, machine);
}
