/* The points of a tuning as a picture: a heat map over cost and gamma or, with one of either, a line. */
#ifndef CLI_TUNE_PLOT_H
#define CLI_TUNE_PLOT_H

#include "command.h"

/* `score` is the title of what is drawn. False when memory is out. */
bool tune_plot(const partan_tune_point *points, size_t count, const char *score, FILE *file);

#endif
