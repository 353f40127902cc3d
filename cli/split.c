/* partan split */
#include <inttypes.h>

#include "human.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "progress.h"
#include "runtime.h"

static int check_outputs(invocation *run)
{
    const char *const *outputs = run->arguments + 1;
    if (is_standard_output(outputs[0]) || is_standard_output(outputs[1]))
        return usage_error(run, "split writes two files: '-' is for DATA only");
    return outfile_check_all(run, outputs, 2, run->arguments[0]);
}

static void print_split(const invocation *run, const partan_split_options *options, const uint64_t rows[2])
{
    char text[HUMAN_SIZE];
    json out;
    if (!run->json) {
        for (size_t i = 0; i < 2; i++)
            printf("%-16s %s rows\n", run->arguments[i + 1], human_count(text, rows[i]));
        return;
    }
    json_begin(&out, stdout);
    json_text(&out, "data", run->arguments[0]);
    json_real(&out, "share", options->share);
    json_unsigned(&out, "seed", options->seed);
    json_boolean(&out, "stratify", options->stratify != 0);
    json_open_array(&out, "parts");
    for (size_t i = 0; i < 2; i++) {
        json_open(&out, NULL);
        json_text(&out, "file", run->arguments[i + 1]);
        json_unsigned(&out, "rows", rows[i]);
        json_close(&out);
    }
    json_close_array(&out);
    json_end(&out);
}

static int split(invocation *run)
{
    partan_option_value value;
    partan_split_options options;
    uint64_t rows[2];
    partan_split_options_init(&options);
    if (option_value(run, "share", &value))
        options.share = value.real;
    if (option_value(run, "seed", &value))
        options.seed = (uint64_t)value.integer;
    options.stratify = option_flag(run, "stratify", true);
    int code = check_outputs(run);
    if (code != EXIT_DONE)
        return code;
    partan_read_options how = reading_options(run, (reading){.unlabelled = true});
    partan_status status =
        partan_split_file(run->context, run->arguments[0], &how, &options, run->arguments[1], run->arguments[2], rows);
    progress_clear(run);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    if (run->json || !run->quiet)
        print_split(run, &options, rows);
    return EXIT_DONE;
}

/* clang-format off */
static const partan_option list[] = {
    {"share", 0, PARTAN_OPTION_REAL, "SHARE", NULL, "0.25", 1e-6, 1 - 1e-6, "Fraction of the rows to write to SECOND."},
    {"seed", 0, PARTAN_OPTION_INTEGER, "N", NULL, "1", 0, 9007199254740991.0, "Random seed."},
    {"stratify", 0, PARTAN_OPTION_FLAG, NULL, "no", NULL, 0, 0,
     "Split each class in the same proportion (the default), or ignore the labels."},
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Splitting", .list = list};
static const option_set *const sets[] = {&own, &reading_set, &working_set, NULL};

const command split_command = {
    .name = "split",
    .arguments = "DATA FIRST SECOND",
    .summary = "Split a data file into training and test data.",
    .details =
        "Writes every row of DATA ('-' is standard input) to FIRST or SECOND, in the order of DATA. Lines are copied "
        "unchanged, and a header goes to both files; blank lines and comments after the first row are dropped. "
        "Compressed data is written as plain text.\n\n"
        "By default the split is stratified: each class is divided in the same proportion, to the nearest row. The "
        "same data, fraction and seed give the same split.",
    .examples =
        "$ partan split data.csv train.csv test.csv\n$ partan split --share 0.1 --seed 7 a9a a9a.train a9a.test",
    .sets = sets,
    .least = 3,
    .most = 3,
    .run = split,
};
