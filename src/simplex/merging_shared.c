/* Equal rows that live in several processes.
 *
 * Each process merges its own rows. What is left of them it names to judges: processes chosen by the rows' hashes, so
 * that equal rows come before the same one, and each judges about as many as it has rows. A row is named by 128 bits of
 * hashes, not by its values, with its number and its cost; the judge answers with the number of the first row that has
 * this name, and the sum of the costs. To save memory that happens in a few rounds, of other hashes each. */
#include <stdlib.h>

#include "core/deal.h"
#include "core/weight_sum.h"
#include "simplex/merging.h"

enum {
    ROUND_ROWS = 1 << 14, /* that are worth a round more, */
    MOST_ROUNDS = 16,     /* up to so many */
};

typedef struct notice {
    uint64_t name[2];
    int64_t number;
    pt_weight_sum cost;
    size_t place; /* the judge's: where the answer goes */
} notice;

typedef struct answer {
    int64_t first;
    pt_weight_sum cost;
} answer;

typedef struct judgement {
    const pt_share *share;
    pt_dual dual; /* of its vertices */
    partan_context *context;
    pt_comm *comm;
    uint32_t *same;       /* of each own row the first own one that equals it; for these, */
    uint64_t *hashes;     /* the first half of their names, */
    pt_weight_sum *costs; /* and the sums of costs */
    int scale;            /* of these */
    size_t rounds;
} judgement;

/* ---- What a process has ---- */

static double cost_of(const pt_share *share, size_t own)
{
    return share->cost_weights ? share->cost_weights[own] : 1;
}

/* All processes have the same scale of the costs and the same number of rounds. */
static void agree(judgement *j, double largest, size_t distinct)
{
    double all[2] = {largest, (double)distinct};
    j->comm->greatest(j->comm, all, 2);
    j->scale = pt_weight_scale(all[0]);
    double rounds = 1 + all[1] / ROUND_ROWS;
    j->rounds = rounds < MOST_ROUNDS ? (size_t)rounds : MOST_ROUNDS;
}

static partan_status judgement_open(judgement *j, const pt_share *share)
{
    partan_context *context = share->context;
    size_t rows = pt_share_own(share), distinct = 0;
    double largest = 0;
    *j = (judgement){.share = share, .context = context, .comm = share->comm};
    j->dual = (pt_dual){.layers = share->layers, .slack = share->slack};
    pt_share_take(share, &j->dual);
    j->same = pt_alloc(context, rows, sizeof *j->same);
    j->hashes = pt_alloc(context, rows, sizeof *j->hashes);
    j->costs = pt_alloc_zero(context, rows, sizeof *j->costs);
    if (!j->same || !j->hashes || !j->costs)
        return pt_out_of_memory(context, "the merging of equal rows");
    if (rows > 0) {
        partan_status status = pt_merging_firsts(share->rows, &j->dual, j->same);
        if (status)
            return status;
    }
    for (size_t row = 0; row < rows; row++) {
        largest = fmax(largest, cost_of(share, row));
        distinct += j->same[row] == row;
    }
    agree(j, largest, distinct);
    for (size_t row = 0; row < rows; row++) {
        pt_weight_sum_add(&j->costs[j->same[row]], cost_of(share, row), j->scale);
        if (j->same[row] == row)
            j->hashes[row] = pt_matrix_row_hash(share->rows, row);
    }
    return PARTAN_OK;
}

static void judgement_close(judgement *j)
{
    pt_free(j->context, j->same);
    pt_free(j->context, j->hashes);
    pt_free(j->context, j->costs);
}

/* ---- A round ---- */

static bool has_turn(const judgement *j, size_t row, size_t round)
{
    return j->same[row] == row && (j->hashes[row] >> 32) % j->rounds == round;
}

static size_t judge_of(const judgement *j, size_t row)
{
    return (j->hashes[row] & UINT32_MAX) % (size_t)j->comm->size;
}

/* Rows of other signs or linear terms have other names. */
static notice notice_of(const judgement *j, size_t row)
{
    uint64_t second = pt_merging_key(&j->dual, row, pt_matrix_row_second_hash(j->share->rows, row));
    return (notice){{j->hashes[row], second}, pt_share_first(j->share) + (int64_t)row, j->costs[row], 0};
}

/* The notices by their judges, and the rows that they are about. */
static partan_status write_notices(const judgement *j, size_t round, pt_dealt *notices, uint32_t **about)
{
    size_t rows = pt_share_own(j->share), count = 0, processes = (size_t)j->comm->size;
    for (size_t row = 0; row < rows; row++)
        count += has_turn(j, row, round);
    *about = pt_alloc(j->context, count, sizeof **about);
    size_t *next = pt_alloc_zero(j->context, processes + 1, sizeof *next);
    partan_status status = pt_dealt_make(notices, j->context, j->comm, count, sizeof(notice));
    if (!status && (!*about || !next))
        status = pt_out_of_memory(j->context, "the merging of equal rows");
    for (size_t row = 0; row < rows && !status; row++)
        if (has_turn(j, row, round))
            notices->counts[judge_of(j, row)]++;
    for (size_t i = 0; i < processes && !status; i++)
        next[i + 1] = next[i] + notices->counts[i];
    for (size_t row = 0; row < rows && !status; row++)
        if (has_turn(j, row, round)) {
            size_t at = next[judge_of(j, row)]++;
            (*about)[at] = (uint32_t)row;
            ((notice *)notices->things)[at] = notice_of(j, row);
        }
    pt_free(j->context, next);
    return status;
}

static int by_name(const void *a, const void *b)
{
    const notice *x = a, *y = b;
    for (int i = 0; i < 2; i++)
        if (x->name[i] != y->name[i])
            return x->name[i] < y->name[i] ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static bool is_same(const notice *a, const notice *b)
{
    return a->name[0] == b->name[0] && a->name[1] == b->name[1];
}

/* Judges what all have named. */
static partan_status judge(const judgement *j, const pt_dealt *named, pt_dealt *answers)
{
    notice *notices = named->things;
    partan_status status = pt_dealt_make(answers, j->context, j->comm, named->count, sizeof(answer));
    if (status)
        return status;
    for (int i = 0; i < j->comm->size; i++)
        answers->counts[i] = named->counts[i];
    for (size_t i = 0; i < named->count; i++)
        notices[i].place = i;
    qsort(notices, named->count, sizeof *notices, by_name);
    for (size_t begin = 0, end; begin < named->count; begin = end) {
        answer one = {.first = notices[begin].number};
        for (end = begin; end < named->count && is_same(&notices[begin], &notices[end]); end++)
            pt_weight_sum_join(&one.cost, &notices[end].cost);
        for (size_t i = begin; i < end; i++)
            ((answer *)answers->things)[notices[i].place] = one;
    }
    return PARTAN_OK;
}

static void take_answers(const judgement *j, const answer *answers, const uint32_t *about, size_t count,
                         int64_t *firsts, double *cost_weights)
{
    for (size_t i = 0; i < count; i++) {
        firsts[about[i]] = answers[i].first;
        cost_weights[about[i]] = pt_weight_sum_value(&answers[i].cost, j->scale);
    }
}

static partan_status do_round(const judgement *j, size_t round, int64_t *firsts, double *cost_weights)
{
    pt_dealt notices = {0}, named = {0}, answers = {0}, mine = {0};
    uint32_t *about = NULL;
    partan_status status = write_notices(j, round, &notices, &about);
    if (!status)
        status = pt_deal(j->context, j->comm, &notices, sizeof(notice), &named);
    if (!status)
        status = judge(j, &named, &answers);
    if (!status)
        status = pt_deal(j->context, j->comm, &answers, sizeof(answer), &mine);
    if (!status)
        take_answers(j, mine.things, about, mine.count, firsts, cost_weights);
    pt_dealt_free(j->context, &notices);
    pt_dealt_free(j->context, &named);
    pt_dealt_free(j->context, &answers);
    pt_dealt_free(j->context, &mine);
    pt_free(j->context, about);
    return status;
}

partan_status pt_merging_firsts_shared(const pt_share *share, int64_t *firsts, double *cost_weights)
{
    judgement j;
    partan_status status = judgement_open(&j, share);
    for (size_t round = 0; round < j.rounds && !status; round++)
        status = do_round(&j, round, firsts, cost_weights);
    for (size_t row = 0; row < pt_share_own(share) && !status; row++)
        firsts[row] = firsts[j.same[row]];
    judgement_close(&j);
    return status;
}
