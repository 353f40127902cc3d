/* The table of matrix recovery's own settings, and what only shows in combination with the solver's. */
#include "matrix/settings.h"

#include "core/context.h"
#include "core/names.h"
#include "core/require.h"
#include "core/sized.h"
#include "settings/names.h"

#define DEFAULT_TOL 1e-3

#define CENTRE_NAMES(NAME) NAME("none") NAME("mean") NAME("rows") NAME("columns") NAME("both")
#define LISTED(name)       name,

const char *const pt_centre_names[] = {CENTRE_NAMES(LISTED) NULL};

/* clang-format off */
#define FIELD(member) PT_FIELD(partan_matrix_settings, member)

static const pt_setting list[] = {
    {{"radius", 'r', PARTAN_OPTION_REAL, "T", NULL, "0", 0, 1e300,
      "Bound on the nuclear norm (the sum of the singular values); 0 chooses it by the error on held-out entries."},
     FIELD(radius)},
    {{"centre", 0, PARTAN_OPTION_CHOICE, "RULE", PT_CHOICES(CENTRE_NAMES), "both", 0, 0,
      "Offsets to subtract from the values first: none, the overall mean, or also the means of the rows, of the "
      "columns, or of both."},
     FIELD(centre), .names = pt_centre_names},
    {{"max-rank", 0, PARTAN_OPTION_INTEGER, "N", NULL, "0", 0, PT_NO_LIMIT,
      "Maximum rank of the result (only with --solver auto); 0 means no limit."},
     FIELD(max_rank)},
    {{"held-out", 0, PARTAN_OPTION_REAL, "SHARE", NULL, "0.1", 1e-6, 0.999999,
      "Fraction of the entries to hold out for choosing the radius."},
     FIELD(held_out)},
    {{"points", 0, PARTAN_OPTION_INTEGER, "N", NULL, "40", 1, 1e6,
      "Maximum number of radii to try; each is 1.25 times the previous one."},
     FIELD(points)},
};
/* clang-format on */
const pt_settings_table pt_matrix_settings = PT_SETTINGS_TABLE(list, partan_matrix_settings);

const partan_option *partan_matrix_settings_option(size_t i)
{
    return pt_settings_option(&pt_matrix_settings, i);
}

void partan_matrix_settings_init_sized(partan_matrix_settings *settings, size_t size)
{
    partan_matrix_settings initial;
    pt_settings_init(&pt_matrix_settings, &initial);
    pt_struct_init(settings, size, &initial, sizeof initial);
}

partan_status partan_matrix_settings_set(partan_context *context, partan_matrix_settings *settings, const char *name,
                                         const char *text)
{
    PT_REQUIRE(context, context && settings && name && text);
    return pt_settings_set(context, &pt_matrix_settings, settings, name, text);
}

partan_status partan_matrix_settings_check(partan_context *context, const partan_matrix_settings *settings)
{
    PT_REQUIRE(context, context && settings);
    PT_TAKE(context, partan_matrix_settings, settings);
    return pt_settings_check(context, &pt_matrix_settings, settings);
}

const char *partan_centre_name(partan_centre centre)
{
    return pt_name(pt_centre_names, (int)centre);
}

partan_status pt_matrix_solver_settings(partan_context *context, const partan_settings *given,
                                        const partan_matrix_settings *matrix, partan_settings *settings)
{
    partan_settings_init(settings);
    if (given) {
        settings->solver = given->solver;
        settings->step = given->step;
        settings->tol = given->tol;
        settings->eps = given->eps;
        settings->seed = given->seed;
        settings->max_iter = given->max_iter;
        settings->time_limit = given->time_limit;
        settings->trace_rows = given->trace_rows;
    } else {
        settings->tol = DEFAULT_TOL;
    }
    partan_status status = partan_settings_check(context, settings);
    if (!status)
        status = partan_matrix_settings_check(context, matrix);
    if (!status && matrix->max_rank > 0 && settings->solver != PARTAN_SOLVER_AUTO)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT, "max_rank needs solver auto, not %s",
                         partan_solver_name(settings->solver));
    return status;
}
