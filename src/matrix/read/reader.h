/* How text becomes ratings, as the parts of the reader share it. Lines come one after the other (read.c) to the grammar
 * of the format: lists of entries (triplets.c), Matrix Market's coordinate files (market.c), tables (table.c). What
 * these share is in fields.c. */
#ifndef PT_RATINGS_READER_H
#define PT_RATINGS_READER_H

#include "data/read/table.h"
#include "matrix/ratings.h"

typedef struct pt_ratings_reader pt_ratings_reader;

/* A format. A line is [line, end), without its line end, which is still there to be read. */
typedef struct pt_ratings_grammar {
    char comment; /* lines that begin with it are passed over */
    /* Looks at the first line of data, and may take it (a header): *taken. */
    partan_status (*begin)(pt_ratings_reader *reader, const char *line, const char *end, bool *taken);
    partan_status (*parse)(pt_ratings_reader *reader, const char *line, const char *end);
    partan_status (*finish)(pt_ratings_reader *reader); /* there are no more lines; NULL: nothing to be done */
} pt_ratings_grammar;

extern const pt_ratings_grammar pt_ratings_triplets, pt_ratings_market, pt_ratings_table;

/* From `entry` on, entries are on successive lines, beginning with `line`. */
typedef struct pt_line_run {
    size_t entry, line;
} pt_line_run;

struct pt_ratings_reader {
    partan_context *context;
    const char *name;
    partan_ratings_options options;
    const pt_ratings_grammar *grammar; /* NULL until the first line of data is seen */
    partan_ratings *ratings;
    pt_triplets triplets;
    size_t number;    /* of the present line, from 1 */
    const char *line; /* its beginning */

    pt_line_run *runs; /* for messages that name an entry found earlier */
    size_t run_count, run_capacity;

    /* The grammar's own. */
    char separator;  /* between fields: a tab, a comma, a semicolon, ':' for "::", ' ' for blanks */
    size_t fields;   /* of a line */
    size_t expected; /* entries that the size line of Matrix Market announces */
    char *unquoted;  /* room for a name with doubled quotes */
    size_t unquoted_capacity;
};

/* "name:line:column: ..."; `at` is in the present line. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
partan_status
pt_ratings_trouble(pt_ratings_reader *reader, const char *at, const char *format, ...);

/* Notes an entry of the present line. */
partan_status pt_ratings_add(pt_ratings_reader *reader, size_t row, size_t column, double value);

/* A rating, which must be a finite number. */
partan_status pt_ratings_number(pt_ratings_reader *reader, const char *p, const char *end, double *value);

/* A field whose closing quote is missing, or followed by text. */
partan_status pt_ratings_broken(pt_ratings_reader *reader, const pt_field *field);

/* The number of a name, added when it is new. */
partan_status pt_ratings_name(pt_ratings_reader *reader, pt_names *names, const pt_field *field, size_t *number);

/* Counts fields of [line, end), and takes them one by one; p is where a field begins. */
size_t pt_ratings_fields(const char *line, const char *end, char separator);
pt_field pt_ratings_field(const char *p, const char *end, char separator);
/* Where the next field begins; NULL after the last. */
const char *pt_ratings_next(const pt_field *field, const char *end, char separator);

/* Parsing text in memory, for tests and fuzzing; `block` bytes at a time, at least 1. */
partan_status pt_ratings_parse(partan_context *context, const char *name, const char *text, size_t size,
                               const partan_ratings_options *options, size_t block, partan_ratings **ratings);

#endif
