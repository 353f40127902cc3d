/* What partan tune is asked: its options, and their reading. */
#ifndef CLI_TUNE_OPTIONS_H
#define CLI_TUNE_OPTIONS_H

#include "tune_report.h"

extern const option_set *const tune_sets[];

/* Settings, grid, way of testing and outputs, as far as they are known before the data is read. Returns an exit code.
 */
int tune_choose(invocation *run, tuning *at);

#endif
