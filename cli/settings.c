#include "settings.h"

#include <string.h>

#include "message.h"
#include "options.h"

static int apply_one(invocation *run, const partan_option *option, partan_settings *settings)
{
    const char *text = option_text(run, option->name);
    if (option->type == PARTAN_OPTION_FLAG && option_given(run, option->name))
        text = option_flag(run, option->name, true) ? "yes" : "no";
    if (text && partan_settings_set(run->context, settings, option->name, text))
        return refused_value(run, option_given(run, option->name)->option, text, partan_error(run->context));
    return EXIT_DONE;
}

static bool is_among(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

int settings_apply(invocation *run, const char *const *others, partan_settings *settings)
{
    partan_settings_init(settings);
    int code = EXIT_DONE;
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)) && code == EXIT_DONE; i++)
        if (!is_among(others, option->name))
            code = apply_one(run, option, settings);
    if (code != EXIT_DONE)
        return code;
    if (settings->eps > 0 && !option_given(run, "tol"))
        settings->tol = 0;
    if (partan_settings_check(run->context, settings))
        return usage_error(run, "--%s", partan_error(run->context)); /* which begins with a setting's name */
    return EXIT_DONE;
}

/* ---- The table as a command has it ---- */

/* The replacement of an entry; NULL: it stays, or, with *left_out, it goes. */
static const partan_option *find_replacement(const settings_change *changes, const char *name, bool *left_out)
{
    *left_out = false;
    for (; changes->name; changes++)
        if (strcmp(changes->name, name) == 0) {
            *left_out = !changes->replacement;
            return changes->replacement;
        }
    return NULL;
}

const partan_option *settings_option(const settings_change *changes, size_t index)
{
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)); i++) {
        bool left_out;
        const partan_option *replacement = find_replacement(changes, option->name, &left_out);
        if (!left_out && index-- == 0)
            return replacement ? replacement : option;
    }
    return NULL;
}

const partan_option *settings_find(const char *name)
{
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)); i++)
        if (strcmp(option->name, name) == 0)
            break;
    return option;
}
