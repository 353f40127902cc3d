/* JSON objects, one a line. */
#include <inttypes.h>
#include <math.h>

#include "micro.h"

static void quoted(const char *text)
{
    putchar('"');
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar((unsigned char)*text < 32 ? ' ' : *text);
    }
    putchar('"');
}

static void field(const char *name)
{
    fputs(", ", stdout);
    quoted(name);
    fputs(": ", stdout);
}

void emit_begin(const char *part)
{
    fputs("{\"part\": ", stdout);
    quoted(part);
}

void emit_text(const char *name, const char *value)
{
    field(name);
    quoted(value);
}

void emit_integer(const char *name, uint64_t value)
{
    field(name);
    printf("%" PRIu64, value);
}

void emit_real(const char *name, double value)
{
    field(name);
    if (isfinite(value))
        printf("%.9g", value);
    else
        fputs("null", stdout);
}

void emit_end(void)
{
    puts("}");
    fflush(stdout);
}
