#include "runtime.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "hints.h"
#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "thread_limits.h"
#include "trace.h"
#include "weights.h"

/* clang-format off */
static const partan_option working_list[] = {
    {"threads", 0, PARTAN_OPTION_INTEGER, "N", "auto", "auto", 0, 4096,
     "Number of threads; auto and 0 mean all cores available to the process or its container, limited by "
     "OMP_NUM_THREADS and OMP_THREAD_LIMIT."},
    {"progress", 0, PARTAN_OPTION_FLAG, NULL, "no", NULL, 0, 0,
     "Show progress on standard error, or not; by default only on a terminal."},
    {"quiet", 'q', PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,
     "Print only warnings, errors, and output requested with --json or '-'."},
    {"verbose", 'v', PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0,
     "Print details on standard error; twice for more."},
    {"help", 'h', PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, "Print this help."},
    OPTION_END,
};

static const partan_option help_list[] = {
    {"help", 'h', PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, "Print this help."},
    OPTION_END,
};
/* clang-format on */

/* The options of reading for what does not use weights. */
static const partan_option *unweighted_option(size_t index)
{
    const partan_option *option;
    for (size_t i = 0; (option = partan_read_option(i)); i++)
        if (strncmp(option->name, "weight-", 7) != 0 && index-- == 0)
            return option;
    return NULL;
}

const option_set reading_set = {.title = "Reading", .at = partan_read_option};
const option_set unweighted_reading_set = {.title = "Reading", .at = unweighted_option};
const option_set working_set = {.title = "Running", .list = working_list};
const option_set help_set = {.title = "Help", .list = help_list};

static void log_callback(void *user, partan_log_level level, const char *message)
{
    invocation *run = user;
    if (level == PARTAN_LOG_WARNING)
        warning(run, "%s", message);
    else if ((int)level <= run->verbose)
        note(run, "%s", message);
}

static void note_threads(invocation *run)
{
    char text[LIMITS_SIZE];
    partan_limits found;
    partan_limits_init(&found);
    partan_limits_find(&found);
    note(run, "threads %d (processors: %s)", partan_threads(run->context), describe_limits(text, &found));
}

bool runtime_begin(invocation *run, int *code)
{
    partan_context_options options;
    partan_context_options_init(&options);
    run->json = option_flag(run, "json", false);
    run->quiet = option_flag(run, "quiet", false);
    run->verbose = (int)option_times(run, "verbose");
    progress_setup(run);
    const char *threads = option_text(run, "threads");
    options.threads = threads ? atoi(threads) : 0; /* checked; "auto" reads as 0 */
    if (options.threads == 0 && run->together)
        options.threads = run->together->threads;
    options.log = log_callback;
    options.progress = progress_callback;
    options.trace = option_given(run, "trace") && !is_silent(run) ? trace_callback : NULL;
    options.user = run;
    run->context = partan_create(&options);
    if (run->context) {
        interrupt_install(run->context);
        if (run->verbose)
            note_threads(run);
        return true;
    }
    const char *isa = getenv("PARTAN_ISA");
    if (isa && *isa)
        *code =
            usage_error(run, "the environment variable PARTAN_ISA is '%s', which this machine does not support", isa);
    else
        *code = failure(run, "out of memory");
    return false;
}

void runtime_end(invocation *run)
{
    progress_clear(run);
    interrupt_remove();
    guard_end(run);
    partan_destroy(run->context);
    run->context = NULL;
}

static void label_column(const invocation *run, partan_read_options *options)
{
    partan_option_value value;
    if (!option_value(run, "label-column", &value))
        return;
    if (value.choice < 0)
        options->label_column = value.integer;
    else
        options->label_column = value.choice == 0 ? -1 : 0;
}

static void weight_column(const invocation *run, partan_read_options *options)
{
    partan_option_value value;
    if (option_value(run, "weight-column", &value))
        options->weight_column = value.choice < 0 ? value.integer : -1;
    options->weight_name = option_text(run, "weight-name");
}

static void note_data(invocation *run, const char *path, const partan_data *data, double seconds)
{
    char rows[HUMAN_SIZE], features[HUMAN_SIZE], nonzeros[HUMAN_SIZE], time[HUMAN_SIZE];
    note(run, "%s: %s rows, %s features, %s nonzeros, held %s, read in %s", path,
         human_count(rows, partan_data_rows(data)), human_count(features, partan_data_features(data)),
         human_count(nonzeros, partan_data_nonzeros(data)), partan_storage_name(partan_data_storage(data)),
         human_seconds(time, seconds));
}

/* The label is where that of the model's data was, unless its place was given. */
static partan_status read_as(invocation *run, const char *path, reading how, const partan_read_options *options,
                             partan_data **data)
{
    bool placed = option_given(run, "label-column") || option_given(run, "label-name");
    if (run->together)
        return run->together->read(run, path, options, placed ? NULL : how.model, data);
    if (how.model && !placed)
        return partan_data_read_for(run->context, how.model, path, options, data);
    if (how.lasso && !placed)
        return partan_lasso_data_read(run->context, how.lasso, path, options, data);
    return partan_data_read(run->context, path, options, data);
}

partan_read_options reading_options(const invocation *run, reading how)
{
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = (partan_format)option_choice(run, "format", PARTAN_FORMAT_AUTO);
    options.storage = (partan_storage)option_choice(run, "storage", PARTAN_STORAGE_AUTO);
    label_column(run, &options);
    options.label_name = option_text(run, "label-name");
    weight_column(run, &options);
    if (option_given(run, "header"))
        options.header = option_flag(run, "header", false);
    partan_option_value features;
    if (option_value(run, "features", &features))
        options.min_features = (uint64_t)features.integer;
    options.unlabelled = how.unlabelled;
    options.precomputed = how.precomputed;
    return options;
}

static int refused_data(invocation *run, partan_status status, const char *path, const partan_read_options *options)
{
    int code = library_failure(run, status);
    if (status == PARTAN_ERROR_FORMAT)
        hint_refused_data(run, path, options);
    return code;
}

int read_data(invocation *run, const char *path, reading how, partan_data **data, double *seconds)
{
    partan_read_options options = reading_options(run, how);
    int code = guard_file(run, path, FILE_INPUT);
    if (code == EXIT_DONE && how.weighted)
        code = row_weights_check(run);
    if (code != EXIT_DONE)
        return code;
    double start = seconds_now();
    partan_status status = read_as(run, path, how, &options, data);
    double taken = seconds_now() - start;
    progress_clear(run); /* a table may begin next */
    if (seconds)
        *seconds = taken;
    if (status != PARTAN_OK)
        return refused_data(run, status, path, &options);
    if (how.weighted)
        code = row_weights_apply(run, *data);
    if (code != EXIT_DONE)
        return code;
    if (run->verbose)
        note_data(run, path, *data, taken);
    return interrupt_seen() ? failure(run, "interrupted") : EXIT_DONE; /* the work to come would end before it begins */
}

partan_model_format model_format(const invocation *run)
{
    return (partan_model_format)option_choice(run, "model-format", PARTAN_MODEL_NATIVE);
}

int read_start(invocation *run, const char *path, partan_model **model)
{
    int code = guard_file(run, path, FILE_START);
    if (code != EXIT_DONE)
        return code;
    partan_status status = partan_model_read(run->context, path, model);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

int agree_on(invocation *run, int code)
{
    return run->together ? run->together->agree(run, code) : code;
}
