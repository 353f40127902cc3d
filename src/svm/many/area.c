/* The area under the ROC curve of more than two classes: the mean over those of each class against the rest. */
#include <math.h>

#include "core/agree.h"
#include "svm/curve.h"
#include "svm/many/many.h"

static partan_status area_of(partan_context *context, pt_scored *sorted, size_t count, double *area)
{
    pt_areas areas = {0};
    partan_status status = PARTAN_OK;
    if (context->comm)
        status = pt_curve_areas(context, context->comm, sorted, count, NULL, NULL, &areas);
    else
        areas.roc = pt_roc_area(sorted, count);
    *area = areas.roc;
    return status;
}

/* Of the classes that there are rows of, and other rows. */
static partan_status mean_area(partan_context *context, const double *scores, const int32_t *class_of, size_t rows,
                               size_t classes, pt_scored *sorted, double *mean)
{
    double sum = 0, seen = 0;
    partan_status status = PARTAN_OK;
    for (size_t class = 0; class < classes && !status; class ++) {
        size_t count = 0;
        double area = 0;
        for (size_t row = 0; row < rows; row++)
            if (class_of[row] >= 0)
                sorted[count++] = (pt_scored){scores[row * classes + class], class_of[row] == (int32_t) class};
        status = area_of(context, sorted, count, &area);
        seen += !isnan(area);
        sum += isnan(area) ? 0 : area;
    }
    *mean = sum / seen; /* NaN where there are none: 0 / 0 */
    return status;
}

partan_status pt_area_many(partan_context *context, size_t classes, const double *scores, const int32_t *class_of,
                           size_t rows, double *area)
{
    pt_scored *sorted = pt_alloc(context, rows, sizeof *sorted);
    partan_status status = sorted ? PARTAN_OK : pt_out_of_memory(context, "the curves of an evaluation");
    status = pt_agree(context, context->comm, status);
    if (!status)
        status = mean_area(context, scores, class_of, rows, classes, sorted, area);
    pt_free(context, sorted);
    return status;
}
