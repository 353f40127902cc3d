/* The ROC and precision-recall curves of rows with values, and the areas under them. */
#ifndef PT_CURVE_H
#define PT_CURVE_H

#include "core/comm.h"
#include "core/context.h"

/* A row's value, and whether it is of the class that large values speak for. */
typedef struct pt_scored {
    double value;
    bool positive;
} pt_scored;

typedef struct pt_areas {
    double roc, precision; /* NaN where one of the two classes is missing, or there are no positive rows */
} pt_areas;

/* Both areas, exact: rows of equal value enter a curve together. Sorts the rows. `point`, which may be NULL, is shown
 * each threshold.
 *
 * Of several processes (comm; NULL: one) each has its rows; the first one merges what all have sorted, piece by piece,
 * and shows the thresholds, and all get the areas. */
partan_status pt_curve_areas(partan_context *context, pt_comm *comm, pt_scored *rows, size_t count,
                             partan_threshold_callback point, void *user, pt_areas *areas);

/* The area under the ROC curve alone, NaN where one of the two classes is missing. Sorts the rows. */
double pt_roc_area(pt_scored *rows, size_t count);

#endif
