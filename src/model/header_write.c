/* Writing the header of a model file, and its last line. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/names.h"
#include "core/number.h"
#include "model/header.h"
#include "model/keys.h"

void pt_label_write(FILE *file, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;
        if (c <= ' ' || c == 0x7f || c == '\\')
            fprintf(file, "\\x%02x", c);
        else
            fputc(c, file);
    }
}

static partan_status write_real(partan_context *context, const pt_key *key, const char *at, FILE *file)
{
    double value;
    memcpy(&value, at, sizeof value);
    if (!isfinite(value))
        return pt_fail(context, PARTAN_ERROR_NUMERIC, "the model's %s is not finite and cannot be written", key->name);
    char buffer[PT_NUMBER_SIZE];
    pt_format_real(buffer, value);
    fputs(buffer, file);
    return PARTAN_OK;
}

static partan_status write_choice(partan_context *context, const pt_key *key, int value, FILE *file)
{
    const char *name = pt_name(key->names, value);
    if (!name)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "the model's %s has no name: %d", key->name, value);
    fputs(name, file);
    return PARTAN_OK;
}

static partan_status write_value(partan_context *context, const pt_key *key, const char *at, FILE *file)
{
    union {
        int64_t integer;
        uint64_t natural;
        int choice;
        bool flag;
        const char *text;
    } value;
    switch (key->type) {
    case PT_KEY_REAL:
        return write_real(context, key, at, file);
    case PT_KEY_CHOICE:
        memcpy(&value.choice, at, sizeof value.choice);
        return write_choice(context, key, value.choice, file);
    case PT_KEY_BOOL:
        memcpy(&value.flag, at, sizeof value.flag);
        return write_choice(context, key, value.flag, file);
    case PT_KEY_FLAG:
        memcpy(&value.integer, at, sizeof value.integer);
        return write_choice(context, key, (int)value.integer, file);
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
        pt_label_write(file, value.text);
        break;
    }
    return PARTAN_OK;
}

static bool left_out(const pt_key *key, const char *at)
{
    int choice = 0;
    double real = 0;
    if (!key->optional)
        return false;
    if (key->type == PT_KEY_REAL)
        memcpy(&real, at, sizeof real);
    else
        memcpy(&choice, at, sizeof choice);
    return choice == 0 && real == 0;
}

partan_status pt_header_write(partan_context *context, const pt_header *header, const void *model, FILE *file)
{
    fprintf(file, "%s %s\n", header->kind->magic, header->kind->version);
    for (size_t i = 0; i < header->count; i++) {
        pt_key key = pt_key_resolve(&header->keys[i]);
        if (i + 1 == header->count && header->write_others)
            header->write_others(file, model);
        if (left_out(&key, (const char *)model + key.offset))
            continue;
        fprintf(file, "%s ", key.name);
        partan_status status = write_value(context, &key, (const char *)model + key.offset, file);
        if (status)
            return status;
        fputc('\n', file);
    }
    return PARTAN_OK;
}

void pt_end_write(FILE *file)
{
    fputs(PT_END "\n", file);
}
