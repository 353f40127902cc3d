/* Memory through the context's allocator. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/available.h"
#include "core/team.h"

/* Where the system has huge pages, and gives them to those who ask. */
#define HUGE_PAGE ((size_t)1 << 21)
#define MUCH      ((size_t)1 << 30) /* worth a look at how much there is */

static pt_lock *lock_of(partan_context *context)
{
    return context->parent ? &context->parent->allocating : &context->allocating;
}

/* The caller's functions need not be safe for several threads: one call at a time. */
static void *allocate_by_caller(partan_context *context, size_t bytes)
{
    pt_lock *allocating = lock_of(context);
    pt_lock_take(allocating);
    void *pointer = context->created.allocate(context->created.user, bytes, PT_ALIGNMENT);
    pt_lock_give(allocating);
    return pointer;
}

static void release_by_caller(partan_context *context, void *pointer)
{
    pt_lock *allocating = lock_of(context);
    pt_lock_take(allocating);
    context->created.release(context->created.user, pointer);
    pt_lock_give(allocating);
}

/* Memory that is large enough begins at a huge page and asks for them: one page fault instead of 512, each of which
 * costs as much as writing the four kilobytes several times. A refusal costs nothing but time. */
static void *allocate_huge(size_t bytes)
{
    void *pointer;
    if (posix_memalign(&pointer, HUGE_PAGE, bytes) != 0) /* aligned_alloc would want whole huge pages */
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(pointer, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return pointer;
}

void *pt_alloc(partan_context *context, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - PT_ALIGNMENT) / size)
        return NULL;
    size_t bytes = (count * size + PT_ALIGNMENT - 1) / PT_ALIGNMENT * PT_ALIGNMENT;
    if (bytes == 0)
        bytes = PT_ALIGNMENT;
    if (context->options.allocate)
        return allocate_by_caller(context, bytes);
    if (bytes > MUCH && bytes > pt_memory_available("")) /* the system would promise it, and end the process later */
        return NULL;
    return bytes < HUGE_PAGE ? aligned_alloc(PT_ALIGNMENT, bytes) : allocate_huge(bytes);
}

typedef struct clearing {
    char *pointer;
    size_t bytes;
} clearing;

static void clear_chunk(void *user, size_t chunk, size_t thread)
{
    const clearing *c = user;
    pt_span span = pt_span_of(c->bytes, HUGE_PAGE, chunk);
    (void)thread;
    memset(c->pointer + span.begin, 0, span.end - span.begin);
}

/* Much memory is cleared by all threads: the system, which clears pages when they are first touched, does so too. */
void *pt_alloc_zero(partan_context *context, size_t count, size_t size)
{
    void *pointer = pt_alloc(context, count, size);
    if (!pointer)
        return NULL;
    if (count * size < 2 * HUGE_PAGE)
        memset(pointer, 0, count * size);
    else
        pt_team_run(context, context->threads, pt_span_count(count * size, HUGE_PAGE), clear_chunk,
                    &(clearing){pointer, count * size});
    return pointer;
}

void *pt_copy(partan_context *context, const void *source, size_t count, size_t size)
{
    void *pointer = pt_alloc(context, count, size);
    if (pointer && count > 0 && size > 0)
        memcpy(pointer, source, count * size);
    return pointer;
}

partan_status pt_reserve(partan_context *context, void **pointer, size_t *capacity, size_t used, size_t need,
                         size_t size)
{
    if (need <= *capacity)
        return PARTAN_OK;
    size_t room = *capacity + *capacity / 2;
    if (room < need)
        room = need;
    if (room < 16)
        room = 16;
    void *larger = pt_alloc(context, room, size);
    if (!larger)
        return PARTAN_ERROR_MEMORY;
    if (used)
        memcpy(larger, *pointer, used * size);
    pt_free(context, *pointer);
    *pointer = larger;
    *capacity = room;
    return PARTAN_OK;
}

void pt_free(partan_context *context, void *pointer)
{
    if (!pointer)
        return;
    if (context->options.release)
        release_by_caller(context, pointer);
    else
        free(pointer);
}

partan_status pt_out_of_memory(partan_context *context, const char *what)
{
    return pt_fail(context, PARTAN_ERROR_MEMORY, "out of memory for %s", what);
}
