/* Which format a text is in. */
#include <string.h>

#include "data/endings.h"
#include "data/read/reader.h"

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Whether some word of the line is a pair: digits, a colon, and something. */
static bool has_pairs(const char *p, const char *end)
{
    while (p < end) {
        const char *word = p;
        if (p < end && (*p == '-' || *p == '+'))
            p++;
        const char *digits = p;
        while (p < end && *p >= '0' && *p <= '9')
            p++;
        if (p > digits && p + 1 < end && *p == ':' && !is_blank(p[1]))
            return true;
        while (p < end && !is_blank(*p))
            p++;
        while (p < end && is_blank(*p))
            p++;
        if (p == word)
            break;
    }
    return false;
}

static partan_format by_line(const char *line, const char *end)
{
    const char *comment = memchr(line, '#', (size_t)(end - line));
    size_t size = (size_t)((comment ? comment : end) - line);
    if (has_pairs(line, line + size))
        return PARTAN_FORMAT_LIBSVM;
    while (size > 0 && is_blank(line[size - 1]))
        size--;
    if (memchr(line, '\t', size))
        return PARTAN_FORMAT_TSV;
    return memchr(line, ',', size) || memchr(line, ';', size) ? PARTAN_FORMAT_CSV : PARTAN_FORMAT_LIBSVM;
}

/* Semicolons separate where there are no commas, but for those between quotes. */
static char separator_of(const char *line, const char *end)
{
    bool quoted = false, semicolons = false;
    for (const char *p = line; p < end; p++) {
        quoted = quoted != (*p == '"');
        if (!quoted && *p == ',')
            return ',';
        semicolons = semicolons || (!quoted && *p == ';');
    }
    return semicolons ? ';' : ',';
}

void pt_reader_choose(pt_reader *reader, const char *path, const char *line, const char *end)
{
    partan_format format = reader->options.format;
    if (format == PARTAN_FORMAT_AUTO)
        format = pt_format_by_ending(path);
    if (format == PARTAN_FORMAT_AUTO)
        format = by_line(line, end);
    reader->table.separator = format == PARTAN_FORMAT_TSV ? '\t' : separator_of(line, end);
    reader->grammar = format == PARTAN_FORMAT_LIBSVM ? &pt_grammar_libsvm : &pt_grammar_table;
}
