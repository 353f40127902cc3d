/* Prediction for rows in arrays, by the way of those in data sets, so that the bits are the same. */
#include "core/require.h"
#include "core/sized.h"
#include "data/arrays/lent.h"
#include "svm/model/model.h"

static partan_status predict(partan_context *context, const partan_model *model, partan_status status,
                             pt_lent_data *lent, double *decision)
{
    if (!status && lent->data.matrix.rows > 0)
        status = partan_predict(context, model, &lent->data, decision);
    else if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_lent_data_free(lent);
    return status;
}

partan_status partan_predict_dense(partan_context *context, const partan_model *model, const partan_dense *array,
                                   double *decision)
{
    PT_REQUIRE(context, context && model && array && decision);
    PT_TAKE(context, partan_dense, array);
    pt_lent_data lent;
    pt_progress_begin(context, "predict");
    partan_status status = pt_lend_dense(context, array, model->vectors.storage, &lent);
    return predict(context, model, status, &lent, decision);
}

partan_status partan_predict_sparse(partan_context *context, const partan_model *model, const partan_sparse *array,
                                    double *decision)
{
    PT_REQUIRE(context, context && model && array && decision);
    PT_TAKE(context, partan_sparse, array);
    pt_lent_data lent;
    pt_progress_begin(context, "predict");
    partan_status status = pt_lend_sparse(context, array, model->vectors.storage, &lent);
    return predict(context, model, status, &lent, decision);
}
