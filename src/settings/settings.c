/* The table of settings. A new setting is a field of partan_settings and one entry here. */
#include "settings/settings.h"

#include <limits.h>

#include "core/option.h"
#include "core/require.h"
#include "core/sized.h"
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
      "Kernel function, by name or by LIBSVM's number (0 to 4)."},
     FIELD(kernel), .names = pt_kernel_names,
     .aliases = "0=linear|1=polynomial|2=rbf|3=sigmoid|4=precomputed|poly=polynomial|gaussian=rbf"},
    {{"gamma", 'g', PARTAN_OPTION_REAL, "G", PT_CHOICES(PT_GAMMA_NAMES), "auto", SMALL_GAMMA, LARGE_GAMMA,
      "Kernel coefficient: a number, auto (1 / mean squared distance between two rows) or scale (1 / (features x "
      "variance))."},
     FIELD(gamma), .words = &gamma_words},
    {{"degree", 'd', PARTAN_OPTION_INTEGER, "N", NULL, "3", 1, 1000,
      "Degree of the polynomial kernel."},
     FIELD(degree)},
    {{"coef0", 'r', PARTAN_OPTION_REAL, "R", NULL, "0", -LARGE, LARGE,
      "Constant term of the polynomial and the sigmoid kernel."},
     FIELD(coef0)},
    {{"cost", 'c', PARTAN_OPTION_REAL, "C", NULL, "1", SMALL, LARGE,
      "Penalty for errors: a larger C fits the training data more closely. The loss is the squared hinge, so 1/C is "
      "added to the diagonal of the kernel matrix; the C of LIBLINEAR for the same loss is half of this one."},
     FIELD(cost)},
    {{"problem", 0, PARTAN_OPTION_CHOICE, "NAME", PT_CHOICES(PT_PROBLEM_NAMES), "classification", 0, 0,
      "What is learnt: the classes of rows (classification), numbers (regression), or which rows are unlike the others "
      "(outlier)."},
     FIELD(problem), .names = pt_problem_names},
    {{"epsilon", 'p', PARTAN_OPTION_REAL, "E", NULL, "0.1", 0, LARGE,
      "Regression: errors of at most E do not count; beyond it, their squares do."},
     FIELD(epsilon)},
    {{"outliers", 0, PARTAN_OPTION_REAL, "SHARE", NULL, "0", 0, 0.999999,
      "Outlier detection: the threshold leaves this share of the training rows outside. 0: the radius of the ball is the "
      "threshold."},
     FIELD(outliers)},
    {{"scale", 0, PARTAN_OPTION_CHOICE, "HOW", PT_CHOICES(PT_SCALE_NAMES), "none", 0, 0,
      "Scale every feature before training: to the range 0 to 1 (minmax), or to mean 0 and variance 1 (standard). The "
      "scaling is stored in the model, and predict and verify apply it."},
     FIELD(scale), .names = pt_scale_names},
    {{"multiclass", 0, PARTAN_OPTION_CHOICE, "HOW", PT_CHOICES(PT_MULTICLASS_NAMES), "ovo", 0, 0,
      "With more than two classes: train one machine for each pair of classes (ovo), or one for each class against the "
      "rest (ovr)."},
     FIELD(multiclass), .names = pt_multiclass_names},
    {{"probability", 0, PARTAN_OPTION_FLAG, NULL, NULL, "no", 0, 0,
      "Calibrate probabilities of the classes on held-out folds: after the model, one more is trained for each fold, without "
      "its rows. The most probable class is then the prediction."},
     FIELD(probability)},
    {{"probability-folds", 0, PARTAN_OPTION_INTEGER, "N", NULL, "5", 2, PT_MOST_FOLDS,
      "With --probability: the number of folds, drawn at random (--seed)."},
     FIELD(probability_folds)},
    {{"max-sv", 0, PARTAN_OPTION_INTEGER, "N", NULL, "0", 0, PT_NO_LIMIT,
      "At most N support vectors in the model, of all classes together: after training, the decision function is "
      "approximated by N rows, and the certificate is that of the approximation. 0 means no limit."},
     FIELD(max_sv)},
    {{"solver", 0, PARTAN_OPTION_CHOICE, "NAME", PT_CHOICES(PT_SOLVER_NAMES), "auto", 0, 0,
      "Algorithm: Frank-Wolfe (fw), with away steps (mfw), with pairwise steps (swap), with parallel tangents "
      "(partan), or the active-set solver (auto), which is the fastest. With --sample, auto means partan."},
     FIELD(solver), .names = pt_solver_names},
    {{"step", 0, PARTAN_OPTION_CHOICE, "RULE", PT_CHOICES(PT_STEP_NAMES), "exact", 0, 0,
      "Step size: exact line search, or the classic 2/(k+2) (only with fw)."},
     FIELD(step), .names = pt_step_names},
    {{"tol", 0, PARTAN_OPTION_REAL, "T", NULL, "0.05", 0, 1,
      "Stop when the relative gap, gap / (2 objective), is at most T: the margin is then proven to be within this "
      "fraction of the best possible one. The default is sound because smaller values changed test accuracy by at most "
      "0.03 points where it was measured; 0.001 corresponds to the default tolerance of LIBSVM and scikit-learn. 0 "
      "turns this rule off, and so does --eps unless --tol is given too."},
     FIELD(tol)},
    {{"eps", 0, PARTAN_OPTION_REAL, "E", NULL, "0", 0, LARGE,
      "Stop when the absolute gap is at most E; 0 turns this rule off."},
     FIELD(eps)},
    {{"max-iter", 0, PARTAN_OPTION_INTEGER, "N", NULL, "0", 0, PT_NO_LIMIT,
      "Stop after N iterations; 0 means no limit."},
     FIELD(max_iter)},
    {{"time-limit", 0, PARTAN_OPTION_REAL, "SECONDS", NULL, "0", 0, 1e9,
      "Stop training after this many seconds; 0 means no limit."},
     FIELD(time_limit)},
    {{"sample", 0, PARTAN_OPTION_INTEGER, "N", NULL, "0", 0, PT_NO_LIMIT,
      "Randomised iterations: search only N random rows in each iteration (194 include one of the best 2 % with "
      "probability 0.98); 0 searches all rows."},
     FIELD(sample)},
    {{"stop", 0, PARTAN_OPTION_CHOICE, "RULE", PT_CHOICES(PT_STOP_NAMES), "confirmed", 0, 0,
      "With --sample: before stopping, compute the gap over all rows (confirmed), or rely on the samples (sampled)."},
     FIELD(stop), .names = pt_stop_names},
    {{"further-samples", 0, PARTAN_OPTION_INTEGER, "N", NULL, "2", 0, 1000,
      "With --sample: when a sample meets the target, draw N more samples, which must meet it too."},
     FIELD(further_samples)},
    {{"init", 0, PARTAN_OPTION_CHOICE, "POINT", PT_CHOICES(PT_INIT_NAMES), "first", 0, 0,
      "Starting point: the vertex of the first row, or of a random row (--seed)."},
     FIELD(init), .names = pt_init_names},
    {{"seed", 0, PARTAN_OPTION_INTEGER, "N", NULL, "1", 0, PT_NO_LIMIT,
      "Random seed; the same seed gives the same model."},
     FIELD(seed)},
    {{"merge", 0, PARTAN_OPTION_FLAG, NULL, "no", "yes", 0, 0,
      "With --solver auto: merge identical rows of the same class, which is faster and gives the same result."},
     FIELD(merge)},
    {{"cache", 0, PARTAN_OPTION_SIZE, "BYTES", "auto", "auto", 0, PT_NO_LIMIT,
      "Memory for kernel columns and copies of rows, for example 512M or 4G; auto depends on the cost of a kernel "
      "value and the free memory."},
     FIELD(cache_bytes), .words = &cache_words},
    {{"trace-rows", 0, PARTAN_OPTION_INTEGER, "N", NULL, "1000", 0, PT_NO_LIMIT,
      "Trace at most about N iterations, log-spaced; 0 traces every iteration."},
     FIELD(trace_rows)},
};
/* clang-format on */
const pt_settings_table pt_settings = PT_SETTINGS_TABLE(list, partan_settings);

const partan_option *partan_settings_option(size_t i)
{
    return pt_settings_option(&pt_settings, i);
}

void partan_settings_init_sized(partan_settings *settings, size_t size)
{
    partan_settings initial;
    pt_settings_init(&pt_settings, &initial);
    pt_struct_init(settings, size, &initial, sizeof initial);
}

partan_status partan_settings_set(partan_context *context, partan_settings *settings, const char *name,
                                  const char *text)
{
    PT_REQUIRE(context, context && settings && name && text);
    return pt_settings_set(context, &pt_settings, settings, name, text);
}
