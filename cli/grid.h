/* Values of a setting to try, from a text: log-spaced, or a list. */
#ifndef CLI_GRID_H
#define CLI_GRID_H

#include "command.h"

/* One value of a setting by its name, by its rules; words (auto, scale) are none. */
bool grid_value(const invocation *run, const char *setting, const char *text, size_t length, double *value);

/* `count` values (2 or more) from low to high, log-spaced, ends included. */
void grid_space(double low, double high, size_t count, double *values);

/* LO..HI: `count` values (2 or more) of a positive setting by its name, ends included; room is the caller's. False when
 * the text is no such range. */
bool grid_range(const invocation *run, const char *setting, const char *text, size_t count, double *values);

/* A,B,C: sets *values (to be freed) and returns how many there are; 0 when a text is none of the setting's values, or
 * memory is out. */
size_t grid_list(const invocation *run, const char *setting, const char *text, double **values);

#endif
