/* The table of partan_matrix_settings. */
#ifndef PT_MATRIX_SETTINGS_H
#define PT_MATRIX_SETTINGS_H

#include "core/option.h"
#include "settings/table.h"

extern const pt_settings_table pt_matrix_settings;
extern const char *const pt_centre_names[];

/* The solver's settings for a matrix: those given (NULL: all defaults, but tol = 1e-3), with what a matrix has no use
 * for at its default, checked. */
partan_status pt_matrix_solver_settings(partan_context *context, const partan_settings *given,
                                        const partan_matrix_settings *matrix, partan_settings *settings);

#endif
