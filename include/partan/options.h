/* Tables of options, from which command lines and bindings can be made. */
#ifndef PARTAN_OPTIONS_H
#define PARTAN_OPTIONS_H

#include <stddef.h>
#include <stdint.h>

#include "partan/context.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum partan_option_type {
    PARTAN_OPTION_CHOICE = 0, /* one of `choices` */
    PARTAN_OPTION_INTEGER = 1,
    PARTAN_OPTION_REAL = 2,
    PARTAN_OPTION_SIZE = 3, /* bytes, with K, M, G or T */
    PARTAN_OPTION_FLAG = 4, /* on a command line --name or --no-name; as text yes or no */
    PARTAN_OPTION_TEXT = 5
} partan_option_type;

typedef struct partan_option {
    const char *name; /* "tol"; on a command line --tol */
    char letter;      /* 't' for -t; 0: none */
    partan_option_type type;
    const char *argument; /* "T" in --tol T */
    const char *choices;  /* "fw|mfw|swap|partan"; also words that are allowed instead of a number ("auto|scale") */
    const char *initial;  /* the default, as text */
    double least, most;   /* bounds of numbers, inclusive */
    const char *help;     /* one sentence */
} partan_option;

/* Option i of reading data: format and storage, whose choices follow their enums, and the label column of CSV and TSV;
 * NULL after the last. */
PARTAN_API const partan_option *partan_read_option(size_t i);

/* The value of an option, parsed from text. This struct is complete: it will get no more fields. */
typedef struct partan_option_value {
    int choice;      /* index of the text in `choices`, from 0; -1: not one of them */
    int64_t integer; /* integers and sizes */
    double real;     /* reals */
} partan_option_value;

/* Parses text with all checks of the option. The message of a failure begins with the option's name and says what was
 * expected: "tol takes a number from 0 to 1, not 'x'". */
PARTAN_API partan_status partan_option_parse(partan_context *context, const partan_option *option, const char *text,
                                             partan_option_value *value);

#ifdef __cplusplus
}
#endif

#endif
