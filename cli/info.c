/* partan info */
#include <inttypes.h>

#include "human.h"
#include "json.h"
#include "report.h"
#include "runtime.h"

static void print_json(const partan_model *model, const char *path)
{
    json out;
    bool native = partan_model_get_format(model) == PARTAN_MODEL_NATIVE;
    char fingerprint[HUMAN_SIZE];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, partan_model_fingerprint(model));
    json_begin(&out, stdout);
    json_text(&out, "model", path);
    json_text(&out, "format", native ? "native" : "libsvm");
    json_text(&out, "version", native ? partan_model_version(model) : NULL);
    report_json_settings(&out, partan_model_settings(model), native);
    report_json_labels(&out, model);
    json_unsigned(&out, "features", partan_model_features(model));
    json_real(&out, "bias", partan_model_bias(model));
    if (native) {
        json_unsigned(&out, "rows", partan_model_rows(model));
        json_text(&out, "fingerprint", fingerprint);
        report_json_result(&out, partan_model_result(model));
        json_open(&out, "time");
        json_real(&out, "train", partan_model_result(model)->seconds);
        json_close(&out);
    } else {
        json_unsigned(&out, "support_vectors", partan_model_result(model)->support_vectors);
    }
    json_end(&out);
}

static void print_kernel(const partan_settings *settings)
{
    char kernel[REPORT_SIZE];
    printf("kernel           %s\n", report_kernel(kernel, settings));
}

/* A LIBSVM model says neither how it was trained nor how good it is. */
static void print_training(const partan_model *model)
{
    const partan_settings *settings = partan_model_settings(model);
    const partan_result *result = partan_model_result(model);
    char text[HUMAN_SIZE], other[HUMAN_SIZE];
    printf("cost             %s\n", shortest_real(text, settings->cost));
    printf("training data    %s rows", human_count(text, partan_model_rows(model)));
    printf(", fingerprint %016" PRIx64 "\n", partan_model_fingerprint(model));
    printf("solver           %s, %s iterations in %s\n", partan_solver_name(settings->solver),
           human_count(text, (uint64_t)result->iterations), human_seconds(other, result->seconds));
    printf("status           %s\n", partan_status_name(result->status));
    printf("objective        %s\n", shortest_real(text, result->objective));
    printf("gap              %s\n", shortest_real(text, result->gap));
    printf("relative gap     %s\n", shortest_real(text, result->relative_gap));
}

static void print_text(const partan_model *model, const char *path)
{
    char text[HUMAN_SIZE];
    bool native = partan_model_get_format(model) == PARTAN_MODEL_NATIVE;
    printf("model            %s\n", path);
    if (native)
        printf("format           native, written by partan %s\n", partan_model_version(model));
    else
        printf("format           libsvm\n");
    print_kernel(partan_model_settings(model));
    printf("labels           %s (positive), %s (negative)\n", partan_model_label_text(model, 1),
           partan_model_label_text(model, 0));
    printf("features         %s\n", human_count(text, partan_model_features(model)));
    printf("support vectors  %s\n", human_count(text, partan_model_result(model)->support_vectors));
    printf("bias             %s\n", shortest_real(text, partan_model_bias(model)));
    if (native)
        print_training(model);
}

static int info(invocation *run)
{
    partan_model *model = NULL;
    int code = read_model(run, run->arguments[0], &model);
    if (code == EXIT_DONE && run->json)
        print_json(model, run->arguments[0]);
    else if (code == EXIT_DONE)
        print_text(model, run->arguments[0]);
    partan_model_free(model);
    return code;
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
