/* What train says at its end. */
#ifndef CLI_TRAIN_REPORT_H
#define CLI_TRAIN_REPORT_H

#include "trace.h"
#include "weights.h"

/* One training: what it was asked, what it owns, how it went. */
typedef struct training {
    partan_settings settings;
    partan_train_options options;
    const char *data_path;
    const char *model_path;
    const char *start_path; /* of --init; NULL: none */
    char *own_path;         /* the default model path */
    trace_file trace;
    partan_data *data;
    partan_model *start;
    partan_model *model;
    partan_status status;
    double read_seconds;
    uint64_t rows, nonzeros; /* of the data, */
    row_weights weights;     /* and its weights */
} training;

void train_report_json(const invocation *run, const training *at);
void train_report_text(const invocation *run, const training *at, FILE *file);
/* A warning when the target was not reached: why, how far it got, what to do. */
void train_report_shortfall(invocation *run, const training *at);

#endif
