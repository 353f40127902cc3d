/* The keys of a native model file's header, in their order. Writer and reader both follow this table. */
#include "svm/model/keys.h"

#include <string.h>

#include "core/names.h"
#include "core/number.h"
#include "model/source.h"
#include "settings/names.h"
#include "settings/settings.h"
#include "svm/model/scaling.h"

static const char *const yes_no_names[] = {"no", "yes", NULL};
static const char *const label_kind_names[] = {"numbers", "words", NULL};

#define AT(member) offsetof(struct partan_model, member)
#define SETTING    PT_KEY_SETTING, AT(settings), .of = &pt_settings /* all of it from the table of settings */

/* gamma is as the rule resolved it. Kernels that decay would grow with one that is not positive. */
/* What every model has, whatever its classes. */
/* clang-format off */
#define COMMON_KEYS \
    {"version", PT_KEY_VERSION, AT(version), PT_KEY_ANY}, \
    {"kernel", SETTING}, \
    {"gamma", PT_KEY_REAL, AT(settings.gamma), PT_KEY_POSITIVE}, \
    {"gamma_rule", PT_KEY_CHOICE, AT(settings.gamma_rule), PT_KEY_ANY, .names = pt_gamma_rule_names}, \
    {"degree", SETTING}, \
    {"coef0", SETTING}, \
    {"cost", SETTING}, \
    {"solver", SETTING}, \
    {"step", SETTING}, \
    {"tol", SETTING}, \
    {"eps", SETTING}, \
    {"sample", SETTING}, \
    {"stop", SETTING}, \
    {"init", SETTING}, \
    {"seed", SETTING}, \
    {"max_iter", SETTING}, \
    {"time_limit", SETTING}, \
    {"cache_bytes", PT_KEY_INTEGER, AT(settings.cache_bytes), PT_KEY_RANGE(-1, DBL_MAX)}, \
    {"fingerprint", PT_KEY_FINGERPRINT, AT(fingerprint), PT_KEY_ANY}, \
    {"rows", PT_KEY_UNSIGNED, AT(rows), PT_KEY_RANGE(1, (double)INT64_MAX)}, \
    {"features", PT_KEY_UNSIGNED, AT(features), PT_KEY_RANGE(0, INT32_MAX)}, \
    {"storage", PT_KEY_CHOICE, AT(storage), PT_KEY_RANGE(PARTAN_STORAGE_DENSE, DBL_MAX), .names = pt_storage_names}, \
    {"max_sv", PT_KEY_INTEGER, AT(settings.max_sv), PT_KEY_COUNT, .optional = true},

/* What came of a training, with an objective in some range. */
#define RESULT_KEYS(range) \
    {"status", PT_KEY_CHOICE, AT(result.status), PT_KEY_ANY, .names = pt_success_names}, \
    {"converged", PT_KEY_CHOICE, AT(result.converged), PT_KEY_ANY, .names = yes_no_names}, \
    {"iterations", PT_KEY_INTEGER, AT(result.iterations), PT_KEY_COUNT}, \
    {"objective", PT_KEY_REAL, AT(result.objective), range}, \
    {"gap", PT_KEY_REAL, AT(result.gap), PT_KEY_ANY}, \
    {"relative_gap", PT_KEY_REAL, AT(result.relative_gap), PT_KEY_ANY}, \
    {"gap_is_bound", PT_KEY_CHOICE, AT(result.gap_is_bound), PT_KEY_ANY, .names = yes_no_names, .optional = true}, \
    {"kernel_columns", PT_KEY_UNSIGNED, AT(result.kernel_columns), PT_KEY_COUNT}, \
    {"kernel_values", PT_KEY_UNSIGNED, AT(result.kernel_values), PT_KEY_COUNT}, \
    {"cache_hits", PT_KEY_UNSIGNED, AT(result.cache_hits), PT_KEY_COUNT}, \
    {"seconds", PT_KEY_REAL, AT(result.seconds), PT_KEY_RANGE(0, DBL_MAX)}, \
    {"scale", PT_KEY_REAL, AT(scale), PT_KEY_POSITIVE}, \
    {"bias", PT_KEY_REAL, AT(bias), PT_KEY_ANY},

/* P(positive | decision value f) = 1 / (1 + exp(slope f + offset)). */
#define SIGMOID_KEYS \
    {"sigmoid_slope", PT_KEY_REAL, AT(sigmoid.slope), PT_KEY_ANY, .optional = true}, \
    {"sigmoid_offset", PT_KEY_REAL, AT(sigmoid.offset), PT_KEY_ANY, .optional = true},

/* Their number says that there are sigmoids. */
#define FOLDS_KEY \
    {"probability_folds", PT_KEY_INTEGER, AT(calibration_folds), PT_KEY_RANGE(2, PT_MOST_FOLDS), .optional = true},
/* clang-format on */

static const pt_key keys[] = {
    COMMON_KEYS RESULT_KEYS(PT_KEY_POSITIVE){"labels", PT_KEY_BOOL, AT(classes.words), PT_KEY_ANY,
                                             .names = label_kind_names},
    {"negative_label", PT_KEY_LABEL, AT(classes.text[0]), PT_KEY_ANY},
    {"positive_label", PT_KEY_LABEL, AT(classes.text[1]), PT_KEY_ANY},
    {"negative_weight", PT_KEY_REAL, AT(classes.weight[0]), PT_KEY_POSITIVE, .optional = true},
    {"positive_weight", PT_KEY_REAL, AT(classes.weight[1]), PT_KEY_POSITIVE, .optional = true},
    FOLDS_KEY SIGMOID_KEYS{"support_vectors", PT_KEY_UNSIGNED, AT(result.support_vectors),
                           PT_KEY_RANGE(1, (double)INT64_MAX)},
};

/* Labels that are numbers must read as such, and the two must differ. */
static partan_status check_label(const pt_scan *scan, const pt_key *key, pt_word word, void *model)
{
    if (key->type != PT_KEY_LABEL)
        return PARTAN_OK;
    pt_classes *classes = &((partan_model *)model)->classes;
    int class = key->offset == AT(classes.text[1]);
    classes->label[class] = class;
    if (!classes->words && !pt_text_to_real(classes->text[class], &classes->label[class]))
        return pt_scan_fail(scan, word, "a label that is a number");
    bool same = classes->words ? strcmp(classes->text[0], classes->text[class]) == 0
                               : classes->label[0] == classes->label[class];
    if (class == 1 && same)
        return pt_scan_fail(scan, word, "a label other than the negative class's");
    return PARTAN_OK;
}

static partan_status read_other(pt_scan *scan, pt_word key, void *model, bool *taken)
{
    partan_status status = pt_source_read(scan, key, &((partan_model *)model)->source, taken);
    return status || *taken ? status : pt_model_scaling_read(scan, key, model, taken);
}

static void write_others(FILE *file, const void *model)
{
    const partan_model *m = model;
    pt_source_write(file, &m->source);
    if (m->scaling)
        pt_model_scaling_write(file, m->scaling);
}

/* ---- More than two classes ---- */

static const pt_key many_keys[] = {
    COMMON_KEYS{"multiclass", SETTING},
    {"labels", PT_KEY_BOOL, AT(labels.words), PT_KEY_ANY, .names = label_kind_names},
    {"seconds", PT_KEY_REAL, AT(result.seconds), PT_KEY_RANGE(0, DBL_MAX)},
    FOLDS_KEY{"support_vectors", PT_KEY_UNSIGNED, AT(result.support_vectors), PT_KEY_RANGE(1, (double)INT64_MAX)},
};

static const pt_key machine_keys[] = {
    {"negative", PT_KEY_INTEGER, AT(sides[0]), PT_KEY_RANGE(-1, INT32_MAX)},
    {"positive", PT_KEY_INTEGER, AT(sides[1]), PT_KEY_RANGE(0, INT32_MAX)},
    RESULT_KEYS(PT_KEY_POSITIVE) SIGMOID_KEYS{"support_vectors", PT_KEY_UNSIGNED, AT(result.support_vectors),
                                              PT_KEY_RANGE(1, (double)INT64_MAX)},
};

/* ---- Problems without classes ---- */

static const pt_key problem_keys[] = {
    COMMON_KEYS{"problem", SETTING},
    {"epsilon", SETTING},
    {"outliers", SETTING},
    RESULT_KEYS(PT_KEY_ANY){"support_vectors", PT_KEY_UNSIGNED, AT(result.support_vectors),
                            PT_KEY_RANGE(0, (double)INT64_MAX)},
};

static const pt_model_kind problem = {"partan-model", "3", NULL, "an SVM model"};
static const pt_model_kind many = {"partan-model", "2", NULL, "an SVM model"};
static const pt_model_kind machine = {"machine", "1", NULL, "a machine"};

const pt_header pt_many_header = {&many, many_keys,  sizeof many_keys / sizeof many_keys[0],
                                  NULL,  read_other, write_others};
const pt_header pt_problem_header = {&problem, problem_keys, sizeof problem_keys / sizeof problem_keys[0],
                                     NULL,     read_other,   write_others};
const pt_header pt_machine_header = {&machine, machine_keys, sizeof machine_keys / sizeof machine_keys[0],
                                     NULL,     NULL,         NULL};

const pt_header pt_svm_header = {
    &pt_model_kinds[PARTAN_KIND_SVM], keys, sizeof keys / sizeof keys[0], check_label, read_other, write_others};
