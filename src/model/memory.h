/* Models of any kind as bytes in memory. */
#ifndef PT_MODEL_MEMORY_H
#define PT_MODEL_MEMORY_H

#include <stdio.h>

#include "core/context.h"

/* Writes a model of some kind to a stream; a failure leaves its sentence in the model's own context. */
typedef partan_status pt_model_writer(const void *model, FILE *file);

/* What the writer writes, in memory of the context. */
partan_status pt_model_to_memory(partan_context *context, partan_context *of_model, pt_model_writer *write,
                                 const void *model, char **bytes, size_t *size);

/* The same to a path, as a file that is complete or not there. */
partan_status pt_model_to_path(partan_context *context, partan_context *of_model, pt_model_writer *write,
                               const void *model, const char *path);

#endif
