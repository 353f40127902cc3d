/* partan plot */
#include <string.h>

#include "columns.h"
#include "guard.h"
#include "hints.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "plots.h"
#include "reliability.h"
#include "runtime.h"
#include "tune_table.h"

typedef int (*plotter)(invocation *run, const plot_request *request);

static bool begins_with(const char *text, const char *beginning)
{
    return strncmp(text, beginning, strlen(beginning)) == 0;
}

/* What a file holds, by its first line; NULL: nothing that can be drawn. */
static plotter find_plotter(const invocation *run, const char *path)
{
    char line[512];
    if (looks_like_model(run, path))
        return plot_regions;
    if (!first_line(path, line, sizeof line))
        return NULL;
    if (begins_with(line, "iteration,step,"))
        return plot_traces;
    if (begins_with(line, "cost,gamma,score,"))
        return plot_tuning;
    if (begins_with(line, RELIABILITY_HEAD))
        return plot_reliability;
    return begins_with(line, "cost,objective,") ? plot_path : NULL;
}

static int check_inputs(invocation *run, const char *output)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i + 1 < run->argument_count && code == EXIT_DONE; i++) {
        if (!is_regular_file(run->arguments[i]))
            return failure(run, "%s: cannot be read: not a regular file", run->arguments[i]);
        code = guard_file(run, run->arguments[i], FILE_INPUT);
    }
    return code == EXIT_DONE ? outfile_check(run, output) : code;
}

static int draw(invocation *run, plotter with, const char *output)
{
    partan_output out;
    int code = outfile_open(run, output, &out);
    if (code != EXIT_DONE)
        return code;
    plot_request request = {.inputs = run->arguments, .count = run->argument_count - 1, .file = out.file};
    code = with(run, &request);
    if (code == EXIT_DONE)
        return outfile_commit(run, &out);
    partan_output_abandon(&out);
    return code;
}

static int plot(invocation *run)
{
    const char *output = run->arguments[run->argument_count - 1], *first = run->arguments[0];
    int code = check_inputs(run, output);
    if (code != EXIT_DONE)
        return code;
    plotter with = find_plotter(run, first);
    if (with == NULL && run->argument_count == 3 && looks_like_model(run, run->arguments[1])) { /* DATA MODEL OUTPUT */
        run->arguments[0] = run->arguments[1];
        run->arguments[1] = first;
        with = plot_regions;
    }
    if (!with)
        return failure(
            run,
            "%s: expected a model, a CSV trace of train --trace, or a table of path --table, tune --table or "
            "predict --reliability",
            first);
    return draw(run, with, output);
}

/* clang-format off */
static const partan_option list[] = {
    {"x", 0, PARTAN_OPTION_CHOICE, "NAME", "iteration|seconds", "iteration", 0, 0, "Traces: the horizontal axis."},
    {"y", 0, PARTAN_OPTION_CHOICE, "NAME", "relative_gap|gap|objective|active", "relative_gap", 0, 0,
     "Traces: the vertical axis."},
    {"features", 0, PARTAN_OPTION_TEXT, "I,J", NULL, "1,2", 0, 0,
     "Decision regions: the two features to plot, counted from 1; the others are fixed at their mean in the data."},
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Plot", .list = list};
static const option_set *const sets[] = {&own, &reading_set, &working_set, NULL};

const command plot_command = {
    .name = "plot",
    .arguments = "INPUT... OUTPUT",
    .summary = "Plot traces, paths, tables or decision regions.",
    .details =
        "Plots INPUT to OUTPUT as SVG ('-' is standard output). INPUT is one of:\n\n"
        "CSV traces of train --trace (up to 8): the gap during training, one curve per trace, on logarithmic axes.\n\n"
        "A table of path --table: support vectors and test accuracy against C.\n\n"
        "A table of tune --table: the scores, as a heat map over C and gamma, or as a line.\n\n"
        "A table of predict --reliability: the share of rows observed at each predicted probability.\n\n"
        "A model and data: decision regions over two features, with up to 2,000 rows of the data.",
    .examples = "$ partan plot fw.csv partan.csv gap.svg\n$ partan plot grid.csv grid.svg\n"
                "$ partan plot spirals.model spirals.svm regions.svg",
    .sets = sets,
    .least = 2,
    .most = 9,
    .run = plot,
};
