/* The rows of weight above 0, of one process or several. */
#ifndef PT_WEIGHTY_H
#define PT_WEIGHTY_H

#include "core/comm.h"
#include "data/data.h"

/* Those here, and the number of the first one among those of all. */
typedef struct pt_weighty {
    int64_t *rows;
    size_t count;
    uint64_t first, all;
} pt_weighty;

/* The caller frees the rows, also on failure, which is that of all. */
partan_status pt_weighty_find(partan_context *context, pt_comm *comm, const partan_data *data, pt_weighty *weighty);

/* Keeps so many of all, at even distances. */
void pt_weighty_thin(pt_weighty *weighty, size_t most);

#endif
