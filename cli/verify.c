/* partan verify */
#include "human.h"
#include "json.h"
#include "message.h"
#include "runtime.h"

static void print_json(const invocation *run, const partan_verification *found, const partan_result *claimed,
                       const double seconds[2])
{
    json out;
    json_begin(&out, stdout);
    json_real(&out, "objective", found->objective);
    json_real(&out, "gap", found->gap);
    json_real(&out, "relative_gap", found->relative_gap);
    json_real(&out, "weight_sum", found->weight_sum);
    json_real(&out, "least_weight", found->least_weight);
    json_boolean(&out, "feasible", found->feasible != 0);
    json_boolean(&out, "matches", found->matches != 0);
    json_text(&out, "reason", found->reason[0] ? found->reason : NULL);
    json_open(&out, "claimed");
    json_real(&out, "objective", claimed->objective);
    json_real(&out, "gap", claimed->gap);
    json_real(&out, "relative_gap", claimed->relative_gap);
    json_close(&out);
    json_open(&out, "time");
    json_real(&out, "read", seconds[0]);
    json_real(&out, "verify", seconds[1]);
    json_real(&out, "total", seconds_now() - run->start);
    json_close(&out);
    json_end(&out);
}

static void print_row(const char *name, double claimed, double found)
{
    printf("%-14s  %22.15g  %22.15g\n", name, claimed, found);
}

static void print_text(const partan_verification *found, const partan_result *claimed)
{
    printf("%-14s  %22s  %22s\n", "", "claimed", "recomputed");
    print_row("objective", claimed->objective, found->objective);
    print_row("gap", claimed->gap, found->gap);
    print_row("relative gap", claimed->relative_gap, found->relative_gap);
    print_row("sum of weights", 1, found->weight_sum);
    printf("%-14s  %22s  %22.15g\n", "least weight", "> 0", found->least_weight);
    if (found->matches)
        printf("verified: the margin is within %.3g %% of the best possible one\n", 100 * found->relative_gap);
}

static int verify(invocation *run)
{
    partan_model *model = NULL;
    partan_data *data = NULL;
    partan_verification found;
    double seconds[2] = {0, 0}; /* of reading, of verifying */
    int code = read_model(run, run->arguments[0], &model);
    if (code == EXIT_DONE) {
        bool precomputed = partan_model_settings(model)->kernel == PARTAN_KERNEL_PRECOMPUTED;
        code = read_data(run, run->arguments[1], (reading){.precomputed = precomputed}, &data, &seconds[0]);
    }
    if (code == EXIT_DONE) {
        double start = seconds_now();
        partan_status status = partan_verify(run->context, model, data, &found);
        seconds[1] = seconds_now() - start;
        code = status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
    }
    if (code == EXIT_DONE) {
        const partan_result *claimed = partan_model_result(model);
        if (run->json)
            print_json(run, &found, claimed, seconds);
        else if (!run->quiet)
            print_text(&found, claimed);
        if (!found.matches)
            code = failure(run, "%s: not verified: %s", run->arguments[0], found.reason);
    }
    partan_data_free(data);
    partan_model_free(model);
    return code;
}

static const partan_option list[] = {OPTION_JSON, OPTION_END};
static const option_set own = {.title = "Output", .list = list};
static const option_set *const sets[] = {&own, &reading_set, &working_set, NULL};

const command verify_command = {
    .name = "verify",
    .arguments = "MODEL DATA",
    .summary = "Check what a model claims against its training data.",
    .details =
        "Recomputes objective, gap and feasibility from the weights in MODEL and the rows of DATA, in double precision "
        "and by plain code, and compares them with what the model claims. DATA is the data the model was trained "
        "on.\n\n"
        "The exit status is 0 when the claims hold and 1 when they do not.",
    .examples = "$ partan verify a9a.model a9a\n$ partan verify --json a9a.model a9a",
    .sets = sets,
    .least = 2,
    .most = 2,
    .run = verify,
};
