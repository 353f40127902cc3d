#include "matrix/names.h"

#include <stdio.h>
#include <string.h>

#include "core/hash.h"
#include "core/number.h"

void pt_names_init(pt_names *names, partan_context *context)
{
    *names = (pt_names){0};
    pt_words_init(&names->words, context);
}

void pt_names_free(pt_names *names)
{
    if (names->words.context)
        pt_words_free(&names->words);
}

partan_status pt_names_copy(const pt_names *source, pt_names *copy)
{
    partan_context *context = copy->words.context;
    copy->count = source->count;
    copy->worded = source->worded;
    for (size_t i = 0; i < source->words.count; i++)
        if (pt_words_number(&copy->words, source->words.texts[i], strlen(source->words.texts[i])) < 0)
            return pt_out_of_memory(context, "the names of rows and columns");
    return PARTAN_OK;
}

/* A number from 1 to `count` as pt_names_text writes it: no sign, no leading zero. */
static int64_t find_number(const pt_names *names, const char *text, size_t size)
{
    uint64_t number = 0;
    if (size == 0 || size > 18 || *text == '0')
        return -1;
    for (size_t i = 0; i < size; i++) {
        if (text[i] < '0' || text[i] > '9')
            return -1;
        number = number * 10 + (uint64_t)(text[i] - '0');
    }
    return number <= names->count ? (int64_t)number - 1 : -1;
}

int64_t pt_names_find(const pt_names *names, const char *text, size_t size)
{
    return names->worded ? pt_words_find(&names->words, text, size) : find_number(names, text, size);
}

const char *pt_names_text(const pt_names *names, size_t i, char *buffer)
{
    if (names->worded)
        return names->words.texts[i];
    char *p = buffer + PT_NUMBER_SIZE - 1; /* from its end; faster than printf, and fingerprints ask for millions */
    size_t number = i + 1;
    for (*p = '\0'; number > 0; number /= 10)
        *--p = (char)('0' + number % 10);
    return p;
}

const char *pt_names_show(const pt_names *names, size_t i, char *buffer, size_t size)
{
    char number[PT_NUMBER_SIZE];
    if (names->worded)
        return names->words.texts[i];
    if (size > 0)
        snprintf(buffer, size, "%s", pt_names_text(names, i, number));
    return buffer;
}

partan_status pt_names_map(const pt_names *from, const pt_names *to, int64_t **map)
{
    partan_context *context = from->words.context;
    char buffer[PT_NUMBER_SIZE];
    *map = pt_alloc(context, from->count, sizeof **map);
    if (!*map)
        return pt_out_of_memory(context, "the names of rows and columns");
    for (size_t i = 0; i < from->count; i++) {
        const char *text = pt_names_text(from, i, buffer);
        (*map)[i] = pt_names_find(to, text, strlen(text));
    }
    return PARTAN_OK;
}

uint64_t pt_names_hash(const pt_names *names, size_t i)
{
    char buffer[PT_NUMBER_SIZE];
    const char *text = pt_names_text(names, i, buffer);
    return pt_hash_text(text, strlen(text));
}
