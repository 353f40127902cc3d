/* A fit in parts, for those who do several on the same entries: fitting itself, and the choice of the radius. */
#ifndef PT_FIT_H
#define PT_FIT_H

#include "matrix/matrix.h"
#include "matrix/recovery.h"

typedef struct pt_fit {
    partan_context *context;
    const partan_ratings *ratings; /* NULL: measurements of the caller's */
    partan_matrix_settings matrix_settings;
    pt_offsets offsets;
    double *b;
    pt_sampling sampling;
    pt_measurement measurement;
    pt_recovery recovery; /* its x is the last solution, or where the next one begins */
    uint64_t products;    /* before the last solve */
    double start;
} pt_fit;

/* Checks, offsets, entries by columns. To be closed also on failure. */
partan_status pt_fit_open(pt_fit *fit, partan_context *context, const partan_ratings *ratings,
                          const partan_settings *settings, const partan_matrix_settings *matrix_settings);
void pt_fit_close(pt_fit *fit);

/* Solves at a radius, from the last solution. */
partan_status pt_fit_solve(pt_fit *fit, double radius);

void pt_fit_result(const pt_fit *fit, partan_matrix_result *result);
partan_status pt_fit_matrix(pt_fit *fit, partan_matrix **matrix);

#endif
