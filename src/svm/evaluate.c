/* How good predictions are, from decision values and the labels of the rows: the confusion matrix, precision, recall
 * and F1 of each class, and the curves over all thresholds with their areas.
 *
 * At a threshold t the rows with a decision value of t or more are predicted positive. Both areas are exact: rows of
 * equal decision value enter a curve together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "svm/model/model.h"

enum { NEGATIVE = 0, POSITIVE = 1, OTHER = 2, UNLABELLED = 3 };

/* ---- Which class a row's label names ---- */

static bool is_class(const partan_model *model, int positive, const char *word)
{
    double number;
    if (strcmp(word, model->classes.text[positive]) == 0)
        return true;
    return !model->classes.words && pt_text_to_real(word, &number) && number == model->classes.label[positive];
}

static unsigned char class_of_word(const partan_model *model, const char *word)
{
    return is_class(model, POSITIVE, word) ? POSITIVE : is_class(model, NEGATIVE, word) ? NEGATIVE : OTHER;
}

/* A number in the data is compared with a model's numbers by value ("1" is "+1.0"), with its words by text. */
static unsigned char class_of_number(const partan_model *model, double label)
{
    char text[PT_NUMBER_SIZE];
    if (isnan(label))
        return UNLABELLED;
    if (model->classes.words) {
        pt_format_real(text, label);
        return class_of_word(model, text);
    }
    return label == model->classes.label[POSITIVE]   ? POSITIVE
           : label == model->classes.label[NEGATIVE] ? NEGATIVE
                                                     : OTHER;
}

static partan_status find_classes(partan_context *context, const partan_model *model, const partan_data *data,
                                  unsigned char *class)
{
    unsigned char *of_word = pt_alloc(context, data->word_count, 1);
    if (!of_word)
        return pt_out_of_memory(context, "the classes of labels");
    for (size_t i = 0; i < data->word_count; i++)
        of_word[i] = class_of_word(model, data->words[i]);
    for (size_t row = 0; row < data->matrix.rows; row++) {
        double label = partan_data_label(data, row);
        if (data->words)
            class[row] = isnan(label) ? UNLABELLED : of_word[(size_t)label];
        else
            class[row] = class_of_number(model, label);
    }
    pt_free(context, of_word);
    return PARTAN_OK;
}

/* ---- The confusion matrix and what follows from it ---- */

static double ratio(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : (double)NAN;
}

static void count(const unsigned char *class, const double *decision, size_t rows, partan_evaluation *found)
{
    for (size_t row = 0; row < rows; row++) {
        int predicted = decision[row] > 0;
        if (class[row] == UNLABELLED)
            continue;
        found->labelled++;
        if (class[row] == OTHER)
            found->other++;
        else
            found->confusion[class[row]][predicted]++;
    }
    found->correct = found->confusion[NEGATIVE][NEGATIVE] + found->confusion[POSITIVE][POSITIVE];
}

void partan_evaluation_measure(partan_evaluation *found)
{
    found->accuracy = ratio(found->correct, found->labelled);
    for (int k = NEGATIVE; k <= POSITIVE; k++) {
        uint64_t hits = found->confusion[k][k], actual = hits + found->confusion[k][!k];
        uint64_t predicted = hits + found->confusion[!k][k];
        found->precision[k] = ratio(hits, predicted);
        found->recall[k] = ratio(hits, actual);
        found->f1[k] = ratio(2 * hits, actual + predicted);
    }
    found->balanced_accuracy = (found->recall[NEGATIVE] + found->recall[POSITIVE]) / 2;
}

/* ---- The curves ---- */

typedef struct scored {
    double value;
    bool positive;
} scored;

static int compare_descending(const void *a, const void *b)
{
    double x = ((const scored *)a)->value, y = ((const scored *)b)->value;
    return (x < y) - (x > y);
}

/* Trapezoids for the ROC curve; for average precision, the precision at each step of the recall. */
static void walk(const scored *rows, size_t count, partan_evaluation *found, partan_threshold_callback point,
                 void *user)
{
    uint64_t positives = 0, hits = 0, alarms = 0; /* true and false positives so far */
    for (size_t i = 0; i < count; i++)
        positives += rows[i].positive;
    double negatives = (double)(count - positives), area = 0, precision = 0;
    for (size_t start = 0, end; start < count; start = end) {
        uint64_t more[2] = {0, 0};
        for (end = start; end < count && rows[end].value == rows[start].value; end++)
            more[rows[end].positive]++;
        area += (double)more[0] * ((double)hits + 0.5 * (double)more[1]);
        hits += more[1];
        alarms += more[0];
        precision += (double)more[1] * (double)hits / (double)(hits + alarms);
        if (point)
            point(user, rows[start].value, hits, alarms);
    }
    found->auc = area / ((double)positives * negatives); /* NaN where a class is missing: 0 / 0 */
    found->average_precision = precision / (double)positives;
}

static partan_status follow_curves(partan_context *context, const unsigned char *class, const double *decision,
                                   size_t rows, partan_evaluation *found, partan_threshold_callback point, void *user)
{
    size_t kept = 0;
    scored *sorted = pt_alloc(context, rows, sizeof *sorted);
    if (!sorted)
        return pt_out_of_memory(context, "the curves of an evaluation");
    for (size_t row = 0; row < rows; row++)
        if (class[row] <= POSITIVE)
            sorted[kept++] = (scored){decision[row], class[row] == POSITIVE};
    qsort(sorted, kept, sizeof *sorted, compare_descending);
    walk(sorted, kept, found, point, user);
    pt_free(context, sorted);
    return PARTAN_OK;
}

partan_status partan_evaluate(partan_context *context, const partan_model *model, const partan_data *data,
                              const double *decision, partan_threshold_callback point, void *user,
                              partan_evaluation *evaluation)
{
    size_t rows = data->matrix.rows;
    partan_evaluation found = {0};
    unsigned char *class = pt_alloc(context, rows, 1);
    if (!class)
        return pt_out_of_memory(context, "the classes of rows");
    partan_status status = find_classes(context, model, data, class);
    if (!status) {
        count(class, decision, rows, &found);
        partan_evaluation_measure(&found);
        status = follow_curves(context, class, decision, rows, &found, point, user);
    }
    if (!status)
        *evaluation = found;
    pt_free(context, class);
    return status;
}
