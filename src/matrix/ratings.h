/* Ratings: the known entries of a matrix, by rows, with the names of rows and columns. */
#ifndef PT_RATINGS_H
#define PT_RATINGS_H

#include "matrix/names.h"

struct partan_ratings {
    partan_context *context;
    char *name; /* the file it came from, for messages; never NULL */
    pt_names rows, columns;
    size_t count;      /* known entries */
    int64_t *starts;   /* entries of row i are starts[i] .. starts[i + 1] - 1, */
    int32_t *column;   /* by ascending column; */
    double *value;     /* NaN: there was none, in a list of entries to predict */
    int64_t *position; /* where entry k, in the order of the file, has got to; NULL: all are where they were */
};

/* Entries in the order of the file, before they are sorted. */
typedef struct pt_triplets {
    size_t count, capacity[3];
    int32_t *row, *column;
    double *value;
} pt_triplets;

partan_status pt_triplets_add(partan_context *context, pt_triplets *triplets, int32_t row, int32_t column,
                              double value);
void pt_triplets_free(partan_context *context, pt_triplets *triplets);

/* No entries and no names yet. */
partan_status pt_ratings_create(partan_context *context, const char *name, partan_ratings **ratings);

/* Sorts the entries into ratings that have their names. Where two of them are for the same place, *twice is the later
 * one, of all such the first; otherwise it is SIZE_MAX. */
partan_status pt_ratings_fill(partan_ratings *ratings, const pt_triplets *triplets, size_t *twice);

/* The row of an entry by its position. */
size_t pt_ratings_row_at(const partan_ratings *ratings, size_t position);

#endif
