#include "probability.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "outfile.h"
#include "row_file.h"
#include "runtime.h"

/* ---- Reports ---- */

void print_probability(const partan_model *model, FILE *file)
{
    size_t folds = partan_model_probability_folds(model);
    if (!partan_model_has_probability(model))
        return;
    if (folds > 0)
        fprintf(file, "probabilities    calibrated on %zu folds\n", folds);
    else
        fprintf(file, "probabilities    by probA and probB\n");
}

void json_probability(json *out, const partan_model *model)
{
    size_t folds = partan_model_probability_folds(model);
    if (!partan_model_has_probability(model)) {
        json_text(out, "probability", NULL);
        return;
    }
    json_open(out, "probability");
    if (folds > 0)
        json_unsigned(out, "folds", folds);
    else
        json_text(out, "folds", NULL); /* a LIBSVM file does not say */
    json_open_array(out, "sigmoids");
    for (size_t i = 0; i < partan_model_outputs(model); i++) {
        double slope, offset;
        if (partan_model_sigmoid(model, i, &slope, &offset) != PARTAN_OK)
            break;
        json_open(out, NULL);
        json_real(out, "slope", slope);
        json_real(out, "offset", offset);
        json_close(out);
    }
    json_close_array(out);
    json_close(out);
}

void warn_of_missing_probability(invocation *run, partan_status status, const partan_model *model, bool wanted)
{
    if (wanted && !partan_model_has_probability(model))
        warning(run, "%s before all folds were done: the model has no probabilities",
                status == PARTAN_TIME_LIMIT ? "stopped by --time-limit" : "interrupted");
}

int use_probability(invocation *run, partan_model *model, const char *path)
{
    if (!partan_model_has_probability(model))
        return failure(run, "%s: the model has no probabilities; train it with --probability", path);
    partan_status status = partan_model_use_probability(model, 1);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

/* ---- Predictions ---- */

/* In the order of LIBSVM's files: of two classes, the positive one first. */
static int class_at(const partan_model *model, size_t i)
{
    return partan_model_class_count(model) == 2 ? 1 - (int)i : (int)i;
}

static const char *label_at(const partan_model *model, size_t i)
{
    return partan_model_label_text(model, class_at(model, i));
}

static size_t most_probable(const double *probabilities, size_t classes)
{
    size_t best = 0;
    for (size_t i = 1; i < classes; i++)
        best = probabilities[i] > probabilities[best] ? i : best;
    return best;
}

/* A field of a CSV file, in quotes where it needs them. */
static void put_field(const char *text, FILE *file)
{
    if (!strpbrk(text, ",\"\r\n")) {
        fputs(text, file);
        return;
    }
    fputc('"', file);
    for (; *text; text++)
        fputs(*text == '"' ? "\"\"" : (char[]){*text, '\0'}, file);
    fputc('"', file);
}

static void put_head_of_text(const partan_model *model, FILE *file)
{
    fputs("labels", file);
    for (size_t i = 0; i < partan_model_class_count(model); i++)
        fprintf(file, " %s", label_at(model, i));
    fputc('\n', file);
}

static void put_text(const partan_model *model, const char *label, const double *probabilities, FILE *file)
{
    char number[HUMAN_SIZE];
    fputs(label, file);
    for (size_t i = 0; i < partan_model_class_count(model); i++)
        fprintf(file, " %s", shortest_real(number, probabilities[class_at(model, i)]));
    fputc('\n', file);
}

static void put_head_of_csv(const partan_model *model, FILE *file)
{
    fputs("label", file);
    for (size_t i = 0; i < partan_model_class_count(model); i++) {
        fputc(',', file);
        put_field(label_at(model, i), file);
    }
    fputc('\n', file);
}

static void put_csv(const partan_model *model, const char *label, const double *probabilities, FILE *file)
{
    char number[HUMAN_SIZE];
    put_field(label, file);
    for (size_t i = 0; i < partan_model_class_count(model); i++)
        fprintf(file, ",%s", shortest_real(number, probabilities[class_at(model, i)]));
    fputc('\n', file);
}

static void put_json(const partan_model *model, const char *label, const double *probabilities, FILE *file)
{
    json out;
    json_begin(&out, file);
    json_text(&out, "label", label);
    json_open(&out, "probability");
    for (size_t i = 0; i < partan_model_class_count(model); i++)
        json_real(&out, label_at(model, i), probabilities[class_at(model, i)]);
    json_close(&out);
    json_end(&out);
}

typedef struct layout {
    void (*head)(const partan_model *model, FILE *file); /* NULL: none */
    void (*row)(const partan_model *model, const char *label, const double *probabilities, FILE *file);
} layout;

static layout layout_of(const char *path)
{
    if (ends_in(path, ".csv"))
        return (layout){put_head_of_csv, put_csv};
    if (ends_in(path, ".jsonl") || ends_in(path, ".json"))
        return (layout){NULL, put_json};
    return (layout){put_head_of_text, put_text};
}

typedef struct probable {
    const partan_model *model;
    const double *probabilities;
    layout as;
} probable;

static void put_head(const void *of, FILE *file)
{
    const probable *p = of;
    if (p->as.head)
        p->as.head(p->model, file);
}

static bool put_row(const void *of, size_t row, FILE *file)
{
    const probable *p = of;
    size_t classes = partan_model_class_count(p->model);
    const double *values = p->probabilities + row * classes;
    p->as.row(p->model, partan_model_label_text(p->model, (int)most_probable(values, classes)), values, file);
    return true;
}

int write_probabilities(invocation *run, const partan_model *model, const double *decision, size_t rows,
                        const char *path)
{
    double *probabilities = calloc(rows ? rows : 1, partan_model_class_count(model) * sizeof *probabilities);
    int code = probabilities ? EXIT_DONE : failure(run, "out of memory for the probabilities of %zu rows", rows);
    if (code == EXIT_DONE) {
        partan_status status = partan_probabilities(run->context, model, decision, rows, probabilities);
        code = status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
    }
    code = agree_on(run, code);
    probable all = {model, probabilities, layout_of(path)};
    if (code == EXIT_DONE)
        code = write_row_file(run, &(row_file){.of = &all, .head = put_head, .row = put_row, .rows = rows}, path);
    free(probabilities);
    return code;
}
