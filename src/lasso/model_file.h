/* Model files of the Lasso: a header (model/header.h) and one line a coefficient. */
#ifndef PT_LASSO_MODEL_FILE_H
#define PT_LASSO_MODEL_FILE_H

#include <stdio.h>

#include "lasso/model.h"

/* Into a model that has just been created. */
partan_status pt_lasso_parse(partan_context *context, const char *name, const char *text, size_t size,
                             partan_lasso *model);
partan_status pt_lasso_write(const partan_lasso *model, FILE *file);

#endif
