/* Completions for bash, zsh and fish. */
#include <string.h>

#include "help.h"

/* The words of "a|b|c" with another separator. */
static void put_choices(FILE *file, const char *choices, char separator)
{
    for (; *choices; choices++)
        fputc(*choices == '|' ? separator : *choices, file);
}

/* ---- bash ---- */

static void bash_command(FILE *file, const command *of)
{
    const partan_option *option;
    fprintf(file, "    %s)\n        case $previous in\n", of->name);
    for (size_t i = 0; (option = command_option(of, i, NULL)); i++) {
        if (option->type == PARTAN_OPTION_FLAG || !option->choices)
            continue;
        fprintf(file, "        --%s", option->name);
        if (option->letter)
            fprintf(file, "|-%c", option->letter);
        fputs(") words=\"", file);
        put_choices(file, option->choices, ' ');
        fprintf(file, "\"%s ;;\n", option->type == PARTAN_OPTION_TEXT ? "; files=1" : "");
    }
    fputs("        *)\n            files=1\n            options=\"", file);
    for (size_t i = 0; (option = command_option(of, i, NULL)); i++) {
        fprintf(file, "%s--%s", i ? " " : "", option->name);
        if (is_negatable(option))
            fprintf(file, " --no-%s", option->name);
    }
    fputs("\"\n            ;;\n        esac\n        ;;\n", file);
}

static void bash(FILE *file)
{
    fputs("# bash completion for partan\n"
          "_partan()\n{\n"
          "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
          "    local words=\"\" options=\"\" files=\"\"\n"
          "    if [[ $previous == \"=\" ]]; then\n"
          "        previous=${COMP_WORDS[COMP_CWORD-2]}\n"
          "    elif [[ $current == \"=\" ]]; then\n"
          "        current=\"\"\n"
          "    fi\n"
          "    if ((COMP_CWORD == 1)); then\n"
          "        COMPREPLY=($(compgen -W \"",
          file);
    for (size_t i = 0; commands[i]; i++)
        fprintf(file, "%s%s", i ? " " : "", commands[i]->name);
    fputs("\" -- \"$current\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", file);
    for (size_t i = 0; commands[i]; i++)
        bash_command(file, commands[i]);
    fputs("    esac\n"
          "    [[ $current == -* ]] && words=$options files=\"\"\n"
          "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
          "    [[ -n $files ]] && COMPREPLY+=($(compgen -f -- \"$current\"))\n"
          "}\n"
          "complete -o filenames -F _partan partan\n",
          file);
}

/* ---- zsh ---- */

/* The help sentence inside single quotes and brackets. */
static void zsh_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'')
            fputs("'\\''", file);
        else if (strchr("[]:\\", *text))
            fprintf(file, "\\%c", *text);
        else
            fputc(*text, file);
    }
}

static void zsh_spec(FILE *file, const partan_option *option, const char *prefix, const char *name)
{
    bool flag = option->type == PARTAN_OPTION_FLAG;
    fprintf(file, "            '*%s%s%s[", prefix, name, flag ? "" : prefix[1] == '-' ? "=" : "+");
    zsh_text(file, option->help);
    fputs("]", file);
    if (!flag) {
        fprintf(file, ":%s:", option->argument);
        if (option->choices) {
            fputs("(", file);
            put_choices(file, option->choices, ' ');
            fputs(")", file);
        } else if (option->type == PARTAN_OPTION_TEXT) {
            fputs("_files", file);
        }
    }
    fputs("' \\\n", file);
}

static void zsh_command(FILE *file, const command *of)
{
    const partan_option *option;
    fprintf(file, "    %s)\n        _arguments -s \\\n", of->name);
    for (size_t i = 0; (option = command_option(of, i, NULL)); i++) {
        char name[64];
        char letter[2] = {option->letter, '\0'};
        zsh_spec(file, option, "--", option->name);
        snprintf(name, sizeof name, "no-%s", option->name);
        if (is_negatable(option))
            zsh_spec(file, option, "--", name);
        if (option->letter)
            zsh_spec(file, option, "-", letter);
    }
    fputs("            '*:file:_files'\n        ;;\n", file);
}

static void zsh(FILE *file)
{
    fputs("#compdef partan\n# zsh completion for partan\n_partan()\n{\n    local -a commands\n    commands=(\n", file);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(file, "        '%s:", commands[i]->name);
        zsh_text(file, commands[i]->summary);
        fputs("'\n", file);
    }
    fputs("    )\n    if ((CURRENT == 2)); then\n        _describe command commands\n        return\n    fi\n"
          "    local name=$words[2]\n    shift words\n    ((CURRENT--))\n    case $name in\n",
          file);
    for (size_t i = 0; commands[i]; i++)
        zsh_command(file, commands[i]);
    /* Loaded from the function path, the file is the function's body; sourced, it only defines the function. */
    fputs("    esac\n}\nif [ \"$funcstack[1]\" = _partan ]; then\n    _partan \"$@\"\nelse\n    compdef _partan "
          "partan\nfi\n",
          file);
}

/* ---- fish ---- */

/* Inside single quotes, where fish knows only \\ and \'. */
static void fish_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\')
            fputc('\\', file);
        fputc(*text, file);
    }
}

static void fish_option(FILE *file, const command *of, const partan_option *option)
{
    fprintf(file, "complete -c partan -n '__fish_seen_subcommand_from %s' -l %s", of->name, option->name);
    if (option->letter)
        fprintf(file, " -s %c", option->letter);
    if (option->type != PARTAN_OPTION_FLAG) {
        fputs(option->type == PARTAN_OPTION_TEXT ? " -r" : " -x", file);
        if (option->choices) {
            fputs(" -a '", file);
            put_choices(file, option->choices, ' ');
            fputs("'", file);
        }
    }
    fputs(" -d '", file);
    fish_text(file, option->help);
    fputs("'\n", file);
    if (is_negatable(option))
        fprintf(file, "complete -c partan -n '__fish_seen_subcommand_from %s' -l no-%s\n", of->name, option->name);
}

static void fish(FILE *file)
{
    const partan_option *option;
    fputs("# fish completion for partan\n", file);
    for (size_t i = 0; commands[i]; i++) {
        fprintf(file, "complete -c partan -n __fish_use_subcommand -f -a %s -d '", commands[i]->name);
        fish_text(file, commands[i]->summary);
        fputs("'\n", file);
    }
    for (size_t i = 0; commands[i]; i++)
        for (size_t j = 0; (option = command_option(commands[i], j, NULL)); j++)
            fish_option(file, commands[i], option);
}

bool completions(const char *shell, FILE *file)
{
    static const struct {
        const char *name;
        void (*print)(FILE *file);
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    for (size_t i = 0; i < sizeof shells / sizeof shells[0]; i++)
        if (strcmp(shells[i].name, shell) == 0) {
            shells[i].print(file);
            return true;
        }
    return false;
}
