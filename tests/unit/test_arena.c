/* Arenas: what is kept stays apart and aligned until it is released, and slabs go when nothing is left in them. */
#include "testing.h"

#include <stdlib.h>
#include <string.h>

#include "data/read/arena.h"

struct counter {
    long alive, most;
};

static void *counted_allocate(void *user, size_t bytes, size_t alignment)
{
    struct counter *counter = user;
    counter->most = ++counter->alive > counter->most ? counter->alive : counter->most;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

static void counted_release(void *user, void *pointer)
{
    ((struct counter *)user)->alive--;
    free(pointer);
}

static partan_context *counted_context(struct counter *counter)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.allocate = counted_allocate;
    options.release = counted_release;
    options.user = counter;
    return partan_create(&options);
}

static void what_is_kept_stays(void **state)
{
    enum { PARTS = 200 };
    unsigned char *parts[PARTS];
    pt_slab *slabs[PARTS];
    pt_arena arena;
    pt_arena_init(&arena, *state, 1000);
    for (size_t i = 0; i < PARTS; i++) {
        parts[i] = pt_arena_room(&arena, 3 * i + 100);
        assert_int_equal((uintptr_t)parts[i] % PT_ALIGNMENT, 0);
        memset(parts[i], (int)i, 3 * i + 100);
        slabs[i] = pt_arena_keep(&arena, 2 * i); /* the rest is given back */
    }
    pt_arena_close(&arena);
    for (size_t i = 0; i < PARTS; i++) {
        for (size_t k = 0; k < 2 * i; k++)
            assert_int_equal(parts[i][k], i);
        pt_slab_release(slabs[i]);
    }
    pt_slab_release(NULL);
}

static void slabs_go_with_their_last_part(void **state)
{
    (void)state;
    struct counter counter = {0};
    partan_context *context = counted_context(&counter);
    long before = counter.alive;
    pt_arena arena;
    pt_arena_init(&arena, context, 1000);
    pt_slab *slabs[3];
    for (int i = 0; i < 3; i++) { /* each too large for what is left */
        assert_non_null(pt_arena_room(&arena, 1 << 16));
        slabs[i] = pt_arena_keep(&arena, 1 << 16);
    }
    assert_int_equal(counter.alive, before + 3);
    pt_slab_release(slabs[1]);
    assert_int_equal(counter.alive, before + 2);
    pt_arena_close(&arena);
    assert_int_equal(counter.alive, before + 2);
    pt_slab_release(slabs[2]);
    pt_slab_release(slabs[0]);
    assert_int_equal(counter.alive, before);
    partan_destroy(context);
}

static void too_much_is_refused(void **state)
{
    pt_arena arena;
    pt_arena_init(&arena, *state, 1000);
    assert_null(pt_arena_room(&arena, SIZE_MAX - 10));
    assert_non_null(pt_arena_room(&arena, 10));
    pt_arena_close(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(what_is_kept_stays),
        cmocka_unit_test(slabs_go_with_their_last_part),
        CONTEXT_TEST(too_much_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
