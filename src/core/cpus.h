/* How many processors this process may use: those that it may run on, and no more than the CPU time that its control
 * group is given, so that a container limited to one CPU gets one thread; and no more than the environment's
 * OMP_NUM_THREADS and OMP_THREAD_LIMIT, by which people limit programs with threads of any kind. */
#ifndef PT_CPUS_H
#define PT_CPUS_H

#include "partan/partan.h"

int pt_cpus(void);

/* The number that such a variable holds, of a list the first; 0: none. */
int pt_cpus_variable(const char *text);

/* The control group's limit in processors, rounded up; 0: none. `root` stands before /proc and /sys, and is empty but
 * in tests. */
int pt_cpus_quota(const char *root);

#endif
