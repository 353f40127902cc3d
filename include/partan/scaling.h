/* Scaling of features, kept in a file. */
#ifndef PARTAN_SCALING_H
#define PARTAN_SCALING_H

#include <stddef.h>
#include <stdint.h>

#include "partan/data.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct partan_scaling partan_scaling;

typedef enum partan_scaling_kind {
    PARTAN_SCALING_MINMAX = 0,     /* each feature to [lower, upper] */
    PARTAN_SCALING_STANDARDISE = 1 /* each feature to mean 0 and variance 1 */
} partan_scaling_kind;

/* Fit a scaling to data, apply it to the same or to other data, and store it in a small text file, which restores it
 * exactly. Zeros that are not stored in sparse data are scaled too, so scaled data may be dense (with a warning).
 * Features that are constant when fitted become 0. Scaled data has the fitted features: missing ones are 0, additional
 * ones are dropped with a warning; the columns of a table are matched as by partan_predict. Files of svm-scale -s can
 * be read too. lower and upper are for min-max only; values outside the fitted range are mapped outside of them. */
PARTAN_API partan_status partan_scaling_fit(partan_context *context, const partan_data *data, partan_scaling_kind kind,
                                            double lower, double upper, partan_scaling **scaling);
PARTAN_API partan_status partan_scaling_apply(partan_context *context, const partan_scaling *scaling,
                                              const partan_data *data, partan_storage storage, partan_data **scaled);
PARTAN_API partan_status partan_scaling_read(partan_context *context, const char *path, partan_scaling **scaling);
PARTAN_API partan_status partan_scaling_write(partan_context *context, const partan_scaling *scaling, const char *path);
PARTAN_API void partan_scaling_free(partan_scaling *scaling);

#ifdef __cplusplus
}
#endif

#endif
