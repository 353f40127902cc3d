/* Models of more than two classes in LIBSVM's files.
 *
 * There is a decision value for each pair of classes i < j, in the order of the labels: positive for i. Each support
 * vector has a coefficient for each other class; of class c, the first c are for the classes before it. */
#include <inttypes.h>
#include <limits.h>
#include <math.h>

#include "core/number.h"
#include "svm/model/machines.h"
#include "svm/model/vectors.h"

static size_t other_class(size_t class, size_t place)
{
    return place < class ? place : place + 1;
}

/* ---- Reading ---- */

static partan_status make_machine(partan_model *model, size_t m, size_t i, size_t j, double rho, size_t room)
{
    partan_context *context = model->context;
    partan_status status = pt_model_create(context, &model->machines[m]);
    if (status)
        return status;
    model->machine_count++;
    partan_model *machine = model->machines[m];
    machine->sides[1] = (int64_t)i;
    machine->sides[0] = (int64_t)j;
    machine->bias = 0 - rho;
    machine->weights = pt_alloc(context, room, sizeof *machine->weights);
    machine->signs = pt_alloc(context, room, sizeof *machine->signs);
    machine->members = pt_alloc(context, room, sizeof *machine->members);
    return machine->weights && machine->signs && machine->members ? PARTAN_OK : pt_out_of_memory(context, "a machine");
}

static partan_status make_machines(partan_model *model, const double *rho, const size_t *counts)
{
    size_t classes = model->labels.count, m = 0;
    model->machines = pt_alloc_zero(model->context, classes * (classes - 1) / 2, sizeof *model->machines);
    partan_status status = model->machines ? PARTAN_OK : pt_out_of_memory(model->context, "the machines");
    for (size_t i = 0; i < classes && !status; i++)
        for (size_t j = i + 1; j < classes && !status; j++, m++)
            status = make_machine(model, m, i, j, rho[m], counts[i * classes + j]);
    return status;
}

/* The coefficients of each pair of classes that are not 0. */
static void count_pairs(const partan_model *model, const double *coefficients, size_t *counts)
{
    size_t classes = model->labels.count;
    for (size_t i = 0; i < model->count; i++) {
        size_t class = (size_t)model->class_of[i];
        const double *own = coefficients + i * (classes - 1);
        for (size_t other = 0; other < class; other++)
            counts[other * classes + class] += own[other] != 0;
        for (size_t other = class + 1; other < classes; other++)
            counts[class * classes + other] += own[other - 1] != 0;
    }
}

static void add_member(partan_model *machine, size_t i, double value)
{
    machine->weights[machine->count] = fabs(value);
    machine->signs[machine->count] = value < 0 ? -1 : 1;
    machine->members[machine->count++] = i;
}

/* Coefficient = scale * weight * sign, with weights that add up to 1; a pair may have no support vectors at all. */
static void scale_machine(partan_model *machine)
{
    double sum = 0;
    for (size_t k = 0; k < machine->count; k++)
        sum += machine->weights[k];
    for (size_t k = 0; k < machine->count; k++)
        machine->weights[k] /= sum;
    machine->scale = sum > 0 ? sum : 1;
    machine->result.support_vectors = machine->count;
}

partan_status pt_machines_of_libsvm(partan_model *model, const double *coefficients, const double *rho)
{
    size_t classes = model->labels.count;
    size_t *counts = pt_alloc_zero(model->context, classes * classes, sizeof *counts);
    if (!counts)
        return pt_out_of_memory(model->context, "the machines");
    count_pairs(model, coefficients, counts);
    model->settings.multiclass = PARTAN_ONE_VS_ONE;
    partan_status status = make_machines(model, rho, counts);
    for (size_t i = 0; i < model->count && !status; i++)
        for (size_t k = 0; k + 1 < classes; k++) {
            double value = coefficients[i * (classes - 1) + k];
            size_t class = (size_t)model->class_of[i];
            if (value != 0)
                add_member(model->machines[pt_machine_of_pair(classes, class, other_class(class, k))], i, value);
        }
    for (size_t m = 0; m < model->machine_count && !status; m++)
        scale_machine(model->machines[m]);
    pt_free(model->context, counts);
    return status;
}

/* ---- Writing ---- */

static partan_status check(const partan_model *model)
{
    const pt_labels *labels = &model->labels;
    if (model->settings.multiclass != PARTAN_ONE_VS_ONE)
        return pt_fail(
            model->context, PARTAN_ERROR_ARGUMENT,
            "a LIBSVM model of several classes has a machine for each pair of them (--multiclass ovo); this one "
            "has one for each class");
    for (size_t i = 0; i < labels->count; i++)
        if (labels->words || labels->label[i] != floor(labels->label[i]) || fabs(labels->label[i]) > INT_MAX)
            return pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                           "a LIBSVM model's labels are whole numbers; the label '%s' cannot be written",
                           labels->text[i]);
    return PARTAN_OK;
}

static void write_number(FILE *file, double value)
{
    char text[PT_NUMBER_SIZE];
    pt_format_real(text, value + 0.0);
    fprintf(file, " %s", text);
}

/* Positive values of a machine are for its positive class, LIBSVM's for the first of the pair. */
static double direction(const partan_model *machine)
{
    return machine->sides[1] < machine->sides[0] ? 1 : -1;
}

/* With f = direction * (LIBSVM's value), 1 - 1 / (1 + exp(slope f + offset)) has the same slope and -offset. */
static void write_sigmoids(const partan_model *model, FILE *file)
{
    fputs("\nprobA", file);
    for (size_t m = 0; m < model->machine_count; m++)
        write_number(file, model->machines[m]->sigmoid.slope);
    fputs("\nprobB", file);
    for (size_t m = 0; m < model->machine_count; m++)
        write_number(file, direction(model->machines[m]) * model->machines[m]->sigmoid.offset);
}

static partan_status write_lists(const partan_model *model, FILE *file)
{
    size_t classes = model->labels.count;
    size_t *counts = pt_alloc_zero(model->context, classes, sizeof *counts);
    if (!counts)
        return pt_out_of_memory(model->context, "a model");
    fprintf(file, "nr_class %zu\ntotal_sv %zu\nrho", classes, model->count);
    for (size_t m = 0; m < model->machine_count; m++)
        write_number(file, 0 - direction(model->machines[m]) * model->machines[m]->bias);
    fputs("\nlabel", file);
    for (size_t i = 0; i < classes; i++)
        fprintf(file, " %.0f", model->labels.label[i] + 0.0);
    if (model->calibrated)
        write_sigmoids(model, file);
    for (size_t i = 0; i < model->count; i++)
        counts[model->class_of[i]]++;
    fputs("\nnr_sv", file);
    for (size_t i = 0; i < classes; i++)
        fprintf(file, " %zu", counts[i]);
    fputs("\nSV\n", file);
    pt_free(model->context, counts);
    return PARTAN_OK;
}

static void fill(const partan_model *model, double *coefficients)
{
    size_t others = model->labels.count - 1;
    for (size_t m = 0; m < model->machine_count; m++) {
        const partan_model *machine = model->machines[m];
        double factor = direction(machine) * machine->scale;
        for (size_t k = 0; k < machine->count; k++) {
            size_t i = machine->members[k];
            int64_t class = model->class_of[i], other = machine->sides[machine->sides[0] == class];
            coefficients[i * others + (size_t)(other < class ? other : other - 1)] =
                factor * machine->weights[k] * (double)machine->signs[k];
        }
    }
}

partan_status pt_many_write_libsvm(const partan_model *model, FILE *file)
{
    size_t others = model->labels.count - 1;
    partan_status status = check(model);
    double *coefficients = status ? NULL : pt_alloc_zero(model->context, model->count * others, sizeof *coefficients);
    if (!status && !coefficients)
        status = pt_out_of_memory(model->context, "coefficients");
    pt_vectors vectors = {0};
    if (!status)
        status = pt_vectors_write_start(&vectors, model);
    if (!status)
        status = write_lists(model, file);
    if (!status)
        fill(model, coefficients);
    for (size_t i = 0; i < model->count && !status; i++) {
        char text[PT_NUMBER_SIZE];
        for (size_t k = 0; k < others; k++) {
            pt_format_real(text, coefficients[i * others + k]);
            fprintf(file, "%s%s", k ? " " : "", text);
        }
        pt_vectors_write(&vectors, model, i, file);
    }
    if (vectors.model)
        pt_vectors_free(&vectors);
    pt_free(model->context, coefficients);
    return status;
}
