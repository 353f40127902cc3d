/* Predictions of a linear model for rows in arrays. */
#include "core/require.h"
#include "core/sized.h"
#include "data/arrays/lent.h"

static partan_status predict(partan_context *context, const partan_lasso *model, partan_status status,
                             pt_lent_data *lent, double *values)
{
    if (!status && lent->data.matrix.rows > 0)
        status = partan_lasso_predict(context, model, &lent->data, values);
    else if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    pt_lent_data_free(lent);
    return status;
}

partan_status partan_lasso_predict_dense(partan_context *context, const partan_lasso *model, const partan_dense *array,
                                         double *values)
{
    PT_REQUIRE(context, context && model && array && values);
    PT_TAKE(context, partan_dense, array);
    pt_lent_data lent;
    pt_progress_begin(context, "predict");
    partan_status status = pt_lend_dense(context, array, PARTAN_STORAGE_AUTO, &lent);
    return predict(context, model, status, &lent, values);
}

partan_status partan_lasso_predict_sparse(partan_context *context, const partan_lasso *model,
                                          const partan_sparse *array, double *values)
{
    PT_REQUIRE(context, context && model && array && values);
    PT_TAKE(context, partan_sparse, array);
    pt_lent_data lent;
    pt_progress_begin(context, "predict");
    partan_status status = pt_lend_sparse(context, array, PARTAN_STORAGE_AUTO, &lent);
    return predict(context, model, status, &lent, values);
}
