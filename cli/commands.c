/* The table of subcommands. */
#include <string.h>

#include "command.h"

extern const command train_command, path_command, tune_command, cv_command, lasso_command, complete_command,
    predict_command, verify_command, compress_command, info_command, gen_command, scale_command, split_command,
    plot_command, help_command, version_command;

const command *const commands[] = {
    &train_command,   &path_command,   &tune_command,     &cv_command,      &lasso_command, &complete_command,
    &predict_command, &verify_command, &compress_command, &info_command,    &gen_command,   &scale_command,
    &split_command,   &plot_command,   &help_command,     &version_command, NULL,
};

const command *find_command(const char *name)
{
    for (size_t i = 0; commands[i]; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static const partan_option *set_option(const option_set *set, size_t index)
{
    if (set->at)
        return set->at(index);
    for (size_t i = 0; i < index; i++)
        if (!set->list[i].name)
            return NULL;
    return set->list[index].name ? &set->list[index] : NULL;
}

const partan_option *command_option(const command *of, size_t index, const option_set **set)
{
    for (size_t s = 0; of->sets && of->sets[s]; s++) {
        const partan_option *option = NULL;
        for (size_t i = 0; (option = set_option(of->sets[s], i)); i++)
            if (index-- == 0) {
                if (set)
                    *set = of->sets[s];
                return option;
            }
    }
    return NULL;
}

bool is_negatable(const partan_option *option)
{
    return option->type == PARTAN_OPTION_FLAG && option->choices && strcmp(option->choices, "no") == 0;
}
