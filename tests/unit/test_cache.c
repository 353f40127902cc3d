/* The column cache: the least recently used column makes room, the one to keep does not, the budget is kept to, and a
 * lack of memory makes the cache smaller and nothing else. */
#include "failing.h"

#include "core/random.h"
#include "kernel/cache.h"

enum { LENGTH = 32, DOMAIN = 50 };

static pt_cache make(partan_context *context, size_t bytes)
{
    pt_cache cache;
    assert_int_equal(pt_cache_init(&cache, context, DOMAIN, LENGTH, bytes), PARTAN_OK);
    return cache;
}

static void add(pt_cache *cache, int64_t id, int64_t keep)
{
    assert_null(pt_cache_find(cache, id));
    float *column = pt_cache_add(cache, id, keep);
    assert_non_null(column);
    for (int i = 0; i < LENGTH; i++)
        column[i] = (float)id;
}

static bool holds(pt_cache *cache, int64_t id)
{
    const float *column = pt_cache_find(cache, id);
    for (int i = 0; column && i < LENGTH; i++)
        assert_true(column[i] == (float)id);
    return column != NULL;
}

static void a_budget_below_one_column_caches_nothing(void **state)
{
    pt_cache cache = make(*state, LENGTH * 4 - 1);
    assert_null(pt_cache_find(&cache, 3));
    assert_null(pt_cache_add(&cache, 3, -1));
    assert_null(pt_cache_find(&cache, 3));
    pt_cache_free(&cache);
}

static void one_column_makes_room_unless_it_is_kept(void **state)
{
    pt_cache cache = make(*state, LENGTH * 4);
    add(&cache, 3, -1);
    assert_true(holds(&cache, 3));
    assert_null(pt_cache_add(&cache, 4, 3));
    assert_true(holds(&cache, 3));
    add(&cache, 4, -1);
    assert_true(holds(&cache, 4));
    assert_false(holds(&cache, 3));
    pt_cache_free(&cache);
}

static void the_oldest_makes_room(void **state)
{
    pt_cache cache = make(*state, 3 * LENGTH * 4 + 5);
    add(&cache, 0, -1);
    add(&cache, 1, -1);
    add(&cache, 2, -1);
    assert_true(holds(&cache, 0)); /* 1 is the oldest now */
    add(&cache, 3, -1);
    assert_false(holds(&cache, 1));
    add(&cache, 4, 2); /* 2 would be next, but stays: 0 goes */
    assert_true(holds(&cache, 2));
    assert_false(holds(&cache, 0));
    assert_true(holds(&cache, 3) && holds(&cache, 4));
    assert_int_equal(cache.count, 3);
    pt_cache_free(&cache);
}

/* A list of ids, newest first, says what the cache must hold after any sequence of calls. */
static void the_cache_behaves_as_a_list_does(void **state)
{
    pt_random random;
    pt_random_seed(&random, 5);
    for (size_t capacity = 1; capacity <= DOMAIN + 5; capacity += 6) {
        pt_cache cache = make(*state, capacity * LENGTH * 4);
        size_t limit = capacity < DOMAIN ? capacity : DOMAIN, count = 0;
        int64_t list[DOMAIN];
        for (int step = 0; step < 3000; step++) {
            int64_t id = (int64_t)pt_random_below(&random, DOMAIN), keep = -1;
            if (step % 3 == 0 && count > 0)
                keep = list[pt_random_below(&random, count)];
            size_t at = 0;
            while (at < count && list[at] != id)
                at++;
            assert_int_equal(holds(&cache, id), at < count);
            if (at == count) {
                size_t out = count < limit ? count : count - 1;
                if (count == limit && list[out] == keep && out-- == 0) {
                    assert_null(pt_cache_add(&cache, id, keep));
                    continue;
                }
                add(&cache, id, keep);
                if (count < limit)
                    count++;
                at = out;
            }
            for (; at > 0; at--)
                list[at] = list[at - 1];
            list[0] = id;
        }
        assert_int_equal(cache.count, limit < count ? limit : count);
        pt_cache_free(&cache);
    }
}

static void a_lack_of_memory_makes_it_smaller(void **state)
{
    (void)state;
    failing allocator = {0};
    partan_context *context = failing_context(&allocator);
    pt_cache cache = make(context, 10 * LENGTH * 4);
    add(&cache, 0, -1);
    add(&cache, 1, -1);
    allocator.fail_at = allocator.count + 1;
    add(&cache, 2, -1); /* takes the room of 0 */
    assert_false(holds(&cache, 0));
    assert_true(holds(&cache, 1) && holds(&cache, 2));
    add(&cache, 3, 1); /* memory is back, but the cache stays as it is */
    assert_int_equal(cache.count, 2);
    pt_cache_free(&cache);

    /* Out of memory at the very first column: nothing is cached from there on. */
    cache = make(context, 10 * LENGTH * 4);
    allocator.fail_at = allocator.count + 1;
    assert_null(pt_cache_add(&cache, 7, -1));
    assert_null(pt_cache_find(&cache, 7));
    assert_null(pt_cache_add(&cache, 8, -1));
    pt_cache_free(&cache);
    partan_destroy(context);
    assert_int_equal(allocator.alive, 0);
}

static partan_status init_only(partan_context *context)
{
    pt_cache cache;
    partan_status status = pt_cache_init(&cache, context, DOMAIN, LENGTH, 4096);
    pt_cache_free(&cache);
    return status;
}

static void init_without_memory_fails_cleanly(void **state)
{
    (void)state;
    check_every_allocation(init_only);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(a_budget_below_one_column_caches_nothing),
        CONTEXT_TEST(one_column_makes_room_unless_it_is_kept),
        CONTEXT_TEST(the_oldest_makes_room),
        CONTEXT_TEST(the_cache_behaves_as_a_list_does),
        cmocka_unit_test(a_lack_of_memory_makes_it_smaller),
        cmocka_unit_test(init_without_memory_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
