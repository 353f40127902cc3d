/* What tune says: a table row by row, the best point with the command that uses it, one JSON object. */
#ifndef CLI_TUNE_REPORT_H
#define CLI_TUNE_REPORT_H

#include "farm.h"
#include "gamma_grid.h"

/* One tuning: what it was asked, what it owns, how far it got. Of several processes, the first one knows the points. */
typedef struct tuning {
    invocation *run;
    partan_settings settings;
    partan_tune_options options;
    const char *data_path, *table_path;
    partan_data *data;
    gamma_grid grid;
    size_t gamma_points;
    double *costs, *gammas, *epsilons;
    size_t gamma_count;        /* 1 where the kernel has none: gammas[0] is then what it is */
    size_t epsilon_count;      /* 1 where the problem has none */
    size_t lines;              /* pairs of gamma and epsilon: line i has gamma i % gamma_count */
    partan_tune_point *points; /* of the grid, line by line */
    bool *ready;               /* whether each point is there */
    bool *shown;               /* and whether its row has been printed */
    partan_status *endings;    /* of each line that was tuned */
    partan_tune_point best;
    size_t count, done; /* points of the grid, and those that are ready */
    size_t resumed;     /* of these, taken over from the table */
    size_t next;        /* point to be shown */
    bool headed;        /* the table has its head */
    bool unwritten;     /* a line has ended that is not in the table yet */
    farm work;          /* whose pieces are the lines */
    partan_status status;
    double read_seconds, seconds, start;
    int code; /* of what failed inside a point */
} tuning;

/* The best of the points that are ready; NULL: there is none. */
const partan_tune_point *tune_best(const tuning *at);

const char *tune_score_title(const tuning *at); /* for pictures and sentences */
void tune_report_head(const tuning *at);
void tune_report_row(const tuning *at, const partan_tune_point *point);
void tune_report_end(const invocation *run, const tuning *at);
void tune_report_json(const invocation *run, const tuning *at);
/* Warnings: it ended early, points missed their target, or the best lies at an edge of the grid. */
void tune_report_shortfall(invocation *run, const tuning *at);

#endif
