/* Scalings in files. Our own format, read back exactly:
 *
 *     partan-scaling 1
 *     minmax -1 1                  or: standardise
 *     features 2
 *     1 0 17.5                     index, least and greatest value; or index, mean and standard deviation
 *     2 -3 3
 *
 * Where most features are 0 in all rows, the others alone are listed, and their number joins the line:
 *
 *     features 1000000000 listed 2
 *
 * Where features have names, all of them, "named" joins the line too, and each line ends with a space and the name.
 *
 * and, for reading only, what `svm-scale -s` writes: a line "x", the bounds, and a line like the above for each feature
 * that is not constant. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "core/number.h"
#include "core/require.h"
#include "data/scale.h"

#define MAGIC "partan-scaling 1"

/* ---- Writing ---- */

static void put_number(FILE *file, char before, double value)
{
    char text[PT_NUMBER_SIZE];
    size_t length = pt_format_real(text, value);
    putc(before, file);
    fwrite(text, 1, length, file);
}

void pt_scaling_put(FILE *file, const partan_scaling *scaling)
{
    fputs(MAGIC "\n", file);
    if (scaling->kind == PARTAN_SCALING_MINMAX) {
        fputs("minmax", file);
        put_number(file, ' ', scaling->lower);
        put_number(file, ' ', scaling->upper);
    } else {
        fputs("standardise", file);
    }
    fprintf(file, "\nfeatures %zu", scaling->features);
    if (scaling->indices)
        fprintf(file, " listed %zu", scaling->count);
    bool named = scaling->names.count == scaling->features && !scaling->indices;
    fputs(named ? " named\n" : "\n", file);
    for (size_t f = 0; f < scaling->count; f++) {
        fprintf(file, "%zu", pt_scaling_feature(scaling, f) + 1);
        put_number(file, ' ', scaling->ranges[f].a);
        put_number(file, ' ', scaling->ranges[f].b);
        if (named)
            fprintf(file, " %s", pt_feature_name(&scaling->names, f));
        putc('\n', file);
    }
}

partan_status partan_scaling_write(partan_context *context, const partan_scaling *scaling, const char *path)
{
    PT_REQUIRE(context, context && scaling && path);
    partan_output output;
    partan_status status = partan_output_open(context, path, &output);
    if (status)
        return status;
    pt_scaling_put(output.file, scaling);
    return partan_output_commit(&output); /* sees what failed above */
}

/* ---- Reading: lines ---- */

typedef struct reader {
    partan_context *context;
    const char *name;
    const char *next;  /* the line after the one at hand, */
    const char *stop;  /* if the text does not end here */
    const char *begin; /* the line at hand, without its end */
    const char *end;   /* and the blanks before it, */
    const char *full;  /* and with them */
    const char *at;
    size_t line;
    bool named; /* lines end with names */
} reader;

static bool next_line(reader *in)
{
    if (in->next == in->stop)
        return false;
    in->begin = in->at = in->next;
    const char *newline = memchr(in->begin, '\n', (size_t)(in->stop - in->begin));
    in->end = newline ? newline : in->stop;
    in->next = newline ? newline + 1 : in->stop;
    while (in->end > in->begin && in->end[-1] == '\r')
        in->end--;
    in->full = in->end;
    while (in->end > in->begin && (in->end[-1] == '\r' || in->end[-1] == ' '))
        in->end--;
    in->line++;
    return true;
}

static partan_status expected(reader *in, const char *what)
{
    int length = in->end - in->at > 40 ? 40 : (int)(in->end - in->at);
    if (length == 0)
        return pt_fail(in->context, PARTAN_ERROR_FORMAT, "%s:%zu:%zu: the line ends here; expected %s", in->name,
                       in->line, (size_t)(in->at - in->begin) + 1, what);
    return pt_fail(in->context, PARTAN_ERROR_FORMAT, "%s:%zu:%zu: found \"%.*s\"; expected %s", in->name, in->line,
                   (size_t)(in->at - in->begin) + 1, length, in->at, what);
}

static partan_status ends_early(reader *in, const char *what)
{
    return pt_fail(in->context, PARTAN_ERROR_FORMAT, "%s:%zu: the file ends here; expected %s", in->name, in->line + 1,
                   what);
}

static bool at_word(reader *in, const char *word)
{
    size_t length = strlen(word);
    if ((size_t)(in->end - in->at) < length || memcmp(in->at, word, length) != 0)
        return false;
    const char *after = in->at + length;
    if (after < in->end && *after != ' ')
        return false;
    in->at = after;
    return true;
}

static void skip_spaces(reader *in)
{
    while (in->at < in->end && *in->at == ' ')
        in->at++;
}

static bool at_real(reader *in, double *value)
{
    skip_spaces(in);
    const char *after = pt_parse_real(in->at, in->end, value);
    if (after == in->at || (after < in->end && *after != ' ') || !isfinite(*value))
        return false;
    in->at = after;
    return true;
}

static bool at_count(reader *in, size_t *value)
{
    double real;
    const char *start = in->at;
    if (at_real(in, &real) && real >= 0 && real <= INT32_MAX && real == floor(real)) {
        *value = (size_t)real;
        return true;
    }
    in->at = start;
    skip_spaces(in);
    return false;
}

static bool at_end(reader *in)
{
    skip_spaces(in);
    return in->at == in->end;
}

/* ---- Reading: what the lines say ---- */

static partan_status read_bounds(reader *in, partan_scaling *scaling)
{
    if (!at_real(in, &scaling->lower) || !at_real(in, &scaling->upper))
        return expected(in, "two finite numbers, the lower and the upper bound");
    if (!at_end(in))
        return expected(in, "the end of the line after two bounds");
    in->at = in->begin;
    return pt_scaling_bounds_valid(scaling->lower, scaling->upper) ? PARTAN_OK
                                                                   : expected(in, "a lower bound less than the upper");
}

static partan_status read_kind(reader *in, partan_scaling *scaling)
{
    static const char kinds[] = "\"minmax LOWER UPPER\" or \"standardise\"";
    if (!next_line(in))
        return ends_early(in, kinds);
    if (at_word(in, "minmax"))
        return read_bounds(in, scaling);
    if (!at_word(in, "standardise") || !at_end(in))
        return expected(in, kinds);
    scaling->kind = PARTAN_SCALING_STANDARDISE;
    return PARTAN_OK;
}

/* The rest of the line, after one space; names may end with spaces, and be empty. */
static partan_status read_name(reader *in, const char *after, partan_scaling *scaling)
{
    if (after == in->full)
        return expected(in, "the name of the feature after an index and two numbers");
    size_t length = (size_t)(in->full - after - 1);
    if (memchr(after + 1, '\0', length))
        return expected(in, "a name without a NUL byte");
    return pt_feature_names_add(in->context, &scaling->names, after + 1, length, false);
}

/* "index a b" on the line at hand. */
static partan_status read_range(reader *in, partan_scaling *scaling, size_t *index, pt_range *range)
{
    bool minmax = scaling->kind == PARTAN_SCALING_MINMAX;
    if (!at_count(in, index))
        return expected(in, "the index of a feature");
    if (!at_real(in, &range->a) || !at_real(in, &range->b))
        return expected(in, minmax ? "the minimum and the maximum, finite numbers"
                                   : "the mean and the standard deviation, finite numbers");
    if (!in->named && !at_end(in))
        return expected(in, "the end of the line after an index and two numbers");
    const char *after = in->at;
    in->at = in->begin;
    if (minmax && range->a > range->b)
        return expected(in, "a minimum that is not above the maximum");
    if (!minmax && range->b < 0)
        return expected(in, "a standard deviation that is not negative");
    return in->named ? read_name(in, after, scaling) : PARTAN_OK;
}

static partan_status read_native(reader *in, partan_scaling *scaling)
{
    size_t listed = 0, index = 0, last = 0;
    partan_status status = read_kind(in, scaling);
    if (status)
        return status;
    if (!next_line(in))
        return ends_early(in, "\"features\" and their number");
    if (!at_word(in, "features") || !at_count(in, &scaling->features))
        return expected(in, "\"features\" and their number");
    listed = scaling->features;
    skip_spaces(in);
    bool some = at_word(in, "listed");
    if (some && (!at_count(in, &listed) || listed > scaling->features))
        return expected(in, "how many features of them are listed");
    skip_spaces(in);
    in->named = !some && at_word(in, "named");
    if (!at_end(in))
        return expected(in, "the end of the line, \"named\", or \"listed\" and how many features of them are");
    for (; scaling->count < listed && !status; last = index) {
        pt_range range;
        if (!next_line(in))
            return pt_fail(in->context, PARTAN_ERROR_FORMAT, "%s:%zu: the file ends here; expected feature %zu of %zu",
                           in->name, in->line + 1, scaling->count + 1, listed);
        status = read_range(in, scaling, &index, &range);
        if (!status && (some ? index <= last || index > scaling->features : index != last + 1))
            status = expected(in, "features in order, each once, from 1");
        if (!status)
            status = pt_scaling_add(scaling, index - 1, range);
    }
    if (!status && next_line(in))
        status = expected(in, "the end of the file after the last feature");
    return status;
}

static partan_status read_svm_scale(reader *in, partan_scaling *scaling)
{
    if (!next_line(in))
        return ends_early(in, "the lower and the upper bound");
    partan_status status = read_bounds(in, scaling);
    while (!status && next_line(in)) {
        size_t index;
        pt_range range;
        status = read_range(in, scaling, &index, &range);
        if (!status && index <= scaling->features)
            status = expected(in, "indices from 1, ascending");
        if (!status)
            status = pt_scaling_add(scaling, index - 1, range);
    }
    return status;
}

static partan_status read_scaling(reader *in, partan_scaling *scaling)
{
    static const char first[] = "\"" MAGIC "\", or \"x\" as svm-scale writes it";
    if (!next_line(in))
        return ends_early(in, first);
    if (at_word(in, MAGIC) && at_end(in))
        return read_native(in, scaling);
    if (at_word(in, "x") && at_end(in))
        return read_svm_scale(in, scaling);
    bool labels = at_word(in, "y") && at_end(in);
    in->at = in->begin;
    return expected(in, labels ? "a file without scaled labels (svm-scale without -y)" : first);
}

partan_status pt_scaling_parse(partan_context *context, const char *name, const char *text, size_t size,
                               partan_scaling **scaling)
{
    partan_scaling *made = NULL;
    *scaling = NULL;
    partan_status status = pt_scaling_create(context, PARTAN_SCALING_MINMAX, &made);
    if (status)
        return status;
    reader in = {.context = context, .name = name, .next = text, .stop = text + size};
    status = read_scaling(&in, made);
    if (status) {
        partan_scaling_free(made);
        return status;
    }
    pt_scaling_settle(made);
    *scaling = made;
    return PARTAN_OK;
}

/* ---- Reading: the file ---- */

static partan_status read_all(partan_context *context, const char *path, FILE *file, char **text, size_t *size)
{
    size_t capacity = 0;
    for (size_t got = 1; got > 0; *size += got) {
        if (pt_reserve(context, (void **)text, &capacity, *size, *size + BUFSIZ, 1))
            return pt_out_of_memory(context, "a scaling file");
        got = fread(*text + *size, 1, capacity - *size, file);
    }
    if (ferror(file))
        return pt_fail(context, PARTAN_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    return PARTAN_OK;
}

partan_status partan_scaling_read(partan_context *context, const char *path, partan_scaling **scaling)
{
    PT_REQUIRE(context, context && path && scaling);
    *scaling = NULL;
    char *text = NULL;
    size_t size = 0;
    FILE *file = strcmp(path, "-") == 0 ? stdin : fopen(path, "rb");
    if (!file)
        return pt_fail(context, PARTAN_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    partan_status status = read_all(context, path, file, &text, &size);
    if (file != stdin)
        fclose(file);
    if (!status)
        status = pt_scaling_parse(context, path, text, size, scaling);
    pt_free(context, text);
    return status;
}
