/* The table of the Lasso's own settings, and what only shows in their combination. */
#include "lasso/settings.h"

#include "core/context.h"
#include "core/require.h"
#include "core/sized.h"

/* clang-format off */
#define FIELD(member) PT_FIELD(partan_lasso_settings, member)

static const pt_setting list[] = {
    {{"lambda", 0, PARTAN_OPTION_REAL, "L", NULL, "0", 0, 1e300,
      "Penalty: minimise 1/(2 rows) |y - b0 - Xb|^2 + L |b|_1, as with glmnet's lambda and scikit-learn's alpha; 0 "
      "means not set."},
     FIELD(lambda)},
    {{"radius", 0, PARTAN_OPTION_REAL, "T", NULL, "0", 0, 1e300,
      "Bound: minimise 1/2 |y - b0 - Xb|^2 subject to |b|_1 <= T; 0 means not set."},
     FIELD(radius)},
    {{"intercept", 0, PARTAN_OPTION_FLAG, NULL, "no", "yes", 0, 0,
      "Fit an intercept b0, which is not penalised."},
     FIELD(intercept)},
    {{"standardise", 0, PARTAN_OPTION_FLAG, NULL, "no", "yes", 0, 0,
      "Measure |b|_1 in units of the features' standard deviations, as glmnet does."},
     FIELD(standardise)},
    {{"points", 0, PARTAN_OPTION_INTEGER, "N", NULL, "100", 1, 1e6,
      "Number of values of lambda on a path, log-spaced."},
     FIELD(points)},
    {{"ratio", 0, PARTAN_OPTION_REAL, "R", NULL, "0", 0, 1,
      "Smallest lambda of a path divided by the largest; 0 means 0.01 if there are more features than rows, else "
      "0.0001."},
     FIELD(ratio)},
    {{"cv", 0, PARTAN_OPTION_INTEGER, "K", NULL, "10", 2, PT_NO_LIMIT,
      "Cross-validate the path with K random folds (--seed)."},
     FIELD(folds)},
};
/* clang-format on */
const pt_settings_table pt_lasso_settings = PT_SETTINGS_TABLE(list, partan_lasso_settings);

const partan_option *partan_lasso_settings_option(size_t i)
{
    return pt_settings_option(&pt_lasso_settings, i);
}

void partan_lasso_settings_init_sized(partan_lasso_settings *lasso, size_t size)
{
    partan_lasso_settings initial;
    pt_settings_init(&pt_lasso_settings, &initial);
    pt_struct_init(lasso, size, &initial, sizeof initial);
}

partan_status partan_lasso_settings_set(partan_context *context, partan_lasso_settings *lasso, const char *name,
                                        const char *text)
{
    PT_REQUIRE(context, context && lasso && name && text);
    return pt_settings_set(context, &pt_lasso_settings, lasso, name, text);
}

partan_status partan_lasso_settings_check(partan_context *context, const partan_lasso_settings *lasso)
{
    PT_REQUIRE(context, context && lasso);
    PT_TAKE(context, partan_lasso_settings, lasso);
    partan_status status = pt_settings_check(context, &pt_lasso_settings, lasso);
    if (!status && lasso->lambda > 0 && lasso->radius > 0)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT,
                         "radius %g and lambda %g are two forms of the same problem: only one of them can be above 0",
                         lasso->radius, lasso->lambda);
    return status;
}
