/* CSV and TSV: fields. */
#include "data/read/table.h"

#include <string.h>
#include <strings.h>

static pt_field quoted_field(const char *p, char separator)
{
    pt_field field = {.text = p + 1, .quoted = true};
    for (p++; !pt_at_line_end(p); p++) {
        if (*p != '"')
            continue;
        if (p[1] != '"')
            break;
        p++; /* a doubled quote is one, and does not end the field */
    }
    field.end = p;
    field.broken = *p != '"';
    if (!field.broken)
        p++;
    while (pt_is_padding(*p, separator))
        p++;
    field.next = p;
    field.broken = field.broken || !pt_ends_field(p, separator);
    return field;
}

pt_field pt_field_at(const char *p, char separator)
{
    while (pt_is_padding(*p, separator))
        p++;
    if (*p == '"')
        return quoted_field(p, separator);
    pt_field field = {.text = p};
    while (!pt_ends_field(p, separator))
        p++;
    field.next = field.end = p;
    while (field.end > field.text && pt_is_padding(field.end[-1], separator))
        field.end--;
    return field;
}

bool pt_field_number(const pt_field *field, double *value)
{
    const char *p = field->text, *end = field->end;
    while (p < end && *p == ' ') /* between quotes */
        p++;
    while (end > p && end[-1] == ' ')
        end--;
    return p < end && pt_parse_real(p, end, value) == end;
}

bool pt_is_missing(const char *p, const char *end)
{
    static const char *const texts[] = {"nan", "inf", "infinity", "na", "n/a", "null", "?"};
    if (p < end && (*p == '-' || *p == '+'))
        p++;
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if ((size_t)(end - p) == strlen(texts[i]) && strncasecmp(p, texts[i], (size_t)(end - p)) == 0)
            return true;
    return false;
}
