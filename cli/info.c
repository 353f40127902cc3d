/* partan info */
#include "hints.h"
#include "info_data.h"
#include "kinds.h"
#include "runtime.h"
#include "weights.h"

static int info(invocation *run)
{
    partan_model_file *file;
    const model_kind *kind;
    const char *path = run->arguments[0];
    if (is_regular_file(path) && !looks_like_model(run, path))
        return info_data(run, path);
    int code = read_any_model(run, path, &file, &kind);
    return code == EXIT_DONE ? kind->info(run, file) : code;
}

/* clang-format off */
static const partan_option list[] = {
    {"features", 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, "For data: list every feature with its range and mean."},
    OPTION_JSON,
    OPTION_END,
};
/* clang-format on */
static const option_set own = {.title = "Output", .list = list};
static const option_set *const sets[] = {&own, &row_weights_set, &reading_set, &working_set, NULL};

const command info_command = {
    .name = "info",
    .arguments = "FILE",
    .summary = "Describe a model file or a data file.",
    .details =
        "For a model: prints the kernel, the labels, the size and, for a native model, the training settings, "
        "objective and gap as stored in the file; partan verify checks them.\n\n"
        "For data: prints the detected format, the number of rows and features, the classes with their counts, ranges "
        "and density, repeated rows, and the storage and gamma that training would choose. If a CSV or TSV file cannot "
        "be read because values are missing or not numeric, its columns are described instead.\n\n"
        "A pipe, or '-' (standard input), is assumed to be a model.",
    .examples = "$ partan info a9a.model\n$ partan info --json a9a.model\n$ partan info --features data.csv",
    .sets = sets,
    .least = 1,
    .most = 1,
    .run = info,
};
