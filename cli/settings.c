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
    if (settings->tol <= 0 && settings->eps <= 0)
        return usage_error(run, "one of --tol and --eps must be above 0: it is the gap to stop at");
    if (settings->step == PARTAN_STEP_CLASSIC && settings->solver != PARTAN_SOLVER_FW)
        return usage_error(run, "--step classic goes with --solver fw only");
    return EXIT_DONE;
}
