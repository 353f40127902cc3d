#include "data/storage/row_table.h"

#include "data/storage/layout.h"

static void hash_rows(void *user, size_t chunk, size_t thread)
{
    const pt_row_table *table = user;
    pt_span span = pt_span_of(table->rows->rows, PT_CHUNK_ROWS, chunk);
    (void)thread;
    for (size_t row = span.begin; row < span.end; row++)
        table->hashes[row] = pt_matrix_row_hash(table->rows, row);
}

partan_status pt_row_table_make(pt_row_table *table, const pt_matrix *rows)
{
    partan_context *context = rows->context;
    size_t size = 16;
    while (size < rows->rows + rows->rows / 2)
        size *= 2;
    *table = (pt_row_table){.rows = rows, .mask = size - 1};
    table->hashes = pt_alloc(context, rows->rows, sizeof *table->hashes);
    table->slots = pt_alloc_zero(context, size, sizeof *table->slots);
    if (!table->hashes || !table->slots)
        return pt_out_of_memory(context, "a table of rows");
    pt_team_run(context, pt_rows_threads(context, rows->rows), pt_span_count(rows->rows, PT_CHUNK_ROWS), hash_rows,
                table);
    return PARTAN_OK;
}

void pt_row_table_free(pt_row_table *table)
{
    if (!table->rows)
        return;
    pt_free(table->rows->context, table->hashes);
    pt_free(table->rows->context, table->slots);
    *table = (pt_row_table){0};
}

void pt_row_table_add(pt_row_table *table, size_t row)
{
    size_t place = table->hashes[row] & table->mask;
    while (table->slots[place])
        place = (place + 1) & table->mask;
    table->slots[place] = (uint32_t)row + 1;
}

bool pt_row_table_next(const pt_row_table *table, pt_row_search *search, size_t *found)
{
    for (;; search->steps++) {
        uint32_t slot = table->slots[(search->hash + search->steps) & table->mask];
        if (slot == 0)
            return false;
        *found = slot - 1;
        if (table->hashes[*found] == search->hash
            && pt_matrix_rows_equal(table->rows, *found, search->matrix, search->row)) {
            search->steps++;
            return true;
        }
    }
}
