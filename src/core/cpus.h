/* How many processors this process may use: those that it may run on, and no more than the CPU time that its control
 * group is given, so that a container limited to one CPU gets one thread. */
#ifndef PT_CPUS_H
#define PT_CPUS_H

int pt_cpus(void);

/* The control group's limit in processors, rounded up; 0: none. `root` stands before /proc and /sys, and is empty but
 * in tests. */
int pt_cpus_quota(const char *root);

#endif
