/* Dealing the rows of several processes to folds as one process deals them (data/split.c): each row draws a number, by
 * which the rows of a class are put in order; row k of all classes, one after the other, goes to fold k modulo their
 * number. Judges, each for a range of numbers, find out where rows are in that order. */
#include <stdlib.h>
#include <string.h>

#include "core/agree.h"
#include "core/deal.h"
#include "core/random.h"
#include "svm/folds.h"

/* What a process says to a judge. */
typedef struct ticket {
    uint64_t draw;
    int64_t class; /* by its place */
} ticket;

typedef struct dealing {
    partan_context *context;
    pt_comm *comm;
    const partan_data *part;
    const pt_labels *labels;
    const int32_t *class_of;
    size_t folds;
    double *place;  /* of each class in the order of dealing, */
    ticket *own;    /* of the rows here */
    int64_t *about; /* the row of each ticket as it is dealt */
} dealing;

static partan_status no_room(partan_context *context)
{
    return pt_out_of_memory(context, "the draw of folds");
}

/* ---- The order of the classes ---- */

/* Words are numbered as they appear. places[class] is from 1, 0: it has none; at the end is how many have one. */
static void place_words(void *user, double *places)
{
    const dealing *d = user;
    double *next = &places[d->labels->count];
    for (size_t i = 0; i < d->part->word_count; i++) {
        int32_t class = pt_labels_find(d->labels, d->part->words[i]);
        if (class >= 0 && places[class] == 0)
            places[class] = ++*next;
    }
}

static void place_classes(dealing *d)
{
    for (size_t class = 0; class < d->labels->count; class ++)
        d->place[class] = d->labels->words ? 0 : (double)class + 1;
    d->place[d->labels->count] = 0;
    if (d->labels->words)
        d->comm->in_turn(d->comm, place_words, d, d->place, d->labels->count + 1);
}

/* ---- Tickets ---- */

static void draw(dealing *d, uint64_t seed)
{
    uint64_t before;
    pt_random random;
    pt_count_all(d->comm, d->part->matrix.rows, &before);
    pt_random_seed(&random, seed);
    for (uint64_t i = 0; i < before; i++)
        pt_random_next(&random);
    for (size_t row = 0; row < d->part->matrix.rows; row++)
        d->own[row] = (ticket){pt_random_next(&random), (int64_t)d->place[d->class_of[row]] - 1};
}

static size_t judge_of(const dealing *d, uint64_t draw)
{
    return (size_t)(((draw >> 32) * (uint64_t)d->comm->size) >> 32);
}

/* By their judges, in the order of the rows. */
static partan_status sort_by_judge(dealing *d, pt_dealt *tickets)
{
    size_t rows = d->part->matrix.rows, processes = (size_t)d->comm->size;
    size_t *next = pt_alloc_zero(d->context, processes + 1, sizeof *next);
    partan_status status = pt_dealt_make(tickets, d->context, d->comm, rows, sizeof(ticket));
    if (!status && !next)
        status = no_room(d->context);
    for (size_t row = 0; row < rows && !status; row++)
        tickets->counts[judge_of(d, d->own[row].draw)]++;
    for (size_t i = 0; i < processes && !status; i++)
        next[i + 1] = next[i] + tickets->counts[i];
    for (size_t row = 0; row < rows && !status; row++) {
        size_t at = next[judge_of(d, d->own[row].draw)]++;
        ((ticket *)tickets->things)[at] = d->own[row];
        d->about[at] = (int64_t)row;
    }
    pt_free(d->context, next);
    return status;
}

/* ---- Judges ---- */

typedef struct entry {
    ticket ticket;
    size_t at; /* among the tickets that came, which are in the order of the rows */
} entry;

static int compare_entries(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->ticket.class != y->ticket.class)
        return x->ticket.class < y->ticket.class ? -1 : 1;
    if (x->ticket.draw != y->ticket.draw)
        return x->ticket.draw < y->ticket.draw ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

/* For each class how many rows come before those that this process judges: those of earlier classes, and those that
 * earlier judges have. */
static partan_status count_before(const dealing *d, const pt_dealt *tickets, uint64_t *before)
{
    size_t classes = d->labels->count, processes = (size_t)d->comm->size;
    uint64_t *counts = pt_alloc_zero(d->context, processes * classes, sizeof *counts), sum = 0;
    partan_status status = pt_agree(d->context, d->comm, counts ? PARTAN_OK : no_room(d->context));
    if (status) {
        pt_free(d->context, counts);
        return status;
    }
    for (size_t i = 0; i < tickets->count; i++)
        counts[(size_t)d->comm->rank * classes + (size_t)((const ticket *)tickets->things)[i].class]++;
    d->comm->sum_integers(d->comm, counts, processes * classes);
    for (size_t class = 0; class < classes; class ++)
        for (size_t judge = 0; judge < processes; judge++) {
            if (judge == (size_t)d->comm->rank)
                before[class] = sum;
            sum += counts[judge * classes + class];
        }
    pt_free(d->context, counts);
    return PARTAN_OK;
}

/* The fold of each ticket that came. */
static partan_status judge(const dealing *d, const pt_dealt *tickets, int32_t *folds)
{
    entry *sorted = pt_alloc(d->context, tickets->count, sizeof *sorted);
    uint64_t *next = pt_alloc(d->context, d->labels->count, sizeof *next);
    partan_status status = pt_agree(d->context, d->comm, sorted && next ? PARTAN_OK : no_room(d->context));
    if (!status)
        status = count_before(d, tickets, next);
    for (size_t i = 0; i < tickets->count && !status; i++)
        sorted[i] = (entry){((const ticket *)tickets->things)[i], i};
    if (!status)
        qsort(sorted, tickets->count, sizeof *sorted, compare_entries);
    for (size_t i = 0; i < tickets->count && !status; i++)
        folds[sorted[i].at] = (int32_t)(next[sorted[i].ticket.class]++ % d->folds);
    pt_free(d->context, sorted);
    pt_free(d->context, next);
    return status;
}

static partan_status ask_judges(dealing *d, const pt_dealt *mine, pt_dealt *theirs, int32_t *round)
{
    partan_status status = pt_deal(d->context, d->comm, mine, sizeof(ticket), theirs);
    int32_t *folds = status ? NULL : pt_alloc(d->context, theirs->count, sizeof *folds);
    int32_t *answers = pt_alloc(d->context, mine->count, sizeof *answers);
    status = pt_agree(d->context, d->comm, status ? status : folds && answers ? PARTAN_OK : no_room(d->context));
    if (!status)
        status = judge(d, theirs, folds);
    if (!status)
        d->comm->deal(d->comm, folds, theirs->counts, answers, mine->counts, sizeof *answers);
    for (size_t i = 0; i < mine->count && !status; i++)
        round[d->about[i]] = answers[i];
    pt_free(d->context, folds);
    pt_free(d->context, answers);
    return status;
}

partan_status pt_folds_deal_shared(partan_context *context, pt_comm *comm, const partan_data *part,
                                   const pt_labels *labels, const int32_t *class_of, size_t count, uint64_t seed,
                                   int32_t *round)
{
    size_t rows = part->matrix.rows;
    pt_dealt mine = {0}, theirs = {0};
    dealing d = {
        .context = context, .comm = comm, .part = part, .labels = labels, .class_of = class_of, .folds = count};
    d.place = pt_alloc(context, labels->count + 1, sizeof *d.place);
    d.own = pt_alloc(context, rows, sizeof *d.own);
    d.about = pt_alloc(context, rows, sizeof *d.about);
    partan_status status = pt_agree(context, comm, d.place && d.own && d.about ? PARTAN_OK : no_room(context));
    if (!status) {
        place_classes(&d);
        draw(&d, seed);
        status = pt_agree(context, comm, sort_by_judge(&d, &mine));
    }
    if (!status)
        status = ask_judges(&d, &mine, &theirs, round);
    pt_dealt_free(context, &mine);
    pt_dealt_free(context, &theirs);
    pt_free(context, d.place);
    pt_free(context, d.own);
    pt_free(context, d.about);
    return status;
}
