/* What models are compared by. */
#include <math.h>

#include "partan/partan.h"

static const char *const names[] = {
    [PARTAN_SCORE_ACCURACY] = "accuracy", [PARTAN_SCORE_BALANCED] = "balanced", [PARTAN_SCORE_F1] = "f1",
    [PARTAN_SCORE_AUC] = "auc",           [PARTAN_SCORE_LOG_LOSS] = "log-loss", [PARTAN_SCORE_R2] = "r2",
    [PARTAN_SCORE_MSE] = "mse",           [PARTAN_SCORE_MAE] = "mae",
};

const char *partan_score_name(partan_score score)
{
    return (unsigned)score < sizeof names / sizeof names[0] ? names[score] : NULL;
}

double partan_score_of(partan_score score, const partan_evaluation *evaluation)
{
    switch (score) {
    case PARTAN_SCORE_ACCURACY:
        return evaluation->classes > 0 ? evaluation->accuracy : evaluation->r2;
    case PARTAN_SCORE_BALANCED:
        return evaluation->balanced_accuracy;
    case PARTAN_SCORE_F1:
        return (evaluation->classes > 2 ? evaluation->macro_f1 : evaluation->f1[1]);
    case PARTAN_SCORE_AUC:
        return evaluation->auc;
    case PARTAN_SCORE_LOG_LOSS:
        return -evaluation->log_loss;
    case PARTAN_SCORE_R2:
        return evaluation->r2;
    case PARTAN_SCORE_MSE:
        return -evaluation->mse;
    case PARTAN_SCORE_MAE:
        return -evaluation->mae;
    }
    return (double)NAN;
}
