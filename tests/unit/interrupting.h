/* A context in which an interruption comes with the k-th allocation: whatever is done between allocations, and however
 * long it takes, is met by one. */
#ifndef INTERRUPTING_H
#define INTERRUPTING_H

#include "failing.h"

typedef struct interrupting {
    failing allocator;
    partan_context *context;
    long at; /* the allocation, from 1; 0: none */
} interrupting;

static inline void *interrupting_allocate(void *user, size_t bytes, size_t alignment)
{
    interrupting *i = user;
    void *memory = failing_allocate(&i->allocator, bytes, alignment);
    if (i->allocator.count == i->at)
        partan_interrupt(i->context);
    return memory;
}

static inline void interrupting_release(void *user, void *pointer)
{
    failing_release(&((interrupting *)user)->allocator, pointer);
}

static inline void interrupting_begin(interrupting *i)
{
    partan_context_options options;
    *i = (interrupting){.at = 0};
    partan_context_options_init(&options);
    options.threads = 1;
    options.allocate = interrupting_allocate;
    options.release = interrupting_release;
    options.user = i;
    i->context = partan_create(&options);
    assert_non_null(i->context);
}

static inline void interrupting_end(interrupting *i)
{
    partan_destroy(i->context);
    assert_int_equal(i->allocator.alive, 0);
}

#endif
