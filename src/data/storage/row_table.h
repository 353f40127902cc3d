/* Rows of a matrix by their contents: an open hash table. */
#ifndef PT_ROW_TABLE_H
#define PT_ROW_TABLE_H

#include "data/storage/matrix.h"

typedef struct pt_row_table {
    const pt_matrix *rows;
    uint64_t *hashes; /* of all rows, in the table or not */
    uint32_t *slots;  /* row + 1; 0: empty */
    size_t size;      /* a power of two, as is `parts` */
    size_t parts;     /* of equal size, that share no row: threads may work on different ones */
} pt_row_table;

/* An empty table with room for all rows, of which there are fewer than UINT32_MAX. To be freed also on failure. */
partan_status pt_row_table_make(pt_row_table *table, const pt_matrix *rows);
/* Which ends with PARTAN_INTERRUPTED when asked to stop. */
partan_status pt_row_table_make_heeding(pt_row_table *table, const pt_matrix *rows);
void pt_row_table_free(pt_row_table *table);

/* Divides an empty table, or makes it whole and empty again. */
void pt_row_table_divide(pt_row_table *table, size_t parts);
static inline size_t pt_row_table_part(const pt_row_table *table, uint64_t hash)
{
    return (size_t)(hash >> 32) & (table->parts - 1);
}

/* False when the row's part has no room, which only a table in parts may lack. */
bool pt_row_table_add(pt_row_table *table, size_t row);

/* The first row of the table that has a hash, whatever its contents. */
bool pt_row_table_first(const pt_row_table *table, uint64_t hash, size_t *first);

/* A search for the rows that equal one, which may be of another matrix. */
typedef struct pt_row_search {
    const pt_matrix *matrix;
    size_t row;
    uint64_t hash;
    size_t steps; /* made so far */
} pt_row_search;

/* The next row of the table that equals the one searched for, in the order in which they were added; false: no more. */
bool pt_row_table_next(const pt_row_table *table, pt_row_search *search, size_t *found);

#endif
