/* Reading LIBSVM model files of classification (c_svc, nu_svc), regression (epsilon_svr, nu_svr) and outliers
 * (one_class), for prediction; those of more than two classes have their machines made in machines_libsvm.c. Header
 * lines may come in any order. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernel/kinds.h"
#include "svm/model/machines.h"
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
    PART_COUNTS = 512,
    PART_SLOPES = 1024,
    PART_OFFSETS = 2048
} header_part;

/* Lines with a number for each class, or pair of classes. */
enum { LIST_RHO, LIST_LABELS, LIST_COUNTS, LIST_SLOPES, LIST_OFFSETS, LISTS };

typedef struct libsvm_header {
    pt_scan scan;
    partan_model *model;
    unsigned seen;
    uint64_t total, classes;
    double *list[LISTS]; /* the numbers of a line each */
    size_t length[LISTS];
} libsvm_header;

static partan_status read_type(libsvm_header *header)
{
    pt_word word = pt_scan_word(&header->scan);
    if (pt_word_is(word, "c_svc") || pt_word_is(word, "nu_svc"))
        return PARTAN_OK;
    bool outliers = pt_word_is(word, "one_class");
    header->model->settings.problem = outliers ? PARTAN_OUTLIER : PARTAN_REGRESSION;
    if (outliers || pt_word_is(word, "epsilon_svr") || pt_word_is(word, "nu_svr"))
        return PARTAN_OK;
    return pt_scan_fail(&header->scan, word, "c_svc, nu_svc, one_class, epsilon_svr or nu_svr");
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

/* All numbers that are left on the line. */
static partan_status read_list(libsvm_header *header, int which, bool whole, const char *expected)
{
    size_t capacity = 0;
    for (pt_word word = pt_scan_word(&header->scan); !pt_word_empty(word); word = pt_scan_word(&header->scan)) {
        size_t count = header->length[which];
        double number;
        if (!pt_word_real(word, &number) || (whole && (number != floor(number) || fabs(number) > INT_MAX)))
            return pt_scan_fail(&header->scan, word, expected);
        if (pt_reserve(header->model->context, (void **)&header->list[which], &capacity, count, count + 1,
                       sizeof number))
            return pt_out_of_memory(header->model->context, "a model");
        header->list[which][header->length[which]++] = number;
    }
    return PARTAN_OK;
}

static partan_status read_rho(libsvm_header *header)
{
    return read_list(header, LIST_RHO, false, "a number for each pair of classes");
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
    if (pt_word_unsigned(word, &header->classes) && header->classes >= 2 && header->classes <= INT_MAX)
        return PARTAN_OK;
    return pt_scan_fail(&header->scan, word, "a number of classes, 2 or more");
}

static partan_status read_total(libsvm_header *header)
{
    pt_word word = pt_scan_word(&header->scan);
    if (pt_word_unsigned(word, &header->total))
        return PARTAN_OK;
    return pt_scan_fail(&header->scan, word, "the number of support vectors");
}

static partan_status read_counts(libsvm_header *header)
{
    return read_list(header, LIST_COUNTS, true, "a number of support vectors for each class");
}

static partan_status read_labels(libsvm_header *header)
{
    return read_list(header, LIST_LABELS, true, "labels that are whole numbers");
}

static partan_status read_slopes(libsvm_header *header)
{
    return read_list(header, LIST_SLOPES, false, "a number for each pair of classes");
}

static partan_status read_offsets(libsvm_header *header)
{
    return read_list(header, LIST_OFFSETS, false, "a number for each pair of classes");
}

static const struct {
    const char *name;
    unsigned part;
    partan_status (*read)(libsvm_header *header);
} lines[] = {
    {"svm_type", PART_TYPE, read_type},   {"kernel_type", PART_KERNEL, read_kernel},
    {"degree", PART_DEGREE, read_degree}, {"gamma", PART_GAMMA, read_gamma},
    {"coef0", PART_COEF0, read_coef0},    {"nr_class", PART_CLASSES, read_class_count},
    {"total_sv", PART_TOTAL, read_total}, {"rho", PART_RHO, read_rho},
    {"label", PART_LABELS, read_labels},  {"nr_sv", PART_COUNTS, read_counts},
    {"probA", PART_SLOPES, read_slopes},  {"probB", PART_OFFSETS, read_offsets},
};
enum { LINE_COUNT = sizeof lines / sizeof lines[0] };

static partan_status read_header_line(libsvm_header *header, pt_word key)
{
    for (int i = 0; i < LINE_COUNT; i++) {
        if (!pt_word_is(key, lines[i].name))
            continue;
        if (header->seen & lines[i].part)
            return pt_scan_fail(&header->scan, key, "every line of the header once");
        header->seen |= lines[i].part;
        partan_status status = lines[i].read(header);
        return status ? status : pt_scan_line_done(&header->scan);
    }
    return pt_scan_fail(&header->scan, key, "a line of a LIBSVM model's header");
}

static bool has_classes(const libsvm_header *header)
{
    return header->model->settings.problem == PARTAN_CLASSIFICATION;
}

static unsigned needed_parts(const libsvm_header *header)
{
    unsigned parts = PART_TYPE | PART_KERNEL | PART_CLASSES | PART_TOTAL | PART_RHO;
    const pt_kernel_kind *kind = pt_kernel_kind_of(header->model->settings.kernel);
    parts |= has_classes(header) ? PART_LABELS : 0u;
    parts |= (kind->gamma ? PART_GAMMA : 0u) | (kind->coef0 ? PART_COEF0 : 0u) | (kind->degree ? PART_DEGREE : 0u);
    return parts;
}

/* For probabilities: both lines or neither, with a number for each pair of classes. */
static partan_status check_sigmoids(const libsvm_header *header, pt_word word)
{
    bool both = header->length[LIST_SLOPES] == header->length[LIST_RHO]
                && header->length[LIST_OFFSETS] == header->length[LIST_RHO];
    if (both || !(header->seen & (PART_SLOPES | PART_OFFSETS)))
        return PARTAN_OK;
    return pt_scan_fail(&header->scan, word,
                        "a probA and a probB for each pair of classes, or none, before the support vectors");
}

static partan_status check_lists(const libsvm_header *header, pt_word word)
{
    double classes = (double)header->classes, sum = 0;
    if (!has_classes(header) && (header->length[LIST_RHO] != 1 || header->classes != 2))
        return pt_scan_fail(&header->scan, word, "one rho, and a nr_class of 2, before the support vectors");
    if (!has_classes(header))
        return PARTAN_OK;
    if ((double)header->length[LIST_LABELS] != classes)
        return pt_scan_fail(&header->scan, word, "as many labels as classes before the support vectors");
    if ((double)header->length[LIST_RHO] != classes * (classes - 1) / 2)
        return pt_scan_fail(&header->scan, word, "a rho for each pair of classes before the support vectors");
    for (size_t i = 0; i < header->length[LIST_LABELS]; i++)
        for (size_t j = 0; j < i; j++)
            if (header->list[LIST_LABELS][i] == header->list[LIST_LABELS][j])
                return pt_scan_fail(&header->scan, word, "labels that differ before the support vectors");
    for (size_t i = 0; i < header->length[LIST_COUNTS]; i++)
        sum += header->list[LIST_COUNTS][i] < 0 ? (double)NAN : header->list[LIST_COUNTS][i];
    bool counted = (header->seen & PART_COUNTS) || header->classes > 2;
    if (counted && ((double)header->length[LIST_COUNTS] != classes || !(sum == (double)header->total)))
        return pt_scan_fail(&header->scan, word, "numbers in nr_sv that add up to total_sv");
    return check_sigmoids(header, word);
}

static partan_status check_header(const libsvm_header *header, pt_word word)
{
    unsigned missing = needed_parts(header) & ~header->seen;
    for (int i = 0; i < LINE_COUNT; i++)
        if (lines[i].part & missing) {
            char expected[64];
            snprintf(expected, sizeof expected, "the line '%s' before the support vectors", lines[i].name);
            return pt_scan_fail(&header->scan, word, expected);
        }
    partan_status status = check_lists(header, word);
    if (status)
        return status;
    if (has_classes(header) && header->total == 0)
        return pt_scan_fail(&header->scan, word, "a total_sv of at least 1");
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

/* ---- Support vectors ---- */

static partan_status read_coefficients(libsvm_header *header, size_t i, double *coefficients)
{
    pt_scan *scan = &header->scan;
    size_t count = (size_t)header->classes - 1;
    for (size_t k = 0; k < count; k++) {
        double *coefficient = &coefficients[i * count + k];
        if (pt_scan_number(scan, coefficient))
            continue;
        pt_word word = pt_scan_word(scan);
        if (!pt_word_real(word, coefficient))
            return pt_scan_fail(scan, word,
                                count == 1 ? "the coefficient of a support vector"
                                           : "a coefficient of a support vector for each other class");
    }
    return PARTAN_OK;
}

static partan_status read_vectors(libsvm_header *header, pt_vectors *vectors, double *coefficients)
{
    pt_scan *scan = &header->scan;
    partan_model *model = header->model;
    for (size_t i = 0; i < model->count; i++) {
        if (!pt_scan_line(scan))
            return pt_scan_fail_end(scan, "a support vector");
        partan_status status = read_coefficients(header, i, coefficients);
        if (!status)
            status = pt_vectors_read(vectors, scan, i, false);
        if (status)
            return status;
    }
    if (pt_scan_line(scan))
        return pt_scan_fail(scan, pt_scan_word(scan), "the end of the file after the last support vector");
    return pt_vectors_finish(vectors, PARTAN_STORAGE_AUTO, 0);
}

/* ---- Two classes, or none ---- */

/* Coefficient = scale * weight * sign, with weights that add up to 1. */
static partan_status split_coefficients(partan_model *model, const char *name, const double *coefficients)
{
    double sum = 0;
    model->scale = 1;
    if (model->count == 0)
        return PARTAN_OK; /* a regression that predicts one number */
    for (size_t i = 0; i < model->count; i++)
        sum += fabs(coefficients[i]);
    if (!isfinite(sum) || sum == 0)
        return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                       "%s: found coefficients whose sizes add up to %g, expected a finite number above 0", name, sum);
    for (size_t i = 0; i < model->count; i++) {
        model->signs[i] = coefficients[i] < 0 ? -1.0f : 1.0f;
        model->weights[i] = fabs(coefficients[i]) / sum;
    }
    model->scale = sum;
    return PARTAN_OK;
}

static char *label_text(partan_context *context, double label)
{
    char text[32];
    int length = snprintf(text, sizeof text, "%.0f", label + 0.0);
    return pt_copy(context, text, (size_t)length + 1, 1);
}

/* The first label is the one that positive decision values stand for. */
static partan_status take_two(libsvm_header *header, const double *coefficients)
{
    partan_model *model = header->model;
    model->bias = 0 - header->list[LIST_RHO][0];
    if (!has_classes(header)) {
        bool outliers = model->settings.problem == PARTAN_OUTLIER;
        partan_status status = outliers ? pt_model_outlier_classes(model) : PARTAN_OK;
        return status ? status : split_coefficients(model, header->scan.name, coefficients);
    }
    for (int class = 0; class < 2; class ++) {
        model->classes.label[class] = header->list[LIST_LABELS][1 - class];
        model->classes.text[class] = label_text(model->context, model->classes.label[class]);
    }
    if (!model->classes.text[0] || !model->classes.text[1])
        return pt_out_of_memory(model->context, "a label");
    return split_coefficients(model, header->scan.name, coefficients);
}

/* ---- More ---- */

static partan_status take_many(libsvm_header *header, const double *coefficients)
{
    partan_model *model = header->model;
    size_t classes = (size_t)header->classes, next = 0;
    partan_status status = pt_labels_reserve(model->context, classes, &model->labels);
    for (size_t i = 0; i < classes && !status; i++) {
        model->labels.label[i] = header->list[LIST_LABELS][i];
        model->labels.text[i] = label_text(model->context, model->labels.label[i]);
        status = model->labels.text[i] ? PARTAN_OK : pt_out_of_memory(model->context, "a label");
    }
    model->class_of = status ? NULL : pt_alloc(model->context, model->count, sizeof *model->class_of);
    if (!status && !model->class_of)
        status = pt_out_of_memory(model->context, "support vectors");
    for (size_t i = 0; i < classes && !status; i++)
        for (size_t k = 0; k < (size_t)header->list[LIST_COUNTS][i]; k++)
            model->class_of[next++] = (int32_t)i;
    return status ? status : pt_machines_of_libsvm(model, coefficients, header->list[LIST_RHO]);
}

/* Its sigmoids are those of the first class of each pair, which the machines' positive ones are. */
static void take_sigmoids(libsvm_header *header)
{
    partan_model *model = header->model;
    model->calibrated = header->seen & PART_SLOPES;
    for (size_t i = 0; i < header->length[LIST_SLOPES]; i++) {
        partan_model *machine = model->machine_count > 0 ? model->machines[i] : model;
        machine->sigmoid = (pt_sigmoid){header->list[LIST_SLOPES][i], header->list[LIST_OFFSETS][i]};
    }
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

static partan_status parse(libsvm_header *header, size_t size)
{
    partan_model *model = header->model;
    partan_status status = read_header(header);
    if (status)
        return status;
    /* Before room is made for so many numbers, the file must be long enough to hold them. */
    double numbers = (double)header->total * (double)(header->classes - 1);
    if (numbers > (double)size)
        return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                       "%s: found %ju support vectors of %ju classes, expected no more than the file can hold",
                       header->scan.name, (uintmax_t)header->total, (uintmax_t)header->classes);
    double *coefficients = pt_alloc(model->context, (size_t)numbers, sizeof *coefficients);
    pt_vectors vectors;
    pt_vectors_init(&vectors, model, size);
    status = coefficients ? pt_model_reserve(model, (size_t)header->total)
                          : pt_out_of_memory(model->context, "coefficients");
    if (!status)
        status = read_vectors(header, &vectors, coefficients);
    pt_vectors_free(&vectors);
    if (!status)
        status = (header->classes > 2 ? take_many : take_two)(header, coefficients);
    if (!status)
        take_sigmoids(header);
    pt_free(model->context, coefficients);
    return status;
}

partan_status pt_model_parse_libsvm(partan_context *context, const char *name, const char *text, size_t size,
                                    partan_model *model)
{
    libsvm_header header = {.model = model};
    pt_scan_init(&header.scan, context, name, text, size);
    model->format = PARTAN_MODEL_LIBSVM;
    partan_status status = parse(&header, size);
    for (int i = 0; i < LISTS; i++)
        pt_free(context, header.list[i]);
    if (status == PARTAN_OK)
        describe(model);
    return status;
}
