/* Numbers as people read them, and the clock. Each function fills and returns a buffer of HUMAN_SIZE bytes. */
#ifndef CLI_HUMAN_H
#define CLI_HUMAN_H

#include <stdint.h>

#define HUMAN_SIZE 40

char *human_count(char *buffer, uint64_t number);  /* 1,234,567 */
char *human_seconds(char *buffer, double seconds); /* 0.59 s, 12.3 s, 2 min 05 s, 1 h 02 min */
char *human_bytes(char *buffer, uint64_t bytes);   /* 1.5 GB, powers of 1000 */
char *shortest_real(char *buffer, double value);   /* the shortest text that reads back as the same value */

double seconds_now(void);         /* a clock that only goes forward */
uint64_t peak_memory_bytes(void); /* of this process; 0 when not known */

#endif
