/* Output files as the library itself uses them; partan.h has the functions. */
#ifndef PT_OUTPUT_H
#define PT_OUTPUT_H

#include "core/context.h"

struct partan_output {
    partan_context *context;
    FILE *file;
    char *path;      /* as named by the caller */
    char *temporary; /* written aside; NULL when written directly */
};

#endif
