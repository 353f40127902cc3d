/* The folds of partan cv: run here or, where several processes run the command together, by those that are free. */
#ifndef CLI_CV_FOLDS_H
#define CLI_CV_FOLDS_H

#include "farm.h"

enum { CV_NAME_SIZE = 256 };

typedef struct fold {
    partan_result result;
    partan_evaluation evaluation;
} fold;

/* One cross-validation: what it was asked, what it owns, how far it got. Of several processes, the first one knows the
 * folds. */
typedef struct validation {
    invocation *run;
    partan_settings settings;
    size_t folds;
    const char *data_path, *output;
    partan_data *data;
    char names[2][CV_NAME_SIZE]; /* of the classes, the positive one second */
    size_t classes;
    char **lines; /* of OUTPUT, for each row; NULL: there is none */
    bool lacking; /* memory for one */
    fold *list;
    bool *ready;            /* which of them are there; afterwards, the first `done` are */
    partan_status *endings; /* of folds that were farmed out */
    size_t done;
    size_t next;                  /* fold to be shown */
    bool headed;                  /* the table has its head */
    farm work;                    /* whose pieces are the folds */
    partan_evaluation evaluation; /* over all folds */
    partan_status status;
    double read_seconds, seconds, start;
} validation;

/* Runs the folds and prints a row for each; what the struct owns is allocated. Returns an exit code. */
int cv_run_folds(validation *at);

#endif
