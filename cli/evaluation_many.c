/* How the predictions of a model of more than two classes compare with the labels. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "evaluation.h"
#include "human.h"
#include "message.h"
#include "runtime.h"

enum { MOST_COLUMNS = 12 }; /* classes up to which the confusion matrix is shown to people */

int many_evaluate(invocation *run, const partan_model *model, const partan_data *data, const double *decision,
                  partan_evaluation *evaluation, many_evaluation *out)
{
    size_t classes = partan_model_class_count(model);
    *out = (many_evaluation){.count = classes,
                             .confusion = calloc(classes * classes, sizeof *out->confusion),
                             .classes = calloc(classes, sizeof *out->classes),
                             .predicted = calloc(partan_data_rows(data) + 1, sizeof *out->predicted)};
    bool there = out->confusion && out->classes && out->predicted;
    int code = there ? EXIT_DONE : failure(run, "out of memory for the measures of %zu classes", classes);
    code = agree_on(run, code);
    if (code != EXIT_DONE)
        return code;
    partan_status status = partan_evaluate_classes(run->context, model, data, decision, out->confusion, out->classes,
                                                   out->predicted, evaluation);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

void many_evaluation_free(many_evaluation *of)
{
    free(of->confusion);
    free(of->classes);
    free(of->predicted);
    *of = (many_evaluation){0};
}

/* ---- Text ---- */

static int widest(const partan_model *model, size_t count)
{
    int width = 5;
    for (size_t i = 0; i < count; i++) {
        int length = (int)strlen(partan_model_label_text(model, (int)i));
        width = length > width ? length : width;
    }
    return width;
}

static void print_share(double share, FILE *file)
{
    if (share >= 0)
        fprintf(file, "  %9.4f", share);
    else
        fprintf(file, "  %9s", "-"); /* undefined */
}

static void print_classes(const partan_model *model, const many_evaluation *many, FILE *file)
{
    char rows[HUMAN_SIZE], predicted[HUMAN_SIZE];
    int width = widest(model, many->count);
    fprintf(file, "\n%-*s  %11s  %11s  %9s  %9s  %9s\n", width, "class", "rows", "predicted", "precision", "recall",
            "F1");
    for (size_t i = 0; i < many->count; i++) {
        const partan_class_evaluation *one = &many->classes[i];
        fprintf(file, "%-*s  %11s  %11s", width, partan_model_label_text(model, (int)i), human_count(rows, one->rows),
                human_count(predicted, one->predicted));
        print_share(one->precision, file);
        print_share(one->recall, file);
        print_share(one->f1, file);
        fputc('\n', file);
    }
}

static void print_confusion(const partan_model *model, const many_evaluation *many, FILE *file)
{
    int width = widest(model, many->count), column = width < 8 ? 8 : width;
    if (many->count > MOST_COLUMNS)
        return;
    fprintf(file, "\nrows: class, columns: prediction\n%-*s", width, "");
    for (size_t j = 0; j < many->count; j++)
        fprintf(file, "  %*s", column, partan_model_label_text(model, (int)j));
    fputc('\n', file);
    for (size_t i = 0; i < many->count; i++) {
        fprintf(file, "%-*s", width, partan_model_label_text(model, (int)i));
        for (size_t j = 0; j < many->count; j++)
            fprintf(file, "  %*" PRIu64, column, many->confusion[i * many->count + j]);
        fputc('\n', file);
    }
}

void print_many_evaluation(const partan_evaluation *found, const partan_model *model, const many_evaluation *many,
                           uint64_t rows, FILE *file)
{
    if (found->labelled == 0) {
        fprintf(file, "%" PRIu64 " rows, none with a label\n", rows);
        return;
    }
    fprintf(file, "Accuracy = %.6g%% (%" PRIu64 "/%" PRIu64 ")\n", 100.0 * found->accuracy, found->correct,
            found->labelled);
    print_classes(model, many, file);
    print_confusion(model, many, file);
    if (found->other)
        fprintf(file, "%" PRIu64 " rows have a label that is none of the classes; they count as wrong\n", found->other);
    fputc('\n', file);
    print_many_summary(found, file);
}

/* ---- JSON ---- */

static void json_one(json *out, const partan_model *model, const many_evaluation *many, size_t i)
{
    const partan_class_evaluation *one = &many->classes[i];
    json_open(out, NULL);
    json_text(out, "label", partan_model_label_text(model, (int)i));
    json_unsigned(out, "rows", one->rows);
    json_unsigned(out, "predicted", one->predicted);
    json_unsigned(out, "correct", many->confusion[i * many->count + i]);
    json_real(out, "precision", one->precision);
    json_real(out, "recall", one->recall);
    json_real(out, "f1", one->f1);
    json_close(out);
}

void json_many_evaluation(json *out, const partan_evaluation *found, const partan_model *model,
                          const many_evaluation *many)
{
    json_unsigned(out, "labelled", found->labelled);
    json_unsigned(out, "correct", found->correct);
    json_unsigned(out, "other_labels", found->other);
    json_real(out, "accuracy", found->accuracy);
    json_real(out, "balanced_accuracy", found->balanced_accuracy);
    json_real(out, "macro_f1", found->macro_f1);
    json_losses(out, found);
    json_real(out, "auc", found->auc);
    json_open_array(out, "classes");
    for (size_t i = 0; i < many->count; i++)
        json_one(out, model, many, i);
    json_close_array(out);
    json_open_array(out, "confusion"); /* rows: the label; columns: the prediction; in the order of classes */
    for (size_t i = 0; i < many->count; i++) {
        json_open_array(out, NULL);
        for (size_t j = 0; j < many->count; j++)
            json_unsigned(out, NULL, many->confusion[i * many->count + j]);
        json_close_array(out);
    }
    json_close_array(out);
}
