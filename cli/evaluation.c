#include "evaluation.h"

#include <inttypes.h>
#include <string.h>

#include "human.h"

#define LEAST_WIDTH 5

class_names model_classes(const partan_model *model)
{
    return (class_names){{partan_model_label_text(model, 0), partan_model_label_text(model, 1)}};
}

/* ---- Text ---- */

static int width_of(const char *text)
{
    int length = (int)strlen(text);
    return length < LEAST_WIDTH ? LEAST_WIDTH : length;
}

static void print_share(double share, FILE *file)
{
    if (share >= 0)
        fprintf(file, "  %9.4f", share);
    else
        fprintf(file, "  %9s", "-"); /* a share of nothing */
}

static void print_class(const partan_evaluation *found, class_names names, int k, FILE *file)
{
    char count[HUMAN_SIZE];
    int width = width_of(names.text[0]) > width_of(names.text[1]) ? width_of(names.text[0]) : width_of(names.text[1]);
    fprintf(file, "%-*s  %11s", width, names.text[k],
            human_count(count, found->confusion[k][0] + found->confusion[k][1]));
    for (int predicted = 1; predicted >= 0; predicted--)
        fprintf(file, "  %*s", 10 + width_of(names.text[predicted]),
                human_count(count, found->confusion[k][predicted]));
    print_share(found->precision[k], file);
    print_share(found->recall[k], file);
    print_share(found->f1[k], file);
    fputc('\n', file);
}

static void print_classes(const partan_evaluation *found, class_names names, FILE *file)
{
    int width = width_of(names.text[0]) > width_of(names.text[1]) ? width_of(names.text[0]) : width_of(names.text[1]);
    fprintf(file, "\n%-*s  %11s", width, "class", "rows");
    for (int predicted = 1; predicted >= 0; predicted--)
        fprintf(file, "  %*s%s", 10 + width_of(names.text[predicted]) - (int)strlen(names.text[predicted]),
                "predicted ", names.text[predicted]);
    fprintf(file, "  %9s  %9s  %9s\n", "precision", "recall", "F1");
    print_class(found, names, 1, file);
    print_class(found, names, 0, file);
    if (found->other)
        fprintf(file, "%" PRIu64 " rows have a label that is neither class; they count as wrong\n", found->other);
}

void print_losses(const partan_evaluation *found, FILE *file)
{
    if (found->log_loss >= 0)
        fprintf(file, "log-loss %.4f, Brier score %.4f\n", found->log_loss, found->brier);
}

static void print_summary(const partan_evaluation *found, class_names names, FILE *file)
{
    if (found->balanced_accuracy >= 0) /* both classes are there */
        fprintf(file, "\nbalanced accuracy %.4f, AUC %.4f, average precision %.4f (positive class: %s)\n",
                found->balanced_accuracy, found->auc, found->average_precision, names.text[1]);
    print_losses(found, file);
}

void print_many_summary(const partan_evaluation *found, FILE *file)
{
    fprintf(file, "balanced accuracy %.4f, macro F1 %.4f", found->balanced_accuracy, found->macro_f1);
    if (found->auc >= 0) /* there are rows of two classes */
        fprintf(file, ", AUC %.4f (mean of each class against the rest)", found->auc);
    fputc('\n', file);
    print_losses(found, file);
}

void print_evaluation(const partan_evaluation *found, class_names names, uint64_t rows, FILE *file)
{
    if (found->labelled == 0) {
        fprintf(file, "%" PRIu64 " rows, none with a label\n", rows);
        return;
    }
    if (found->classes == 0) {
        fprintf(file, "R^2 = %.6g, MSE = %.6g, MAE = %.6g (%" PRIu64 " rows)\n", found->r2, found->mse, found->mae,
                found->labelled);
        return;
    }
    fprintf(file, "Accuracy = %.6g%% (%" PRIu64 "/%" PRIu64 ")\n", 100.0 * found->accuracy, found->correct,
            found->labelled);
    if (found->classes > 2) {
        fprintf(file, "%" PRIu64 " classes: ", found->classes);
        print_many_summary(found, file);
        return;
    }
    print_classes(found, names, file);
    print_summary(found, names, file);
}

/* ---- JSON ---- */

static void json_class(json *out, const partan_evaluation *found, class_names names, int k)
{
    json_open(out, NULL);
    json_text(out, "label", names.text[k]);
    json_unsigned(out, "rows", found->confusion[k][0] + found->confusion[k][1]);
    json_unsigned(out, "predicted", found->confusion[0][k] + found->confusion[1][k]);
    json_unsigned(out, "correct", found->confusion[k][k]);
    json_real(out, "precision", found->precision[k]);
    json_real(out, "recall", found->recall[k]);
    json_real(out, "f1", found->f1[k]);
    json_close(out);
}

void json_losses(json *out, const partan_evaluation *found)
{
    json_real(out, "log_loss", found->log_loss);
    json_real(out, "brier", found->brier);
}

void json_evaluation(json *out, const partan_evaluation *found, class_names names)
{
    json_unsigned(out, "labelled", found->labelled);
    if (found->classes == 0) {
        json_real(out, "r2", found->r2);
        json_real(out, "mse", found->mse);
        json_real(out, "mae", found->mae);
        return;
    }
    json_unsigned(out, "correct", found->correct);
    json_unsigned(out, "other_labels", found->other);
    json_real(out, "accuracy", found->accuracy);
    json_real(out, "balanced_accuracy", found->balanced_accuracy);
    json_real(out, "macro_f1", found->macro_f1);
    json_losses(out, found);
    json_real(out, "auc", found->auc);
    if (found->classes > 2)
        return;
    json_real(out, "average_precision", found->average_precision);
    json_open_array(out, "classes"); /* the positive one first */
    json_class(out, found, names, 1);
    json_class(out, found, names, 0);
    json_close_array(out);
    json_open_array(out, "confusion"); /* rows: the label; columns: the prediction; in the order of classes */
    for (int k = 1; k >= 0; k--) {
        json_open_array(out, NULL);
        json_unsigned(out, NULL, found->confusion[k][1]);
        json_unsigned(out, NULL, found->confusion[k][0]);
        json_close_array(out);
    }
    json_close_array(out);
}
