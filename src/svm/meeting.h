/* The rows of a data set and the support vectors of a model, as kernels meet them: as they are or, where most features
 * are empty, both without those that neither has. */
#ifndef PT_MEETING_H
#define PT_MEETING_H

#include "data/storage/kept.h"
#include "svm/model/model.h"

typedef struct pt_meeting {
    const pt_matrix *rows, *vectors;
    pt_matrix sparse[2]; /* copies of those that are not sparse, for the views of them */
    pt_matrix views[2];
} pt_meeting;

/* The matrices must outlive the meeting. To be closed also on failure. */
partan_status pt_meeting_open(partan_context *context, const pt_matrix *rows, const pt_matrix *vectors,
                              pt_meeting *meeting);
void pt_meeting_close(pt_meeting *meeting);

#endif
