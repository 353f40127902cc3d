/* Help texts, the manual page and completions, all from the tables. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include "command.h"

void help_summary(FILE *file);  /* the commands */
void help_overview(FILE *file); /* with exit status and environment */
void help_command_text(const command *of, FILE *file);
void man_page(FILE *file);
bool completions(const char *shell, FILE *file); /* bash, zsh, fish; false: another */

/* Lines both help and the manual page show. */
typedef struct help_entry {
    const char *name;
    const char *text;
} help_entry;

extern const help_entry help_exit_codes[];  /* ends with NULL */
extern const help_entry help_environment[]; /* ends with NULL */

/* "-t, --kernel NAME" or "--progress, --no-progress" */
void help_option_names(const partan_option *option, char *text, size_t size);
/* The sentence with choices and default. */
void help_option_text(const partan_option *option, char *text, size_t size);

#endif
