/* The keys of a native model file's header, in their order. Writer and reader both follow this table. */
#include "svm/model/keys.h"

#include <float.h>

#include "settings/names.h"
#include "settings/settings.h"

static const char *const yes_no_names[] = {"no", "yes", NULL};
static const char *const label_kind_names[] = {"numbers", "words", NULL};

#define AT(member) offsetof(struct partan_model, member)
#define ANY        -DBL_MAX, DBL_MAX
#define POSITIVE   DBL_MIN, DBL_MAX
#define COUNT      0, DBL_MAX
#define SETTING    PT_KEY_SETTING, 0, 0, 0, NULL, NULL /* all of it from the table of settings */

static const pt_model_key keys[] = {
    {"version", PT_KEY_VERSION, AT(version), ANY, NULL, NULL},
    {"kernel", SETTING},
    /* As the rule resolved it, whatever that gave. */
    {"gamma", PT_KEY_REAL, AT(settings.gamma), ANY, NULL, NULL},
    {"gamma_rule", PT_KEY_CHOICE, AT(settings.gamma_rule), ANY, pt_gamma_rule_names, NULL},
    {"degree", SETTING},
    {"coef0", SETTING},
    {"cost", SETTING},
    {"solver", SETTING},
    {"step", SETTING},
    {"tol", SETTING},
    {"eps", SETTING},
    {"sample", SETTING},
    {"stop", SETTING},
    {"init", SETTING},
    {"seed", SETTING},
    {"max_iter", SETTING},
    {"time_limit", SETTING},
    {"cache_bytes", PT_KEY_INTEGER, AT(settings.cache_bytes), -1, DBL_MAX, NULL, NULL},
    {"fingerprint", PT_KEY_FINGERPRINT, AT(fingerprint), ANY, NULL, NULL},
    {"rows", PT_KEY_UNSIGNED, AT(rows), 1, (double)INT64_MAX, NULL, NULL},
    {"features", PT_KEY_UNSIGNED, AT(features), 0, INT32_MAX, NULL, NULL},
    {"storage", PT_KEY_CHOICE, AT(storage), PARTAN_STORAGE_DENSE, PARTAN_STORAGE_BYTES, pt_storage_names, NULL},
    {"status", PT_KEY_CHOICE, AT(result.status), ANY, pt_success_names, NULL},
    {"converged", PT_KEY_CHOICE, AT(result.converged), ANY, yes_no_names, NULL},
    {"iterations", PT_KEY_INTEGER, AT(result.iterations), COUNT, NULL, NULL},
    {"objective", PT_KEY_REAL, AT(result.objective), POSITIVE, NULL, NULL},
    {"gap", PT_KEY_REAL, AT(result.gap), ANY, NULL, NULL},
    {"relative_gap", PT_KEY_REAL, AT(result.relative_gap), ANY, NULL, NULL},
    {"kernel_columns", PT_KEY_UNSIGNED, AT(result.kernel_columns), COUNT, NULL, NULL},
    {"kernel_values", PT_KEY_UNSIGNED, AT(result.kernel_values), COUNT, NULL, NULL},
    {"cache_hits", PT_KEY_UNSIGNED, AT(result.cache_hits), COUNT, NULL, NULL},
    {"seconds", PT_KEY_REAL, AT(result.seconds), 0, DBL_MAX, NULL, NULL},
    {"scale", PT_KEY_REAL, AT(scale), POSITIVE, NULL, NULL},
    {"bias", PT_KEY_REAL, AT(bias), ANY, NULL, NULL},
    {"labels", PT_KEY_BOOL, AT(classes.words), ANY, label_kind_names, NULL},
    {"negative_label", PT_KEY_LABEL, AT(classes.text[0]), ANY, NULL, NULL},
    {"positive_label", PT_KEY_LABEL, AT(classes.text[1]), ANY, NULL, NULL},
    {"support_vectors", PT_KEY_UNSIGNED, AT(result.support_vectors), 1, (double)INT64_MAX, NULL, NULL},
};
_Static_assert(sizeof keys / sizeof keys[0] == PT_MODEL_KEY_COUNT, "the table is complete");

static pt_key_type type_of(pt_field field)
{
    static const pt_key_type types[] = {
        [PT_FIELD_ENUM] = PT_KEY_CHOICE,
        [PT_FIELD_INTEGER] = PT_KEY_INTEGER,
        [PT_FIELD_UNSIGNED] = PT_KEY_UNSIGNED,
        [PT_FIELD_REAL] = PT_KEY_REAL,
    };
    return types[field];
}

pt_model_key pt_model_key_at(int i)
{
    pt_model_key key = keys[i];
    if (key.type != PT_KEY_SETTING)
        return key;
    const pt_setting *setting = pt_setting_find(&pt_settings, key.name);
    return (pt_model_key){.name = key.name,
                          .type = type_of(setting->field),
                          .offset = AT(settings) + setting->offset,
                          .least = -DBL_MAX,
                          .most = DBL_MAX,
                          .names = setting->names,
                          .option = &setting->option};
}
