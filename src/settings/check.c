/* Whether settings are in their ranges and go together: the one check for all who take a partan_settings. */
#include "core/context.h"
#include "core/require.h"
#include "core/sized.h"
#include "settings/settings.h"
#include "solvers.h"

#define VARIANT(unused, SOLVER, name, previous, classic) [PARTAN_SOLVER_##SOLVER] = classic,
#define OWN(unused, SOLVER, name)                        [PARTAN_SOLVER_##SOLVER] = false,
static const bool has_classic[] = {PT_SOLVERS(VARIANT, OWN, )};

/* What shows only in the combination. */
static partan_status check_combination(partan_context *context, const partan_settings *s)
{
    if (s->tol == 0 && s->eps == 0)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "tol 0 needs an eps above 0");
    if (s->step == PARTAN_STEP_CLASSIC && !has_classic[s->solver])
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "step classic needs solver fw, not %s",
                       partan_solver_name(s->solver));
    if (s->problem == PARTAN_OUTLIER && (s->kernel == PARTAN_KERNEL_PRECOMPUTED || s->kernel == PARTAN_KERNEL_SIGMOID))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "problem outlier needs distances, which a %s kernel does not give for every row",
                       partan_kernel_name(s->kernel));
    if (s->problem != PARTAN_CLASSIFICATION && (s->balanced || s->class_weight_count > 0))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "problem %s takes no weights of classes",
                       partan_problem_name(s->problem));
    if (s->scale != PARTAN_SCALE_NONE && s->kernel == PARTAN_KERNEL_PRECOMPUTED)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "scale %s cannot be used with a precomputed kernel matrix",
                       partan_scale_name(s->scale));
    if (s->probability && s->problem != PARTAN_CLASSIFICATION)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "probability is for classification, not for problem %s",
                       partan_problem_name(s->problem));
    if (s->max_sv > 0 && s->kernel == PARTAN_KERNEL_PRECOMPUTED)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "max-sv cannot be used with a precomputed kernel matrix");
    return PARTAN_OK;
}

partan_status partan_settings_check(partan_context *context, const partan_settings *settings)
{
    PT_REQUIRE(context, context && settings);
    PT_TAKE(context, partan_settings, settings);
    partan_status status = pt_settings_check(context, &pt_settings, settings);
    return status ? status : check_combination(context, settings);
}
