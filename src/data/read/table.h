/* Fields of CSV and TSV lines, for the reader and for the look at the first line. */
#ifndef PT_TABLE_H
#define PT_TABLE_H

#include "data/read/reader.h"
#include "data/read/scan.h"

typedef struct pt_field {
    const char *text, *end; /* without quotes and surrounding blanks; doubled quotes not yet undone */
    const char *next;       /* the separator or line end after it */
    bool quoted;
    bool broken; /* the closing quote is missing (next is the line end), or text follows it (at next) */
} pt_field;

static inline bool pt_is_padding(char c, char separator)
{
    return c == ' ' || (c == '\t' && separator != '\t');
}

static inline bool pt_ends_field(const char *p, char separator)
{
    return *p == separator || pt_at_line_end(p);
}

/* The field that begins at p. */
pt_field pt_field_at(const char *p, char separator);

/* Whether the field is a number, and which; it may be infinite. */
bool pt_field_number(const pt_field *field, double *value);

/* Whether [p, end) says that a number is missing or not finite: nan, inf, NA, null, ?. Not a word for a column. */
bool pt_is_missing(const char *p, const char *end);

/* Settles columns, label, weight and header by the first line; see pt_grammar. */
partan_status pt_table_begin(pt_reader *reader, const char *line, const char *end, size_t number, bool *taken);

#endif
