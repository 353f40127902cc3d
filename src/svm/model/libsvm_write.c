/* Writing LIBSVM model files, for svm-predict and whatever else reads them.
 *
 * LIBSVM's decision value is sum_i coefficient_i k(x_i, x) - rho, positive for the first label. Hence coefficient =
 * scale * weight * sign and rho = -bias; the positive class comes first, its support vectors before the others'. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>

#include "core/number.h"
#include "kernel/kinds.h"
#include "svm/model/machines.h"
#include "svm/model/vectors.h"

static partan_status check_labels(const partan_model *model)
{
    for (int class = 0; class < 2; class ++) {
        double label = model->classes.label[class];
        if (model->classes.words || label != floor(label) || fabs(label) > INT_MAX)
            return pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                           "a LIBSVM model's labels are whole numbers; the label '%s' cannot be written",
                           model->classes.text[class]);
    }
    return PARTAN_OK;
}

static void write_real(FILE *file, const char *name, double value)
{
    char buffer[PT_NUMBER_SIZE];
    pt_format_real(buffer, value);
    fprintf(file, "%s %s\n", name, buffer);
}

static void write_kernel(const partan_settings *settings, FILE *file)
{
    partan_kernel kernel = settings->kernel;
    fprintf(file, "kernel_type %s\n", partan_kernel_name(kernel)); /* the same names as LIBSVM's */
    const pt_kernel_kind *kind = pt_kernel_kind_of(kernel);
    if (kind->degree)
        fprintf(file, "degree %" PRId64 "\n", settings->degree);
    if (kind->gamma)
        write_real(file, "gamma", settings->gamma);
    if (kind->coef0)
        write_real(file, "coef0", settings->coef0);
}

static void write_header(const partan_model *model, FILE *file)
{
    size_t positive = 0;
    for (size_t i = 0; i < model->count; i++)
        positive += model->signs[i] > 0;
    fputs("svm_type c_svc\n", file);
    write_kernel(&model->settings, file);
    fprintf(file, "nr_class 2\ntotal_sv %zu\n", model->count);
    write_real(file, "rho", 0 - model->bias); /* 0 rather than -0 */
    fprintf(file, "label %.0f %.0f\n", model->classes.label[1] + 0.0, model->classes.label[0] + 0.0);
    if (model->calibrated) {
        write_real(file, "probA", model->sigmoid.slope);
        write_real(file, "probB", model->sigmoid.offset);
    }
    fprintf(file, "nr_sv %zu %zu\nSV\n", positive, model->count - positive);
}

static void write_class(const partan_model *model, bool positive, pt_vectors *vectors, FILE *file)
{
    for (size_t i = 0; i < model->count; i++) {
        if ((model->signs[i] > 0) != positive)
            continue;
        char coefficient[PT_NUMBER_SIZE];
        pt_format_real(coefficient, model->scale * model->weights[i] * (double)model->signs[i]);
        fputs(coefficient, file);
        pt_vectors_write(vectors, model, i, file);
    }
}

/* Other problems have no classes, and nr_class is 2 there. */
static void write_other(const partan_model *model, pt_vectors *vectors, FILE *file)
{
    bool regression = model->settings.problem == PARTAN_REGRESSION;
    fprintf(file, "svm_type %s\n", regression ? "epsilon_svr" : "one_class");
    write_kernel(&model->settings, file);
    fprintf(file, "nr_class 2\ntotal_sv %zu\n", model->count);
    write_real(file, "rho", 0 - model->bias);
    fputs("SV\n", file);
    write_class(model, true, vectors, file);
    write_class(model, false, vectors, file);
}

partan_status pt_model_write_libsvm(const partan_model *model, FILE *file)
{
    partan_kernel kernel = model->settings.kernel;
    if (!pt_kernel_kind_of(kernel)->libsvm)
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                       "LIBSVM has no %s kernel; the model can only be written in native format",
                       partan_kernel_name(kernel));
    if (model->scaling)
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                       "LIBSVM models cannot hold a scaling; the model can only be written in native format");
    if (model->settings.problem == PARTAN_OUTLIER && !pt_kernel_kind_of(kernel)->decays)
        return pt_fail(
            model->context, PARTAN_ERROR_ARGUMENT,
            "a LIBSVM model of outliers has no room for k(x, x), which a %s kernel needs; the model can only "
            "be written in native format",
            partan_kernel_name(kernel));
    if (model->machine_count > 0) {
        fputs("svm_type c_svc\n", file);
        write_kernel(&model->settings, file);
        return pt_many_write_libsvm(model, file);
    }
    bool classes = model->settings.problem == PARTAN_CLASSIFICATION;
    partan_status status = classes ? check_labels(model) : PARTAN_OK;
    if (status)
        return status;
    pt_vectors vectors;
    status = pt_vectors_write_start(&vectors, model);
    if (status == PARTAN_OK && !classes)
        write_other(model, &vectors, file);
    else if (status == PARTAN_OK) {
        write_header(model, file);
        write_class(model, true, &vectors, file);
        write_class(model, false, &vectors, file);
    }
    pt_vectors_free(&vectors);
    return status;
}
