/* Tables of options: what an entry allows, and how to say so. */
#ifndef PT_OPTION_H
#define PT_OPTION_H

#include <stdbool.h>

#include "partan/partan.h"

#define PT_NO_LIMIT 9.2e18 /* as `most` of an integer: as large as the type holds, and not worth a word */

bool pt_option_within(const partan_option *option, double number); /* the bounds of numbers */

/* partan_option_parse, where a text that cannot be wrong needs no context. */
partan_status pt_option_parse(partan_context *context, const partan_option *option, const char *text,
                              partan_option_value *value);

/* What the option takes: "a number from 0 to 1", "fw, mfw or swap". */
typedef struct pt_phrase {
    char text[512];
    size_t length;
} pt_phrase;

void pt_option_describe(const partan_option *option, pt_phrase *phrase);

#endif
