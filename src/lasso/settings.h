/* The table of partan_lasso_settings. */
#ifndef PT_LASSO_SETTINGS_H
#define PT_LASSO_SETTINGS_H

#include "core/option.h"
#include "settings/table.h"

extern const pt_settings_table pt_lasso_settings;

#endif
