/* Values of a setting to try, from a text: evenly spaced in the logarithm, or a list. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "command.h"

/* LO..HI: `count` values (2 or more) of a positive setting by its name, ends included; room is the caller's. False when
 * the text is no such range. */
bool grid_range(const invocation *run, const char *setting, const char *text, size_t count, double *values);

/* A,B,C: sets *values (to be freed) and returns how many there are; 0 when a text is none of the setting's values, or
 * memory is out. */
size_t grid_list(const invocation *run, const char *setting, const char *text, double **values);

#endif
