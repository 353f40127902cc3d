/* Reading native model files: the header, one line a support vector, and the end. */
#include <math.h>
#include <string.h>

#include "model/source.h"
#include "svm/model/keys.h"
#include "svm/model/scaling.h"
#include "svm/model/vectors.h"

#define WEIGHT_SUM_TOLERANCE 1e-6 /* of a file; verify asks for more */

enum { SHORTEST_LINE = sizeof "1 +1 1" }; /* of a support vector, its line feed included */

/* "weight sign row" before the features. */
static partan_status read_vector_head(pt_scan *scan, partan_model *model, size_t i)
{
    pt_word word = pt_scan_word(scan);
    if (!pt_word_real(word, &model->weights[i]) || model->weights[i] <= 0)
        return pt_scan_fail(scan, word, "a weight, a number above 0");
    word = pt_scan_word(scan);
    if (!pt_word_is(word, "+1") && !pt_word_is(word, "-1"))
        return pt_scan_fail(scan, word, "a sign, +1 or -1");
    model->signs[i] = *word.start == '+' ? 1.0f : -1.0f;
    word = pt_scan_word(scan);
    if (!pt_word_integer(word, &model->origin[i]) || model->origin[i] < 1 || (uint64_t)model->origin[i] > model->rows)
        return pt_scan_fail(scan, word, "the number of a row of the training data");
    model->origin[i]--;
    return PARTAN_OK;
}

static partan_status read_vectors(pt_scan *scan, partan_model *model, pt_vectors *vectors)
{
    for (size_t i = 0; i < model->count; i++) {
        if (!pt_scan_line(scan))
            return pt_scan_fail_end(scan, "a support vector");
        partan_status status = read_vector_head(scan, model, i);
        if (status == PARTAN_OK)
            status = pt_vectors_read(vectors, scan, i, true);
        if (status)
            return status;
    }
    return PARTAN_OK;
}

static partan_status check_sum(const pt_scan *scan, const partan_model *model)
{
    double sum = 0;
    for (size_t i = 0; i < model->count; i++)
        sum += model->weights[i];
    if (model->count == 0 || fabs(sum - 1) <= WEIGHT_SUM_TOLERANCE)
        return PARTAN_OK;
    return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                   "%s: found weights of support vectors that add up to %.9g, expected 1", scan->name, sum);
}

static partan_status check_count(pt_scan *scan, const partan_model *model)
{
    if (model->result.support_vectors > model->rows)
        return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                       "%s:%ju: found %ju support vectors, expected no more than the %ju rows of the training data",
                       scan->name, (uintmax_t)scan->line, (uintmax_t)model->result.support_vectors,
                       (uintmax_t)model->rows);
    /* Before room is made for so many, the file must be long enough to hold them. */
    if (model->result.support_vectors > pt_scan_left(scan) / SHORTEST_LINE)
        return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                       "%s:%ju: found %ju support vectors in the header, expected no more than the rest of the file "
                       "can hold",
                       scan->name, (uintmax_t)scan->line, (uintmax_t)model->result.support_vectors);
    return PARTAN_OK;
}

static const pt_header *header_of(const char *text, size_t size)
{
    static const char problem[] = "partan-model 3";
    bool other = size >= sizeof problem && memcmp(text, problem, sizeof problem - 1) == 0;
    return other ? &pt_problem_header : &pt_svm_header;
}

/* Of a file of problems other than classification. */
static partan_status check_problem(const pt_scan *scan, partan_model *model)
{
    partan_settings *s = &model->settings;
    partan_kernel kernel = s->kernel;
    bool distances = kernel != PARTAN_KERNEL_PRECOMPUTED && kernel != PARTAN_KERNEL_SIGMOID;
    if (s->problem == PARTAN_REGRESSION)
        return PARTAN_OK;
    if (s->problem == PARTAN_OUTLIER && distances)
        return pt_model_outlier_classes(model);
    return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                   "%s: found problem %s with a %s kernel, expected regression, or outlier with a kernel of distances",
                   scan->name, partan_problem_name(s->problem), partan_kernel_name(kernel));
}

partan_status pt_model_parse_native(partan_context *context, const char *name, const char *text, size_t size,
                                    partan_model *model)
{
    pt_scan scan;
    pt_scan_init(&scan, context, name, text, size);
    model->format = PARTAN_MODEL_NATIVE;
    partan_status status = pt_header_read(&scan, header_of(text, size), model);
    if (status == PARTAN_OK)
        status = pt_source_check(&scan, &model->source, model->features);
    if (status == PARTAN_OK)
        status = pt_model_scaling_check(&scan, model);
    if (status == PARTAN_OK)
        status = check_count(&scan, model);
    if (status == PARTAN_OK && header_of(text, size) == &pt_problem_header)
        status = check_problem(&scan, model);
    if (status == PARTAN_OK)
        status = pt_model_reserve(model, (size_t)model->result.support_vectors);
    if (status)
        return status;
    pt_vectors vectors;
    pt_vectors_init(&vectors, model, size);
    status = read_vectors(&scan, model, &vectors);
    if (status == PARTAN_OK)
        status = pt_end_read(&scan, "support vector");
    if (status == PARTAN_OK)
        status = check_sum(&scan, model);
    if (status == PARTAN_OK)
        status = pt_vectors_finish(&vectors, model->storage, (size_t)model->features);
    if (status == PARTAN_OK && model->calibration_folds > 0)
        pt_calibrated(model, model->calibration_folds);
    pt_vectors_free(&vectors);
    return status;
}
