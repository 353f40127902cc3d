/* A context whose k-th allocation fails, and which counts what is still allocated. */
#ifndef FAILING_H
#define FAILING_H

#include <stdlib.h>

#include "testing.h"

typedef struct failing {
    long count;   /* allocations so far */
    long fail_at; /* the one that fails, from 1; 0: none */
    long alive;
} failing;

static inline void *failing_allocate(void *user, size_t bytes, size_t alignment)
{
    failing *allocator = user;
    if (++allocator->count == allocator->fail_at)
        return NULL;
    allocator->alive++;
    return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment); /* C11 wants a multiple */
}

static inline void failing_release(void *user, void *pointer)
{
    failing *allocator = user;
    allocator->alive--;
    free(pointer);
}

static inline partan_context *failing_context(failing *allocator)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    options.allocate = failing_allocate;
    options.release = failing_release;
    options.user = allocator;
    return partan_create(&options);
}

/* Calls `work` with every step-th allocation failing, one at a time, until none does. Each time but the last the call
 * must return PARTAN_ERROR_MEMORY with a sentence, and nothing may be left allocated. `work` frees what it got. */
static inline void check_allocations(partan_status (*work)(partan_context *context), long step)
{
    for (long k = 1;; k += step) {
        failing allocator = {0};
        partan_context *context = failing_context(&allocator);
        assert_non_null(context);
        long alive = allocator.alive;
        allocator.fail_at = allocator.count + k;
        partan_status status = work(context);
        assert_int_equal(allocator.alive, alive);
        bool reached = allocator.count >= allocator.fail_at;
        assert_int_equal(status, reached ? PARTAN_ERROR_MEMORY : PARTAN_OK);
        assert_true(!reached || *partan_error(context));
        partan_destroy(context);
        assert_int_equal(allocator.alive, 0);
        if (!reached)
            return;
        assert_true(k < 100000);
    }
}

/* Every one; a part of them where a sanitizer watches. */
static inline void check_every_allocation(partan_status (*work)(partan_context *context))
{
    check_allocations(work, 4 / SOME_OF(4));
}

#endif
