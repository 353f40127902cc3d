/* Models: creation, accessors, and files of either format. */
#include "svm/model/model.h"

#include <math.h>
#include <string.h>

#include "core/require.h"
#include "core/sized.h"
#include "model/file.h"
#include "model/memory.h"
#include "svm/model/machines.h"

partan_status pt_model_create(partan_context *context, partan_model **model)
{
    *model = pt_alloc_zero(context, 1, sizeof **model);
    if (!*model)
        return pt_out_of_memory(context, "a model");
    (*model)->context = context;
    return PARTAN_OK;
}

partan_status pt_model_outlier_classes(partan_model *model)
{
    model->classes = (pt_classes){.label = {-1, 1}};
    model->classes.text[0] = pt_copy(model->context, "-1", sizeof "-1", 1);
    model->classes.text[1] = pt_copy(model->context, "1", sizeof "1", 1);
    return model->classes.text[0] && model->classes.text[1] ? PARTAN_OK : pt_out_of_memory(model->context, "a model");
}

void partan_model_free(partan_model *model)
{
    if (!model)
        return;
    partan_context *context = model->context;
    pt_source_free(context, &model->source);
    partan_scaling_free(model->scaling);
    pt_classes_free(context, &model->classes);
    pt_matrix_free(&model->vectors);
    pt_free(context, model->weights);
    pt_free(context, model->signs);
    pt_free(context, model->origin);
    pt_free(context, model->serials);
    for (size_t i = 0; i < model->machine_count; i++)
        partan_model_free(model->machines[i]);
    pt_free(context, model->machines);
    pt_free(context, model->class_of);
    pt_free(context, model->members);
    pt_labels_free(context, &model->labels);
    pt_free(context, atomic_load(&model->folded));
    pt_free(context, model);
}

/* ---- Reading ---- */

/* LIBSVM's models begin with this line; whatever else is tried as a native one, for its message. */
static bool is_libsvm(const partan_model_file *file)
{
    static const char start[] = "svm_type";
    return file->size >= sizeof start && memcmp(file->text, start, sizeof start - 1) == 0;
}

typedef partan_status parser(partan_context *context, const char *name, const char *text, size_t size,
                             partan_model *model);

static parser *parser_of(const partan_model_file *file)
{
    if (is_libsvm(file))
        return pt_model_parse_libsvm;
    return pt_is_many(file->text, file->size) ? pt_many_parse : pt_model_parse_native;
}

partan_status partan_model_from_file(partan_context *context, const partan_model_file *file, partan_model **model)
{
    PT_REQUIRE(context, context && file && model);
    partan_model *made;
    *model = NULL;
    partan_status status = pt_model_create(context, &made);
    if (status == PARTAN_OK)
        status = parser_of(file)(context, file->name, file->text, file->size, made);
    if (status == PARTAN_OK && !made->calibrated) { /* only files with probabilities have it */
        partan_settings defaults;
        partan_settings_init(&defaults);
        made->settings.probability_folds = defaults.probability_folds;
    }
    if (status)
        partan_model_free(made);
    else
        *model = made;
    return status;
}

partan_status partan_model_read(partan_context *context, const char *path, partan_model **model)
{
    PT_REQUIRE(context, context && path && model);
    partan_model_file *file;
    *model = NULL;
    partan_status status = partan_model_file_read(context, path, &file);
    if (status == PARTAN_OK)
        status = partan_model_from_file(context, file, model);
    partan_model_file_free(file);
    return status;
}

partan_status partan_model_from_memory(partan_context *context, const void *bytes, size_t size, partan_model **model)
{
    PT_REQUIRE(context, context && model && (bytes || size == 0));
    partan_model_file *file;
    *model = NULL;
    partan_status status = partan_model_file_from_memory(context, bytes, size, &file);
    if (status == PARTAN_OK)
        status = partan_model_from_file(context, file, model);
    partan_model_file_free(file);
    return status;
}

/* ---- Writing ---- */

static partan_status write_native(const void *model, FILE *file)
{
    return pt_model_write_native(model, file);
}

static partan_status write_libsvm(const void *model, FILE *file)
{
    return pt_model_write_libsvm(model, file);
}

/* NULL: there is no such format. */
static pt_model_writer *writer_of(partan_context *context, partan_model_format format)
{
    if (format == PARTAN_MODEL_NATIVE || format == PARTAN_MODEL_LIBSVM)
        return format == PARTAN_MODEL_NATIVE ? write_native : write_libsvm;
    pt_fail(context, PARTAN_ERROR_ARGUMENT, "%d is not a model format", (int)format);
    return NULL;
}

partan_status partan_model_write(partan_context *context, const partan_model *model, const char *path,
                                 partan_model_format format)
{
    PT_REQUIRE(context, context && model && path);
    pt_model_writer *write = writer_of(context, format);
    return write ? pt_model_to_path(context, model->context, write, model, path) : PARTAN_ERROR_ARGUMENT;
}

partan_status partan_model_to_memory(partan_context *context, const partan_model *model, partan_model_format format,
                                     char **bytes, size_t *size)
{
    PT_REQUIRE(context, context && model && bytes && size);
    pt_model_writer *write = writer_of(context, format);
    return write ? pt_model_to_memory(context, model->context, write, model, bytes, size) : PARTAN_ERROR_ARGUMENT;
}

/* ---- Accessors ---- */

partan_model_format partan_model_get_format(const partan_model *model)
{
    return model->format;
}

const partan_result *partan_model_result(const partan_model *model)
{
    return &model->result;
}

const partan_settings *partan_model_settings(const partan_model *model)
{
    return &model->settings;
}

const char *partan_model_version(const partan_model *model)
{
    return model->version;
}

uint64_t partan_model_fingerprint(const partan_model *model)
{
    return model->fingerprint;
}

size_t partan_model_rows(const partan_model *model)
{
    return (size_t)model->rows;
}

size_t partan_model_features(const partan_model *model)
{
    return (size_t)model->features;
}

const char *partan_model_feature_name(const partan_model *model, size_t feature)
{
    return pt_feature_name(&model->source.names, feature);
}

partan_format partan_model_data_format(const partan_model *model)
{
    return model->source.format;
}

int64_t partan_model_label_column(const partan_model *model)
{
    return model->source.label_column;
}

const char *partan_model_label_name(const partan_model *model)
{
    return model->source.label_name;
}

int64_t partan_model_weight_column(const partan_model *model)
{
    return model->source.weight_column;
}

const char *partan_model_weight_name(const partan_model *model)
{
    return model->source.weight_name;
}

double partan_model_bias(const partan_model *model)
{
    return model->bias;
}

size_t partan_model_class_count(const partan_model *model)
{
    return pt_class_count(model);
}

size_t partan_model_outputs(const partan_model *model)
{
    return pt_outputs(model);
}

static bool is_class(const partan_model *model, int number)
{
    return number >= 0 && (size_t)number < pt_class_count(model);
}

const char *partan_model_label_text(const partan_model *model, int number)
{
    if (!is_class(model, number))
        return NULL;
    return model->machine_count > 0 ? model->labels.text[number] : model->classes.text[number];
}

int partan_model_has_words(const partan_model *model)
{
    return model->machine_count > 0 ? model->labels.words : model->classes.words;
}

double partan_model_class_weight(const partan_model *model, int number)
{
    if (!is_class(model, number))
        return (double)NAN;
    return model->machine_count > 0 ? model->labels.weight[number] : pt_class_weight(&model->classes, number == 1);
}

double partan_model_label(const partan_model *model, int number)
{
    if (!is_class(model, number))
        return (double)NAN;
    return model->machine_count > 0 ? model->labels.label[number] : model->classes.label[number];
}

int partan_model_decide(const partan_model *model, const double *decision)
{
    return (int)pt_vote(model, decision);
}

PT_STRUCT_INIT(partan_machine, .positive = 1)

partan_status partan_model_machine(const partan_model *model, size_t i, partan_machine *machine)
{
    PT_REQUIRE(NULL, model && machine);
    PT_CHECK_OUTPUT(model->context, partan_machine, machine);
    if (i >= pt_outputs(model))
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT, "found machine %zu, expected one below %zu", i,
                       pt_outputs(model));
    const partan_model *one = model->machine_count > 0 ? model->machines[i] : model;
    partan_machine found;
    partan_machine_init(&found);
    found.positive = model->machine_count > 0 ? (int)one->sides[1] : 1;
    found.negative = model->machine_count > 0 ? (int)one->sides[0] : 0;
    found.bias = one->bias;
    found.result = one->result;
    pt_struct_give(machine, &found, sizeof found);
    return PARTAN_OK;
}
