/* partan verify, of the models of partan train. */
#include "human.h"
#include "json.h"
#include "kind_svm.h"
#include "message.h"
#include "progress.h"
#include "report.h"
#include "runtime.h"

static void print_verification(const invocation *run, const partan_verification *found, const partan_model *model,
                               const double seconds[2])
{
    json out;
    const partan_result *claimed = partan_model_result(model);
    json_begin(&out, stdout);
    json_real(&out, "objective", found->objective);
    json_real(&out, "gap", found->gap);
    json_real(&out, "relative_gap", found->relative_gap);
    json_real(&out, "weight_sum", found->weight_sum);
    json_real(&out, "least_weight", found->least_weight);
    json_boolean(&out, "feasible", found->feasible != 0);
    json_boolean(&out, "matches", found->matches != 0);
    json_text(&out, "reason", found->reason[0] ? found->reason : NULL);
    json_text(&out, "not_covered", partan_model_has_probability(model) ? "probability" : NULL);
    json_open(&out, "claimed");
    json_real(&out, "objective", claimed->objective);
    json_real(&out, "gap", claimed->gap);
    json_real(&out, "relative_gap", claimed->relative_gap);
    json_boolean(&out, "gap_is_bound", claimed->gap_is_bound != 0);
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

static void print_audit(const partan_verification *found, const partan_result *claimed, partan_problem problem)
{
    printf("%-14s  %22s  %22s\n", "", "claimed", "recomputed");
    print_row("objective", claimed->objective, found->objective);
    print_row(claimed->gap_is_bound ? "gap, at most" : "gap", claimed->gap, found->gap);
    print_row("relative gap", claimed->relative_gap, found->relative_gap);
    print_row("sum of weights", 1, found->weight_sum);
    printf("%-14s  %22s  %22.15g\n", "minimum weight", "> 0", found->least_weight);
    if (found->matches && (found->relative_gap < 1 || problem != PARTAN_CLASSIFICATION))
        report_certificate(stdout, "verified: ", problem, found->relative_gap);
    else if (found->matches)
        printf("verified: the stored values hold; a relative gap of 1 or more proves nothing about the margin\n");
}

typedef struct verification {
    partan_model *model;
    partan_data *data;
    partan_verification found;
    double seconds[2]; /* of reading, of verifying */
} verification;

static int audit(invocation *run, partan_model_file *file, verification *at)
{
    int code = agree_on(run, take_svm(run, file, &at->model));
    if (code != EXIT_DONE)
        return code;
    const partan_settings *settings = partan_model_settings(at->model);
    reading how = {.precomputed = settings->kernel == PARTAN_KERNEL_PRECOMPUTED,
                   .unlabelled = settings->problem == PARTAN_OUTLIER,
                   .model = at->model,
                   .weighted = true};
    code = agree_on(run, read_data(run, run->arguments[1], how, &at->data, &at->seconds[0]));
    if (code != EXIT_DONE)
        return code;
    double start = seconds_now();
    partan_status status = partan_verify(run->context, at->model, at->data, &at->found);
    progress_clear(run);
    at->seconds[1] = seconds_now() - start;
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

static void report_audit(const invocation *run, const verification *at)
{
    if (run->json)
        print_verification(run, &at->found, at->model, at->seconds);
    else if (!run->quiet)
        print_audit(&at->found, partan_model_result(at->model), partan_model_settings(at->model)->problem);
    if (!run->json && !run->quiet && at->found.matches && partan_model_has_probability(at->model))
        puts("not covered: probabilities, which the same training with --probability reproduces");
}

int verify_svm(invocation *run, partan_model_file *file)
{
    verification at = {0};
    partan_verification_init(&at.found);
    int code = audit(run, file, &at);
    if (code == EXIT_DONE && !is_silent(run))
        report_audit(run, &at);
    if (code == EXIT_DONE && !at.found.matches)
        code = failure(run, "%s: not verified: %s", run->arguments[0], at.found.reason);
    partan_data_free(at.data);
    partan_model_free(at.model);
    return code;
}
