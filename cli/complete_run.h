/* One run of partan complete: what it was asked, what it owns, what came of it; and how that is shown, here and by the
 * commands that take completed matrices. */
#ifndef CLI_COMPLETE_RUN_H
#define CLI_COMPLETE_RUN_H

#include "json.h"
#include "outfile.h"
#include "trace.h"

typedef struct complete_run {
    partan_matrix_settings matrix_settings;
    partan_settings settings;
    const char *data_path;
    const char *model_path; /* NULL: none is written */
    char *own_path;
    bool choose; /* the radius, by entries held out */
    bool path;   /* and that is all */
    trace_file trace;
    partan_ratings *ratings;
    double read_seconds, choose_seconds;
    partan_status status;

    partan_matrix_point *points;
    size_t done;
    partan_matrix_point best;

    partan_matrix *start, *matrix;
} complete_run;

/* ---- complete_report.c ---- */

void complete_report_head(void);
void complete_report_point(const partan_matrix_point *point);
void complete_report_choice(const complete_run *at, FILE *file);
void complete_report_text(const invocation *run, const complete_run *at, FILE *file);
void complete_report_json(const invocation *run, const complete_run *at);
void complete_report_shortfall(invocation *run, const complete_run *at);

void complete_report_claims(const partan_matrix *matrix, FILE *file); /* problem, rank, errors, objective, gap */
void complete_json_settings(json *out, const partan_matrix_settings *matrix, const partan_settings *settings);
void complete_json_result(json *out, const partan_matrix_result *result);

/* ---- kind_matrix.c, predict_matrix.c ---- */

int take_matrix(invocation *run, partan_model_file *file, partan_matrix **matrix); /* and frees the file */
int predict_matrix(invocation *run, partan_model_file *file);

/* ---- complete_plot.c ---- */

/* Errors and rank against the radius, as a picture that needs no other file. */
void complete_plot(const complete_run *at, FILE *file);

#endif
