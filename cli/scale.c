/* partan scale */
#include <string.h>

#include "guard.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "runtime.h"

typedef struct bounds {
    double lower, upper;
} bounds;

static bool parse_bound(const invocation *run, const char *text, double *bound)
{
    static const partan_option option = {"minmax", 0, PARTAN_OPTION_REAL, "", NULL, NULL, -1e30, 1e30, ""};
    partan_option_value value;
    bool well = partan_option_parse(run->context, &option, text, &value) == PARTAN_OK;
    *bound = value.real;
    return well;
}

/* "LO,HI" */
static int parse_bounds(invocation *run, bounds *range)
{
    const char *text = option_text(run, "minmax");
    *range = (bounds){0, 1};
    if (!text)
        return EXIT_DONE;
    char copy[128];
    const char *comma = strchr(text, ',');
    if (comma && strlen(text) < sizeof copy) {
        strcpy(copy, text);
        copy[comma - text] = '\0';
        if (parse_bound(run, copy, &range->lower) && parse_bound(run, copy + (comma - text) + 1, &range->upper)
            && range->lower < range->upper)
            return EXIT_DONE;
    }
    return usage_error(run, "--minmax takes two numbers LO,HI with LO below HI, as in 0,1, not '%s'", text);
}

static int check_choices(invocation *run)
{
    if (option_given(run, "restore")) {
        static const char *const others[] = {"minmax", "standardise", "save"};
        for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
            if (option_given(run, others[i]))
                return usage_error(run, "--restore applies a saved scaling and cannot be combined with --%s",
                                   others[i]);
    }
    if (option_given(run, "minmax") && option_given(run, "standardise"))
        return usage_error(run, "--minmax and --standardise cannot be combined");
    return EXIT_DONE;
}

static partan_status find_scaling(invocation *run, const partan_data *data, bounds range, partan_scaling **scaling)
{
    const char *restore = option_text(run, "restore");
    if (restore)
        return partan_scaling_read(run->context, restore, scaling);
    partan_scaling_kind kind =
        option_flag(run, "standardise", false) ? PARTAN_SCALING_STANDARDISE : PARTAN_SCALING_MINMAX;
    return partan_scaling_fit(run->context, data, kind, range.lower, range.upper, scaling);
}

static partan_status write_scaled(invocation *run, const partan_data *data, const partan_scaling *scaling)
{
    partan_data *scaled = NULL;
    const char *path = run->argument_count > 1 ? run->arguments[1] : "-";
    /* The choices begin with libsvm: without one, this is PARTAN_FORMAT_AUTO. */
    partan_format format = (partan_format)(option_choice(run, "output-format", -1) + (int)PARTAN_FORMAT_LIBSVM);
    partan_storage storage = (partan_storage)option_choice(run, "storage", PARTAN_STORAGE_AUTO);
    partan_status status = partan_scaling_apply(run->context, scaling, data, storage, &scaled);
    if (status == PARTAN_OK)
        status = partan_data_write(run->context, scaled, path, format);
    partan_data_free(scaled);
    return status;
}

static int check_files(invocation *run)
{
    const char *restore = option_text(run, "restore");
    int code = restore ? guard_file(run, restore, FILE_INPUT) : EXIT_DONE;
    if (code == EXIT_DONE)
        code = outfile_check(run, option_text(run, "save"));
    if (code == EXIT_DONE && run->argument_count > 1)
        code = outfile_check(run, run->arguments[1]);
    return code;
}

static int scale(invocation *run)
{
    bounds range;
    partan_data *data = NULL;
    partan_scaling *scaling = NULL;
    int code = check_choices(run);
    if (code == EXIT_DONE)
        code = parse_bounds(run, &range);
    if (code == EXIT_DONE)
        code = check_files(run);
    if (code == EXIT_DONE)
        code = read_data(run, run->arguments[0], (reading){.unlabelled = true}, &data, NULL);
    if (code != EXIT_DONE)
        return code;
    const char *save = option_text(run, "save");
    partan_status status = find_scaling(run, data, range, &scaling);
    if (status == PARTAN_OK)
        status = write_scaled(run, data, scaling);
    if (status == PARTAN_OK && save)
        status = partan_scaling_write(run->context, scaling, save);
    if (status != PARTAN_OK)
        code = library_failure(run, status);
    partan_scaling_free(scaling);
    partan_data_free(data);
    return code;
}

/* clang-format off */
static const partan_option list[] = {
    {"minmax", 0, PARTAN_OPTION_TEXT, "LO,HI", NULL, "0,1", 0, 0, "Scale every feature to the range LO to HI."},
    {"standardise", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, "Scale every feature to mean 0 and variance 1."},
    {"save", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0, "Save the scaling, to apply it to other data."},
    {"restore", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,
     "Apply a saved scaling; use it for test data."},
    {"output-format", 0, PARTAN_OPTION_CHOICE, "NAME", "libsvm|csv|tsv", NULL, 0, 0,
     "Format of the output; by default from the file extension (.csv, .tsv, .tab), or else that of DATA."},
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Scaling", .list = list};
static const option_set *const sets[] = {&own, &reading_set, &working_set, NULL};

const command scale_command = {
    .name = "scale",
    .arguments = "DATA [OUTPUT]",
    .summary = "Scale the features of a data set.",
    .details =
        "Reads DATA ('-' is standard input), scales every feature, and writes the result to OUTPUT (default: standard "
        "output). Constant features become 0. Tables keep their header and the position of the label.",
    .examples = "$ partan scale --save train.scaling train.csv train.svm\n"
                "$ partan scale --restore train.scaling test.csv test.svm",
    .sets = sets,
    .least = 1,
    .most = 2,
    .run = scale,
};
