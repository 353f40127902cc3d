/* Known entries of a matrix: reading, splitting and generating them. */
#ifndef PARTAN_RATINGS_H
#define PARTAN_RATINGS_H

#include <stddef.h>
#include <stdint.h>

#include "partan/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct partan_ratings partan_ratings;

typedef enum partan_ratings_format {
    PARTAN_RATINGS_AUTO = 0, /* Matrix Market by its first line; lines of up to four fields: triplets, else a table */
    PARTAN_RATINGS_TRIPLETS = 1, /* row, column, value; names may be words; blanks, tabs, commas, semicolons or "::" */
    PARTAN_RATINGS_MARKET = 2,   /* Matrix Market, coordinate, real or integer, general */
    PARTAN_RATINGS_TABLE = 3     /* one line per row; empty cells, NA and `missing` are unknown entries */
} partan_ratings_format;

typedef enum partan_first_column { /* of a table */
                                   PARTAN_FIRST_RATINGS = 0,
                                   PARTAN_FIRST_SKIP = 1,
                                   PARTAN_FIRST_NAMES = 2 /* of the rows */
} partan_first_column;

typedef struct partan_ratings_options {
    size_t struct_size;
    partan_ratings_format format;
    partan_first_column first_column;
    double missing; /* tables: the number that marks unknown entries; NaN, the default: none */
    int header;     /* 1 first line is a header, 0 it is not, -1 detect; default -1 */
    int unvalued;   /* 1: triplets may have no value (entries to predict); default 0 */
} partan_ratings_options;

PARTAN_DECLARE_INIT(partan_ratings_options)

/* path "-" is standard input; compressed files are recognised by content. Duplicate entries are an error. */
PARTAN_API partan_status partan_ratings_read(partan_context *context, const char *path,
                                             const partan_ratings_options *options, partan_ratings **ratings);

/* Copies `count` entries; rows and columns count from 0 and are named by their numbers from 1. value may be NULL, for
 * entries to predict. */
PARTAN_API partan_status partan_ratings_from_triplets(partan_context *context, size_t rows, size_t columns,
                                                      const int64_t *row, const int64_t *column, const double *value,
                                                      size_t count, partan_ratings **ratings);

/* Splits the entries in two at random: `second` gets this share of them (above 0, below 1), `first` the others. Both
 * have all rows and columns. */
PARTAN_API partan_status partan_ratings_split(partan_context *context, const partan_ratings *ratings, double share,
                                              uint64_t seed, partan_ratings **first, partan_ratings **second);
PARTAN_API void partan_ratings_free(partan_ratings *ratings);

/* Writes the entries in order as tab-separated triplets; path "-" is standard output. Values round-trip exactly. */
PARTAN_API partan_status partan_ratings_write(partan_context *context, const partan_ratings *ratings, const char *path);

/* Random entries of a low-rank matrix with four decimals: products of factors with normal entries, scaled to variance
 * 1, plus normal noise. The same options give the same ratings on every machine. */
typedef struct partan_ratings_generator {
    size_t struct_size;
    uint64_t rows, columns; /* default 1000 and 500 */
    uint64_t rank;          /* default 5 */
    uint64_t entries;       /* default 50000 */
    double noise;           /* its standard deviation; default 0.5 */
    uint64_t seed;          /* default 1 */
} partan_ratings_generator;

PARTAN_DECLARE_INIT(partan_ratings_generator)

PARTAN_API partan_status partan_ratings_generate(partan_context *context, const partan_ratings_generator *options,
                                                 partan_ratings **ratings);

PARTAN_API size_t partan_ratings_rows(const partan_ratings *ratings);
PARTAN_API size_t partan_ratings_columns(const partan_ratings *ratings);
PARTAN_API size_t partan_ratings_count(const partan_ratings *ratings); /* known entries */
/* Entry k in the order of the file or the arrays; *value is NaN if the entry has no value. */
PARTAN_API partan_status partan_ratings_entry(const partan_ratings *ratings, size_t k, size_t *row, size_t *column,
                                              double *value);
/* Names of rows and columns; `buffer` is used if the name is a number. */
PARTAN_API const char *partan_ratings_row_name(const partan_ratings *ratings, size_t i, char *buffer, size_t size);
PARTAN_API const char *partan_ratings_column_name(const partan_ratings *ratings, size_t i, char *buffer, size_t size);
PARTAN_API uint64_t
partan_ratings_fingerprint(const partan_ratings *ratings); /* does not depend on the order of entries */

#ifdef __cplusplus
}
#endif

#endif
