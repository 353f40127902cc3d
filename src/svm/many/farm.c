/* Machines that are small enough for one process, of several that each have a part of the rows: all rows of its classes
 * are no more than the mean share of a process. In rounds, each process is given some classes, whose rows come from all
 * others, and trains the machines of these by itself, as if it were alone. */
#include <string.h>

#include "core/agree.h"
#include "core/clock.h"
#include "core/collect.h"
#include "core/deal.h"
#include "svm/many/training.h"

enum { NOBODY = -1, NONZERO = sizeof(int32_t) + sizeof(float) };

/* Who trains what. All processes make the same plan. */
typedef struct plan {
    const pt_many *m;
    size_t classes, machines, processes;
    uint64_t *rows;        /* of each class */
    uint64_t most_rows;    /* for a process, in a round */
    size_t *gain;          /* what each class would bring to the process that is planned for */
    int *who;              /* of each machine, in this round */
    unsigned char *chosen; /* classes of each process, in this round */
} plan;

static partan_status no_room(const pt_many *m)
{
    return pt_out_of_memory(m->context, "the machines");
}

/* ---- The plan ---- */

static partan_status plan_open(plan *p, const pt_many *m, size_t machines)
{
    *p = (plan){.m = m, .classes = m->labels.count, .machines = machines, .processes = (size_t)m->comm->size};
    p->rows = pt_alloc_zero(m->context, p->classes, sizeof *p->rows);
    p->gain = pt_alloc(m->context, p->classes, sizeof *p->gain);
    p->who = pt_alloc(m->context, machines, sizeof *p->who);
    p->chosen = pt_alloc(m->context, p->processes * p->classes, 1);
    bool there = p->rows && p->gain && p->who && p->chosen;
    partan_status status = pt_agree(m->context, m->comm, there ? PARTAN_OK : no_room(m));
    for (size_t row = 0; row < m->data->matrix.rows && !status; row++)
        p->rows[m->class_of[row]]++;
    if (!status)
        m->comm->sum_integers(m->comm, p->rows, p->classes);
    p->most_rows = pt_share_all(&m->share) / p->processes;
    return status;
}

static void plan_close(plan *p)
{
    pt_free(p->m->context, p->rows);
    pt_free(p->m->context, p->gain);
    pt_free(p->m->context, p->who);
    pt_free(p->m->context, p->chosen);
}

static bool is_open(const plan *p, size_t a, size_t b)
{
    size_t i = a < b ? pt_machine_of_pair(p->classes, a, b) : pt_machine_of_pair(p->classes, b, a);
    return a != b && !p->m->model->machines[i] && p->who[i] == NOBODY && p->rows[a] + p->rows[b] <= p->most_rows;
}

static size_t first_open(const plan *p)
{
    for (size_t a = 0; a < p->classes; a++)
        for (size_t b = a + 1; b < p->classes; b++)
            if (is_open(p, a, b))
                return a;
    return p->classes;
}

/* What other classes would bring to a process grows by what they have with this one, whose machines with the others of
 * the process are its own. Returns how many. */
static size_t give_class(plan *p, int process, size_t class)
{
    unsigned char *mine = p->chosen + (size_t)process * p->classes;
    size_t given = 0;
    for (size_t other = 0; other < p->classes; other++) {
        if (!is_open(p, class, other))
            continue;
        p->gain[other]++;
        if (mine[other]) {
            p->who[pt_machine_of_pair(p->classes, class < other ? class : other, class < other ? other : class)] =
                process;
            given++;
        }
    }
    mine[class] = 1;
    return given;
}

/* The class that brings most machines with it, among those for which there is room. */
static size_t best_class(const plan *p, const unsigned char *mine, uint64_t taken)
{
    size_t best = p->classes;
    for (size_t class = 0; class < p->classes; class ++) {
        bool fits = !mine[class] && p->gain[class] > 0 && taken + p->rows[class] <= p->most_rows;
        if (fits && (best == p->classes || p->gain[class] > p->gain[best]))
            best = class;
    }
    return best;
}

/* A first class that has machines left, then others, until there are enough. Returns how many. */
static size_t plan_process(plan *p, int process, size_t enough)
{
    const unsigned char *mine = p->chosen + (size_t)process * p->classes;
    size_t class = first_open(p), given = 0;
    memset(p->gain, 0, p->classes * sizeof *p->gain);
    for (uint64_t taken = 0; class < p->classes && given < enough; class = best_class(p, mine, taken)) {
        given += give_class(p, process, class);
        taken += p->rows[class];
    }
    return given;
}

/* Returns how many machines are trained in the round that comes; 0: none that are small enough are left. */
static size_t plan_round(plan *p)
{
    size_t open = 0, given = 0;
    for (size_t i = 0; i < p->machines; i++)
        p->who[i] = NOBODY;
    memset(p->chosen, 0, p->processes * p->classes);
    for (size_t a = 0; a < p->classes; a++)
        for (size_t b = a + 1; b < p->classes; b++)
            open += is_open(p, a, b);
    for (int process = 0; process < (int)p->processes && open > 0; process++)
        given += plan_process(p, process, (open + p->processes - 1) / p->processes);
    return given;
}

/* ---- Rows go where they are needed ---- */

/* What comes with a row, before its indices and values. */
typedef struct passenger {
    uint64_t nonzeros;
    int64_t number, class;
    double weight;
} passenger;

typedef struct parcels {
    char *bytes;
    size_t size, capacity;
} parcels;

static partan_status pack(const pt_many *m, size_t row, size_t room, parcels *out)
{
    if (pt_reserve(m->context, (void **)&out->bytes, &out->capacity, out->size,
                   out->size + sizeof(passenger) + room * NONZERO, 1))
        return no_room(m);
    char *at = out->bytes + out->size;
    int32_t *indices = (int32_t *)(void *)(at + sizeof(passenger));
    float *values = (float *)(void *)(indices + room);
    passenger t = {.number = pt_share_first(&m->share) + (int64_t)row,
                   .class = m->class_of[row],
                   .weight = pt_data_weight(m->data, row)};
    t.nonzeros = pt_matrix_row(&m->data->matrix, row, indices, values);
    memmove(indices + t.nonzeros, values, t.nonzeros * sizeof *values);
    memcpy(at, &t, sizeof t);
    out->size += sizeof t + t.nonzeros * NONZERO;
    return PARTAN_OK;
}

/* To each process the rows of its classes. */
static partan_status send_rows(const plan *p, pt_dealt *theirs)
{
    const pt_many *m = p->m;
    size_t room = pt_matrix_row_room(&m->data->matrix);
    parcels out = {0};
    uint64_t *counts = pt_alloc_zero(m->context, p->processes, sizeof *counts);
    partan_status status = counts ? PARTAN_OK : no_room(m);
    for (size_t to = 0; to < p->processes && !status; to++) {
        size_t before = out.size;
        for (size_t row = 0; row < m->data->matrix.rows && !status; row++)
            if (p->chosen[to * p->classes + (size_t)m->class_of[row]])
                status = pack(m, row, room, &out);
        counts[to] = out.size - before;
    }
    status = pt_agree(m->context, m->comm, status);
    if (!status)
        status = pt_deal(m->context, m->comm, &(pt_dealt){out.bytes, counts, out.size}, 1, theirs);
    pt_free(m->context, counts);
    pt_free(m->context, out.bytes);
    return status;
}

/* Rows that came, in the order of their numbers: guests of a share without rows of its own. */
typedef struct rows_here {
    pt_share share;
    pt_matrix none;
    partan_data data;
    int32_t *class_of;
    double *weights;
} rows_here;

static size_t count_rows(const pt_dealt *came)
{
    size_t count = 0;
    for (size_t at = 0; at < came->count; count++) {
        passenger t;
        memcpy(&t, (const char *)came->things + at, sizeof t);
        at += sizeof t + t.nonzeros * NONZERO;
    }
    return count;
}

static partan_status unpack(const pt_dealt *came, rows_here *here)
{
    partan_status status = PARTAN_OK;
    for (size_t at = 0, row = 0; at < came->count && !status; row++) {
        const char *parcel = (const char *)came->things + at;
        passenger t;
        memcpy(&t, parcel, sizeof t);
        const int32_t *indices = (const int32_t *)(const void *)(parcel + sizeof t);
        const float *values = (const float *)(const void *)(indices + t.nonzeros);
        here->class_of[row] = (int32_t)t.class;
        here->weights[row] = t.weight;
        status = pt_share_add(&here->share, t.number, &(pt_traveller){.nonzeros = t.nonzeros}, indices, values);
        at += sizeof t + t.nonzeros * NONZERO;
    }
    return status;
}

static partan_status take_rows(const pt_many *m, const pt_dealt *came, bool weighted, rows_here *here)
{
    size_t rows = count_rows(came);
    here->class_of = pt_alloc(m->context, rows, sizeof *here->class_of);
    here->weights = pt_alloc(m->context, rows, sizeof *here->weights);
    if (!here->class_of || !here->weights)
        return no_room(m);
    partan_status status = pt_matrix_gather(&m->data->matrix, NULL, 0, &here->none);
    if (!status)
        status = pt_share_open(&here->share, m->context, NULL, &here->none);
    if (!status)
        status = unpack(came, here);
    here->data = (partan_data){.context = m->context, .matrix = here->share.guests, .name = m->data->name};
    here->data.weights = weighted ? here->weights : NULL;
    return status;
}

static void rows_free(const pt_many *m, rows_here *here)
{
    pt_free(m->context, here->class_of);
    pt_free(m->context, here->weights);
    pt_share_free(&here->share);
    pt_matrix_free(&here->none);
}

/* ---- Training ---- */

static bool is_over(const pt_many *m)
{
    return atomic_load(&m->context->interrupted) || (m->deadline > 0 && pt_clock() >= m->deadline);
}

/* What rows are called in the whole. */
static void name_rows(const rows_here *here, partan_model *machine)
{
    for (size_t i = 0; i < machine->count; i++)
        machine->origin[i] = here->share.numbers[machine->origin[i]];
}

/* The machines of this process, until time is up. Here alone interruptions need not wait. */
static partan_status train_own(const plan *p, pt_many *m, const rows_here *here, size_t left)
{
    pt_many alone = *m;
    partan_status status = PARTAN_OK;
    alone.comm = NULL;
    alone.data = &here->data;
    alone.class_of = here->class_of;
    pt_defer_end(m->context);
    for (size_t i = 0; i < p->machines && !status && !is_over(&alone); i++) {
        if (p->who[i] != m->comm->rank)
            continue;
        partan_model **machine = &m->model->machines[i];
        pt_progress_next_point(m->context);
        status =
            pt_many_train_rows(&alone, m->context, &here->data, i, pt_many_time_for(m, left, p->processes), machine);
        if (!status)
            name_rows(here, *machine);
        left -= left > p->processes ? p->processes : 0;
    }
    pt_defer_begin(m->context);
    return status;
}

/* ---- What has been found goes to all ---- */

typedef struct found {
    uint64_t machine, count;
    partan_result result;
    double scale, bias;
} found;

typedef struct member {
    int64_t origin;
    double weight, sign;
} member;

static partan_status write_machine(const pt_many *m, size_t i, parcels *out)
{
    const partan_model *machine = m->model->machines[i];
    size_t size = sizeof(found) + machine->count * sizeof(member);
    if (pt_reserve(m->context, (void **)&out->bytes, &out->capacity, out->size, out->size + size, 1))
        return no_room(m);
    found head = {.machine = i,
                  .count = machine->count,
                  .result = machine->result,
                  .scale = machine->scale,
                  .bias = machine->bias};
    memcpy(out->bytes + out->size, &head, sizeof head);
    for (size_t k = 0; k < machine->count; k++) {
        member one = {machine->origin[k], machine->weights[k], (double)machine->signs[k]};
        memcpy(out->bytes + out->size + sizeof head + k * sizeof one, &one, sizeof one);
    }
    out->size += size;
    return PARTAN_OK;
}

static partan_status read_machine(pt_many *m, const found *head, const char *members, partan_model **out)
{
    partan_model *machine;
    partan_status status = pt_model_create(m->context, &machine);
    if (status)
        return status;
    *out = machine;
    machine->settings = m->settings;
    machine->result = head->result;
    machine->scale = head->scale;
    machine->bias = head->bias;
    pt_machine_sides(m->settings.multiclass, m->labels.count, (size_t)head->machine, machine->sides);
    machine->origin = pt_alloc(m->context, (size_t)head->count, sizeof *machine->origin);
    machine->weights = pt_alloc(m->context, (size_t)head->count, sizeof *machine->weights);
    machine->signs = pt_alloc(m->context, (size_t)head->count, sizeof *machine->signs);
    if (!machine->origin || !machine->weights || !machine->signs)
        return no_room(m);
    for (size_t k = 0; k < head->count; k++) {
        member one;
        memcpy(&one, members + k * sizeof one, sizeof one);
        machine->origin[k] = one.origin;
        machine->weights[k] = one.weight;
        machine->signs[k] = (float)one.sign;
    }
    machine->count = (size_t)head->count;
    return PARTAN_OK;
}

static partan_status read_machines(pt_many *m, const char *bytes, size_t size)
{
    partan_status status = PARTAN_OK;
    for (size_t at = 0; at < size && !status;) {
        found head;
        memcpy(&head, bytes + at, sizeof head);
        at += sizeof head;
        partan_model **machine = &m->model->machines[head.machine];
        if (!*machine)
            status = read_machine(m, &head, bytes + at, machine);
        at += (size_t)head.count * sizeof(member);
        if (head.result.status == PARTAN_INTERRUPTED)
            atomic_store(&m->ending, true);
    }
    return status;
}

static partan_status exchange(const plan *p, pt_many *m)
{
    parcels mine = {0};
    void *all = NULL;
    size_t size = 0;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < p->machines && !status; i++)
        if (p->who[i] == m->comm->rank && m->model->machines[i])
            status = write_machine(m, i, &mine);
    status = pt_agree(m->context, m->comm, status);
    if (!status)
        status = pt_collect(m->context, m->comm, mine.bytes, mine.size, 1, &all, &size);
    if (!status)
        status = read_machines(m, all, size);
    pt_free(m->context, mine.bytes);
    pt_free(m->context, all);
    return status;
}

/* ---- All rounds ---- */

static partan_status run_round(const plan *p, pt_many *m, size_t left)
{
    pt_dealt came = {0};
    rows_here here = {.class_of = NULL};
    double weighted = m->data->weights != NULL;
    m->comm->greatest(m->comm, &weighted, 1);
    partan_status status = send_rows(p, &came);
    if (!status)
        status = pt_agree(m->context, m->comm, take_rows(m, &came, weighted > 0, &here));
    pt_dealt_free(m->context, &came);
    if (!status)
        status = pt_agree(m->context, m->comm, train_own(p, m, &here, left));
    if (!status)
        status = exchange(p, m);
    rows_free(m, &here);
    return status;
}

/* Where machines start from a model's, are kept in a checkpoint or have their steps traced, all processes train each.
 */
static bool are_free(const pt_many *m)
{
    double bound = m->from.count > 0 || m->checkpoint || m->context->options.trace;
    m->comm->greatest(m->comm, &bound, 1);
    return bound == 0 && m->settings.multiclass == PARTAN_ONE_VS_ONE;
}

partan_status pt_many_farm_out(pt_many *m, size_t count)
{
    plan p;
    size_t left = count;
    if (!are_free(m))
        return PARTAN_OK;
    partan_status status = plan_open(&p, m, count);
    for (size_t some; !status && (some = plan_round(&p)) > 0; left -= some) {
        pt_many_ask(m);
        if (m->late || atomic_load(&m->ending))
            break;
        status = run_round(&p, m, left);
    }
    plan_close(&p);
    return status;
}
