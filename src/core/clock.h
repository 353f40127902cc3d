/* Seconds from a monotonic clock, and those that the calling thread had a processor. */
#ifndef PT_CLOCK_H
#define PT_CLOCK_H

double pt_clock(void);
double pt_clock_processor(void);

#endif
