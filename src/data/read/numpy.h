/* Arrays of NumPy: .npy files, and .npz archives of them. */
#ifndef PT_NUMPY_H
#define PT_NUMPY_H

#include "data/data.h"

/* An array in memory. */
typedef struct pt_array {
    char *name;          /* of the member in an archive, without ".npy"; owned; NULL: a file of its own */
    char kind;           /* f, i, u, b (numbers); U, S (texts) */
    size_t size;         /* bytes of an element */
    bool swapped;        /* bytes are in the other order than this machine's */
    bool by_columns;     /* the first index varies fastest */
    size_t dimensions;   /* 0 to 2 */
    size_t shape[2];     /* rows and columns; 1 where there is no such dimension */
    unsigned char *text; /* the whole file; owned */
    const unsigned char *elements;
} pt_array;

bool pt_is_npy(const void *head, size_t size);

/* Takes over `text`, also on failure, and `size` bytes of it. Messages begin with `name`. */
partan_status pt_array_parse(partan_context *context, const char *name, unsigned char *text, size_t size,
                             pt_array *array);
void pt_array_free(partan_context *context, pt_array *array);

bool pt_array_is_text(const pt_array *array);
/* An element as a number; of texts, 0. */
double pt_array_number(const pt_array *array, size_t row, size_t column);
/* An element as text, UTF-8, without the zeros that fill it up: at most `size` - 1 bytes. Returns its length. */
size_t pt_array_text(const pt_array *array, size_t row, char *buffer, size_t size);

/* A data set from an array with its labels in a column, and from the arrays of an archive. */
partan_status pt_numpy_read_npy(partan_context *context, const char *path, const partan_read_options *options,
                                partan_data **data);
partan_status pt_numpy_read_npz(partan_context *context, const char *path, const partan_read_options *options,
                                partan_data **data);

/* What a data set is made of. Labels and weights are arrays of their own (else NULL), or columns of the features
 * (SIZE_MAX: none). */
typedef struct pt_numpy_parts {
    const pt_array *features, *labels, *weights;
    size_t label, weight;
} pt_numpy_parts;

partan_status pt_numpy_data(partan_context *context, const char *path, const partan_read_options *options,
                            pt_numpy_parts parts, partan_data **data);

#endif
