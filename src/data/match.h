/* Data for a model that was trained on other data: the features must be the same ones. Columns are matched by their
 * names where both have names, else by their place; what differs is an error that names it. */
#ifndef PT_MATCH_H
#define PT_MATCH_H

#include "data/data.h"

typedef struct pt_match {
    const partan_data *data; /* with the model's features in the model's order */
    partan_data *own;        /* a copy with its columns in another order; NULL: it is the caller's */
} pt_match;

/* `source` and `features` are those of the training data. To be closed also on failure. */
partan_status pt_match_open(partan_context *context, const pt_source *source, uint64_t features,
                            const partan_data *data, pt_match *match);
void pt_match_close(pt_match *match);

#endif
