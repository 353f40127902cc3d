#include "gamma_grid.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grid.h"
#include "message.h"

static bool ends_with(const char *text, size_t length, const char *word)
{
    size_t size = strlen(word);
    return length >= size && strncasecmp(text + length - size, word, size) == 0;
}

/* "0.1auto", "auto", "0.5". */
static bool parse_item(const invocation *run, const char *text, size_t length, gamma_item *item)
{
    static const struct {
        const char *word;
        partan_gamma rule;
    } rules[] = {{"auto", PARTAN_GAMMA_AUTO}, {"scale", PARTAN_GAMMA_SCALE}};
    *item = (gamma_item){1, PARTAN_GAMMA_VALUE};
    for (size_t i = 0; i < 2; i++)
        if (ends_with(text, length, rules[i].word)) {
            item->rule = rules[i].rule;
            length -= strlen(rules[i].word);
            break;
        }
    if (item->rule != PARTAN_GAMMA_VALUE && length == 0)
        return true;
    return grid_value(run, "gamma", text, length, &item->factor);
}

static bool parse_range(const invocation *run, const char *text, const char *dots, gamma_grid *grid)
{
    grid->range = true;
    grid->count = 2;
    grid->items = calloc(2, sizeof *grid->items);
    return grid->items && parse_item(run, text, (size_t)(dots - text), &grid->items[0])
           && parse_item(run, dots + 2, strlen(dots + 2), &grid->items[1]);
}

static bool parse_list(const invocation *run, const char *text, gamma_grid *grid)
{
    grid->count = 1;
    for (const char *c = text; *c; c++)
        grid->count += *c == ',';
    grid->items = calloc(grid->count, sizeof *grid->items);
    for (size_t i = 0; grid->items && i < grid->count; i++) {
        size_t length = strcspn(text, ",");
        if (!parse_item(run, text, length, &grid->items[i]))
            return false;
        text += length + (text[length] == ',');
    }
    return grid->items != NULL;
}

bool gamma_grid_parse(const invocation *run, const char *text, gamma_grid *grid)
{
    const char *dots = strstr(text, "..");
    *grid = (gamma_grid){0};
    if (dots ? parse_range(run, text, dots, grid) : parse_list(run, text, grid))
        return true;
    gamma_grid_free(grid);
    return false;
}

void gamma_grid_free(gamma_grid *grid)
{
    free(grid->items);
    *grid = (gamma_grid){0};
}

static int resolve_item(invocation *run, const gamma_item *item, const partan_settings *settings,
                        const partan_data *data, double *value)
{
    partan_settings rule = *settings;
    *value = item->factor;
    if (item->rule == PARTAN_GAMMA_VALUE)
        return EXIT_DONE;
    rule.gamma_rule = item->rule;
    partan_status status = partan_gamma_value(run->context, &rule, data, value);
    *value *= item->factor;
    return status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
}

int gamma_grid_resolve(invocation *run, const gamma_grid *grid, size_t points, const partan_settings *settings,
                       const partan_data *data, double **values, size_t *count)
{
    int code = EXIT_DONE;
    *count = grid->range ? points : grid->count;
    *values = calloc(*count, sizeof **values);
    if (!*values)
        return failure(run, "out of memory");
    for (size_t i = 0; i < grid->count && code == EXIT_DONE; i++)
        code = resolve_item(run, &grid->items[i], settings, data, &(*values)[i]);
    if (code != EXIT_DONE || !grid->range)
        return code;
    double low = (*values)[0], high = (*values)[1];
    if (!(low < high))
        return usage_error(run, "--gamma is a range from %g to %g on this data: the smaller value must come first", low,
                           high);
    grid_space(low, high, *count, *values);
    return EXIT_DONE;
}
