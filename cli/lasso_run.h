/* One run of partan lasso: what it was asked, what it owns, what came of it; and how that is shown. */
#ifndef CLI_LASSO_RUN_H
#define CLI_LASSO_RUN_H

#include "outfile.h"
#include "trace.h"

/* A point of a path: its claims, and for the plot its coefficients. */
typedef struct lasso_point {
    partan_lasso_result result;
    size_t *features;
    double *values;
} lasso_point;

typedef struct lasso_run {
    partan_lasso_settings lasso;
    partan_settings settings;
    const char *data_path;
    const char *model_path; /* NULL: none is written */
    char *own_path;
    bool path, cv;
    trace_file trace;
    partan_data *data;
    double read_seconds;
    partan_status status;
    int code; /* of what failed inside a callback */

    partan_lasso *model; /* NULL: a path alone */

    lasso_point *points;
    partan_lasso_cv_point *errors;
    size_t count, done; /* points that there will be, and that there are */
    partan_lasso_cv_result chosen;
    size_t choice; /* of cross-validation: the point that the model is of */
    double cv_seconds;
} lasso_run;

/* ---- lasso_report.c ---- */

void lasso_report_head(const lasso_run *at);
void lasso_report_point(const lasso_run *at, size_t index);
void lasso_report_path_end(const lasso_run *at);
void lasso_report_cv(const lasso_run *at, FILE *file);
void lasso_report_text(const invocation *run, const lasso_run *at, FILE *file);
void lasso_report_json(const invocation *run, const lasso_run *at);
void lasso_report_shortfall(invocation *run, const lasso_run *at);

/* The coefficients as CSV: feature (from 1), name, coefficient. */
int lasso_write_coefficients(invocation *run, const lasso_run *at, const char *path);

/* ---- lasso_plot.c ---- */

/* Coefficients against lambda, or with cross-validation the error, as a picture that needs no other file. */
void lasso_plot(const lasso_run *at, FILE *file);

#endif
