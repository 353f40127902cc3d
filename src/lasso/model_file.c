#include "lasso/model_file.h"

#include <inttypes.h>
#include <math.h>

#include "core/number.h"
#include "core/require.h"
#include "lasso/settings.h"
#include "model/file.h"
#include "model/header.h"
#include "model/memory.h"
#include "model/source.h"
#include "settings/names.h"
#include "settings/settings.h"

static const char *const yes_no_names[] = {"no", "yes", NULL};

#define AT(member) offsetof(struct partan_lasso, member)
#define LASSO      PT_KEY_SETTING, AT(lasso), .of = &pt_lasso_settings
#define SETTING    PT_KEY_SETTING, AT(settings), .of = &pt_settings

static const pt_key keys[] = {
    {"version", PT_KEY_VERSION, AT(version), PT_KEY_ANY},
    {"lambda", LASSO},
    {"radius", LASSO},
    {"intercept", LASSO},
    {"standardise", LASSO},
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
    {"fingerprint", PT_KEY_FINGERPRINT, AT(fingerprint), PT_KEY_ANY},
    {"rows", PT_KEY_UNSIGNED, AT(rows), PT_KEY_RANGE(1, (double)INT64_MAX)},
    {"features", PT_KEY_UNSIGNED, AT(features), PT_KEY_RANGE(1, INT32_MAX)},
    {"status", PT_KEY_CHOICE, AT(result.status), PT_KEY_ANY, .names = pt_success_names},
    {"converged", PT_KEY_CHOICE, AT(result.converged), PT_KEY_ANY, .names = yes_no_names},
    {"iterations", PT_KEY_INTEGER, AT(result.iterations), PT_KEY_COUNT},
    /* Of the form that was not asked for, what the solution has. */
    {"solution_lambda", PT_KEY_REAL, AT(result.lambda), PT_KEY_RANGE(0, DBL_MAX)},
    {"solution_radius", PT_KEY_REAL, AT(result.radius), PT_KEY_RANGE(0, DBL_MAX)},
    {"objective", PT_KEY_REAL, AT(result.objective), PT_KEY_RANGE(0, DBL_MAX)},
    {"gap", PT_KEY_REAL, AT(result.gap), PT_KEY_ANY},
    {"relative_gap", PT_KEY_REAL, AT(result.relative_gap), PT_KEY_ANY},
    {"r2", PT_KEY_REAL, AT(result.r2), PT_KEY_ANY},
    {"seconds", PT_KEY_REAL, AT(result.seconds), PT_KEY_RANGE(0, DBL_MAX)},
    {"b0", PT_KEY_REAL, AT(intercept), PT_KEY_ANY},
    {"named", PT_KEY_BOOL, AT(named), PT_KEY_ANY, .names = yes_no_names},
    {"nonzeros", PT_KEY_UNSIGNED, AT(result.nonzeros), PT_KEY_RANGE(0, INT32_MAX)},
};

static partan_status read_other(pt_scan *scan, pt_word key, void *model, bool *taken)
{
    return pt_source_read(scan, key, &((partan_lasso *)model)->source, taken);
}

static void write_others(FILE *file, const void *model)
{
    pt_source_write(file, &((const partan_lasso *)model)->source);
}

static const pt_header header = {.kind = &pt_model_kinds[PARTAN_KIND_LASSO],
                                 .keys = keys,
                                 .count = sizeof keys / sizeof keys[0],
                                 .read_other = read_other,
                                 .write_others = write_others};

enum { SHORTEST_LINE = sizeof "1 1" }; /* of a coefficient, its line feed included */

/* ---- Reading ---- */

/* "feature value [name]", features from 1 and ascending. */
static partan_status read_coefficient(pt_scan *scan, partan_lasso *model, size_t i)
{
    pt_word word = pt_scan_word(scan);
    int64_t least = i > 0 ? model->ids[i - 1] + 2 : 1;
    if (!pt_word_integer(word, &model->ids[i]) || model->ids[i] < least || (uint64_t)model->ids[i] > model->features)
        return pt_scan_fail(scan, word, "the number of a feature, in ascending order");
    model->ids[i]--;
    word = pt_scan_word(scan);
    if (!pt_word_real(word, &model->coefficients[i]) || model->coefficients[i] == 0)
        return pt_scan_fail(scan, word, "a coefficient, a number other than 0");
    if (model->named) {
        partan_status status = pt_label_read(scan, pt_scan_word(scan), &model->names[i]);
        if (status)
            return status;
    }
    return pt_scan_line_done(scan);
}

static partan_status check_header(const pt_scan *scan, const partan_lasso *model)
{
    uintmax_t count = model->result.nonzeros;
    if ((model->lasso.lambda > 0) == (model->lasso.radius > 0))
        return pt_fail(model->context, PARTAN_ERROR_FORMAT, "%s: found lambda %g and radius %g, expected one above 0",
                       scan->name, model->lasso.lambda, model->lasso.radius);
    if (count > model->features || count > pt_scan_left(scan) / SHORTEST_LINE)
        return pt_fail(model->context, PARTAN_ERROR_FORMAT,
                       "%s:%ju: found %ju coefficients in the header, expected no more than the %zu features and the "
                       "rest of the file can hold",
                       scan->name, (uintmax_t)scan->line, count, model->features);
    return PARTAN_OK;
}

partan_status pt_lasso_parse(partan_context *context, const char *name, const char *text, size_t size,
                             partan_lasso *model)
{
    pt_scan scan;
    pt_scan_init(&scan, context, name, text, size);
    partan_status status = pt_header_read(&scan, &header, model);
    if (!status)
        status = pt_source_check(&scan, &model->source, model->features);
    if (!status)
        status = check_header(&scan, model);
    if (status)
        model->result.nonzeros = 0; /* of which none has been made room for */
    if (!status)
        status = pt_lasso_reserve(model);
    for (size_t i = 0; i < model->result.nonzeros && !status; i++)
        status = pt_scan_line(&scan) ? read_coefficient(&scan, model, i) : pt_scan_fail_end(&scan, "a coefficient");
    return status ? status : pt_end_read(&scan, "coefficient");
}

partan_status partan_lasso_from_file(partan_context *context, const partan_model_file *file, partan_lasso **model)
{
    PT_REQUIRE(context, context && file && model);
    partan_lasso *made;
    *model = NULL;
    partan_status status = pt_lasso_create(context, &made);
    if (status)
        return status;
    status = pt_lasso_parse(context, file->name, file->text, file->size, made);
    if (status)
        partan_lasso_free(made);
    else
        *model = made;
    return status;
}

partan_status partan_lasso_read(partan_context *context, const char *path, partan_lasso **model)
{
    PT_REQUIRE(context, context && path && model);
    partan_model_file *file;
    *model = NULL;
    partan_status status = partan_model_file_read(context, path, &file);
    if (!status)
        status = partan_lasso_from_file(context, file, model);
    partan_model_file_free(file);
    return status;
}

/* ---- Writing ---- */

partan_status pt_lasso_write(const partan_lasso *model, FILE *file)
{
    partan_status status = pt_header_write(model->context, &header, model, file);
    for (size_t i = 0; i < model->result.nonzeros && !status; i++) {
        char value[PT_NUMBER_SIZE];
        pt_format_real(value, model->coefficients[i]);
        fprintf(file, "%" PRId64 " %s", model->ids[i] + 1, value);
        if (model->named) {
            fputc(' ', file);
            pt_label_write(file, model->names[i]);
        }
        fputc('\n', file);
    }
    pt_end_write(file);
    return status;
}

static partan_status write_lasso(const void *model, FILE *file)
{
    return pt_lasso_write(model, file);
}

partan_status partan_lasso_write(partan_context *context, const partan_lasso *model, const char *path)
{
    PT_REQUIRE(context, context && model && path);
    return pt_model_to_path(context, model->context, write_lasso, model, path);
}

partan_status partan_lasso_to_memory(partan_context *context, const partan_lasso *model, char **bytes, size_t *size)
{
    PT_REQUIRE(context, context && model && bytes && size);
    return pt_model_to_memory(context, model->context, write_lasso, model, bytes, size);
}

partan_status partan_lasso_from_memory(partan_context *context, const void *bytes, size_t size, partan_lasso **model)
{
    PT_REQUIRE(context, context && model && (bytes || size == 0));
    partan_model_file *file;
    *model = NULL;
    partan_status status = partan_model_file_from_memory(context, bytes, size, &file);
    if (!status)
        status = partan_lasso_from_file(context, file, model);
    partan_model_file_free(file);
    return status;
}
