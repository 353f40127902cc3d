/* Whether settings are in their ranges and go together: the one check for all who take a partan_settings. */
#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "core/number.h"
#include "core/option.h"
#include "settings/names.h"
#include "settings/settings.h"

static partan_option_value load(const pt_setting *entry, const partan_settings *settings)
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

static partan_status check_one(partan_context *context, const pt_setting *entry, const partan_settings *settings)
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

/* What shows only in the combination. */
static partan_status check_combination(partan_context *context, const partan_settings *s)
{
    if (s->tol == 0 && s->eps == 0)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "tol 0 needs an eps above 0: one of them is the gap to stop at");
    if (s->step == PARTAN_STEP_CLASSIC && s->solver != PARTAN_SOLVER_FW)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "step classic goes with solver fw only, not with %s",
                       partan_solver_name(s->solver));
    return PARTAN_OK;
}

partan_status partan_settings_check(partan_context *context, const partan_settings *settings)
{
    const partan_option *option;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; !status && (option = partan_settings_option(i)); i++)
        status = check_one(context, pt_setting_find(option->name), settings);
    return status ? status : check_combination(context, settings);
}
