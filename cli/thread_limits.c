#include "thread_limits.h"

#include <stdio.h>

char *describe_limits(char text[LIMITS_SIZE], const partan_limits *found)
{
    int length = snprintf(text, LIMITS_SIZE, "%d on this machine", found->processors);
    if (found->affinity < found->processors)
        length += snprintf(text + length, LIMITS_SIZE - (size_t)length, ", %d by CPU affinity", found->affinity);
    if (found->quota > 0)
        length += snprintf(text + length, LIMITS_SIZE - (size_t)length, ", %d by the control group", found->quota);
    if (found->omp_num_threads > 0)
        length += snprintf(text + length, LIMITS_SIZE - (size_t)length, ", OMP_NUM_THREADS %d", found->omp_num_threads);
    if (found->omp_thread_limit > 0)
        snprintf(text + length, LIMITS_SIZE - (size_t)length, ", OMP_THREAD_LIMIT %d", found->omp_thread_limit);
    return text;
}
