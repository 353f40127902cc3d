/* partan gen */
#include <string.h>

#include "message.h"
#include "options.h"
#include "outfile.h"
#include "progress.h"
#include "runtime.h"
#include "suggest.h"

static const char ratings_kind[] = "ratings";

static int list_kinds(void)
{
    const char *name, *description;
    for (size_t i = 0; (name = partan_generator(i, &description)); i++)
        printf("%-14s %s\n", name, description);
    printf(
        "%-14s %s\n", ratings_kind,
        "entries of a low-rank matrix, for partan complete; --features is the number of columns (500); noise: standard "
        "deviation added to the values (0.5)");
    return EXIT_DONE;
}

static bool known(const char *kind)
{
    const char *name, *description;
    for (size_t i = 0; (name = partan_generator(i, &description)); i++)
        if (strcmp(name, kind) == 0)
            return true;
    return false;
}

static int unknown_kind(invocation *run, const char *kind)
{
    const char *name, *description;
    suggestion search;
    suggest_begin(&search, kind);
    suggest_offer(&search, ratings_kind);
    for (size_t i = 0; (name = partan_generator(i, &description)); i++)
        suggest_offer(&search, name);
    if (search.best)
        return usage_error(run, "unknown kind '%s'; did you mean '%s'?", kind, search.best);
    return usage_error(run, "unknown kind '%s'; partan gen --list shows all kinds", kind);
}

static void fill_options(const invocation *run, partan_generator_options *options)
{
    partan_option_value value;
    partan_generator_options_init(options);
    options->kind = run->arguments[0];
    if (option_value(run, "rows", &value))
        options->rows = (uint64_t)value.integer;
    if (option_value(run, "features", &value) && value.choice < 0)
        options->features = (uint64_t)value.integer;
    if (option_value(run, "noise", &value) && value.choice < 0)
        options->noise = value.real;
    if (option_value(run, "seed", &value))
        options->seed = (uint64_t)value.integer;
}

/* A list of entries instead of rows with labels. */
static int generate_ratings(invocation *run, const char *path)
{
    partan_ratings_generator options;
    partan_option_value value;
    partan_ratings *ratings = NULL;
    partan_ratings_generator_init(&options);
    if (option_value(run, "rows", &value))
        options.rows = (uint64_t)value.integer;
    if (option_value(run, "features", &value) && value.choice < 0)
        options.columns = (uint64_t)value.integer;
    if (option_value(run, "noise", &value) && value.choice < 0)
        options.noise = value.real;
    if (option_value(run, "seed", &value))
        options.seed = (uint64_t)value.integer;
    if (option_value(run, "rank", &value))
        options.rank = (uint64_t)value.integer;
    options.entries = options.rows * options.columns / 10;
    if (option_value(run, "entries", &value))
        options.entries = (uint64_t)value.integer;
    partan_status status = partan_ratings_generate(run->context, &options, &ratings);
    if (status == PARTAN_OK)
        status = partan_ratings_write(run->context, ratings, path);
    partan_ratings_free(ratings);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

static int generate(invocation *run)
{
    if (option_flag(run, "list", false))
        return list_kinds();
    if (run->argument_count == 0)
        return usage_error(run, "KIND is missing; partan gen --list shows all kinds");
    bool ratings = strcmp(run->arguments[0], ratings_kind) == 0;
    if (!ratings && !known(run->arguments[0]))
        return unknown_kind(run, run->arguments[0]);
    if (!ratings && (option_given(run, "rank") || option_given(run, "entries")))
        return usage_error(run, "--rank and --entries are only for the kind ratings");
    partan_generator_options options;
    fill_options(run, &options);
    const char *path = option_text(run, "output");
    if (path && run->argument_count > 1)
        return usage_error(run, "the output is given twice, as '%s' and as --output %s", run->arguments[1], path);
    if (!path)
        path = run->argument_count > 1 ? run->arguments[1] : "-";
    int code = outfile_check(run, path);
    if (code != EXIT_DONE)
        return code;
    if (ratings)
        return generate_ratings(run, path);
    /* The choices begin with libsvm: without one, this is PARTAN_FORMAT_AUTO. */
    partan_format format = (partan_format)(option_choice(run, "format", -1) + (int)PARTAN_FORMAT_LIBSVM);
    partan_status status = partan_generate_file(run->context, &options, path, format);
    progress_clear(run);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

/* clang-format off */
static const partan_option list[] = {
    {"rows", 0, PARTAN_OPTION_INTEGER, "N", NULL, "1000", 1, 9.2e18, "Number of rows."},
    {"features", 0, PARTAN_OPTION_INTEGER, "N", "auto", "auto", 1, 2147483647,
     "Number of features; auto is the default of the kind (see --list)."},
    {"noise", 0, PARTAN_OPTION_REAL, "X", "auto", "auto", 0, 1e30,
     "Amount of noise; its meaning and its default, auto, depend on the kind (see --list)."},
    {"rank", 0, PARTAN_OPTION_INTEGER, "N", NULL, "5", 1, 10000,
     "For ratings: rank of the matrix."},
    {"entries", 0, PARTAN_OPTION_INTEGER, "N", NULL, NULL, 1, 9.2e18,
     "For ratings: number of known entries; by default a tenth of the matrix."},
    {"seed", 0, PARTAN_OPTION_INTEGER, "N", NULL, "1", 0, 9.2e18,
     "Random seed; the same seed gives the same data on every machine."},
    {"format", 0, PARTAN_OPTION_CHOICE, "NAME", "libsvm|csv|tsv", NULL, 0, 0,
     "Format of the output; by default from the file extension (.csv, .tsv, .tab), or else libsvm."},
    {"output", 'o', PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0, "Output file; the same as OUTPUT."},
    {"list", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, "List the kinds of data and exit."},
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Data", .list = list};
static const option_set *const sets[] = {&own, &working_set, NULL};

const command gen_command = {
    .name = "gen",
    .arguments = "KIND [OUTPUT]",
    .summary = "Generate a data set.",
    .details = "Generates rows and writes them to OUTPUT (default: standard output). Memory use does not grow with the "
               "number of rows (except for ratings). partan gen --list shows the kinds of data.",
    .examples = "$ partan gen --list\n$ partan gen checkerboard --rows 100000 board.svm\n"
                "$ partan gen twonorm --seed 7 --format csv | head\n"
                "$ partan gen ratings --rows 2000 --features 300 --entries 60000 ratings.txt",
    .sets = sets,
    .most = 2,
    .run = generate,
};
