#include "svm/meeting.h"

static partan_status as_sparse(const pt_matrix **matrix, pt_matrix *copy)
{
    if ((*matrix)->storage == PARTAN_STORAGE_SPARSE)
        return PARTAN_OK;
    partan_status status = pt_matrix_convert(*matrix, PARTAN_STORAGE_SPARSE, (*matrix)->features, copy);
    *matrix = copy;
    return status;
}

partan_status pt_meeting_open(partan_context *context, const pt_matrix *rows, const pt_matrix *vectors,
                              pt_meeting *meeting)
{
    *meeting = (pt_meeting){.rows = rows, .vectors = vectors};
    if (!pt_is_hollow(rows) && !pt_is_hollow(vectors))
        return PARTAN_OK;
    pt_kept *kept = NULL;
    partan_status status = as_sparse(&rows, &meeting->sparse[0]);
    if (!status)
        status = as_sparse(&vectors, &meeting->sparse[1]);
    if (!status)
        status = pt_kept_make(context, rows, vectors, &kept);
    if (!status)
        status = pt_kept_view(kept, rows, &meeting->views[0]);
    if (!status)
        status = pt_kept_view(kept, vectors, &meeting->views[1]);
    pt_kept_free(kept);
    meeting->rows = &meeting->views[0];
    meeting->vectors = &meeting->views[1];
    return status;
}

void pt_meeting_close(pt_meeting *meeting)
{
    for (int i = 0; i < 2; i++) {
        pt_kept_view_free(&meeting->views[i]);
        pt_matrix_free(&meeting->sparse[i]);
    }
}
