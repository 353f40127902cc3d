/* partan info */
#include "kinds.h"
#include "runtime.h"

static int info(invocation *run)
{
    partan_model_file *file;
    const model_kind *kind;
    int code = read_any_model(run, run->arguments[0], &file, &kind);
    return code == EXIT_DONE ? kind->info(run, file) : code;
}

static const partan_option list[] = {OPTION_JSON, OPTION_END};
static const option_set own = {.title = "Output", .list = list};
static const option_set *const sets[] = {&own, &help_set, NULL};

const command info_command = {
    .name = "info",
    .arguments = "MODEL",
    .summary = "Show what a model file holds.",
    .details =
        "Prints the kernel, the labels, the size of the model and, for a native model, how it was trained and what "
        "it claims. The claims are printed as they stand in the file; partan verify checks them.",
    .examples = "$ partan info a9a.model\n$ partan info --json a9a.model",
    .sets = sets,
    .least = 1,
    .most = 1,
    .run = info,
};
