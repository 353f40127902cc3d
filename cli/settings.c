#include "settings.h"

#include <string.h>

#include "message.h"
#include "options.h"
#include "runtime.h"
#include "weights.h"

SETTINGS_TABLE(library, partan_settings);

static int apply_one(invocation *run, const settings_table *table, const char *name, void *settings)
{
    const given *found = option_given(run, name);
    if (!found)
        return EXIT_DONE;
    const char *text = found->text;
    if (found->option->type == PARTAN_OPTION_FLAG)
        text = found->negated ? "no" : "yes";
    if (text && table->set(run->context, settings, name, text))
        return refused_value(run, found->option, text, partan_error(run->context));
    return EXIT_DONE;
}

static int check(invocation *run, const settings_table *table, const void *settings)
{
    if (table->check(run->context, settings))
        return usage_error(run, "--%s", partan_error(run->context)); /* which begins with a setting's name */
    return EXIT_DONE;
}

/* A given gap to stop at turns the default relative one off. */
static int finish(invocation *run, partan_settings *settings)
{
    if (settings->eps > 0 && !option_given(run, "tol"))
        settings->tol = 0;
    return check(run, &library, settings);
}

static bool is_among(const char *const *names, const char *name)
{
    for (; names && *names; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* Before the work, lest its result could not be written. */
static int check_format(invocation *run, const partan_settings *settings)
{
    if (settings->scale != PARTAN_SCALE_NONE && model_format(run) == PARTAN_MODEL_LIBSVM)
        return usage_error(run, "--scale needs a native model: for --model-format libsvm, scale the data with partan "
                                "scale");
    return EXIT_DONE;
}

int settings_apply(invocation *run, const char *const *others, partan_settings *settings)
{
    partan_settings_init(settings);
    int code = EXIT_DONE;
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)) && code == EXIT_DONE; i++)
        if (!is_among(others, option->name))
            code = apply_one(run, &library, option->name, settings);
    if (code == EXIT_DONE)
        code = class_weights_apply(run, settings);
    if (code == EXIT_DONE)
        code = finish(run, settings);
    return code == EXIT_DONE ? check_format(run, settings) : code;
}

int settings_kept_apply(invocation *run, const settings_kept *kept, partan_settings *settings)
{
    partan_settings_init(settings);
    int code = EXIT_DONE;
    for (; kept->name && code == EXIT_DONE; kept++) {
        if (kept->initial && partan_settings_set(run->context, settings, kept->name, kept->initial))
            return failure(run, "%s", partan_error(run->context));
        code = apply_one(run, &library, kept->name, settings);
    }
    return code == EXIT_DONE ? finish(run, settings) : code;
}

int settings_table_apply(invocation *run, const settings_table *table, void *settings)
{
    table->init(settings);
    int code = EXIT_DONE;
    const partan_option *option;
    for (size_t i = 0; (option = table->option(i)) && code == EXIT_DONE; i++)
        code = apply_one(run, table, option->name, settings);
    return code == EXIT_DONE ? check(run, table, settings) : code;
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

const partan_option *settings_kept_option(settings_kept *kept, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (!kept[i].name)
            return NULL;
    if (!kept[index].name)
        return NULL;
    partan_option *option = &kept[index].option;
    *option = *settings_find(kept[index].name);
    option->help = kept[index].help ? kept[index].help : option->help;
    option->initial = kept[index].initial ? kept[index].initial : option->initial;
    return option;
}

const partan_option *settings_find(const char *name)
{
    const partan_option *option;
    for (size_t i = 0; (option = partan_settings_option(i)); i++)
        if (strcmp(option->name, name) == 0)
            break;
    return option;
}
