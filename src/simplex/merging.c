#include "simplex/merging.h"

#include <string.h>

#include "core/hash.h"
#include "core/team.h"
#include "data/storage/row_table.h"

enum {
    PARTS = 32,              /* of the table of rows */
    PARTED_ROWS = 1 << 14,   /* that are worth dividing it for */
    LOOK_INTERVAL = 1 << 14, /* rows between looks for interruptions */
    BLOCK = 1 << 12          /* rows that a thread compares at a time */
};

typedef struct merging {
    const pt_matrix *rows;
    const pt_dual *dual;
    pt_row_table table; /* the first rows */
    uint32_t *firsts;
    bool exact;         /* rows are compared where they are looked up, */
    atomic_bool differ; /* since some of one key were found to be different */
    atomic_bool full;
} merging;

/* Of two equal rows: all their vertices have the same signs and linear terms. */
static bool mergeable(const pt_dual *dual, size_t a, size_t b)
{
    for (size_t layer = 0, first = 0; layer < dual->layers; layer++, first += dual->rows)
        if (dual->signs[first + a] != dual->signs[first + b]
            || (dual->linear && dual->linear[first + a] != dual->linear[first + b]))
            return false;
    return true;
}

/* ---- Keys ---- */

uint64_t pt_merging_key(const pt_dual *dual, size_t row, uint64_t hash)
{
    for (size_t layer = 0, first = 0; layer < dual->layers; layer++, first += dual->rows) {
        double linear = dual->linear ? dual->linear[first + row] + 0.0 : 0; /* -0 is 0 */
        uint64_t bits;
        memcpy(&bits, &linear, sizeof bits);
        hash = pt_hash_mix(hash ^ bits) ^ (dual->signs[first + row] > 0);
    }
    return pt_hash_mix(hash);
}

static void make_keys(void *user, size_t block, size_t thread)
{
    merging *m = user;
    pt_span span = pt_span_of(m->rows->rows, BLOCK, block);
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++)
        m->table.hashes[row] = pt_merging_key(m->dual, row, m->table.hashes[row]);
}

static void compare_rows(void *user, size_t block, size_t thread)
{
    merging *m = user;
    pt_span span = pt_span_of(m->rows->rows, BLOCK, block);
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++) {
        size_t first = m->firsts[row];
        if (first != row && !(mergeable(m->dual, first, row) && pt_matrix_rows_equal(m->rows, first, m->rows, row)))
            atomic_store_explicit(&m->differ, true, memory_order_relaxed);
    }
}

static void for_all_rows(merging *m, pt_work *work)
{
    partan_context *context = m->rows->context;
    pt_team_run(context, m->rows->rows < PARTED_ROWS ? 1 : context->threads, pt_span_count(m->rows->rows, BLOCK), work,
                m);
}

/* ---- The first row that equals each ---- */

static bool find(const merging *m, size_t row, size_t *first)
{
    uint64_t key = m->table.hashes[row];
    if (!m->exact)
        return pt_row_table_first(&m->table, key, first);
    pt_row_search search = {.matrix = m->rows, .row = row, .hash = key};
    while (pt_row_table_next(&m->table, &search, first))
        if (mergeable(m->dual, *first, row))
            return true;
    return false;
}

/* Given those of the rows before it. */
static uint32_t find_or_add(merging *m, size_t row)
{
    size_t first;
    if (find(m, row, &first))
        return (uint32_t)first;
    if (!pt_row_table_add(&m->table, row))
        atomic_store(&m->full, true);
    return (uint32_t)row;
}

static bool goes_on(const merging *m, size_t row)
{
    return !atomic_load_explicit(&m->full, memory_order_relaxed)
           && (row % LOOK_INTERVAL || !pt_interrupted(m->rows->context));
}

/* The rows of one part of the table. Equal ones are in the same. */
static void merge_part(void *user, size_t part, size_t thread)
{
    merging *m = user;
    (void)thread;
    for (size_t row = 0; row < m->rows->rows && goes_on(m, row); row++)
        if (pt_row_table_part(&m->table, m->table.hashes[row]) == part)
            m->firsts[row] = find_or_add(m, row);
}

/* By parts of the table; where hashes are so uneven that one of them is too small, by the whole. */
static void find_firsts(merging *m)
{
    partan_context *context = m->rows->context;
    pt_row_table_divide(&m->table, m->rows->rows < PARTED_ROWS ? 1 : PARTS);
    pt_team_run(context, context->threads, m->table.parts, merge_part, m);
    if (!atomic_load(&m->full))
        return;
    atomic_store(&m->full, false);
    pt_row_table_divide(&m->table, 1);
    merge_part(m, 0, 0);
}

/* Rows that occur very often are all in one part of the table, so that parts only look at keys: all threads compare the
 * rows afterwards. */
static void find_by_keys(merging *m)
{
    for_all_rows(m, make_keys);
    find_firsts(m);
    if (pt_interrupted(m->rows->context))
        return;
    for_all_rows(m, compare_rows);
    m->exact = atomic_load(&m->differ);
    if (m->exact)
        find_firsts(m);
}

partan_status pt_merging_firsts(const pt_matrix *rows, const pt_dual *dual, uint32_t *firsts)
{
    merging m = {.rows = rows, .dual = dual, .firsts = firsts};
    atomic_init(&m.differ, false);
    atomic_init(&m.full, false);
    partan_status status = pt_row_table_make_heeding(&m.table, rows);
    if (!status)
        find_by_keys(&m);
    if (!status && pt_interrupted(rows->context)) /* some of them may have been left out */
        status = PARTAN_INTERRUPTED;
    pt_row_table_free(&m.table);
    return status;
}
