/* partan train */
#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "runtime.h"
#include "settings.h"
#include "trace.h"
#include "train_report.h"
#include "weights.h"

/* The library's settings, with one addition: --init takes a model file as well. */
static const partan_option *setting_option(size_t index)
{
    static partan_option init;
    static const settings_change changes[] = {{"init", &init}, {NULL, NULL}};
    init = *settings_find("init");
    init.type = PARTAN_OPTION_TEXT;
    init.help = "Starting point: the vertex of the first row, of a random row (--seed), or a model file to continue "
                "from.";
    return settings_option(changes, index);
}

static bool is_start_file(const invocation *run, const char *init)
{
    partan_option_value value;
    return partan_option_parse(run->context, settings_find("init"), init, &value) != PARTAN_OK;
}

static int apply_settings(invocation *run, training *at)
{
    static const char *const own[] = {"init", NULL};
    const char *init = option_text(run, "init");
    if (init && is_start_file(run, init))
        at->start_path = init;
    int code = settings_apply(run, at->start_path ? own : NULL, &at->settings);
    if (run->together && !option_given(run, "solver") && at->settings.sample == 0)
        at->settings.solver = run->together->solver;
    return code;
}

/* A file to resume from may be the one that checkpoints go on to be written to. */
static int choose_checkpoints(invocation *run, training *at)
{
    partan_train_options *options = &at->options;
    partan_option_value every;
    partan_train_options_init(options);
    options->resume = option_text(run, "resume");
    options->checkpoint = option_text(run, "checkpoint");
    if (option_value(run, "checkpoint-every", &every))
        options->checkpoint_every = every.real;
    if (options->resume && at->start_path)
        return usage_error(run, "--resume and --init with a model cannot be combined");
    if (is_standard_output(options->checkpoint))
        return usage_error(run, "--checkpoint takes a file, not '-'");
    if (!options->checkpoint && option_given(run, "checkpoint-every"))
        return usage_error(run, "--checkpoint-every needs --checkpoint");
    int code = options->resume ? guard_file(run, options->resume, FILE_START) : EXIT_DONE;
    return code == EXIT_DONE ? outfile_check_checkpoint(run, options->checkpoint) : code;
}

static int choose_paths(invocation *run, training *at)
{
    at->data_path = run->arguments[0];
    int code = outfile_choose_model(run, at->data_path, &at->model_path, &at->own_path);
    if (code != EXIT_DONE)
        return code;
    if (run->json && is_standard_output(at->model_path))
        return usage_error(run, "--json and '-' as MODEL both write to standard output");
    return outfile_check_model(run, at->model_path);
}

static int prepare(invocation *run, training *at)
{
    int code = apply_settings(run, at);
    if (code == EXIT_DONE)
        code = choose_paths(run, at);
    if (code == EXIT_DONE)
        code = choose_checkpoints(run, at);
    if (code == EXIT_DONE && option_given(run, "trace") && !is_silent(run))
        code = trace_open(run, option_text(run, "trace"), &at->trace);
    if (code == EXIT_DONE && at->start_path)
        code = read_start(run, at->start_path, &at->start);
    return code;
}

static partan_status train_data(invocation *run, training *at)
{
    at->options.start = at->start;
    return (run->together ? run->together->train(run, at->data, &at->settings, &at->options, &at->model)
                          : partan_train_with(run->context, at->data, &at->settings, &at->options, &at->model));
}

/* The size of the data, of all processes together. */
static void measure(const invocation *run, training *at)
{
    uint64_t counts[2] = {partan_data_rows(at->data), partan_data_nonzeros(at->data)};
    if (run->together)
        run->together->sum(counts, 2);
    at->rows = counts[0];
    at->nonzeros = counts[1];
}

static int write_results(invocation *run, training *at)
{
    if (is_silent(run))
        return EXIT_DONE;
    int traced = trace_commit(run);
    partan_model_format format = model_format(run);
    partan_status written = partan_model_write(run->context, at->model, at->model_path, format);
    progress_clear(run);
    if (written != PARTAN_OK)
        return failure(run, "%s", partan_error(run->context));
    return traced;
}

static int work(invocation *run, training *at)
{
    reading how = {.precomputed = at->settings.kernel == PARTAN_KERNEL_PRECOMPUTED,
                   .unlabelled = at->settings.problem == PARTAN_OUTLIER,
                   .weighted = true};
    int code = agree_on(run, read_data(run, at->data_path, how, &at->data, &at->read_seconds));
    if (code != EXIT_DONE)
        return code;
    measure(run, at);
    at->status = train_data(run, at);
    if (at->status < 0)
        return library_failure(run, at->status);
    return agree_on(run, write_results(run, at));
}

static int train(invocation *run)
{
    training at = {0};
    int code = agree_on(run, prepare(run, &at));
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE && !is_silent(run)) {
        if (run->json)
            train_report_json(run, &at);
        else if (!run->quiet)
            train_report_text(run, &at, strcmp(at.model_path, "-") == 0 ? stderr : stdout);
        train_report_shortfall(run, &at);
    }
    trace_abandon(run);
    partan_model_free(at.model);
    partan_model_free(at.start);
    partan_data_free(at.data);
    free(at.own_path);
    return code;
}

/* clang-format off */
static const partan_option list[] = {
    OPTION_MODEL_FORMAT("the model"),
    {"trace", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Write a trace of the iterations as CSV (.csv) or JSON lines (.jsonl, .json)."},
    OPTION_FORCE,
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
/* clang-format off */
static const partan_option checkpoint_list[] = {
    {"checkpoint", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Write the state of the training to FILE now and then, so that a run that is killed can be resumed."},
    {"checkpoint-every", 0, PARTAN_OPTION_REAL, "SECONDS", NULL, "60", 0, 1e9,
     "Time between two checkpoints."},
    {"resume", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Go on from a checkpoint of the same training: the same data and settings, but for tolerances, limits and --cache."},
    OPTION_END,
};
/* clang-format on */
static const option_set checkpoint_set = {.title = "Checkpoints", .list = checkpoint_list};
static const option_set settings_set = {.title = "Training", .at = setting_option, .checked_later = true};
static const option_set output_set = {.title = "Output", .list = list};
static const option_set *const sets[] = {
    &settings_set, &training_weights_set, &checkpoint_set, &reading_set, &output_set, &working_set, NULL};

const command train_command = {
    .name = "train",
    .arguments = "DATA [MODEL]",
    .summary = "Train a model, with a certificate of its quality.",
    .details =
        "Trains a support vector machine with squared hinge loss (L2-SVM) on DATA, for two classes or more: a LIBSVM, "
        "CSV or TSV file, "
        "plain or compressed (gzip, bzip2, xz, zstd), or NumPy arrays (.npy, .npz); '-' is standard input. The model "
        "is written to MODEL ('-' is standard output). By default, it is written to the current directory, named after "
        "DATA with .model added and without .gz, .bz2, .xz or .zst.\n\n"
        "The model includes its duality gap over all rows: a relative gap of 0.05 proves that the margin is within 5 % "
        "of the best possible one. partan verify recomputes it.\n\n"
        "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop training early; the current model is written with its true gap, and "
        "the exit status is 0. A second signal quits immediately. --max-iter and --time-limit work the same way: a "
        "warning says that the target was not reached. With --probability, the folds are trained after the model: if "
        "they "
        "are stopped, the model is written without probabilities.",
    .examples =
        "$ partan train --cost 10 --gamma 0.05 w8a.xz\n$ partan train --solver fw --eps 1e-4 --trace fw.csv a9a\n"
        "$ partan train --sample 194 --time-limit 60 --json big.svm big.model\n"
        "$ partan train --init big.model --tol 0.01 big.svm better.model\n"
        "$ partan train --checkpoint big.save big.svm big.model\n"
        "$ partan train --resume big.save --checkpoint big.save big.svm big.model\n"
        "$ partan train --class-weight balanced --weight-name importance data.csv\n"
        "$ partan train --probability --scale standard data.csv",
    .sets = sets,
    .least = 1,
    .most = 2,
    .run = train,
};
