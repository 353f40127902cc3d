#include "data/endings.h"

#include <stdbool.h>
#include <string.h>
#include <strings.h>

static const char *const compressions[] = {".gz", ".bz2", ".xz", ".zst"};

static const struct {
    const char *ending;
    partan_format format;
} formats[] = {{".csv", PARTAN_FORMAT_CSV}, {".tsv", PARTAN_FORMAT_TSV}, {".tab", PARTAN_FORMAT_TSV}};

static bool ends_with(const char *text, size_t size, const char *ending)
{
    size_t length = strlen(ending);
    return size >= length && strncasecmp(text + size - length, ending, length) == 0;
}

const char *partan_compression(const char *path)
{
    size_t size = strlen(path);
    for (size_t i = 0; i < sizeof compressions / sizeof compressions[0]; i++)
        if (ends_with(path, size, compressions[i]))
            return path + size - strlen(compressions[i]);
    return NULL;
}

partan_format pt_format_by_ending(const char *path)
{
    const char *compression = partan_compression(path);
    size_t size = compression ? (size_t)(compression - path) : strlen(path);
    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++)
        if (ends_with(path, size, formats[i].ending))
            return formats[i].format;
    return PARTAN_FORMAT_AUTO;
}
