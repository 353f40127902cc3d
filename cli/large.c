#include "large.h"

#include <stdlib.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)1 << 21)

/* Much memory asks for huge pages: the decision values of 5,000 rows by 325 machines are 3,200 page faults otherwise,
 * which took a tenth of the time of predicting them. */
void *large_memory(uint64_t count, size_t size)
{
    void *memory;
    if (size > 0 && count > SIZE_MAX / size)
        return NULL;
    size_t bytes = (size_t)count * size;
    if (bytes < HUGE_PAGE)
        return malloc(bytes ? bytes : 1);
    if (posix_memalign(&memory, HUGE_PAGE, bytes) != 0)
        return NULL;
#ifdef MADV_HUGEPAGE
    (void)madvise(memory, bytes / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
#endif
    return memory;
}
