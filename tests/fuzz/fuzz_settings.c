/* Settings and options from texts: lines "name text", of any bytes, for each of the tables. What is accepted is within
 * its range, what is refused leaves the settings as they were and says why. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "core/option.h"
#include "partan/partan.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* Defines try_TYPE: sets a field of the table's struct, and lets the table check what came of it. */
#define TRY(type)                                                                                                      \
    static void try_##type(partan_context *context, type *settings, const char *name, const char *text)                \
    {                                                                                                                  \
        type before = *settings, fresh;                                                                                \
        partan_status status = type##_set(context, settings, name, text);                                              \
        require(status == PARTAN_OK || (status == PARTAN_ERROR_ARGUMENT && *partan_error(context)));                   \
        require(status == PARTAN_OK || memcmp(&before, settings, sizeof before) == 0);                                 \
        status = type##_check(context, settings);                                                                      \
        require(status == PARTAN_OK || *partan_error(context));                                                        \
        type##_init(&fresh);                                                                                           \
        if (type##_set(context, &fresh, name, text) == PARTAN_OK)                                                      \
            check_fresh(type##_check(context, &fresh), partan_error(context));                                         \
    }

/* One setting alone is in its range; what it may not go with, another setting's default, is named. */
static void check_fresh(partan_status status, const char *sentence)
{
    require(status == PARTAN_OK || strstr(sentence, " takes ") == NULL);
}

TRY(partan_settings)
TRY(partan_lasso_settings)
TRY(partan_matrix_settings)

typedef const partan_option *(*option_table)(size_t i);

static void try_option(partan_context *context, const partan_option *option, const char *text)
{
    partan_option_value value;
    partan_status status = partan_option_parse(context, option, text, &value);
    if (status) {
        const char *sentence = partan_error(context);
        require(strncmp(sentence, option->name, strlen(option->name)) == 0 && strstr(sentence, " takes "));
    } else if (option->type == PARTAN_OPTION_INTEGER && value.choice < 0) {
        require(pt_option_within(option, (double)value.integer));
    } else if (option->type == PARTAN_OPTION_REAL && value.choice < 0) {
        require(value.real >= option->least && value.real <= option->most);
    } else if (option->type == PARTAN_OPTION_SIZE && value.choice < 0) {
        require(value.integer >= 0 && (double)value.integer <= option->most);
    } else if (option->type == PARTAN_OPTION_CHOICE) {
        require(value.choice >= 0);
    }
}

static void try_options(partan_context *context, const char *text)
{
    static const option_table tables[] = {partan_settings_option, partan_lasso_settings_option,
                                          partan_matrix_settings_option, partan_read_option};
    const partan_option *option;
    for (size_t t = 0; t < sizeof tables / sizeof tables[0]; t++)
        for (size_t i = 0; (option = tables[t](i)); i++)
            try_option(context, option, text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_settings settings;
    partan_lasso_settings lasso;
    partan_matrix_settings matrix;
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    options.isa = "reference";
    partan_context *context = partan_create(&options);
    char *lines = malloc(size + 1);
    require(context && lines);
    memcpy(lines, bytes, size);
    lines[size] = '\0';
    partan_settings_init(&settings);
    partan_lasso_settings_init(&lasso);
    partan_matrix_settings_init(&matrix);
    char *next = lines;
    for (int count = 0; next && count < 8; count++) {
        char *name = next, *end = strchr(name, '\n');
        next = end ? end + 1 : NULL;
        if (end)
            *end = '\0';
        char *blank = strchr(name, ' ');
        if (blank)
            *blank = '\0';
        const char *text = blank ? blank + 1 : "";
        try_partan_settings(context, &settings, name, text);
        try_partan_lasso_settings(context, &lasso, name, text);
        try_partan_matrix_settings(context, &matrix, name, text);
        try_options(context, text);
    }
    free(lines);
    partan_destroy(context);
    return 0;
}
