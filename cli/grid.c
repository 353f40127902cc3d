#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "settings.h"

bool grid_value(const invocation *run, const char *setting, const char *text, size_t length, double *value)
{
    char copy[64];
    const partan_option *option = settings_find(setting);
    partan_option_value found;
    if (length == 0 || length >= sizeof copy)
        return false;
    memcpy(copy, text, length);
    copy[length] = '\0';
    if (!option || partan_option_parse(run->context, option, copy, &found) != PARTAN_OK || found.choice >= 0)
        return false;
    *value = found.real;
    return true;
}

/* To 12 digits, so that 1..1000 in four is 1, 10, 100 and 1000, not 9.999999999999998. */
static double rounded(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.12g", value);
    return strtod(text, NULL);
}

void grid_space(double low, double high, size_t count, double *values)
{
    for (size_t i = 0; i < count; i++)
        values[i] = rounded(low * pow(high / low, (double)i / (double)(count - 1)));
    values[0] = low;
    values[count - 1] = high;
}

bool grid_range(const invocation *run, const char *setting, const char *text, size_t count, double *values)
{
    const char *dots = strstr(text, "..");
    double low = 0, high = 0;
    if (!dots || !grid_value(run, setting, text, (size_t)(dots - text), &low)
        || !grid_value(run, setting, dots + 2, strlen(dots + 2), &high) || !(low < high))
        return false;
    grid_space(low, high, count, values);
    return true;
}

size_t grid_list(const invocation *run, const char *setting, const char *text, double **values)
{
    size_t count = 1;
    for (const char *c = text; *c; c++)
        count += *c == ',';
    *values = calloc(count, sizeof **values);
    for (size_t i = 0; *values && i < count; i++) {
        size_t length = strcspn(text, ",");
        if (!grid_value(run, setting, text, length, &(*values)[i])) {
            free(*values);
            *values = NULL;
        }
        text += length + (text[length] == ',');
    }
    return *values ? count : 0;
}
