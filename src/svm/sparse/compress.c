/* Models with fewer support vectors from models with many, on the same data or other rows of the same kind. */
#include "svm/sparse/compress.h"

#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/require.h"
#include "core/sized.h"
#include "data/parts.h"
#include "partan/svm.h"
#include "svm/labels.h"
#include "svm/many/many.h"
#include "svm/predict.h"
#include "svm/sparse/sparse.h"
#include "svm/together.h"

PT_STRUCT_INIT(partan_compress_options, .max_loss = 0.01)
PT_STRUCT_INIT(partan_compress_result, .accuracy_before = NAN)

partan_settings pt_compress_settings(const partan_model *model)
{
    partan_settings s = model->settings; /* of a file, too */
    s.struct_size = sizeof s;
    s.scale = PARTAN_SCALE_NONE; /* the data is scaled */
    s.time_limit = 0;
    return s;
}

/* ---- No classes ---- */

/* Labels, if there are any, are the data's own. */
static partan_status compress_plain(partan_context *context, pt_comm *comm, const partan_model *model,
                                    const partan_data *data, size_t most, partan_model **out)
{
    pt_together g;
    partan_settings s = pt_compress_settings(model);
    partan_status status = pt_together_open(&g, context, comm, data, &s);
    if (!status)
        status = pt_sparse_model(&g.t, model, most, NULL, out);
    pt_together_close(&g);
    return status;
}

/* ---- Two classes ---- */

/* The rows with labels -1 and 1 and weights that include those of the classes. The matrix stays the data's. */
typedef struct view {
    partan_data data;
    int32_t *class_of;
} view;

static void view_close(view *v)
{
    pt_free(v->data.context, v->data.labels);
    pt_free(v->data.context, v->data.weights);
    pt_free(v->data.context, v->class_of);
}

static partan_status view_open(view *v, partan_context *context, const partan_model *model, const partan_data *data)
{
    size_t rows = data->matrix.rows;
    const pt_classes *classes = &model->classes;
    *v = (view){.data = {.context = data->context, .matrix = data->matrix, .name = data->name}};
    v->data.labels = pt_alloc(data->context, rows, sizeof *v->data.labels);
    v->data.weights = pt_alloc(data->context, rows, sizeof *v->data.weights);
    v->class_of = pt_alloc(data->context, rows, sizeof *v->class_of);
    if (!v->data.labels || !v->data.weights || !v->class_of)
        return pt_out_of_memory(context, "the rows");
    partan_status status = pt_label_classes(context, model, data, v->class_of);
    for (size_t row = 0; row < rows && !status; row++) {
        bool positive = v->class_of[row] == PT_POSITIVE;
        if (v->class_of[row] < 0)
            return pt_fail(context, PARTAN_ERROR_DATA,
                           "%s: row %zu has no label, or none of the model's: expected %s or %s", data->name, row + 1,
                           classes->text[1], classes->text[0]);
        v->data.labels[row] = positive ? 1 : -1;
        v->data.weights[row] = pt_data_weight(data, row) * pt_class_weight(classes, positive);
    }
    return status;
}

/* Classes, columns and scaling are the old model's. */
static partan_status take_over(const partan_model *model, partan_model *made)
{
    partan_context *context = made->context;
    pt_classes_free(context, &made->classes);
    made->classes = model->classes;
    made->classes.text[1] = NULL;
    made->classes.text[0] = pt_copy(context, model->classes.text[0], strlen(model->classes.text[0]) + 1, 1);
    made->classes.text[1] = pt_copy(context, model->classes.text[1], strlen(model->classes.text[1]) + 1, 1);
    return made->classes.text[0] && made->classes.text[1] ? PARTAN_OK : pt_out_of_memory(context, "the model");
}

static partan_status compress_two(partan_context *context, pt_comm *comm, const partan_model *model,
                                  const partan_data *data, size_t most, partan_model **out)
{
    view v;
    partan_status status = pt_agree(context, comm, view_open(&v, context, model, data));
    if (!status)
        status = compress_plain(context, comm, model, &v.data, most, out);
    if (!status)
        status = pt_agree(context, comm, take_over(model, *out));
    view_close(&v);
    return status;
}

/* ---- Any number ---- */

partan_status pt_compress(partan_context *context, pt_comm *comm, const partan_model *model, const partan_data *data,
                          uint64_t fingerprint, size_t most, partan_model **out)
{
    partan_model *made = NULL;
    size_t classes = pt_class_count(model);
    *out = NULL;
    if (most < classes)
        return pt_agree(context, comm,
                        pt_fail(context, PARTAN_ERROR_ARGUMENT,
                                "expected at least %zu support vectors, one for each class, found %zu", classes, most));
    bool plain = model->settings.problem != PARTAN_CLASSIFICATION;
    partan_status status = (model->machine_count > 0 ? pt_compress_many
                            : plain                  ? compress_plain
                                                     : compress_two)(context, comm, model, data, most, &made);
    if (!status) {
        made->settings.scale = model->settings.scale;
        made->settings.max_sv = (int64_t)most;
        made->fingerprint = fingerprint;
        pt_source_free(context, &made->source);
        status = pt_source_copy(context, &model->source, &made->source);
    }
    if (!status && model->scaling)
        status = pt_scaling_copy(model->scaling, &made->scaling);
    status = pt_agree(context, comm, status);
    if (status)
        partan_model_free(made);
    else
        *out = made;
    return status;
}

static partan_status check_kind(partan_context *context, const partan_model *model)
{
    if (model->format != PARTAN_MODEL_NATIVE)
        return pt_fail(
            context, PARTAN_ERROR_DATA,
            "a LIBSVM model file does not say what it was trained for: only native models can be compressed");
    if (model->serials)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "models of a precomputed kernel cannot have fewer support vectors: their rows are not known");
    return PARTAN_OK;
}

/* `match` is open also on failure. */
static partan_status match_data(partan_context *context, pt_comm *comm, const partan_model *model,
                                const partan_data *data, pt_match *match, uint64_t *fingerprint)
{
    *match = (pt_match){.data = data};
    partan_status status = check_kind(context, model);
    if (!status)
        status = pt_model_match(context, model, data, match);
    status = pt_agree(context, comm, status);
    if (!status) {
        uint64_t first, rows = pt_count_all(comm, match->data->matrix.rows, &first);
        *fingerprint = pt_data_fingerprint_of_all(comm, match->data, first, rows);
        status = pt_model_scale(context, comm, model, match);
    }
    return status;
}

partan_status pt_compress_data(partan_context *context, pt_comm *comm, const partan_model *model,
                               const partan_data *data, size_t most, partan_model **out)
{
    pt_match match;
    uint64_t fingerprint = 0;
    partan_status status = match_data(context, comm, model, data, &match, &fingerprint);
    if (!status)
        status = pt_compress(context, comm, model, match.data, fingerprint, most, out);
    pt_match_close(&match);
    return status;
}

partan_status pt_limit_vectors(partan_context *context, pt_comm *comm, const partan_data *data, partan_model **model)
{
    partan_model *whole = *model;
    int64_t most = whole->settings.max_sv;
    if (most == 0 || whole->count <= (size_t)most) {
        whole->settings.max_sv = 0; /* it is the solution itself */
        return whole->result.status;
    }
    if (comm && whole->result.status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context); /* all have ended for it */
    partan_status status = pt_compress_data(context, comm, whole, data, (size_t)most, model);
    if (!status)
        (*model)->result.seconds += whole->result.seconds;
    partan_model_free(whole);
    return status ? status : (*model)->result.status;
}

/* ---- How few are enough ---- */

#define FIRST_SHARE 0.01 /* of the support vectors, tried first where their number is not given */
#define NEXT_SHARE  1.5  /* times as many are tried next, up to PT_SPARSE_FITTED */

typedef struct compression {
    partan_context *context;
    const partan_model *model;
    const partan_data *data; /* matched and scaled */
    uint64_t fingerprint;
    double *before, *after; /* decision values */
    partan_compress_result found;
} compression;

/* The share of rows that are outside, or inside, as they were. */
static double same_labels(const compression *c, const double *decision)
{
    size_t rows = c->data->matrix.rows, same = 0;
    for (size_t row = 0; row < rows; row++)
        same += pt_vote(c->model, c->before + row) == pt_vote(c->model, decision + row);
    return (double)same / (double)rows;
}

static partan_status decide(compression *c, const partan_model *model, double *decision, double *accuracy)
{
    partan_evaluation evaluation;
    partan_evaluation_init(&evaluation);
    partan_status status = model->machine_count > 0 ? pt_predict_many(c->context, model, c->data, NULL, decision)
                                                    : pt_predict_rows(c->context, model, c->data, NULL, decision);
    if (!status && model->settings.problem == PARTAN_OUTLIER) { /* of which the data may have no labels */
        *accuracy = same_labels(c, decision);
        return PARTAN_OK;
    }
    if (!status)
        status = partan_evaluate(c->context, model, c->data, decision, NULL, NULL, &evaluation);
    *accuracy = model->settings.problem == PARTAN_REGRESSION ? evaluation.r2 : evaluation.accuracy;
    return status;
}

static void compare(compression *c)
{
    partan_compress_result *f = &c->found;
    size_t outputs = pt_outputs(c->model), rows = c->data->matrix.rows;
    double sum = 0;
    f->rows = rows;
    f->changed = 0;
    f->max_difference = 0;
    for (size_t row = 0; row < rows; row++) {
        const double *before = c->before + row * outputs, *after = c->after + row * outputs;
        f->changed += pt_vote(c->model, before) != pt_vote(c->model, after);
        for (size_t i = 0; i < outputs; i++) {
            double difference = fabs(after[i] - before[i]);
            sum += difference;
            f->max_difference = fmax(f->max_difference, difference);
        }
    }
    f->mean_difference = sum / (double)(rows * outputs);
}

static partan_status try_size(compression *c, size_t most, partan_model **out)
{
    partan_status status = pt_compress(c->context, NULL, c->model, c->data, c->fingerprint, most, out);
    if (!status)
        status = decide(c, *out, c->after, &c->found.accuracy_after);
    if (status) {
        partan_model_free(*out);
        *out = NULL;
        return status;
    }
    c->found.vectors_after = (*out)->count;
    c->found.relative_gap_after = (*out)->result.relative_gap;
    return PARTAN_OK;
}

/* From few to many, until the loss is small enough. */
static partan_status search(compression *c, double max_loss, partan_model **out)
{
    size_t before = c->model->count, least = 2 * pt_class_count(c->model);
    partan_status status = PARTAN_OK;
    least = least > 2 ? least : 2;
    double size = fmax((double)least, FIRST_SHARE * (double)before), last = fmin((double)before - 1, PT_SPARSE_FITTED);
    for (; size <= last; size *= NEXT_SHARE) {
        status = try_size(c, (size_t)size, out);
        if (status || c->found.accuracy_before - c->found.accuracy_after <= max_loss
            || (*out)->result.status == PARTAN_INTERRUPTED)
            return status;
        partan_model_free(*out);
        *out = NULL;
    }
    return pt_fail(c->context, PARTAN_ERROR_DATA,
                   "%s: no model with at most %zu support vectors was found that keeps the %s within %g: the last "
                   "one had %.2f %% instead of %.2f %%",
                   c->data->name, (size_t)last, c->model->settings.problem == PARTAN_REGRESSION ? "R^2" : "accuracy",
                   max_loss, 100 * c->found.accuracy_after, 100 * c->found.accuracy_before);
}

static partan_status run(compression *c, const partan_compress_options *options, partan_model **out)
{
    size_t values = c->data->matrix.rows * pt_outputs(c->model);
    c->before = pt_alloc(c->context, values, sizeof *c->before);
    c->after = pt_alloc(c->context, values, sizeof *c->after);
    if (!c->before || !c->after)
        return pt_out_of_memory(c->context, "decision values");
    partan_status status = decide(c, c->model, c->before, &c->found.accuracy_before);
    c->found.vectors_before = c->model->count;
    c->found.relative_gap_before = c->model->result.relative_gap;
    if (!status)
        status = options->max_sv > 0 ? try_size(c, (size_t)options->max_sv, out) : search(c, options->max_loss, out);
    if (!status)
        compare(c);
    return status;
}

partan_status partan_compress(partan_context *context, const partan_model *model, const partan_data *data,
                              const partan_compress_options *options, partan_model **compressed,
                              partan_compress_result *result)
{
    PT_REQUIRE(context, context && model && data && compressed);
    partan_compress_options initial;
    partan_compress_options_init(&initial);
    options = options ? options : &initial;
    PT_TAKE(context, partan_compress_options, options);
    if (result)
        PT_CHECK_OUTPUT(context, partan_compress_result, result);
    *compressed = NULL;
    if (options->max_sv < 0 || !(options->max_loss >= 0 && options->max_loss <= 1))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "expected max_sv of 0 or more and max_loss from 0 to 1, found %jd and %g",
                       (intmax_t)options->max_sv, options->max_loss);
    pt_match match;
    compression c = {.context = context, .model = model};
    partan_compress_result_init(&c.found);
    pt_progress_whole_begin(context, "compress");
    partan_status status = match_data(context, NULL, model, data, &match, &c.fingerprint);
    c.data = match.data;
    if (!status)
        status = run(&c, options, compressed);
    pt_match_close(&match);
    pt_progress_whole_end(context);
    pt_free(context, c.before);
    pt_free(context, c.after);
    if (!status && result)
        pt_struct_give(result, &c.found, sizeof c.found);
    return status ? status : (*compressed)->result.status;
}
