#include "json.h"

#include <inttypes.h>
#include <math.h>

#include "human.h"

/* The number of bytes of the UTF-8 sequence at p, 0 when it is none. */
static int utf8_length(const unsigned char *p)
{
    int length = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : 0;
    if (p[0] >= 0xf0 && p[0] < 0xf5)
        length = 4;
    for (int i = 1; i < length; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool beyond = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
    return overlong || beyond ? 0 : length;
}

static void write_character(FILE *file, const unsigned char *p, int length)
{
    if (*p == '"' || *p == '\\')
        fprintf(file, "\\%c", *p);
    else if (*p == '\n')
        fputs("\\n", file);
    else if (*p == '\t')
        fputs("\\t", file);
    else if (*p < 0x20 || *p == 0x7f)
        fprintf(file, "\\u%04x", *p);
    else
        fwrite(p, 1, (size_t)length, file);
}

/* File names may hold any bytes: what is not UTF-8 becomes the replacement character. */
static void write_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *p = (const unsigned char *)text; *p;) {
        int length = utf8_length(p);
        if (length == 0)
            fputs("\\ufffd", file);
        else
            write_character(file, p, length);
        p += length ? length : 1;
    }
    fputc('"', file);
}

static void start_value(json *out, const char *key)
{
    if (out->follows)
        fputs(", ", out->file);
    out->follows = true;
    if (key) {
        write_string(out->file, key);
        fputs(": ", out->file);
    }
}

void json_begin(json *out, FILE *file)
{
    *out = (json){.file = file};
    fputc('{', file);
}

void json_end(json *out)
{
    fputs("}\n", out->file);
}

void json_open(json *out, const char *key)
{
    start_value(out, key);
    fputc('{', out->file);
    out->follows = false;
}

void json_close(json *out)
{
    fputc('}', out->file);
    out->follows = true;
}

void json_open_array(json *out, const char *key)
{
    start_value(out, key);
    fputc('[', out->file);
    out->follows = false;
}

void json_close_array(json *out)
{
    fputc(']', out->file);
    out->follows = true;
}

void json_text(json *out, const char *key, const char *text)
{
    start_value(out, key);
    if (text)
        write_string(out->file, text);
    else
        fputs("null", out->file);
}

void json_real(json *out, const char *key, double value)
{
    char buffer[HUMAN_SIZE];
    start_value(out, key);
    fputs(isfinite(value) ? shortest_real(buffer, value) : "null", out->file);
}

void json_integer(json *out, const char *key, int64_t value)
{
    start_value(out, key);
    fprintf(out->file, "%" PRId64, value);
}

void json_unsigned(json *out, const char *key, uint64_t value)
{
    start_value(out, key);
    fprintf(out->file, "%" PRIu64, value);
}

void json_boolean(json *out, const char *key, bool value)
{
    start_value(out, key);
    fputs(value ? "true" : "false", out->file);
}
