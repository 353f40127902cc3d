/* The keys of a native model file's header, in their order. Writer and reader both follow this table. */
#include "svm/model/keys.h"

#include <float.h>
#include <limits.h>

/* Every enum of the table is read and written as an int. */
_Static_assert(sizeof(partan_kernel) == sizeof(int) && sizeof(partan_status) == sizeof(int), "enums are ints");

#define CHOICE_NAMES(function, ...)                                                                                    \
    static const char *function(int value)                                                                             \
    {                                                                                                                  \
        static const char *const names[] = {__VA_ARGS__};                                                              \
        return value >= 0 && (size_t)value < sizeof names / sizeof names[0] ? names[value] : NULL;                     \
    }

CHOICE_NAMES(gamma_rule_name, "value", "auto", "scale")
CHOICE_NAMES(step_name, "exact", "classic")
CHOICE_NAMES(stop_name, "confirmed", "sampled")
CHOICE_NAMES(init_name, "first", "random")
CHOICE_NAMES(yes_no_name, "no", "yes")
CHOICE_NAMES(label_kind_name, "numbers", "words")

static const char *kernel_name(int value)
{
    return partan_kernel_name((partan_kernel)value);
}

static const char *solver_name(int value)
{
    return partan_solver_name((partan_solver)value);
}

static const char *storage_name(int value)
{
    return partan_storage_name((partan_storage)value);
}

static const char *status_name(int value)
{
    return partan_status_name((partan_status)value); /* from 0 up: models come with successes only */
}

#define AT(member) offsetof(struct partan_model, member)
#define ANY        -DBL_MAX, DBL_MAX
#define POSITIVE   DBL_MIN, DBL_MAX
#define COUNT      0, DBL_MAX

const pt_model_key pt_model_keys[] = {
    {"version", PT_KEY_VERSION, AT(version), ANY, NULL},
    {"kernel", PT_KEY_CHOICE, AT(settings.kernel), ANY, kernel_name},
    {"gamma", PT_KEY_REAL, AT(settings.gamma), ANY, NULL},
    {"gamma_rule", PT_KEY_CHOICE, AT(settings.gamma_rule), ANY, gamma_rule_name},
    {"degree", PT_KEY_INTEGER, AT(settings.degree), 0, INT_MAX, NULL},
    {"coef0", PT_KEY_REAL, AT(settings.coef0), ANY, NULL},
    {"cost", PT_KEY_REAL, AT(settings.cost), POSITIVE, NULL},
    {"solver", PT_KEY_CHOICE, AT(settings.solver), ANY, solver_name},
    {"step", PT_KEY_CHOICE, AT(settings.step), ANY, step_name},
    {"tol", PT_KEY_REAL, AT(settings.tol), 0, DBL_MAX, NULL},
    {"eps", PT_KEY_REAL, AT(settings.eps), 0, DBL_MAX, NULL},
    {"sample", PT_KEY_INTEGER, AT(settings.sample), COUNT, NULL},
    {"stop", PT_KEY_CHOICE, AT(settings.stop), ANY, stop_name},
    {"init", PT_KEY_CHOICE, AT(settings.init), ANY, init_name},
    {"seed", PT_KEY_UNSIGNED, AT(settings.seed), COUNT, NULL},
    {"max_iter", PT_KEY_INTEGER, AT(settings.max_iter), COUNT, NULL},
    {"time_limit", PT_KEY_REAL, AT(settings.time_limit), 0, DBL_MAX, NULL},
    {"cache_bytes", PT_KEY_INTEGER, AT(settings.cache_bytes), -1, DBL_MAX, NULL},
    {"fingerprint", PT_KEY_FINGERPRINT, AT(fingerprint), ANY, NULL},
    {"rows", PT_KEY_UNSIGNED, AT(rows), 1, (double)INT64_MAX, NULL},
    {"features", PT_KEY_UNSIGNED, AT(features), 0, INT32_MAX, NULL},
    {"storage", PT_KEY_CHOICE, AT(storage), PARTAN_STORAGE_DENSE, PARTAN_STORAGE_BYTES, storage_name},
    {"status", PT_KEY_CHOICE, AT(result.status), ANY, status_name},
    {"converged", PT_KEY_CHOICE, AT(result.converged), ANY, yes_no_name},
    {"iterations", PT_KEY_INTEGER, AT(result.iterations), COUNT, NULL},
    {"objective", PT_KEY_REAL, AT(result.objective), POSITIVE, NULL},
    {"gap", PT_KEY_REAL, AT(result.gap), ANY, NULL},
    {"relative_gap", PT_KEY_REAL, AT(result.relative_gap), ANY, NULL},
    {"kernel_columns", PT_KEY_UNSIGNED, AT(result.kernel_columns), COUNT, NULL},
    {"kernel_values", PT_KEY_UNSIGNED, AT(result.kernel_values), COUNT, NULL},
    {"cache_hits", PT_KEY_UNSIGNED, AT(result.cache_hits), COUNT, NULL},
    {"seconds", PT_KEY_REAL, AT(result.seconds), 0, DBL_MAX, NULL},
    {"scale", PT_KEY_REAL, AT(scale), POSITIVE, NULL},
    {"bias", PT_KEY_REAL, AT(bias), ANY, NULL},
    {"labels", PT_KEY_BOOL, AT(classes.words), ANY, label_kind_name},
    {"negative_label", PT_KEY_LABEL, AT(classes.text[0]), ANY, NULL},
    {"positive_label", PT_KEY_LABEL, AT(classes.text[1]), ANY, NULL},
    {"support_vectors", PT_KEY_UNSIGNED, AT(result.support_vectors), 1, (double)INT64_MAX, NULL},
};
_Static_assert(sizeof pt_model_keys / sizeof pt_model_keys[0] == PT_MODEL_KEY_COUNT, "the table is complete");
