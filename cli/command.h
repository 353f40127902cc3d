/* What a subcommand is, and one run of one.
 *
 * A subcommand is one file that defines a `command`, and one line in the table of commands.c. Parsing, help, the manual
 * page and the completions are all made from these tables. */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "partan/partan.h"

enum { EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2 };

/* Options under one heading. A flag whose choices are "no" can be negated: --progress, --no-progress. */
typedef struct option_set {
    const char *title;
    const partan_option *list;                /* ends with an entry without name; or, when NULL, */
    const partan_option *(*at)(size_t index); /* entry `index`, NULL past the last */
    bool checked_later;                       /* by the command itself, which knows more words than the entries do */
} option_set;

struct invocation;

typedef struct command {
    const char *name;
    const char *arguments; /* as in the usage line: "DATA [MODEL]" */
    const char *summary;   /* one line */
    const char *details;   /* paragraphs between empty lines */
    const char *examples;  /* lines; those that begin with a dollar sign are commands */
    const option_set *const *sets;
    size_t least, most; /* positional arguments */
    bool bare;          /* runs without a context */
    int (*run)(struct invocation *run);
} command;

extern const command *const commands[]; /* ends with NULL */
const command *find_command(const char *name);

/* All options of a command in order of their sets; NULL past the last. `set` may be NULL. */
const partan_option *command_option(const command *of, size_t index, const option_set **set);

bool is_negatable(const partan_option *option);

/* ---- One run ---- */

typedef struct given {
    const partan_option *option;
    const char *text; /* NULL for a flag */
    bool negated;     /* --no-flag */
    char *own;        /* what text is, where it was made of several words; else NULL */
} given;

/* What was given as --class-weight; see weights.h. */
typedef struct class_weights {
    partan_class_weight *list; /* whose labels are owned */
    size_t count;
    bool balanced;
} class_weights;

typedef struct progress_line {
    bool enabled;
    bool terminal; /* one line that is drawn over; else plain lines now and then */
    bool colour;
    bool shown;     /* a line stands on the terminal now */
    double printed; /* when the last plain line was; on the clock of seconds_now */
    size_t piece,
        pieces;   /* of work in pieces (farm.h), from 0: what is done is that of all; 0 pieces: there are none */
    size_t first; /* that was not skipped, */
    double begun; /* and when it was begun */
} progress_line;

/* Several processes that run a command together (mpi/main.c). */
struct invocation;
struct farm;
typedef struct together {
    bool silent;                                    /* all but the first, which alone speaks and writes */
    char unsaid[512];                               /* the last message of one that is silent */
    int (*agree)(struct invocation *run, int code); /* the greatest exit code of all */
    partan_status (*read)(struct invocation *run, const char *path, const partan_read_options *options,
                          const partan_model *model, partan_data **data); /* for the model, unless it is NULL */
    partan_status (*train)(struct invocation *run, const partan_data *data, const partan_settings *settings,
                           const partan_train_options *options, partan_model **model);
    void (*sum)(uint64_t *values, size_t count); /* over all of them */
    void (*send)(int to, const void *bytes, size_t size);
    void (*receive)(int from, void *bytes, size_t size);
    int processes, process; /* how many there are, and which one this is, from 0 */
    int threads;            /* of each, where --threads does not say */
    partan_solver solver;   /* in the place of auto, which is for one process */
    uint64_t calls, bytes;  /* what training has sent, by this process */

    /* Work that is farmed out (farm.h). The calls after the first are for processes that are at it. */
    int (*farm)(struct invocation *run, struct farm *work);
    void (*hand_in)(struct invocation *run, const void *bytes, size_t size);
    void (*poll)(struct invocation *run);                   /* now and then: others may wait for an answer */
    void (*warn)(struct invocation *run, const char *text); /* for a silent process */
    void *queue;                                            /* what of it is under way, or NULL */
    /* One fold of partan_cross_predict, and the evaluation over `count` folds in their order. */
    partan_status (*fold)(struct invocation *run, const partan_data *data, const partan_settings *settings,
                          size_t folds, uint64_t seed, size_t number, partan_fold_callback fold,
                          partan_held_callback held, void *user);
    void (*join)(const partan_evaluation *folds, size_t count, partan_evaluation *sum);
} together;

typedef struct invocation {
    const command *command;
    given *given;
    size_t given_count;
    const char **arguments;
    size_t argument_count;
    partan_context *context;
    progress_line line;
    struct trace_file *trace; /* of train */
    struct guarded *guarded;  /* the files of the run, see guard.h */
    size_t guarded_count;
    class_weights class_weights;
    together *together; /* NULL: one process */
    char warned[512];   /* the last warning */
    double start;
    bool json;
    bool quiet;
    int verbose;
} invocation;

static inline bool is_silent(const invocation *run)
{
    return run->together && run->together->silent;
}

#endif
