/* What the commands share: the context, reading data, and the options for both. */
#ifndef CLI_RUNTIME_H
#define CLI_RUNTIME_H

#include "command.h"

extern const option_set reading_set;            /* --format --storage --label-column --label-name --weight-column ... */
extern const option_set unweighted_reading_set; /* the same without weights */
extern const option_set working_set;            /* --threads --progress --quiet --verbose --help */
extern const option_set help_set;               /* --help */

#define OPTION_JSON                                                                                                    \
    {                                                                                                                  \
        "json", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, "Print one JSON object instead of human-readable text." \
    }
#define OPTION_MODEL_FORMAT(of)                                                                                        \
    {                                                                                                                  \
        "model-format", 0, PARTAN_OPTION_CHOICE, "NAME", "native|libsvm", "native", 0, 0,                              \
            "Format of " of ": native (complete and exact), or libsvm (for svm-predict)."                              \
    }
#define OPTION_FORCE                                                                                                   \
    {                                                                                                                  \
        "force", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,                                                        \
            "Overwrite an existing file even if it is not a model."                                                    \
    }
#define OPTION_END                                                                                                     \
    {                                                                                                                  \
        NULL, 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, NULL                                                      \
    }

bool runtime_begin(invocation *run, int *code); /* the context with its callbacks, and the signals */
void runtime_end(invocation *run);

/* Where several processes work together, what one cannot do none does: the greatest of their exit codes. */
int agree_on(invocation *run, int code);

/* What a command asks of the reader, beyond the reading options. */
typedef struct reading {
    bool unlabelled;           /* rows may lack labels */
    bool precomputed;          /* rows of a kernel matrix */
    bool weighted;             /* the data that --weights is for, if that was given */
    const partan_model *model; /* that the data is for: it is read as the training data was; or NULL */
    const partan_lasso *lasso; /* the same */
} reading;

/* The reading options as given on the command line. */
partan_read_options reading_options(const invocation *run, reading how);

/* Returns an exit code, a failure also after an interruption; *seconds is what it took and may be NULL. The caller
 * frees the data in every case. */
int read_data(invocation *run, const char *path, reading how, partan_data **data, double *seconds);
partan_model_format model_format(const invocation *run);                 /* as OPTION_MODEL_FORMAT says */
int read_start(invocation *run, const char *path, partan_model **model); /* a model to go on from */

#endif
