/* What path says: a table row by row, one JSON object, a plot. */
#ifndef CLI_PATH_REPORT_H
#define CLI_PATH_REPORT_H

#include "outfile.h"

typedef struct path_point {
    double cost;
    partan_result result;
    partan_evaluation test; /* nothing labelled: no test */
    char *model;            /* the file it was written to; NULL: none */
} path_point;

/* One path: what it was asked, what it owns, how far it got. */
typedef struct path_run {
    partan_settings settings; /* gamma resolved, once there is a point */
    const char *data_path, *test_path;
    partan_data *data, *test;
    double *decision; /* for the rows of test */
    double *costs;
    path_point *points;
    size_t count, done;
    partan_status status;
    double read_seconds, test_seconds;
    int code; /* of what failed inside a point */
} path_run;

double path_score(const path_point *point); /* accuracy or R^2 of the test; NaN: none */
bool path_is_regression(const path_run *at);
void path_report_head(const path_run *at);
void path_report_row(const path_run *at, const path_point *point);
void path_report_end(const path_run *at);
void path_report_json(const invocation *run, const path_run *at);
/* Warnings: the path ended early, or points missed their target. */
void path_report_shortfall(invocation *run, const path_run *at);

/* The done point of greatest test accuracy or R^2, the least cost among equals; NULL without a test. */
const path_point *path_best(const path_run *at);

void path_table(const path_run *at, FILE *file); /* as CSV */

/* Support vectors and, where there is a test, its accuracy against the cost, as a picture that needs no other file. */
void path_plot(const path_run *at, FILE *file);

#endif
