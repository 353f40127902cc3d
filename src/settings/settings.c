/* The table of settings. A new setting is a field of partan_settings and one entry here. */
#include "settings/settings.h"

#include <limits.h>

#include "core/option.h"
#include "core/require.h"
#include "settings/names.h"

/* Far from where products and squares of two of them leave the range of double, or a kernel that of float. */
#define SMALL       1e-30
#define LARGE       1e30
/* Of gamma, which is multiplied with distances of any scale: what a rule makes of data must be a valid number too. */
#define SMALL_GAMMA 1e-300
#define LARGE_GAMMA 1e300

static void set_gamma_rule(void *settings, int word)
{
    ((partan_settings *)settings)->gamma_rule = (partan_gamma)(word + 1);
}

static int get_gamma_rule(const void *settings)
{
    int rule = (int)((const partan_settings *)settings)->gamma_rule;
    return rule < 0 ? INT_MAX : rule - 1;
}

static void set_cache_rule(void *settings, int word)
{
    if (word >= 0)
        ((partan_settings *)settings)->cache_bytes = -1;
}

static int get_cache_rule(const void *settings)
{
    return ((const partan_settings *)settings)->cache_bytes == -1 ? 0 : -1;
}

static const pt_setting_words gamma_words = {set_gamma_rule, get_gamma_rule};
static const pt_setting_words cache_words = {set_cache_rule, get_cache_rule};

/* clang-format off */
#define FIELD(member) PT_FIELD(partan_settings, member)

static const pt_setting list[] = {
    {{"kernel", 't', PARTAN_OPTION_CHOICE, "NAME", PT_CHOICES(PT_KERNEL_NAMES), "rbf", 0, 0,
      "Kernel function; LIBSVM's numbers 0 to 4 are understood too."},
     FIELD(kernel), .names = pt_kernel_names,
     .aliases = "0=linear|1=polynomial|2=rbf|3=sigmoid|4=precomputed|poly=polynomial|gaussian=rbf"},
    {{"gamma", 'g', PARTAN_OPTION_REAL, "G", PT_CHOICES(PT_GAMMA_NAMES), "auto", SMALL_GAMMA, LARGE_GAMMA,
      "Coefficient of the kernel: a number, auto (1 / mean squared distance of two rows) or scale (1 / (features x "
      "variance))."},
     FIELD(gamma), .words = &gamma_words},
    {{"degree", 'd', PARTAN_OPTION_INTEGER, "N", NULL, "3", 1, 1000,
      "Degree of the polynomial kernel."},
     FIELD(degree)},
    {{"coef0", 'r', PARTAN_OPTION_REAL, "R", NULL, "0", -LARGE, LARGE,
      "Constant term of the polynomial and the sigmoid kernel."},
     FIELD(coef0)},
    {{"cost", 'c', PARTAN_OPTION_REAL, "C", NULL, "1", SMALL, LARGE,
      "Cost of errors; 1/C is added to the diagonal of the kernel matrix (an L2-loss C of LIBLINEAR is half of this "
      "one)."},
     FIELD(cost)},
    {{"scale", 0, PARTAN_OPTION_CHOICE, "HOW", PT_CHOICES(PT_SCALE_NAMES), "none", 0, 0,
      "Scale every feature first: to the range from 0 to 1 (minmax), or to mean 0 and variance 1 (standard). The model "
      "keeps the scaling, and predict and verify apply it."},
     FIELD(scale), .names = pt_scale_names},
    {{"solver", 0, PARTAN_OPTION_CHOICE, "NAME", PT_CHOICES(PT_SOLVER_NAMES), "auto", 0, 0,
      "Method: plain Frank-Wolfe, with away steps, with pairwise steps, with parallel tangents, or the active-set method, "
      "which is the fastest (with --sample, auto means partan)."},
     FIELD(solver), .names = pt_solver_names},
    {{"step", 0, PARTAN_OPTION_CHOICE, "RULE", PT_CHOICES(PT_STEP_NAMES), "exact", 0, 0,
      "Step size: exact line search, or the classic 2/(k+2) (for fw only)."},
     FIELD(step), .names = pt_step_names},
    {{"tol", 0, PARTAN_OPTION_REAL, "T", NULL, "0.05", 0, 1,
      "Stop when the relative gap, gap / (2 objective), is at most T: the margin is then proven to be within this share "
      "of the best possible one; 0 is off, and so is the default when --eps is given."},
     FIELD(tol)},
    {{"eps", 0, PARTAN_OPTION_REAL, "E", NULL, "0", 0, LARGE,
      "Stop when the gap itself is at most E; 0 is off."},
     FIELD(eps)},
    {{"max-iter", 0, PARTAN_OPTION_INTEGER, "N", NULL, "0", 0, PT_NO_LIMIT,
      "Stop after N iterations; 0 means no limit."},
     FIELD(max_iter)},
    {{"time-limit", 0, PARTAN_OPTION_REAL, "SECONDS", NULL, "0", 0, 1e9,
      "Stop training after so many seconds; 0 means no limit."},
     FIELD(time_limit)},
    {{"sample", 0, PARTAN_OPTION_INTEGER, "N", NULL, "0", 0, PT_NO_LIMIT,
      "Randomised iteration: look at N rows drawn anew in every iteration (194 find one of the best 2 % with "
      "probability 0.98); 0 looks at all."},
     FIELD(sample)},
    {{"stop", 0, PARTAN_OPTION_CHOICE, "RULE", PT_CHOICES(PT_STOP_NAMES), "confirmed", 0, 0,
      "With --sample: confirm the gap by a full pass over the rows before stopping, or trust the samples."},
     FIELD(stop), .names = pt_stop_names},
    {{"further-samples", 0, PARTAN_OPTION_INTEGER, "N", NULL, "2", 0, 1000,
      "With --sample: when a sample meets the target, draw N further ones, which must meet it too."},
     FIELD(further_samples)},
    {{"init", 0, PARTAN_OPTION_CHOICE, "POINT", PT_CHOICES(PT_INIT_NAMES), "first", 0, 0,
      "Starting point: the vertex of the first row, or of a row drawn with the seed."},
     FIELD(init), .names = pt_init_names},
    {{"seed", 0, PARTAN_OPTION_INTEGER, "N", NULL, "1", 0, PT_NO_LIMIT,
      "Seed of the random numbers; the same seed gives the same model."},
     FIELD(seed)},
    {{"merge", 0, PARTAN_OPTION_FLAG, NULL, "no", "yes", 0, 0,
      "With --solver auto: let equal rows of one class share a vertex, which is exact and faster."},
     FIELD(merge)},
    {{"cache", 0, PARTAN_OPTION_SIZE, "BYTES", "auto", "auto", 0, PT_NO_LIMIT,
      "Memory for kernel columns and copies of rows, as in 512M or 4G; auto decides by their cost and the free memory."},
     FIELD(cache_bytes), .words = &cache_words},
    {{"trace-rows", 0, PARTAN_OPTION_INTEGER, "N", NULL, "1000", 0, PT_NO_LIMIT,
      "Trace about this many iterations at most, evenly spaced in the logarithm; 0 traces all."},
     FIELD(trace_rows)},
};
/* clang-format on */
const pt_settings_table pt_settings = PT_SETTINGS_TABLE(list, partan_settings);

const partan_option *partan_settings_option(size_t i)
{
    return pt_settings_option(&pt_settings, i);
}

void partan_settings_init(partan_settings *settings)
{
    pt_settings_init(&pt_settings, settings);
}

partan_status partan_settings_set(partan_context *context, partan_settings *settings, const char *name,
                                  const char *text)
{
    PT_REQUIRE(context, context && settings && name && text);
    return pt_settings_set(context, &pt_settings, settings, name, text);
}
