/* The ball of outlier detection: what its size is compared with, and where it ends. */
#ifndef PT_THRESHOLD_H
#define PT_THRESHOLD_H

#include "data/data.h"
#include "kernel/kernel.h"

/* Half the mean squared distance of a row from one of the rows before it, chosen by a fixed rule: about that of a row
 * from the centre of all. 0 where all rows are the same. */
double pt_spread(const partan_data *data, const pt_kernel *kernel);

/* The squared radius. Where the settings ask for a share of outliers, it leaves this share of the rows, by weight,
 * outside; else it is that of the primal problem, where the excesses of all rows, times C / 2, add up to 1. */
partan_status pt_threshold(const partan_data *data, const partan_settings *settings, const double *distances,
                           double *radius);

#endif
