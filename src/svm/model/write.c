/* Writing native model files. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/names.h"
#include "core/number.h"
#include "svm/model/keys.h"
#include "svm/model/vectors.h"

/* Bytes up to the space, DEL and the backslash become \xHH, so that a label is one word of its line. */
static void write_label(FILE *file, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c <= ' ' || c == 0x7f || c == '\\')
            fprintf(file, "\\x%02x", c);
        else
            fputc(c, file);
    }
}

static partan_status write_real(const partan_model *model, const pt_model_key *key, FILE *file)
{
    double value;
    memcpy(&value, (const char *)model + key->offset, sizeof value);
    if (!isfinite(value))
        return pt_fail(model->context, PARTAN_ERROR_NUMERIC, "the model's %s is not finite and cannot be written",
                       key->name);
    char buffer[PT_NUMBER_SIZE];
    pt_format_real(buffer, value);
    fputs(buffer, file);
    return PARTAN_OK;
}

static partan_status write_choice(const partan_model *model, const pt_model_key *key, int value, FILE *file)
{
    const char *name = pt_name(key->names, value);
    if (!name)
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT, "the model's %s has no name: %d", key->name, value);
    fputs(name, file);
    return PARTAN_OK;
}

static partan_status write_value(const partan_model *model, const pt_model_key *key, FILE *file)
{
    const char *at = (const char *)model + key->offset;
    union {
        int64_t integer;
        uint64_t natural;
        int choice;
        bool flag;
        const char *text;
    } value;
    switch (key->type) {
    case PT_KEY_REAL:
        return write_real(model, key, file);
    case PT_KEY_CHOICE:
        memcpy(&value.choice, at, sizeof value.choice);
        return write_choice(model, key, value.choice, file);
    case PT_KEY_BOOL:
        memcpy(&value.flag, at, sizeof value.flag);
        return write_choice(model, key, value.flag, file);
    case PT_KEY_INTEGER:
        memcpy(&value.integer, at, sizeof value.integer);
        fprintf(file, "%" PRId64, value.integer);
        break;
    case PT_KEY_UNSIGNED:
        memcpy(&value.natural, at, sizeof value.natural);
        fprintf(file, "%" PRIu64, value.natural);
        break;
    case PT_KEY_FINGERPRINT:
        memcpy(&value.natural, at, sizeof value.natural);
        fprintf(file, "%016" PRIx64, value.natural);
        break;
    case PT_KEY_VERSION:
        fputs(at, file);
        break;
    case PT_KEY_SETTING: /* has become one of the others */
        break;
    case PT_KEY_LABEL:
        memcpy(&value.text, at, sizeof value.text);
        write_label(file, value.text);
        break;
    }
    return PARTAN_OK;
}

static partan_status write_header(const partan_model *model, FILE *file)
{
    fputs(PT_MODEL_MAGIC " " PT_MODEL_VERSION "\n", file);
    for (int i = 0; i < PT_MODEL_KEY_COUNT; i++) {
        pt_model_key key = pt_model_key_at(i);
        fprintf(file, "%s ", key.name);
        partan_status status = write_value(model, &key, file);
        if (status)
            return status;
        fputc('\n', file);
    }
    return PARTAN_OK;
}

static partan_status write_vectors(const partan_model *model, FILE *file)
{
    pt_vectors vectors;
    partan_status status = pt_vectors_write_start(&vectors, model);
    for (size_t i = 0; status == PARTAN_OK && i < model->count; i++) {
        char weight[PT_NUMBER_SIZE];
        pt_format_real(weight, model->weights[i]);
        fprintf(file, "%s %s %" PRId64, weight, model->signs[i] > 0 ? "+1" : "-1", model->origin[i] + 1);
        pt_vectors_write(&vectors, model, i, file);
    }
    pt_vectors_free(&vectors);
    return status;
}

partan_status pt_model_write_native(const partan_model *model, FILE *file)
{
    if (model->format == PARTAN_MODEL_LIBSVM)
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                       "a model read from a LIBSVM file carries no certificate and cannot be written as a native one");
    if (model->result.support_vectors != model->count)
        return pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                       "the model's result counts %ju support vectors of its %zu",
                       (uintmax_t)model->result.support_vectors, model->count);
    partan_status status = write_header(model, file);
    if (status == PARTAN_OK)
        status = write_vectors(model, file);
    fputs(PT_MODEL_END "\n", file);
    return status;
}
