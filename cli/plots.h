/* The pictures of partan plot, each to an open file. All return an exit code. */
#ifndef CLI_PLOTS_H
#define CLI_PLOTS_H

#include "command.h"

typedef struct plot_request {
    const char *const *inputs;
    size_t count;
    FILE *file;
} plot_request;

int plot_traces(invocation *run, const plot_request *request);      /* one line for each */
int plot_path(invocation *run, const plot_request *request);        /* of partan path --table */
int plot_tuning(invocation *run, const plot_request *request);      /* of partan tune --table */
int plot_reliability(invocation *run, const plot_request *request); /* of partan predict --reliability */
int plot_regions(invocation *run, const plot_request *request);     /* a model and its data */

#endif
