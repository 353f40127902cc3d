/* Calibration of probabilities by cross-fitting: each machine gets the sigmoid that fits the decision values of rows
 * which it was not trained on best. A model's own decision values of its training rows would tell too much. */
#ifndef PT_CALIBRATION_H
#define PT_CALIBRATION_H

#include "svm/folds.h"
#include "svm/model/model.h"

typedef struct pt_calibration {
    partan_context *context;
    pt_comm *comm;            /* of processes that each have a part of the rows; NULL: one has all */
    bool wanted;              /* the settings ask for it; else nothing is done */
    const partan_data *data;  /* without rows of weight 0 */
    partan_data *weighty;     /* NULL: all have weight */
    int64_t *rows;            /* of these */
    uint64_t before;          /* rows of processes before this one, with those of weight 0 */
    partan_settings settings; /* of the trainings on folds */
    pt_folds folds;
    double deadline; /* 0: none */
} pt_calibration;

/* Deals the folds, before the long work: fails where a class has too few rows. A time limit of the settings begins
 * here. To be closed also on failure. */
partan_status pt_calibration_open(pt_calibration *calibration, partan_context *context, pt_comm *comm,
                                  const partan_data *data, const partan_settings *settings);
void pt_calibration_close(pt_calibration *calibration);

/* Gives a model that was trained on this data its sigmoids. PARTAN_TIME_LIMIT or PARTAN_INTERRUPTED: it has none,
 * because the folds, or the model's own training, were cut short. */
partan_status pt_calibrate(pt_calibration *calibration, partan_model *model);

#endif
