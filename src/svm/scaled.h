/* Scaling as a part of training: data that is scaled first, and warnings where it should be. */
#ifndef PT_SCALED_H
#define PT_SCALED_H

#include "data/data.h"
#include "data/scale.h"

/* Fits a scaling of the kind that the setting names, not NONE, and applies it: to the rows of several processes (comm;
 * NULL: one), each of which has a part of them. */
partan_status pt_scale_to_train(partan_context *context, pt_comm *comm, const partan_data *data, partan_scale scale,
                                partan_scaling **scaling, partan_data **scaled);

/* Warns, by some rows, where a feature spans a hundred times as much as others do: its differences are all that the
 * kernel sees. */
void pt_warn_of_ranges(partan_context *context, const partan_data *data, const partan_settings *settings);

#endif
