#include "weights.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "guard.h"
#include "human.h"
#include "message.h"
#include "options.h"

#define BALANCED "balanced"

/* clang-format off */
#define OPTION_WEIGHTS                                                                                                 \
    {"weights", 0, PARTAN_OPTION_TEXT, "FILE", NULL, NULL, 0, 0,                                                       \
     "Weights of the rows, one number per line; C is multiplied by them, and a row of weight 0 is left out. In tables "\
     "they can be a column instead: --weight-column, --weight-name."}
#define OPTION_LAST {NULL, 0, PARTAN_OPTION_FLAG, NULL, NULL, NULL, 0, 0, NULL}

static const partan_option training_list[] = {
    OPTION_WEIGHTS,
    {"class-weight", 0, PARTAN_OPTION_TEXT, "LABEL=W", BALANCED, NULL, 0, 0,
     "Weight of a class, 1 by default; can be repeated. C is multiplied by it for the rows of the class. balanced "
     "gives all classes the same total weight."},
    OPTION_LAST,
};
static const partan_option row_list[] = {OPTION_WEIGHTS, OPTION_LAST};
/* clang-format on */

const option_set training_weights_set = {.title = "Weights", .list = training_list};
const option_set row_weights_set = {.title = "Weights", .list = row_list};

/* ---- Rows ---- */

int row_weights_check(invocation *run)
{
    const char *path = option_text(run, "weights");
    if (!path)
        return EXIT_DONE;
    const char *column = option_given(run, "weight-name") ? "weight-name" : "weight-column";
    if (option_given(run, column))
        return usage_error(run, "--weights and --%s cannot be combined", column);
    if (strcmp(path, "-") == 0)
        return usage_error(run, "--weights takes a file, not '-'");
    return guard_file(run, path, FILE_INPUT);
}

int row_weights_apply(invocation *run, partan_data *data)
{
    const char *path = option_text(run, "weights");
    partan_status status = path ? partan_data_read_weights(run->context, data, path) : PARTAN_OK;
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

static void add_weights(const partan_data *data, row_weights *found)
{
    found->there |= partan_data_has_weights(data) && partan_data_rows(data) > 0;
    for (size_t row = 0; row < partan_data_rows(data); row++) {
        double weight = partan_data_weight(data, row);
        found->sum += weight;
        found->zeros += weight == 0;
    }
}

row_weights row_weights_of(const partan_data *data)
{
    row_weights found = {0};
    add_weights(data, &found);
    return found;
}

/* In the order of the rows: each process adds its own to what it gets, and the last one has it all. */
row_weights row_weights_of_all(const invocation *run, const partan_data *data)
{
    const together *all = run->together;
    row_weights found = {0};
    int last = all ? all->processes - 1 : 0;
    if (last > 0 && all->process > 0)
        all->receive(all->process - 1, &found, sizeof found);
    add_weights(data, &found);
    if (last > 0)
        all->send(all->process < last ? all->process + 1 : 0, &found, sizeof found);
    if (last > 0 && all->process == 0)
        all->receive(last, &found, sizeof found);
    return found;
}

void print_weights(FILE *file, row_weights found)
{
    char zeros[HUMAN_SIZE];
    if (found.there)
        fprintf(file, "weights          sum %.10g, %s row%s of weight 0\n", found.sum, human_count(zeros, found.zeros),
                found.zeros == 1 ? "" : "s");
}

void json_weights(json *out, row_weights found)
{
    if (!found.there) {
        json_text(out, "weights", NULL);
        return;
    }
    json_open(out, "weights");
    json_real(out, "sum", found.sum);
    json_unsigned(out, "zeros", found.zeros);
    json_close(out);
}

void print_row_weights(FILE *file, const partan_data *data)
{
    print_weights(file, row_weights_of(data));
}

void json_row_weights(json *out, const partan_data *data)
{
    json_weights(out, row_weights_of(data));
}

/* ---- Classes ---- */

static bool is_class_weight(const given *word)
{
    return strcmp(word->option->name, "class-weight") == 0;
}

/* LABEL=W: the last = splits. False when it is not that. */
static bool parse_class(const invocation *run, const char *text, partan_class_weight *found)
{
    static const partan_option number = {"class-weight", 0, PARTAN_OPTION_REAL, "W", NULL, NULL, 1e-30, 1e30, ""};
    partan_option_value value;
    const char *equals = strrchr(text, '=');
    if (!equals || equals == text || partan_option_parse(run->context, &number, equals + 1, &value) != PARTAN_OK)
        return false;
    char *label = strdup(text);
    found->label = label;
    found->weight = value.real;
    if (label)
        label[equals - text] = '\0';
    return true;
}

static int take_class(invocation *run, const char *text)
{
    class_weights *at = &run->class_weights;
    if (strcasecmp(text, BALANCED) == 0) {
        at->balanced = true;
        return EXIT_DONE;
    }
    partan_class_weight *one = &at->list[at->count];
    if (!parse_class(run, text, one))
        return usage_error(run, "--class-weight takes LABEL=W with a number W above 0, or balanced, not '%s'", text);
    if (!one->label)
        return failure(run, "out of memory");
    for (size_t i = 0; i < at->count; i++)
        if (strcmp(at->list[i].label, one->label) == 0) { /* the last one counts */
            at->list[i].weight = one->weight;
            free((void *)(uintptr_t)one->label);
            return EXIT_DONE;
        }
    at->count++;
    return EXIT_DONE;
}

int class_weights_apply(invocation *run, partan_settings *settings)
{
    class_weights *at = &run->class_weights;
    int code = EXIT_DONE;
    class_weights_free(run); /* of an earlier call */
    at->list = calloc(run->given_count + 1, sizeof *at->list);
    if (!at->list)
        return failure(run, "out of memory");
    for (size_t i = 0; i < run->given_count && code == EXIT_DONE; i++)
        if (is_class_weight(&run->given[i]))
            code = take_class(run, run->given[i].text);
    if (code == EXIT_DONE && at->balanced && at->count > 0)
        return usage_error(run, "--class-weight balanced cannot be combined with weights of classes");
    settings->class_weights = at->list;
    settings->class_weight_count = at->count;
    settings->balanced = at->balanced;
    return code;
}

void class_weights_free(invocation *run)
{
    for (size_t i = 0; i < run->class_weights.count; i++)
        free((void *)(uintptr_t)run->class_weights.list[i].label); /* a copy of parse_class */
    free(run->class_weights.list);
    run->class_weights = (class_weights){0};
}

/* Classes in the order in which they are shown: of two, the positive one first. */
static int shown_class(const partan_model *model, size_t i)
{
    return partan_model_class_count(model) == 2 ? (int)(1 - i) : (int)i;
}

void print_class_weights(FILE *file, const partan_model *model, bool balanced)
{
    char weight[HUMAN_SIZE];
    size_t count = partan_model_class_count(model);
    bool weighted = balanced;
    for (size_t i = 0; i < count; i++)
        weighted |= partan_model_class_weight(model, (int)i) != 1;
    if (!weighted)
        return;
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%s for %s", i ? ", " : "class weights    ",
                shortest_real(weight, partan_model_class_weight(model, shown_class(model, i))),
                partan_model_label_text(model, shown_class(model, i)));
    fprintf(file, "%s\n", balanced ? " (balanced)" : "");
}

void json_model_class_weights(json *out, const partan_model *model)
{
    json_open(out, "class_weights");
    for (size_t i = 0; i < partan_model_class_count(model); i++) {
        int class = shown_class(model, i);
        json_real(out, partan_model_label_text(model, class), partan_model_class_weight(model, class));
    }
    json_close(out);
}

void json_class_weights(json *out, const invocation *run)
{
    json_boolean(out, "balanced", run->class_weights.balanced);
    json_open(out, "class_weights");
    for (size_t i = 0; i < run->class_weights.count; i++)
        json_real(out, run->class_weights.list[i].label, run->class_weights.list[i].weight);
    json_close(out);
}
