/* partan verify */
#include "hints.h"
#include "kinds.h"
#include "message.h"
#include "options.h"
#include "ratings.h"
#include "runtime.h"
#include "weights.h"

static int verify(invocation *run)
{
    partan_model_file *file;
    const model_kind *kind;
    if (looks_swapped(run, run->arguments[0], run->arguments[1])) {
        const char *data = run->arguments[0];
        run->arguments[0] = run->arguments[1];
        run->arguments[1] = data;
    }
    int code = read_any_model(run, run->arguments[0], &file, &kind);
    if (code == EXIT_DONE && option_given(run, "weights") && !kind->weights) {
        partan_model_file_free(file);
        return usage_error(run, "--weights is for models of partan train, which %s is not", run->arguments[0]);
    }
    return code == EXIT_DONE ? kind->verify(run, file) : code;
}

static const partan_option list[] = {OPTION_JSON, OPTION_END};
static const option_set own = {.title = "Output", .list = list};
static const option_set *const sets[] = {&own, &row_weights_set, &reading_set, &ratings_set, &working_set, NULL};

const command verify_command = {
    .name = "verify",
    .arguments = "MODEL DATA",
    .summary = "Check what a model claims against its training data.",
    .details =
        "Recomputes objective, gap and feasibility from the weights in MODEL and the rows of DATA, in double precision "
        "and with separate code, and compares them with the values stored in the model. DATA is the training data. The "
        "two arguments can be in either order.\n\nThe exit status is 0 if the stored values hold and 1 if they do not.",
    .examples = "$ partan verify a9a.model a9a\n$ partan verify --json a9a.model a9a",
    .sets = sets,
    .least = 2,
    .most = 2,
    .run = verify,
};
