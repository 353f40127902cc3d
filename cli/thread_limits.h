/* What the number of threads follows from, in words. */
#ifndef CLI_THREAD_LIMITS_H
#define CLI_THREAD_LIMITS_H

#include "partan/partan.h"

#define LIMITS_SIZE 200

/* "8 on this machine, 2 by CPU affinity, OMP_NUM_THREADS 1" */
char *describe_limits(char text[LIMITS_SIZE], const partan_limits *found);

#endif
