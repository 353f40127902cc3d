/* How the training data was read, in the header of a model file: lines that older readers skip.
 *
 *     info.format csv
 *     info.label_column 1          from 1; 0: there was none
 *     info.label_name class
 *     info.weight_column 5         the same of the weights of rows, where there was a column of them
 *     info.weight_name importance
 *     info.feature height          one for each feature, in their order, where they have names */
#ifndef PT_MODEL_SOURCE_H
#define PT_MODEL_SOURCE_H

#include <stdio.h>

#include "data/source.h"
#include "model/scan.h"

/* The rest of the line of a key that may be one of these; *taken: it was. */
partan_status pt_source_read(pt_scan *scan, pt_word key, pt_source *source, bool *taken);
/* When all is read: names of features are those of all. */
partan_status pt_source_check(const pt_scan *scan, const pt_source *source, uint64_t features);
void pt_source_write(FILE *file, const pt_source *source);

#endif
