/* Seconds from a monotonic clock. */
#ifndef PT_CLOCK_H
#define PT_CLOCK_H

double pt_clock(void);

#endif
