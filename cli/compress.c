/* partan compress */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hints.h"
#include "human.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "progress.h"
#include "report.h"
#include "runtime.h"
#include "weights.h"

typedef struct compressing {
    const char *model_path, *data_path, *output_path;
    char *own_path; /* the default output path */
    partan_compress_options options;
    partan_model *model, *compressed;
    partan_data *data;
    partan_compress_result result;
    partan_status status;
    double seconds;
} compressing;

/* dir/a9a.model -> a9a.compressed.model, in the current directory. */
static char *name_after(const char *model)
{
    const char *slash = strrchr(model, '/'), *name = slash ? slash + 1 : model, ending[] = ".model";
    size_t length = strlen(name), most = length + sizeof ".compressed.model";
    if (length > strlen(ending) && strcmp(name + length - strlen(ending), ending) == 0)
        length -= strlen(ending);
    char *path = malloc(most);
    if (path)
        snprintf(path, most, "%.*s.compressed.model", (int)length, name);
    return path;
}

static int prepare(invocation *run, compressing *at)
{
    partan_option_value value;
    bool swapped = looks_swapped(run, run->arguments[0], run->arguments[1]);
    at->model_path = run->arguments[swapped];
    at->data_path = run->arguments[!swapped];
    partan_compress_options_init(&at->options);
    if (option_value(run, "max-sv", &value))
        at->options.max_sv = value.integer;
    if (option_value(run, "max-loss", &value))
        at->options.max_loss = value.real;
    if (option_given(run, "max-sv") && option_given(run, "max-loss"))
        return usage_error(run, "--max-sv and --max-loss are two ways to say how many support vectors there may be: "
                                "give one of them");
    at->own_path = run->argument_count > 2 ? NULL : name_after(at->model_path);
    at->output_path = at->own_path ? at->own_path : run->arguments[2];
    if (!at->output_path)
        return failure(run, "out of memory");
    if (run->json && is_standard_output(at->output_path))
        return usage_error(run, "--json and '-' as OUTPUT both write to standard output");
    return outfile_check_model(run, at->output_path);
}

static int work(invocation *run, compressing *at)
{
    int code = read_start(run, at->model_path, &at->model);
    if (code == EXIT_DONE)
        code = read_data(run, at->data_path, (reading){.model = at->model, .weighted = true}, &at->data, NULL);
    if (code != EXIT_DONE)
        return code;
    double start = seconds_now();
    partan_compress_result_init(&at->result);
    at->status = partan_compress(run->context, at->model, at->data, &at->options, &at->compressed, &at->result);
    at->seconds = seconds_now() - start;
    progress_clear(run);
    if (at->status < 0 || !at->compressed)
        return library_failure(run, at->status);
    partan_status written = partan_model_write(run->context, at->compressed, at->output_path, PARTAN_MODEL_NATIVE);
    return written == PARTAN_OK ? EXIT_DONE : failure(run, "%s", partan_error(run->context));
}

static void print_json(const invocation *run, const compressing *at)
{
    const partan_compress_result *r = &at->result;
    partan_problem problem = partan_model_settings(at->model)->problem;
    json out;
    json_begin(&out, stdout);
    json_text(&out, "model", at->model_path);
    json_text(&out, "data", at->data_path);
    json_text(&out, "output", at->output_path);
    json_unsigned(&out, "rows", r->rows);
    json_text(&out, "status", partan_status_name(partan_model_result(at->compressed)->status));
    json_unsigned(&out, "support_vectors_before", r->vectors_before);
    json_unsigned(&out, "support_vectors", r->vectors_after);
    if (problem == PARTAN_OUTLIER) {
        json_real(&out, "agreement", r->accuracy_after);
    } else {
        json_real(&out, problem == PARTAN_REGRESSION ? "r2_before" : "accuracy_before", r->accuracy_before);
        json_real(&out, problem == PARTAN_REGRESSION ? "r2" : "accuracy", r->accuracy_after);
    }
    json_real(&out, "relative_gap_before", r->relative_gap_before);
    json_real(&out, "relative_gap", r->relative_gap_after);
    json_unsigned(&out, "labels_changed", r->changed);
    json_real(&out, "mean_difference", r->mean_difference);
    json_real(&out, "max_difference", r->max_difference);
    report_json_machine(&out, run);
    json_open(&out, "time");
    json_real(&out, "compress", at->seconds);
    report_json_end(&out, run);
}

static void print_text(const compressing *at, FILE *file)
{
    const partan_compress_result *r = &at->result;
    partan_problem problem = partan_model_settings(at->model)->problem;
    char before[HUMAN_SIZE], after[HUMAN_SIZE];
    fprintf(file, "                          before         after\n");
    fprintf(file, "support vectors  %15s  %12s\n", human_count(before, r->vectors_before),
            human_count(after, r->vectors_after));
    if (problem == PARTAN_REGRESSION)
        fprintf(file, "R^2              %15.4f  %12.4f  (on %s)\n", r->accuracy_before, r->accuracy_after,
                at->data_path);
    else if (problem == PARTAN_CLASSIFICATION)
        fprintf(file, "accuracy         %14.2f%%  %11.2f%%  (on %s)\n", 100 * r->accuracy_before,
                100 * r->accuracy_after, at->data_path);
    fprintf(file, "relative gap     %15.4g  %12.4g\n", r->relative_gap_before, r->relative_gap_after);
    if (problem != PARTAN_REGRESSION)
        fprintf(file, "labels changed   %s of %s rows\n", human_count(before, r->changed), human_count(after, r->rows));
    fprintf(file, "decision values  differ by %.3g on average, %.3g at most\n", r->mean_difference, r->max_difference);
    fprintf(file, "model            %s, in %s\n", at->output_path, human_seconds(before, at->seconds));
}

static int compress(invocation *run)
{
    compressing at = {0};
    int code = prepare(run, &at);
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE) {
        if (run->json)
            print_json(run, &at);
        else if (!run->quiet)
            print_text(&at, is_standard_output(at.output_path) ? stderr : stdout);
        if (at.status == PARTAN_INTERRUPTED)
            warning(run, "interrupted: the model is usable, but more time would have made it better");
    }
    partan_model_free(at.compressed);
    partan_model_free(at.model);
    partan_data_free(at.data);
    free(at.own_path);
    return code;
}

/* clang-format off */
static const partan_option list[] = {
    {"max-sv", 0, PARTAN_OPTION_INTEGER, "N", NULL, NULL, 1, 9007199254740991.0,
     "At most N support vectors, of all classes together."},
    {"max-loss", 0, PARTAN_OPTION_REAL, "L", NULL, "0.01", 0, 1,
     "Without --max-sv: as few support vectors as keep the accuracy on DATA within L of what it was: R^2 of a "
     "regression, and for outliers the share of rows whose label stays."},
    OPTION_FORCE,
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Compression", .list = list};
static const option_set *const sets[] = {&own, &row_weights_set, &reading_set, &working_set, NULL};

const command compress_command = {
    .name = "compress",
    .arguments = "MODEL DATA [OUTPUT]",
    .summary = "Make a model with fewer support vectors.",
    .details =
        "Makes a model with fewer support vectors that decides nearly as MODEL does. Prediction with it is faster in "
        "proportion, and its file is smaller. The support vectors are rows of DATA, which has the classes of MODEL: "
        "its "
        "training data, or other data of the same kind. The new model is written to OUTPUT; by default, to the current "
        "directory, named after MODEL with .compressed.model at its end.\n\n"
        "The new model has a certificate of its own over DATA, which partan verify recomputes: a bound of how much "
        "larger its primal objective is than the least one, over all rows.",
    .examples = "$ partan compress a9a.model a9a\n$ partan compress --max-sv 200 a9a.model a9a small.model",
    .sets = sets,
    .least = 2,
    .most = 3,
    .run = compress,
};
