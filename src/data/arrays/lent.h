/* The caller's arrays as a data set for the length of a call: dense ones in dense storage, sparse ones in sparse
 * storage, borrowed where that can be; rows of 0 and 1 that are to meet packed bits, as packed bits. There are no
 * labels and no names. */
#ifndef PT_LENT_H
#define PT_LENT_H

#include "data/arrays/rows.h"
#include "data/data.h"

typedef struct pt_lent_data {
    partan_context *context;
    pt_array_rows rows;
    partan_data data;
    char name[8];
} pt_lent_data;

/* To be freed also on failure. A data set of no rows is possible. `meets` is the storage of the vectors that the rows
 * are to meet; anything but PARTAN_STORAGE_BITS makes no difference. */
partan_status pt_lend_dense(partan_context *context, const partan_dense *array, partan_storage meets,
                            pt_lent_data *lent);
partan_status pt_lend_sparse(partan_context *context, const partan_sparse *array, partan_storage meets,
                             pt_lent_data *lent);
void pt_lent_data_free(pt_lent_data *lent);

#endif
