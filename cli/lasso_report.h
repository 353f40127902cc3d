/* What lasso and the commands that take its models show alike. */
#ifndef CLI_LASSO_REPORT_H
#define CLI_LASSO_REPORT_H

#include "json.h"
#include "lasso_run.h"

typedef struct lasso_entry {
    size_t feature;
    double value;
    const char *name;
} lasso_entry;

void lasso_report_claims(const partan_lasso *model, FILE *file);  /* problem, coefficients, R^2, objective, gap */
void lasso_report_largest(const partan_lasso *model, FILE *file); /* the largest coefficients */
void lasso_json_settings(json *out, const partan_lasso_settings *lasso, const partan_settings *settings);
void lasso_json_result(json *out, const partan_lasso_result *result);

#endif
