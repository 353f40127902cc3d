/* The whole text of a model file; partan/model.h has the functions. */
#ifndef PT_MODEL_FILE_H
#define PT_MODEL_FILE_H

#include "core/context.h"

struct partan_model_file {
    partan_context *context;
    char *name; /* for messages */
    char *text; /* NUL-terminated */
    size_t size, capacity;
};

#endif
