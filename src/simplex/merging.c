#include "simplex/merging.h"

#include "core/team.h"
#include "data/storage/row_table.h"

enum {
    PARTS = 32,             /* of the table of rows */
    PARTED_ROWS = 1 << 14,  /* that are worth dividing it for */
    LOOK_INTERVAL = 1 << 14 /* rows between looks for interruptions */
};

typedef struct merging {
    const pt_matrix *rows;
    const pt_dual *dual;
    pt_row_table table; /* the first rows */
    uint32_t *firsts;
    atomic_bool full;
} merging;

/* Of two equal rows: all their vertices have the same signs and linear terms. */
static bool mergeable(const pt_dual *dual, size_t a, size_t b)
{
    for (size_t layer = 0, first = 0; layer < pt_dual_layers(dual); layer++, first += dual->rows)
        if (dual->signs[first + a] != dual->signs[first + b]
            || (dual->linear && dual->linear[first + a] != dual->linear[first + b]))
            return false;
    return true;
}

/* The first row that equals this one, given those of the rows before it. */
static uint32_t find_or_add(merging *m, size_t row)
{
    pt_row_search search = {.matrix = m->rows, .row = row, .hash = m->table.hashes[row]};
    size_t first;
    while (pt_row_table_next(&m->table, &search, &first))
        if (mergeable(m->dual, first, row))
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

partan_status pt_merging_firsts(const pt_matrix *rows, const pt_dual *dual, uint32_t *firsts)
{
    merging m = {.rows = rows, .dual = dual, .firsts = firsts};
    atomic_init(&m.full, false);
    partan_status status = pt_row_table_make_heeding(&m.table, rows);
    if (!status)
        find_firsts(&m);
    if (!status && pt_interrupted(rows->context)) /* some of them may have been left out */
        status = PARTAN_INTERRUPTED;
    pt_row_table_free(&m.table);
    return status;
}
