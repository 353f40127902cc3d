/* Several gammas: a list or a range of numbers and of multiples of the rules auto and scale. */
#ifndef CLI_GAMMA_GRID_H
#define CLI_GAMMA_GRID_H

#include "command.h"

typedef struct gamma_item {
    double factor; /* of the rule's value; with PARTAN_GAMMA_VALUE, the value itself */
    partan_gamma rule;
} gamma_item;

typedef struct gamma_grid {
    gamma_item *items; /* of a range, its ends */
    size_t count;
    bool range;
} gamma_grid;

/* "0.1,1", "auto", "0.1auto,auto,10auto", "0.001..1", "0.1auto..10auto". False when the text is none of these. */
bool gamma_grid_parse(const invocation *run, const char *text, gamma_grid *grid);
void gamma_grid_free(gamma_grid *grid);

/* The gammas on this data, `points` of them in a range, log-spaced. Returns an exit code; *values is to be freed. */
int gamma_grid_resolve(invocation *run, const gamma_grid *grid, size_t points, const partan_settings *settings,
                       const partan_data *data, double **values, size_t *count);

#endif
