/* Where the threads of a team run.
 *
 * New threads often begin on the processor of the thread that made them, and stay for some milliseconds, in which one
 * waits for the other; reading a small file takes less than that. */
#ifndef PT_AFFINITY_H
#define PT_AFFINITY_H

/* Keeps each thread of the team but the caller's on a processor of its own, and lets them go again. Both do nothing
 * where processors are too few or cannot be chosen. */
void pt_affinity_bind(int threads);
void pt_affinity_release(int threads);

#endif
