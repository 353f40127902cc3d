#include "svm/weighty.h"

#include "core/agree.h"

partan_status pt_weighty_find(partan_context *context, pt_comm *comm, const partan_data *data, pt_weighty *w)
{
    *w = (pt_weighty){.rows = pt_alloc(context, data->matrix.rows, sizeof *w->rows)};
    partan_status status = w->rows ? PARTAN_OK : pt_out_of_memory(context, "the rows of weight");
    status = pt_agree(context, comm, status);
    if (status)
        return status;
    for (size_t row = 0; row < data->matrix.rows; row++)
        if (pt_data_weight(data, row) > 0)
            w->rows[w->count++] = (int64_t)row;
    w->all = pt_count_all(comm, w->count, &w->first);
    return PARTAN_OK;
}

void pt_weighty_thin(pt_weighty *w, size_t most)
{
    uint64_t all = w->all, begin = w->first, end = begin + w->count;
    w->first = all > 0 ? (begin * most + all - 1) / all : 0;
    w->all = most;
    w->count = 0;
    for (uint64_t i = w->first, at; i < most && (at = i * all / most) < end; i++)
        w->rows[w->count++] = w->rows[at - begin];
}
