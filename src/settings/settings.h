/* The table of partan_settings, for those who read, write or check these settings by their names. */
#ifndef PT_SETTINGS_H
#define PT_SETTINGS_H

#include "settings/table.h"

enum { PT_MOST_FOLDS = 1000 }; /* of calibration */

extern const pt_settings_table pt_settings;

#endif
