#include "model/scan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "data/read/scan.h"

enum { SHOWN = 40 }; /* of an offending word, in messages */

void pt_scan_init(pt_scan *scan, partan_context *context, const char *name, const char *text, size_t size)
{
    *scan = (pt_scan){.context = context, .name = name, .next = text, .end = text + size};
    scan->cursor = scan->line_end = text;
}

bool pt_scan_line(pt_scan *scan)
{
    if (scan->next == scan->end)
        return false;
    const char *feed = memchr(scan->next, '\n', (size_t)(scan->end - scan->next));
    scan->cursor = scan->next;
    scan->line_end = feed ? feed : scan->end;
    scan->next = feed ? feed + 1 : scan->end;
    if (scan->line_end > scan->cursor && scan->line_end[-1] == '\r')
        scan->line_end--;
    scan->line++;
    return true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

pt_word pt_scan_word(pt_scan *scan)
{
    const char *p = scan->cursor;
    while (p < scan->line_end && is_blank(*p))
        p++;
    pt_word word = {p, p};
    while (word.end < scan->line_end && !is_blank(*word.end))
        word.end++;
    scan->cursor = word.end;
    return word;
}

enum { BEHIND = 16 }; /* bytes behind a line, which pt_scan_real may look at a few of */

/* The first byte of the next word; NULL where numbers cannot be read at speed. */
static const char *quick_start(const pt_scan *scan)
{
    const char *p = scan->cursor;
    while (p < scan->line_end && is_blank(*p))
        p++;
    return p < scan->line_end && scan->end - scan->line_end >= BEHIND ? p : NULL;
}

/* Reads the rest of a word from p on. */
static bool quick_real(pt_scan *scan, const char *p, double *value)
{
    const char *end = pt_scan_real(p, scan->line_end, value);
    if (end == p || (end < scan->line_end && !is_blank(*end)) || !isfinite(*value))
        return false;
    scan->cursor = end;
    return true;
}

bool pt_scan_number(pt_scan *scan, double *value)
{
    const char *p = quick_start(scan);
    if (p && *p == '0' && is_blank(p[1])) { /* as two of three coefficients are where there are many classes */
        *value = 0;
        scan->cursor = p + 1;
        return true;
    }
    return p && quick_real(scan, p, value);
}

bool pt_scan_pair(pt_scan *scan, int64_t *index, double *value)
{
    const char *p = quick_start(scan);
    if (!p)
        return false;
    pt_digits digits = pt_scan_digits(p);
    *index = digits.value;
    p += digits.count;
    return digits.count > 0 && *p == ':' && p + 1 < scan->line_end && quick_real(scan, p + 1, value);
}

size_t pt_scan_left(const pt_scan *scan)
{
    return (size_t)(scan->end - scan->next);
}

bool pt_word_empty(pt_word word)
{
    return word.start == word.end;
}

bool pt_word_is(pt_word word, const char *text)
{
    size_t length = (size_t)(word.end - word.start);
    return strlen(text) == length && memcmp(word.start, text, length) == 0;
}

bool pt_word_real(pt_word word, double *value)
{
    return !pt_word_empty(word) && pt_parse_real(word.start, word.end, value) == word.end && isfinite(*value);
}

bool pt_word_unsigned(pt_word word, uint64_t *value)
{
    if (pt_word_empty(word))
        return false;
    uint64_t number = 0;
    for (const char *p = word.start; p < word.end; p++) {
        if (*p < '0' || *p > '9')
            return false;
        uint64_t digit = (uint64_t)(*p - '0');
        if (number > (UINT64_MAX - digit) / 10)
            return false;
        number = 10 * number + digit;
    }
    *value = number;
    return true;
}

bool pt_word_integer(pt_word word, int64_t *value)
{
    bool negative = !pt_word_empty(word) && *word.start == '-';
    uint64_t size;
    if (!pt_word_unsigned((pt_word){word.start + negative, word.end}, &size) || size > INT64_MAX)
        return false;
    *value = negative ? -(int64_t)size : (int64_t)size;
    return true;
}

/* The word for a message: shortened, and without bytes that a terminal would act upon. */
static void shown(pt_word word, char *buffer)
{
    size_t length = (size_t)(word.end - word.start);
    size_t kept = length <= SHOWN ? length : SHOWN;
    for (size_t i = 0; i < kept; i++) {
        unsigned char c = (unsigned char)word.start[i];
        buffer[i] = c < 0x20 || c == 0x7f ? '?' : (char)c;
    }
    strcpy(buffer + kept, length <= SHOWN ? "" : "...");
}

partan_status pt_scan_fail(const pt_scan *scan, pt_word found, const char *expected)
{
    if (pt_word_empty(found))
        return pt_fail(scan->context, PARTAN_ERROR_FORMAT, "%s:%ju: found the end of the line, expected %s", scan->name,
                       (uintmax_t)scan->line, expected);
    char buffer[SHOWN + 4];
    shown(found, buffer);
    return pt_fail(scan->context, PARTAN_ERROR_FORMAT, "%s:%ju: found '%s', expected %s", scan->name,
                   (uintmax_t)scan->line, buffer, expected);
}

partan_status pt_scan_fail_end(const pt_scan *scan, const char *expected)
{
    return pt_fail(scan->context, PARTAN_ERROR_FORMAT, "%s:%ju: found the end of the file, expected %s", scan->name,
                   (uintmax_t)scan->line + 1, expected);
}

partan_status pt_scan_line_done(pt_scan *scan)
{
    pt_word word = pt_scan_word(scan);
    return pt_word_empty(word) ? PARTAN_OK : pt_scan_fail(scan, word, "the end of the line");
}
