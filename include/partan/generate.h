/* Generated data sets. */
#ifndef PARTAN_GENERATE_H
#define PARTAN_GENERATE_H

#include <stddef.h>
#include <stdint.h>

#include "partan/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct partan_generator_options {
    size_t struct_size;
    const char *kind;  /* see partan_generator */
    uint64_t rows;     /* default 1000 */
    uint64_t features; /* 0: the default of the kind */
    double noise;      /* its meaning depends on the kind; negative: the default of the kind */
    uint64_t seed;     /* default 1 */
} partan_generator_options;

PARTAN_DECLARE_INIT(partan_generator_options)

/* Name and one-line description of generator i (what it makes, its features, what noise means); NULL after the last. */
PARTAN_API const char *partan_generator(size_t i, const char **description);

/* Labels are 1 and -1, about equally often; those of kinds for regression are numbers. Row i depends only on kind,
 * features, noise, seed and i, so both functions make the same rows, and a larger data set begins with the rows of a
 * smaller one. An interruption leaves no file and no data. partan_generate_file streams to a file or, with "-", to
 * standard output; its memory does not depend on the number of rows. */
PARTAN_API partan_status partan_generate_file(partan_context *context, const partan_generator_options *options,
                                              const char *path, partan_format format);
PARTAN_API partan_status partan_generate(partan_context *context, const partan_generator_options *options,
                                         partan_storage storage, partan_data **data);

#ifdef __cplusplus
}
#endif

#endif
