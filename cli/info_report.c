#include "info_report.h"

#include <inttypes.h>
#include <math.h>

#include "human.h"
#include "json.h"
#include "message.h"
#include "weights.h"

#define UNEVEN_RANGES 100.0 /* a kernel of distances then sees the widest features only */

static const char *format_name(const data_info *at)
{
    static const char *const names[] = {"numpy", "libsvm", "csv", "tsv"};
    return (size_t)at->survey.format < sizeof names / sizeof names[0] ? names[at->survey.format] : "other";
}

static bool is_regression(const data_info *at)
{
    return at->summary.classes > INFO_CLASSES && !at->classes[0].word;
}

/* ---- Text ---- */

static void print_format(const data_info *at)
{
    printf("format           %s", format_name(at));
    if (at->survey.columns > 0) {
        printf(", %s header, ", at->survey.header ? "with a" : "no");
        if (at->survey.label_column)
            printf("label in column %" PRIu64 " of %" PRIu64, at->survey.label_column, at->survey.columns);
        else
            printf("no label column");
        if (at->survey.weight_column)
            printf(", weight in column %" PRIu64, at->survey.weight_column);
    }
    putchar('\n');
}

static void print_class(const class_info *class, uint64_t labelled)
{
    char text[HUMAN_SIZE], rows[HUMAN_SIZE];
    printf("  %-14s %12s rows  %6.2f %%\n", class->word ? class->word : shortest_real(text, class->label),
           human_count(rows, class->rows), 100 * (double)class->rows / (double)labelled);
}

static void print_labels(const data_info *at)
{
    const partan_data_summary *found = &at->summary;
    uint64_t rows = partan_data_rows(at->data);
    char text[HUMAN_SIZE], other[HUMAN_SIZE];
    if (found->labelled == 0) {
        printf("labels           none\n");
        return;
    }
    printf("labels           %s different", human_count(text, found->classes));
    if (found->labelled < rows)
        printf(", %s rows without one", human_count(text, rows - found->labelled));
    if (is_regression(at))
        printf(", from %s to %s", shortest_real(text, at->classes[0].label), shortest_real(other, at->last_label));
    putchar('\n');
    if (is_regression(at))
        return;
    for (size_t i = 0; i < at->class_count; i++)
        print_class(&at->classes[i], found->labelled);
    if (found->classes > at->class_count)
        printf("  and %s more\n", human_count(text, found->classes - at->class_count));
}

static void print_values(const data_info *at)
{
    const partan_data_summary *found = &at->summary;
    double cells = (double)partan_data_rows(at->data) * (double)partan_data_features(at->data);
    char text[HUMAN_SIZE];
    printf("values           %.7g to %.7g, %.3g %% nonzero\n", found->least, found->greatest,
           cells > 0 ? 100 * (double)partan_data_nonzeros(at->data) / cells : 0);
    printf("feature ranges   ");
    if (at->widest > 0)
        printf("widths from %.4g to %.4g", at->narrowest, at->widest);
    else
        printf("none");
    printf(", %s constant\n", human_count(text, found->constant_features));
}

static void print_repeated(const data_info *at)
{
    const partan_data_summary *found = &at->summary;
    char text[HUMAN_SIZE];
    if (found->repeated_rows == UINT64_MAX) {
        printf("duplicates       not counted: too many rows\n");
        return;
    }
    printf("duplicates       %s rows with the same features as an earlier row",
           human_count(text, found->repeated_rows));
    printf(", %s with a different label\n", human_count(text, found->contradictory_rows));
    if (found->empty_rows)
        printf("empty rows       %s with only zeros\n", human_count(text, found->empty_rows));
}

static void print_features(const data_info *at)
{
    char least[HUMAN_SIZE], greatest[HUMAN_SIZE];
    if (at->feature_count == 0)
        return;
    printf("\n%8s  %12s  %12s  %12s  %12s  %s\n", "feature", "minimum", "maximum", "mean", "nonzeros", "name");
    for (size_t i = 0; i < at->feature_count; i++) {
        const partan_feature *one = &at->features[i];
        snprintf(least, sizeof least, "%.6g", one->least);
        snprintf(greatest, sizeof greatest, "%.6g", one->greatest);
        printf("%8zu  %12s  %12s  %12.6g  %12" PRIu64 "  %s\n", one->index + 1, least, greatest, one->mean,
               one->nonzeros, one->name ? one->name : "");
    }
}

/* What stands between this file and a model. */
static void advise(invocation *run, const data_info *at)
{
    if (is_regression(at))
        note(run, "so many different labels look like regression targets: use partan train --problem regression, or "
                  "partan lasso for a linear model");
    if (at->survey.columns > 1 && at->summary.classes == partan_data_rows(at->data) && at->survey.label_column == 1)
        note(run, "every row has a different label: if column 1 is not the label, specify --label-column or "
                  "--label-name");
    if (at->widest > UNEVEN_RANGES * at->narrowest)
        note(run, "features have very different ranges: train with --scale standard or --scale minmax");
}

void info_data_text(invocation *run, const data_info *at)
{
    char text[HUMAN_SIZE], other[HUMAN_SIZE];
    printf("data             %s\n", at->path);
    print_format(at);
    printf("rows             %s\n", human_count(text, partan_data_rows(at->data)));
    printf("features         %s\n", human_count(text, partan_data_features(at->data)));
    print_labels(at);
    print_row_weights(stdout, at->data);
    print_values(at);
    print_repeated(at);
    printf("missing values   none\n");
    printf("storage          %s\n", partan_storage_name(partan_data_storage(at->data)));
    printf("gamma            auto %s, scale %s\n", shortest_real(text, at->gammas[0]),
           shortest_real(other, at->gammas[1]));
    printf("fingerprint      %016" PRIx64 "\n", partan_data_fingerprint(at->data));
    print_features(at);
    advise(run, at);
}

void info_unread_text(const data_info *at)
{
    char text[HUMAN_SIZE];
    printf("data             %s\n", at->path);
    print_format(at);
    printf("rows             %s\n", human_count(text, at->survey.rows));
    if (at->survey.uneven)
        printf("uneven rows      %s do not have %" PRIu64 " columns\n", human_count(text, at->survey.uneven),
               at->survey.columns);
    printf("missing values   %s\n", human_count(text, at->missing));
    for (size_t i = 0; i < at->column_count; i++) {
        const partan_column *one = &at->columns[i].counts;
        printf("  column %-4" PRIu64 " %-20s %" PRIu64 " numbers, %" PRIu64 " missing, %" PRIu64 " words%s\n",
               one->number, at->columns[i].name, one->numbers, one->missing, one->words,
               one->is_label ? " (the label)" : "");
    }
    printf("not readable     %s\n", at->error);
}

/* ---- JSON ---- */

static void json_file(json *out, const data_info *at)
{
    json_text(out, "data", at->path);
    json_text(out, "format", format_name(at));
    if (at->survey.columns > 0) {
        json_boolean(out, "header", at->survey.header != 0);
        json_unsigned(out, "columns", at->survey.columns);
        json_unsigned(out, "label_column", at->survey.label_column);
        json_unsigned(out, "weight_column", at->survey.weight_column);
    }
}

static void json_labels(json *out, const data_info *at)
{
    json_unsigned(out, "labelled", at->summary.labelled);
    json_unsigned(out, "classes_count", at->summary.classes);
    json_open_array(out, "classes");
    for (size_t i = 0; i < at->class_count && !is_regression(at); i++) {
        json_open(out, NULL);
        if (at->classes[i].word)
            json_text(out, "label", at->classes[i].word);
        else
            json_real(out, "label", at->classes[i].label);
        json_unsigned(out, "rows", at->classes[i].rows);
        json_close(out);
    }
    json_close_array(out);
}

static void json_features(json *out, const data_info *at)
{
    json_open_array(out, "feature_list");
    for (size_t i = 0; i < at->feature_count; i++) {
        const partan_feature *one = &at->features[i];
        json_open(out, NULL);
        json_unsigned(out, "feature", one->index + 1);
        json_text(out, "name", one->name);
        json_real(out, "least", one->least);
        json_real(out, "greatest", one->greatest);
        json_real(out, "mean", one->mean);
        json_unsigned(out, "nonzeros", one->nonzeros);
        json_close(out);
    }
    json_close_array(out);
}

static void json_values(json *out, const data_info *at)
{
    const partan_data_summary *found = &at->summary;
    double cells = (double)partan_data_rows(at->data) * (double)partan_data_features(at->data);
    json_unsigned(out, "nonzeros", partan_data_nonzeros(at->data));
    json_real(out, "density", cells > 0 ? (double)partan_data_nonzeros(at->data) / cells : NAN);
    json_real(out, "least", found->least);
    json_real(out, "greatest", found->greatest);
    json_real(out, "narrowest_range", at->narrowest);
    json_real(out, "widest_range", at->widest);
    json_unsigned(out, "constant_features", found->constant_features);
    json_unsigned(out, "empty_rows", found->empty_rows);
    json_unsigned(out, "repeated_rows", found->repeated_rows);
    json_unsigned(out, "contradictory_rows", found->contradictory_rows);
    json_unsigned(out, "missing_values", 0);
}

void info_data_json(const data_info *at)
{
    json out;
    char fingerprint[HUMAN_SIZE];
    snprintf(fingerprint, sizeof fingerprint, "%016" PRIx64, partan_data_fingerprint(at->data));
    json_begin(&out, stdout);
    json_file(&out, at);
    json_unsigned(&out, "rows", partan_data_rows(at->data));
    json_unsigned(&out, "features", partan_data_features(at->data));
    json_labels(&out, at);
    json_row_weights(&out, at->data);
    json_values(&out, at);
    json_text(&out, "storage", partan_storage_name(partan_data_storage(at->data)));
    json_real(&out, "gamma_auto", at->gammas[0]);
    json_real(&out, "gamma_scale", at->gammas[1]);
    json_text(&out, "fingerprint", fingerprint);
    if (at->list_features)
        json_features(&out, at);
    json_end(&out);
}

void info_unread_json(const data_info *at)
{
    json out;
    json_begin(&out, stdout);
    json_file(&out, at);
    json_unsigned(&out, "rows", at->survey.rows);
    json_unsigned(&out, "uneven_rows", at->survey.uneven);
    json_unsigned(&out, "missing_values", at->missing);
    json_text(&out, "error", at->error);
    json_open_array(&out, "column_list");
    for (size_t i = 0; i < at->column_count; i++) {
        const partan_column *one = &at->columns[i].counts;
        json_open(&out, NULL);
        json_unsigned(&out, "column", one->number);
        json_text(&out, "name", at->columns[i].name[0] ? at->columns[i].name : NULL);
        json_unsigned(&out, "numbers", one->numbers);
        json_unsigned(&out, "missing", one->missing);
        json_unsigned(&out, "words", one->words);
        json_close(&out);
    }
    json_close_array(&out);
    json_end(&out);
}
