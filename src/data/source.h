/* How a data set was read, so that other data for the same model is read in the same way: its format, where labels and
 * weights stood, and the names of the features. */
#ifndef PT_SOURCE_H
#define PT_SOURCE_H

#include "data/names.h"

typedef struct pt_source {
    partan_format format; /* AUTO: it came from memory, or it is not known */
    bool counted; /* it tells how many features there are: tables and dense arrays; sparse rows may have fewer */
    int64_t label_column;  /* tables: from 1; 0: there is none */
    char *label_name;      /* from the header; NULL: it has none */
    int64_t weight_column; /* the same of the rows' weights */
    char *weight_name;
    pt_feature_names names;
} pt_source;

partan_status pt_source_copy(partan_context *context, const pt_source *source, pt_source *copy);
void pt_source_free(partan_context *context, pt_source *source);

#endif
