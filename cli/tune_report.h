/* What tune says: a table row by row, the best point with the command that uses it, one JSON object. */
#ifndef CLI_TUNE_REPORT_H
#define CLI_TUNE_REPORT_H

#include "command.h"

/* One tuning: what it was asked, what it owns, how far it got. */
typedef struct tuning {
    partan_settings settings;
    partan_tune_options options;
    const char *data_path;
    partan_data *data;
    double *costs, *gammas;
    partan_tune_point *points, best;
    size_t count, done;
    partan_status status;
    double read_seconds, seconds;
} tuning;

void tune_report_head(void);
void tune_report_row(const partan_tune_point *point);
void tune_report_end(const invocation *run, const tuning *at);
void tune_report_json(const invocation *run, const tuning *at);
/* Warnings: it ended early, points missed their target, or the best lies at the edge of the costs. */
void tune_report_shortfall(invocation *run, const tuning *at);

#endif
