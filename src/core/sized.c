#include "core/sized.h"

#include <string.h>

enum {
    HEAD = sizeof(size_t), /* of every such struct: struct_size */
    MOST = 4096            /* far above every struct there may be: a greater size was never set */
};

static size_t size_of(const void *given)
{
    size_t size;
    memcpy(&size, given, sizeof size);
    return size;
}

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

void pt_struct_init(void *given, size_t size, const void *initial, size_t known)
{
    if (size < HEAD)
        return;
    memset(given, 0, size);
    memcpy(given, initial, smaller(size, known));
    memcpy(given, &size, sizeof size);
}

partan_status pt_struct_check(partan_context *context, const char *name, const void *given, size_t known)
{
    size_t size = size_of(given);
    if (size >= HEAD && size % HEAD == 0 && size <= MOST)
        return PARTAN_OK;
    if (!context)
        return PARTAN_ERROR_ARGUMENT;
    return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                   "%s: found struct_size %zu, expected the %zu bytes of this version or those of another: call "
                   "%s_init first",
                   name, size, known, name);
}

static bool has_only_zeros(const unsigned char *bytes, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (bytes[i] != 0)
            return false;
    return true;
}

partan_status pt_struct_take(partan_context *context, const char *name, const void *given, void *own, size_t known)
{
    partan_status status = pt_struct_check(context, name, given, known);
    if (status)
        return status;
    size_t size = size_of(given);
    if (size > known && !has_only_zeros((const unsigned char *)given + known, size - known))
        return !context
                   ? PARTAN_ERROR_ARGUMENT
                   : pt_fail(
                       context, PARTAN_ERROR_ARGUMENT,
                       "%s: found %zu bytes with fields that this version, partan %s, does not know, expected at most "
                       "%zu: the program was made for a newer version",
                       name, size, PARTAN_VERSION, known);
    memcpy((char *)own + HEAD, (const char *)given + HEAD, smaller(size, known) - HEAD);
    return PARTAN_OK;
}

void pt_struct_give(void *given, const void *own, size_t known)
{
    memcpy((char *)given + HEAD, (const char *)own + HEAD, smaller(size_of(given), known) - HEAD);
}
