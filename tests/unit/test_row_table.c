/* Rows are found by their contents, whatever the storage of the row searched for, in the order they were added. */
#include "testing.h"

#include "data/data.h"
#include "data/storage/row_table.h"

enum { ROWS = 300, FEATURES = 5, KINDS = 7 };

/* Row i holds the numbers of kind i % KINDS. */
static partan_data *make(partan_context *context, size_t rows, partan_storage storage)
{
    float values[ROWS * FEATURES];
    partan_data *data = NULL;
    for (size_t i = 0; i < rows * FEATURES; i++)
        values[i] = (float)((i / FEATURES % KINDS + 1) * (i % FEATURES) % 4);
    assert_int_equal(dense_data(context, values, rows, FEATURES, FEATURES, NULL, storage, &data), PARTAN_OK);
    return data;
}

/* Kinds 0 and 4 are the same modulo 4, and so are 1 and 5, 2 and 6. */
static size_t content(size_t row)
{
    return row % KINDS % 4;
}

static void check(partan_context *context, partan_storage storage)
{
    partan_data *data = make(context, ROWS, PARTAN_STORAGE_DENSE), *other = make(context, KINDS, storage);
    pt_row_table table;
    assert_int_equal(pt_row_table_make(&table, &data->matrix), PARTAN_OK);
    for (size_t row = 0; row < ROWS; row += 2)
        pt_row_table_add(&table, row);
    for (size_t kind = 0; kind < KINDS; kind++) {
        pt_row_search search = {&other->matrix, kind, pt_matrix_row_hash(&other->matrix, kind), 0};
        size_t found, expected = 0;
        while (pt_row_table_next(&table, &search, &found)) {
            while (content(expected) != content(kind))
                expected += 2;
            assert_int_equal(found, expected);
            expected += 2;
        }
        while (expected < ROWS && content(expected) != content(kind))
            expected += 2;
        assert_true(expected >= ROWS);
    }
    pt_row_table_free(&table);
    partan_data_free(other);
    partan_data_free(data);
}

static void rows_are_found_in_order(void **state)
{
    FOR_EVERY_STORAGE(storage)
        if (storage != PARTAN_STORAGE_BITS) /* the values go to 3 */
            check(*state, (partan_storage)storage);
}

static void an_empty_table_has_no_rows(void **state)
{
    partan_data *data = make(*state, KINDS, PARTAN_STORAGE_SPARSE);
    pt_row_table table;
    size_t found;
    assert_int_equal(pt_row_table_make(&table, &data->matrix), PARTAN_OK);
    pt_row_search search = {&data->matrix, 0, table.hashes[0], 0};
    assert_false(pt_row_table_next(&table, &search, &found));
    pt_row_table_free(&table);
    pt_row_table_free(&table);
    partan_data_free(data);
}

static void parts_hold_their_own_rows(void **state)
{
    partan_data *data = make(*state, ROWS, PARTAN_STORAGE_DENSE);
    pt_row_table table;
    assert_int_equal(pt_row_table_make(&table, &data->matrix), PARTAN_OK);
    for (size_t row = 0; row < ROWS; row++)
        table.hashes[row] = (uint64_t)(row % 4) << 32 | row * row;
    pt_row_table_divide(&table, 4);
    for (size_t row = 0; row < ROWS; row++)
        assert_true(pt_row_table_add(&table, row));
    size_t room = table.size / 4;
    for (size_t slot = 0; slot < table.size; slot++)
        if (table.slots[slot])
            assert_int_equal((table.slots[slot] - 1) % 4, slot / room);
    for (size_t row = 0; row < ROWS; row++) {
        pt_row_search search = {&data->matrix, row, table.hashes[row], 0};
        size_t found = ROWS;
        while (pt_row_table_next(&table, &search, &found) && found != row)
            ;
        assert_int_equal(found, row);
    }
    pt_row_table_free(&table);
    partan_data_free(data);
}

static void a_part_may_be_full_but_the_whole_is_not(void **state)
{
    partan_data *data = make(*state, ROWS, PARTAN_STORAGE_DENSE);
    pt_row_table table;
    size_t added = 0, found;
    assert_int_equal(pt_row_table_make(&table, &data->matrix), PARTAN_OK);
    for (size_t row = 0; row < ROWS; row++)
        table.hashes[row] = 5;
    pt_row_table_divide(&table, 8);
    while (added < ROWS && pt_row_table_add(&table, added))
        added++;
    assert_int_equal(added, table.size / 8);
    pt_row_search search = {&data->matrix, 0, 5, 0};
    while (pt_row_table_next(&table, &search, &found)) /* which ends */
        ;
    pt_row_table_divide(&table, 1);
    for (size_t row = 0; row < ROWS; row++)
        assert_true(pt_row_table_add(&table, row));
    pt_row_table_free(&table);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(rows_are_found_in_order), CONTEXT_TEST(an_empty_table_has_no_rows),
                                       CONTEXT_TEST(parts_hold_their_own_rows),
                                       CONTEXT_TEST(a_part_may_be_full_but_the_whole_is_not)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
