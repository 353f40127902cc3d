/* What all tables of settings do: defaults, texts to fields, and the check of the fields. */
#include "settings/table.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "core/context.h"
#include "core/names.h"
#include "core/number.h"
#include "core/option.h"
#include "core/sized.h"

const partan_option *pt_settings_option(const pt_settings_table *table, size_t i)
{
    return i < table->count ? &table->list[i].option : NULL;
}

/* max_iter and max-iter are the same name. */
static bool same_name(const char *a, const char *b)
{
    while (*a && (*a == '_' ? '-' : *a) == *b) {
        a++;
        b++;
    }
    return *a == '\0' && *b == '\0';
}

const pt_setting *pt_setting_find(const pt_settings_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (same_name(name, table->list[i].option.name))
            return &table->list[i];
    return NULL;
}

/* ---- Texts to fields ---- */

/* The choice that `text` is another word for, or `text` itself. room has place for any choice. */
static const char *resolve_alias(const char *aliases, const char *text, char room[32])
{
    size_t length = strlen(text);
    for (const char *p = aliases; p && *p;) {
        size_t width = strcspn(p, "|");
        if (strncasecmp(p, text, length) == 0 && p[length] == '=' && width > length) {
            size_t rest = width - length - 1;
            memcpy(room, p + length + 1, rest);
            room[rest] = '\0';
            return room;
        }
        p += width + (p[width] == '|');
    }
    return text;
}

_Static_assert(sizeof(partan_kernel) == sizeof(int), "enums are stored as int");

static void store(const pt_setting *entry, const partan_option_value *value, void *settings)
{
    char *field = (char *)settings + entry->offset;
    switch (entry->field) {
    case PT_FIELD_ENUM:
        memcpy(field, &value->choice, sizeof value->choice);
        break;
    case PT_FIELD_INTEGER:
    case PT_FIELD_UNSIGNED:
        memcpy(field, &value->integer, sizeof value->integer);
        break;
    case PT_FIELD_REAL:
        memcpy(field, &value->real, sizeof value->real);
        break;
    }
    if (entry->words)
        entry->words->set(settings, value->choice);
}

static partan_status set(partan_context *context, const pt_setting *entry, const char *text, void *settings)
{
    char room[32];
    partan_option_value value;
    const char *resolved = resolve_alias(entry->aliases, text, room);
    partan_status status = pt_option_parse(context, &entry->option, resolved, &value);
    if (status == PARTAN_OK)
        store(entry, &value, settings);
    return status;
}

partan_status pt_settings_set(partan_context *context, const pt_settings_table *table, void *settings, const char *name,
                              const char *text)
{
    const pt_setting *entry = pt_setting_find(table, name);
    if (!entry)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "unknown setting '%s'", name);
    partan_status status = pt_struct_check(context, table->name, settings, table->size);
    if (!status && entry->offset >= *(const size_t *)settings)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT,
                         "setting '%s' is not part of the %s of the version that the program was compiled for", name,
                         table->name);
    return status ? status : set(context, entry, text, settings);
}

void pt_settings_init(const pt_settings_table *table, void *settings)
{
    memset(settings, 0, table->size);
    memcpy(settings, &table->size, sizeof table->size); /* struct_size, the first field */
    for (size_t i = 0; i < table->count; i++)           /* cannot fail: a test checks every default */
        set(NULL, &table->list[i], table->list[i].option.initial, settings);
}

/* ---- The check of the fields ---- */

static partan_option_value load(const pt_setting *entry, const void *settings)
{
    const char *field = (const char *)settings + entry->offset;
    partan_option_value value = {.choice = entry->words ? entry->words->get(settings) : -1};
    switch (entry->field) {
    case PT_FIELD_ENUM:
        memcpy(&value.choice, field, sizeof value.choice);
        break;
    case PT_FIELD_INTEGER:
    case PT_FIELD_UNSIGNED:
        memcpy(&value.integer, field, sizeof value.integer);
        break;
    case PT_FIELD_REAL:
        memcpy(&value.real, field, sizeof value.real);
        break;
    }
    return value;
}

static int count_words(const char *choices)
{
    int count = 1;
    for (; *choices; choices++)
        count += *choices == '|';
    return count;
}

static bool is_valid(const pt_setting *entry, const partan_option_value *value)
{
    const partan_option *option = &entry->option;
    if (entry->words && value->choice >= 0)
        return value->choice < count_words(option->choices);
    if (option->type == PARTAN_OPTION_FLAG)
        return value->integer == 0 || value->integer == 1;
    switch (entry->field) {
    case PT_FIELD_ENUM:
        return pt_name(entry->names, value->choice) != NULL;
    case PT_FIELD_INTEGER:
        return pt_option_within(option, (double)value->integer);
    case PT_FIELD_UNSIGNED:
        return true; /* texts give what an int64_t holds, callers in C may go on to the end of the type */
    case PT_FIELD_REAL:
        return pt_option_within(option, value->real);
    }
    return false;
}

static void show(const pt_setting *entry, const partan_option_value *value, char found[PT_NUMBER_SIZE])
{
    if (entry->words && value->choice >= 0)
        snprintf(found, PT_NUMBER_SIZE, "an unknown rule");
    else if (entry->field == PT_FIELD_REAL)
        pt_format_real(found, value->real);
    else
        snprintf(found, PT_NUMBER_SIZE, "%lld",
                 entry->field == PT_FIELD_ENUM ? (long long)value->choice : (long long)value->integer);
}

static partan_status check_one(partan_context *context, const pt_setting *entry, const void *settings)
{
    partan_option_value value = load(entry, settings);
    if (is_valid(entry, &value))
        return PARTAN_OK;
    char found[PT_NUMBER_SIZE];
    pt_phrase expected;
    show(entry, &value, found);
    pt_option_describe(&entry->option, &expected);
    return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s takes %s, not %s", entry->option.name, expected.text, found);
}

partan_status pt_settings_check(partan_context *context, const pt_settings_table *table, const void *settings)
{
    partan_status status = PARTAN_OK;
    for (size_t i = 0; !status && i < table->count; i++)
        status = check_one(context, &table->list[i], settings);
    return status;
}
