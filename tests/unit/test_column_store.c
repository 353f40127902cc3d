/* Kernel columns that the working set keeps: what is known of them is right after every change of the set, memory has
 * its limit, and training takes the same steps whether columns are kept, kept in part, or computed each time. */
#include <math.h>
#include <string.h>

#include "active/column_store.h"
#include "core/random.h"
#include "data/storage/matrix.h"
#include "failing.h"
#include "noise.h"
#include "svm/model/model.h"

/* ---- The store ---- */

enum { MOST = 400, ALL = 3000 };

static size_t padded(size_t count)
{
    return (count + PT_TILE - 1) / PT_TILE * PT_TILE;
}

/* What a column has, by the names of its member and of the other. */
static float value(int column, int other)
{
    return (float)(column * ALL + other);
}

typedef struct set {
    int names[MOST];
    size_t count;
} set;

static void fill(pt_column_store *store, const set *members, size_t member)
{
    float *values = pt_column_store_room(store, (int64_t)member);
    assert_non_null(values);
    for (size_t i = store->known[member]; i < members->count; i++)
        values[i] = value(members->names[member], members->names[i]);
    store->known[member] = store->stride;
}

static void check(const pt_column_store *store, const set *members)
{
    size_t there = 0;
    for (size_t m = 0; m < members->count; m++) {
        there += store->values[m] != NULL;
        for (size_t i = 0; store->values[m] && i < store->known[m] && i < members->count; i++)
            assert_true(store->values[m][i] == value(members->names[m], members->names[i]));
        assert_true(store->values[m] == NULL || store->known[m] == store->stride || store->known[m] % PT_TILE == 0);
    }
    assert_true(there <= store->most && there == store->count);
}

/* Some members leave, and others, with new names, come after those that stay. */
static size_t change(set *members, pt_random *random, int *name, size_t *from)
{
    size_t stayed = 0;
    for (size_t i = 0; i < members->count; i++)
        if (pt_random_below(random, 8)) {
            members->names[stayed] = members->names[i];
            from[stayed++] = i;
        }
    members->count = stayed;
    for (size_t wanted = stayed + pt_random_below(random, 60); members->count < wanted && members->count < MOST;)
        members->names[members->count++] = (*name)++;
    return stayed;
}

static void columns_are_carried_over(void **state)
{
    for (int columns = 130; columns <= 1000; columns += 290) {
        pt_random random;
        pt_random_seed(&random, (uint64_t)columns);
        pt_column_store store;
        pt_column_store_init(&store, *state, (size_t)columns * 256 * sizeof(float));
        set members = {.count = 0};
        size_t from[MOST], carried = 0;
        int name = 0;
        for (int round = 0; round < 40; round++) {
            size_t stayed = change(&members, &random, &name, from);
            assert_int_equal(pt_column_store_set(&store, members.count, padded(members.count), from, stayed),
                             PARTAN_OK);
            for (size_t m = 0; m < members.count; m++)
                carried += store.most > 0 && store.values[m] && store.known[m] > 0;
            check(&store, &members);
            for (int i = 0; i < 100 && store.most > 0 && members.count > 0; i++) {
                size_t member = pt_random_below(&random, members.count);
                if (!pt_column_store_complete(&store, (int64_t)member))
                    fill(&store, &members, member);
            }
            check(&store, &members);
        }
        assert_true(carried > 1000);
        pt_column_store_free(&store);
    }
}

/* However little room there is, the columns asked for last are there. */
static void the_last_ones_stay(void **state)
{
    pt_column_store store;
    set members = {.count = MOST};
    for (int i = 0; i < MOST; i++)
        members.names[i] = i;
    pt_column_store_init(&store, *state, 128 * MOST * sizeof(float));
    assert_int_equal(pt_column_store_set(&store, MOST, MOST, NULL, 0), PARTAN_OK);
    assert_int_equal(store.most, 128);
    for (size_t m = 0; m < MOST; m++) {
        fill(&store, &members, m);
        for (size_t last = m < PT_STORE_TURNS ? 0 : m + 1 - PT_STORE_TURNS; last <= m; last++)
            assert_true(pt_column_store_complete(&store, (int64_t)last));
    }
    check(&store, &members);
    assert_int_equal(store.count, 128);
    pt_column_store_free(&store);
    pt_column_store_init(&store, *state, 127 * MOST * sizeof(float));
    assert_int_equal(pt_column_store_set(&store, MOST, MOST, NULL, 0), PARTAN_OK);
    assert_int_equal(store.most, 0); /* not worth it */
    pt_column_store_free(&store);
}

/* Who asks to stop does not wait for columns to move: they are given up, and memory has room for others. */
static void an_interruption_gives_columns_up(void **state)
{
    pt_column_store store;
    set members = {.count = MOST};
    size_t from[MOST];
    for (int i = 0; i < MOST; i++) {
        members.names[i] = i;
        from[i] = (size_t)i;
    }
    pt_column_store_init(&store, *state, 200 * MOST * sizeof(float));
    for (int interrupted = 0; interrupted < 2; interrupted++) {
        assert_int_equal(pt_column_store_set(&store, MOST, MOST, NULL, 0), PARTAN_OK);
        for (size_t m = 0; m < 150; m++)
            fill(&store, &members, m);
        if (interrupted)
            partan_interrupt(*state);
        assert_int_equal(pt_column_store_set(&store, MOST, MOST, from, MOST), PARTAN_OK);
        pt_interrupt_clear(*state);
        check(&store, &members);
        assert_int_equal(store.count, interrupted ? 0 : 150);
        fill(&store, &members, 7);
        check(&store, &members);
    }
    pt_column_store_free(&store);
}

/* ---- Training ---- */

/* None are kept, some, or nearly all: half of the cache is for columns. */
static const int64_t caches[] = {2 * 100 * ROWS * 4, 2 * 200 * ROWS * 4, 2 * 900 * ROWS * 4};

static void steps_are_the_same(void **state)
{
    static const partan_storage storages[] = {PARTAN_STORAGE_DENSE, PARTAN_STORAGE_SPARSE};
    for (size_t k = 0; k < 2; k++) {
        partan_data *data = noise(*state, storages[k]);
        partan_model *models[3] = {NULL};
        assert_non_null(data);
        for (size_t i = 0; i < 3; i++) {
            partan_settings s = settings_of(caches[i]);
            assert_int_equal(partan_train(*state, data, &s, NULL, &models[i]), PARTAN_OK);
            assert_int_equal(models[i]->result.iterations, models[0]->result.iterations);
            assert_int_equal(models[i]->count, models[0]->count);
            assert_memory_equal(models[i]->weights, models[0]->weights, models[0]->count * sizeof(double));
        }
        assert_true(models[1]->result.kernel_values < models[0]->result.kernel_values);
        assert_true(models[2]->result.kernel_values < models[1]->result.kernel_values);
        for (size_t i = 0; i < 3; i++)
            partan_model_free(models[i]);
        partan_data_free(data);
    }
}

static partan_status train_kept(partan_context *context)
{
    partan_data *data = noise(context, PARTAN_STORAGE_DENSE);
    partan_model *model = NULL;
    partan_settings s = settings_of(caches[1]);
    partan_status status = data ? partan_train(context, data, &s, NULL, &model) : PARTAN_ERROR_MEMORY;
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

/* A column without memory is not an error: it makes room for itself. All else is. */
static void memory_may_run_out(void **state)
{
    (void)state;
    int survived = 0;
    for (long k = 1, reached = true; reached; k += 307) {
        failing allocator = {0};
        partan_context *context = failing_context(&allocator);
        allocator.fail_at = allocator.count + k;
        partan_status status = train_kept(context);
        reached = allocator.count >= allocator.fail_at;
        assert_true(status == PARTAN_OK || (status == PARTAN_ERROR_MEMORY && reached && *partan_error(context)));
        survived += reached && status == PARTAN_OK;
        partan_destroy(context);
        assert_int_equal(allocator.alive, 0);
    }
    assert_true(survived > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(columns_are_carried_over),          SERIAL_TEST(the_last_ones_stay),
        CONTEXT_TEST(an_interruption_gives_columns_up), CONTEXT_TEST(steps_are_the_same),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
