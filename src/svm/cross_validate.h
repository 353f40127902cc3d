/* Cross-validation fold by fold, for callers that share the folds out. */
#ifndef PT_CROSS_VALIDATE_H
#define PT_CROSS_VALIDATE_H

#include "partan/svm.h"

/* Fold `number`, from 0, of partan_cross_predict, to the same bits; time_limit is that of this fold. */
partan_status pt_cross_predict_fold(partan_context *context, const partan_data *data, const partan_settings *settings,
                                    size_t folds, uint64_t seed, size_t number, partan_fold_callback fold,
                                    partan_held_callback held, void *user);

/* The evaluation over folds, in their order, that partan_cross_predict ends with. */
void pt_cross_evaluation(const partan_evaluation *folds, size_t count, partan_evaluation *sum);

#endif
