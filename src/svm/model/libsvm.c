/* Reading LIBSVM model files of two-class machines (c_svc, nu_svc), for prediction. Header lines may come in any
 * order; lines for probability estimates are skipped, since labels do not depend on them. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/kinds.h"
#include "svm/model/vectors.h"

enum { SHORTEST_LINE = sizeof "1" }; /* of a support vector, its line feed included */

/* What the header has to name; one bit each. */
typedef enum header_part {
    PART_TYPE = 1,
    PART_KERNEL = 2,
    PART_CLASSES = 4,
    PART_TOTAL = 8,
    PART_RHO = 16,
    PART_LABELS = 32,
    PART_DEGREE = 64,
    PART_GAMMA = 128,
    PART_COEF0 = 256,
    PART_COUNTS = 512
} header_part;

typedef struct libsvm_header {
    pt_scan scan;
    partan_model *model;
    unsigned seen;
    uint64_t total;
    uint64_t counts[2];
} libsvm_header;

static partan_status read_type(libsvm_header *header)
{
    pt_word word = pt_scan_word(&header->scan);
    if (pt_word_is(word, "c_svc") || pt_word_is(word, "nu_svc"))
        return PARTAN_OK;
    return pt_scan_fail(&header->scan, word, "c_svc or nu_svc, the two-class machines that can be read");
}

static partan_status read_kernel(libsvm_header *header)
{
    pt_word word = pt_scan_word(&header->scan);
    const char *name;
    for (int i = 0; (name = partan_kernel_name((partan_kernel)i)); i++)
        if (pt_kernel_kind_of((partan_kernel)i)->libsvm && pt_word_is(word, name)) {
            header->model->settings.kernel = (partan_kernel)i;
            return PARTAN_OK;
        }
    return pt_scan_fail(&header->scan, word, "linear, polynomial, rbf, sigmoid or precomputed");
}

static partan_status read_real(libsvm_header *header, double *value)
{
    pt_word word = pt_scan_word(&header->scan);
    return pt_word_real(word, value) ? PARTAN_OK : pt_scan_fail(&header->scan, word, "a number");
}

static partan_status read_rho(libsvm_header *header)
{
    double rho = 0;
    partan_status status = read_real(header, &rho);
    header->model->bias = 0 - rho;
    return status;
}

static partan_status read_gamma(libsvm_header *header)
{
    pt_word word = pt_scan_word(&header->scan);
    double *gamma = &header->model->settings.gamma;
    return pt_word_real(word, gamma) && *gamma > 0 ? PARTAN_OK
                                                   : pt_scan_fail(&header->scan, word, "the gamma, a number above 0");
}

static partan_status read_coef0(libsvm_header *header)
{
    return read_real(header, &header->model->settings.coef0);
}

static partan_status read_degree(libsvm_header *header)
{
    pt_word word = pt_scan_word(&header->scan);
    int64_t *degree = &header->model->settings.degree;
    if (pt_word_integer(word, degree) && *degree >= 0 && *degree <= INT_MAX)
        return PARTAN_OK;
    return pt_scan_fail(&header->scan, word, "the degree, a whole number not below 0");
}

static partan_status read_class_count(libsvm_header *header)
{
    pt_word word = pt_scan_word(&header->scan);
    return pt_word_is(word, "2") ? PARTAN_OK : pt_scan_fail(&header->scan, word, "2 classes");
}

static partan_status read_total(libsvm_header *header)
{
    pt_word word = pt_scan_word(&header->scan);
    if (pt_word_unsigned(word, &header->total) && header->total > 0)
        return PARTAN_OK;
    return pt_scan_fail(&header->scan, word, "the number of support vectors, at least 1");
}

static partan_status read_counts(libsvm_header *header)
{
    for (int i = 0; i < 2; i++) {
        pt_word word = pt_scan_word(&header->scan);
        if (!pt_word_unsigned(word, &header->counts[i]))
            return pt_scan_fail(&header->scan, word, "a number of support vectors for each of the two classes");
    }
    return PARTAN_OK;
}

/* The first label is the one that positive decision values stand for. */
static partan_status read_labels(libsvm_header *header)
{
    pt_classes *classes = &header->model->classes;
    for (int class = 1; class >= 0; class --) {
        pt_word word = pt_scan_word(&header->scan);
        int64_t label;
        if (!pt_word_integer(word, &label) || label < INT_MIN || label > INT_MAX)
            return pt_scan_fail(&header->scan, word, "two labels, whole numbers");
        classes->label[class] = (double)label;
        if (class == 0 && classes->label[0] == classes->label[1])
            return pt_scan_fail(&header->scan, word, "a label other than the first");
        char text[32];
        int length = snprintf(text, sizeof text, "%jd", (intmax_t)label);
        classes->text[class] = pt_copy(header->model->context, text, (size_t)length + 1, 1);
        if (!classes->text[class])
            return pt_out_of_memory(header->model->context, "a label");
    }
    return PARTAN_OK;
}

static const struct {
    const char *name;
    unsigned part; /* 0: skipped with all that follows on its line */
    partan_status (*read)(libsvm_header *header);
} lines[] = {
    {"svm_type", PART_TYPE, read_type},
    {"kernel_type", PART_KERNEL, read_kernel},
    {"degree", PART_DEGREE, read_degree},
    {"gamma", PART_GAMMA, read_gamma},
    {"coef0", PART_COEF0, read_coef0},
    {"nr_class", PART_CLASSES, read_class_count},
    {"total_sv", PART_TOTAL, read_total},
    {"rho", PART_RHO, read_rho},
    {"label", PART_LABELS, read_labels},
    {"nr_sv", PART_COUNTS, read_counts},
    {"probA", 0, NULL},
    {"probB", 0, NULL},
};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static partan_status read_header_line(libsvm_header *header, pt_word key)
{
    for (int i = 0; i < LINE_COUNT; i++) {
        if (!pt_word_is(key, lines[i].name))
            continue;
        if (!lines[i].read)
            return PARTAN_OK;
        if (header->seen & lines[i].part)
            return pt_scan_fail(&header->scan, key, "every line of the header once");
        header->seen |= lines[i].part;
        partan_status status = lines[i].read(header);
        return status ? status : pt_scan_line_done(&header->scan);
    }
    return pt_scan_fail(&header->scan, key, "a line of a LIBSVM model's header");
}

static unsigned needed_parts(partan_kernel kernel)
{
    unsigned parts = PART_TYPE | PART_KERNEL | PART_CLASSES | PART_TOTAL | PART_RHO | PART_LABELS;
    const pt_kernel_kind *kind = pt_kernel_kind_of(kernel);
    parts |= (kind->gamma ? PART_GAMMA : 0u) | (kind->coef0 ? PART_COEF0 : 0u) | (kind->degree ? PART_DEGREE : 0u);
    return parts;
}

static partan_status check_header(const libsvm_header *header, pt_word word)
{
    unsigned missing = needed_parts(header->model->settings.kernel) & ~header->seen;
    for (int i = 0; i < LINE_COUNT; i++)
        if (lines[i].part & missing) {
            char expected[64];
            snprintf(expected, sizeof expected, "the line '%s' before the support vectors", lines[i].name);
            return pt_scan_fail(&header->scan, word, expected);
        }
    const uint64_t *counts = header->counts;
    if ((header->seen & PART_COUNTS) && (counts[0] > header->total || header->total - counts[0] != counts[1]))
        return pt_scan_fail(&header->scan, word, "numbers in nr_sv that add up to total_sv");
    /* Before room is made for so many, the file must be long enough to hold them. */
    if (header->total > pt_scan_left(&header->scan) / SHORTEST_LINE + 1)
        return pt_scan_fail(&header->scan, word, "a total_sv that the rest of the file can hold");
    return PARTAN_OK;
}

static partan_status read_header(libsvm_header *header)
{
    while (pt_scan_line(&header->scan)) {
        pt_word key = pt_scan_word(&header->scan);
        if (pt_word_is(key, "SV"))
            return check_header(header, key);
        partan_status status = read_header_line(header, key);
        if (status)
            return status;
    }
    return pt_scan_fail_end(&header->scan, "the line 'SV'");
}

/* Coefficients go into the weights as they stand. */
static partan_status read_vectors(libsvm_header *header, pt_vectors *vectors)
{
    pt_scan *scan = &header->scan;
    partan_model *model = header->model;
    for (size_t i = 0; i < model->count; i++) {
        if (!pt_scan_line(scan))
            return pt_scan_fail_end(scan, "a support vector");
        pt_word word = pt_scan_word(scan);
        if (!pt_word_real(word, &model->weights[i]))
            return pt_scan_fail(scan, word, "the coefficient of a support vector");
        partan_status status = pt_vectors_read(vectors, scan, i, false);
        if (status)
            return status;
    }
    if (pt_scan_line(scan))
        return pt_scan_fail(scan, pt_scan_word(scan), "the end of the file after the last support vector");
    return pt_vectors_finish(vectors, PARTAN_STORAGE_AUTO, 0);
}

/* Coefficient = scale * weight * sign, with weights that add up to 1. */
static partan_status split_coefficients(partan_model *model, const char *name)
{
    double sum = 0;
    for (size_t i = 0; i < model->count; i++)
        sum += fabs(model->weights[i]);
    if (!isfinite(sum) || sum == 0)
        return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                       "%s: found coefficients whose sizes add up to %g, expected a finite number above 0", name, sum);
    for (size_t i = 0; i < model->count; i++) {
        model->signs[i] = model->weights[i] < 0 ? -1.0f : 1.0f;
        model->weights[i] = fabs(model->weights[i]) / sum;
    }
    model->scale = sum;
    return PARTAN_OK;
}

static void describe(partan_model *model)
{
    model->result.support_vectors = model->count;
    model->features = model->vectors.features;
    model->storage = model->vectors.storage;
    for (size_t i = 0; model->serials && i < model->count; i++)
        if ((uint64_t)model->serials[i] >= model->features)
            model->features = (uint64_t)model->serials[i] + 1;
}

partan_status pt_model_parse_libsvm(partan_context *context, const char *name, const char *text, size_t size,
                                    partan_model *model)
{
    libsvm_header header = {.model = model};
    pt_scan_init(&header.scan, context, name, text, size);
    model->format = PARTAN_MODEL_LIBSVM;
    partan_status status = read_header(&header);
    if (status == PARTAN_OK)
        status = pt_model_reserve(model, (size_t)header.total);
    if (status)
        return status;
    pt_vectors vectors;
    pt_vectors_init(&vectors, model, size);
    status = read_vectors(&header, &vectors);
    pt_vectors_free(&vectors);
    if (status == PARTAN_OK)
        status = split_coefficients(model, name);
    if (status == PARTAN_OK)
        describe(model);
    return status;
}
