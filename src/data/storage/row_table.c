#include "data/storage/row_table.h"

#include <string.h>

#include "data/storage/layout.h"

typedef struct hashing {
    const pt_row_table *table;
    bool heed; /* an interruption */
} hashing;

static void hash_tiles(void *user, size_t chunk, size_t thread)
{
    const hashing *h = user;
    const pt_row_table *table = h->table;
    pt_span span = pt_span_of(table->rows->tiles, PT_CHUNK_ROWS / PT_TILE, chunk);
    (void)thread;
    if (h->heed && pt_interrupted(table->rows->context))
        return;
    for (size_t tile = span.begin; tile < span.end; tile++)
        pt_matrix_tile_hashes(table->rows, tile, table->hashes + tile * PT_TILE);
}

static partan_status make(pt_row_table *table, const pt_matrix *rows, bool heed)
{
    partan_context *context = rows->context;
    size_t size = 16;
    while (size < rows->rows + rows->rows / 2)
        size *= 2;
    *table = (pt_row_table){.rows = rows, .size = size, .parts = 1};
    table->hashes = pt_alloc(context, rows->tiles * PT_TILE, sizeof *table->hashes);
    table->slots = pt_alloc_zero(context, size, sizeof *table->slots);
    if (!table->hashes || !table->slots)
        return pt_out_of_memory(context, "a table of rows");
    pt_team_run(context, pt_rows_threads(context, rows->rows), pt_span_count(rows->tiles, PT_CHUNK_ROWS / PT_TILE),
                hash_tiles, &(hashing){table, heed});
    return heed && pt_interrupted(context) ? PARTAN_INTERRUPTED : PARTAN_OK; /* some of it may have been left out */
}

partan_status pt_row_table_make(pt_row_table *table, const pt_matrix *rows)
{
    return make(table, rows, false);
}

partan_status pt_row_table_make_heeding(pt_row_table *table, const pt_matrix *rows)
{
    return make(table, rows, true);
}

void pt_row_table_free(pt_row_table *table)
{
    if (!table->rows)
        return;
    pt_free(table->rows->context, table->hashes);
    pt_free(table->rows->context, table->slots);
    *table = (pt_row_table){0};
}

void pt_row_table_divide(pt_row_table *table, size_t parts)
{
    memset(table->slots, 0, table->size * sizeof *table->slots);
    table->parts = parts;
}

/* Where a row may be, after so many steps within its part. */
static uint32_t *slot_of(const pt_row_table *table, uint64_t hash, size_t steps)
{
    size_t room = table->size / table->parts;
    return &table->slots[pt_row_table_part(table, hash) * room + ((hash + steps) & (room - 1))];
}

bool pt_row_table_add(pt_row_table *table, size_t row)
{
    for (size_t steps = 0; steps < table->size / table->parts; steps++) {
        uint32_t *slot = slot_of(table, table->hashes[row], steps);
        if (*slot)
            continue;
        *slot = (uint32_t)row + 1;
        return true;
    }
    return false;
}

bool pt_row_table_first(const pt_row_table *table, uint64_t hash, size_t *first)
{
    for (size_t steps = 0; steps < table->size / table->parts; steps++) {
        uint32_t slot = *slot_of(table, hash, steps);
        if (slot == 0)
            return false;
        *first = slot - 1;
        if (table->hashes[*first] == hash)
            return true;
    }
    return false;
}

bool pt_row_table_next(const pt_row_table *table, pt_row_search *search, size_t *found)
{
    for (; search->steps < table->size / table->parts; search->steps++) {
        uint32_t slot = *slot_of(table, search->hash, search->steps);
        if (slot == 0)
            return false;
        *found = slot - 1;
        if (table->hashes[*found] == search->hash
            && pt_matrix_rows_equal(table->rows, *found, search->matrix, search->row)) {
            search->steps++;
            return true;
        }
    }
    return false;
}
