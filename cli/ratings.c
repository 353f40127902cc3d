#include "ratings.h"

#include "guard.h"
#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "runtime.h"

/* clang-format off */
static const partan_option list[] = {
    {"ratings", 0, PARTAN_OPTION_CHOICE, "NAME", "auto|triplets|market|table", "auto", 0, 0,
     "Format of ratings: triplets of row, column and value (separated by blanks, tabs, commas, semicolons or '::'), "
     "Matrix Market, or a table with one line per row; auto detects it from the first line."},
    {"first-column", 0, PARTAN_OPTION_CHOICE, "WHAT", "ratings|skip|names", "ratings", 0, 0,
     "Content of the first column of a table: ratings, something to skip, or the row names."},
    {"missing", 0, PARTAN_OPTION_REAL, "X", NULL, NULL, -1e300, 1e300,
     "Number that marks missing values in a table, in addition to empty cells and NA."},
    OPTION_END,
};
/* clang-format on */

const option_set ratings_set = {.title = "Ratings", .list = list};

int read_ratings(invocation *run, const char *path, bool unvalued, partan_ratings **ratings, double *seconds)
{
    partan_ratings_options options;
    partan_option_value value;
    partan_ratings_options_init(&options);
    options.format = (partan_ratings_format)option_choice(run, "ratings", PARTAN_RATINGS_AUTO);
    options.first_column = (partan_first_column)option_choice(run, "first-column", PARTAN_FIRST_RATINGS);
    if (option_value(run, "missing", &value))
        options.missing = value.real;
    if (option_given(run, "header"))
        options.header = option_flag(run, "header", false);
    options.unvalued = unvalued;
    int code = guard_file(run, path, FILE_INPUT);
    if (code != EXIT_DONE)
        return code;
    double start = seconds_now();
    partan_status status = partan_ratings_read(run->context, path, &options, ratings);
    *seconds = seconds_now() - start;
    if (status != PARTAN_OK)
        return library_failure(run, status);
    return interrupt_seen() ? failure(run, "interrupted") : EXIT_DONE; /* the work to come would end before it begins */
}
