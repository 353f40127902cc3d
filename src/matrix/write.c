/* Writing ratings as lists of entries. */
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "core/require.h"
#include "matrix/ratings.h"

static void put_name(FILE *file, const char *name, bool quoted)
{
    if (!quoted) {
        fputs(name, file);
        return;
    }
    fputc('"', file);
    for (; *name; name++)
        fputs(*name == '"' ? "\"\"" : (char[]){*name, '\0'}, file);
    fputc('"', file);
}

/* Whether a name could be misread without quotes, in a list that is separated by tabs. */
static bool needs_quotes(const pt_names *names)
{
    for (size_t i = 0; i < names->words.count && names->worded; i++)
        if (strpbrk(names->words.texts[i], "\t\"#") || strstr(names->words.texts[i], "::")
            || strcspn(names->words.texts[i], " ") == 0)
            return true;
    return false;
}

static partan_status write_entries(partan_context *context, const partan_ratings *ratings, FILE *file)
{
    bool quoted = needs_quotes(&ratings->rows) || needs_quotes(&ratings->columns);
    partan_status status = PARTAN_OK;
    for (size_t k = 0; k < ratings->count && !status; k++) {
        char names[2][PT_NUMBER_SIZE], number[PT_NUMBER_SIZE];
        size_t row, column;
        double value;
        partan_ratings_entry(ratings, k, &row, &column, &value);
        put_name(file, pt_names_text(&ratings->rows, row, names[0]), quoted);
        fputc('\t', file);
        put_name(file, pt_names_text(&ratings->columns, column, names[1]), quoted);
        if (!isnan(value)) {
            pt_format_real(number, value);
            fputc('\t', file);
            fputs(number, file);
        }
        fputc('\n', file);
        if (k % 4096 == 0)
            status = pt_progress_share(context, (double)k / (double)ratings->count);
    }
    if (status) {
        pt_interrupt_clear(context);
        pt_fail(context, status, "writing ratings was interrupted");
    }
    return status;
}

partan_status partan_ratings_write(partan_context *context, const partan_ratings *ratings, const char *path)
{
    PT_REQUIRE(context, context && ratings && path);
    partan_output output;
    partan_status status = partan_output_open(context, path, &output);
    if (status)
        return status;
    pt_progress_begin(context, "write");
    status = write_entries(context, ratings, output.file);
    if (!status)
        return partan_output_commit(&output);
    partan_output_abandon(&output);
    return status;
}
