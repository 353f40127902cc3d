/* Training: from data and settings to a model with its certificate. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "svm/pose.h"
#include "svm/precomputed.h"
#include "svm/together.h"
#include "svm/warm_start.h"
#include "svm/weights.h"

static partan_status check_data(partan_context *context, const partan_data *data, const partan_settings *settings)
{
    if (data->matrix.rows == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "%s: there are no rows", data->name);
    return settings->kernel == PARTAN_KERNEL_PRECOMPUTED ? pt_check_kernel_matrix(context, data) : PARTAN_OK;
}

/* ---- Rows of which most features are empty ---- */

/* Leaves out the features that no row has. */
static partan_status compact(partan_context *context, const pt_matrix *rows, pt_matrix *view)
{
    pt_kept *kept;
    partan_status status = pt_kept_make(context, rows, NULL, &kept);
    if (!status)
        status = pt_kept_view(kept, rows, view);
    pt_kept_free(kept);
    return status;
}

partan_status pt_training_kernel(partan_context *context, const partan_settings *settings, const pt_matrix *rows,
                                 pt_kernel *kernel)
{
    partan_settings resolved = *settings;
    pt_matrix view = {0};
    if (!pt_is_hollow(rows))
        return pt_kernel_from_settings(context, settings, rows, kernel);
    partan_status status = compact(context, rows, &view);
    if (!status && settings->gamma_rule == PARTAN_GAMMA_SCALE) { /* for which features that are empty count */
        resolved.gamma_rule = PARTAN_GAMMA_VALUE;
        resolved.gamma = pt_gamma_of(PARTAN_GAMMA_SCALE, &view, rows->features);
    }
    if (!status)
        status = pt_kernel_from_settings(context, &resolved, &view, kernel);
    pt_kept_view_free(&view);
    return status;
}

/* The fingerprint and the search for equal rows need the same hashes. */
static partan_status hash_rows(pt_training *t)
{
    const pt_matrix *matrix = &t->original->matrix;
    bool merges = pt_way_of(&t->settings) == &pt_by_active_set && t->settings.merge && !t->data->serials;
    if (!merges || t->points.matrix != matrix || matrix->hashes)
        return PARTAN_OK;
    t->hashed = *t->original;
    partan_status status = pt_matrix_hash_rows(&t->hashed.matrix);
    t->data = &t->hashed;
    t->points.matrix = &t->hashed.matrix;
    return status == PARTAN_INTERRUPTED ? PARTAN_OK : status; /* who asks to stop is not kept waiting for them */
}

void pt_training_forget_hashes(pt_training *t)
{
    if (!t->hashed.context)
        return;
    pt_free(t->hashed.context, t->hashed.matrix.hashes);
    t->hashed.matrix.hashes = NULL;
}

partan_status pt_training_open(pt_training *t, partan_context *context, const partan_data *data,
                               const partan_settings *settings)
{
    *t = (pt_training){.context = context, .data = data, .original = data, .settings = *settings, .start = pt_clock()};
    pt_progress_whole_begin(context, "train");
    partan_status status = partan_settings_check(context, settings);
    if (!status && settings->time_limit > 0)
        pt_deadline_set(context, t->start + settings->time_limit); /* until a solver has its own */
    if (!status)
        status = check_data(context, data, settings);
    if (!status && pt_has_weightless(data)) {
        status = pt_leave_weightless(NULL, data, &t->weighty, &t->rows);
        t->data = data = t->weighty ? t->weighty : data;
    }
    if (!status && settings->scale != PARTAN_SCALE_NONE) {
        status = pt_scale_to_train(context, NULL, data, settings->scale, &t->scaling, &t->scaled);
        t->data = data = t->scaled ? t->scaled : data;
    }
    t->weighted = data->weights != NULL;
    if (!status)
        status = pt_pose_of(settings->problem)->take(t);
    if (!status)
        t->settings.solver = pt_variant_resolve(settings)->solver;
    t->points = (pt_points){&data->matrix, data->serials};
    if (!status && pt_is_hollow(&data->matrix)) {
        status = compact(context, &data->matrix, &t->compact);
        t->points.matrix = &t->compact;
    }
    if (!status)
        status = pt_training_kernel(context, &t->settings, &data->matrix, &t->kernel);
    if (!status)
        status = hash_rows(t);
    if (!status) /* now, not when time is up */
        t->fingerprint = pt_fingerprint_heeding(t->data == &t->hashed ? t->data : t->original);
    return status;
}

void pt_training_finish(pt_training *t)
{
    const pt_way *method = pt_way_of(&t->settings);
    if (method->close)
        method->close(t);
}

void pt_training_close(pt_training *t)
{
    pt_training_finish(t);
    pt_training_forget_hashes(t);
    pt_kept_view_free(&t->compact);
    pt_iterate_free(&t->iterate);
    partan_scaling_free(t->scaling);
    partan_data_free(t->scaled);
    partan_data_free(t->weighty);
    pt_free(t->context, t->rows);
    pt_free(t->context, t->cost_weights);
    pt_free(t->context, t->linear);
    pt_free(t->context, t->signs);
    pt_classes_free(t->context, &t->classes);
    pt_deadline_set(t->context, 0);
    pt_progress_whole_end(t->context);
}

/* ---- The solution ---- */

const pt_way *pt_way_of(const partan_settings *settings)
{
    const pt_variant *variant = pt_variant_resolve(settings);
    return variant && !variant->step ? &pt_by_active_set : &pt_by_variant;
}

/* A solution that needs no steps. */
static partan_status settle(pt_training *t)
{
    t->solution = (pt_solution){.converged = true};
    return PARTAN_OK;
}

partan_status pt_training_pose(pt_training *t)
{
    partan_status status = pt_pose_of(t->settings.problem)->dual(t, &t->dual);
    if (!status && t->share && !t->share->signs)
        status = pt_share_pose(t->share, &t->dual, NULL);
    if (!status && t->share)
        pt_share_take(t->share, &t->dual);
    return status;
}

partan_status pt_training_solve(pt_training *t, const pt_start *start)
{
    const pt_pose *pose = pt_pose_of(t->settings.problem);
    int64_t ids[2];
    double weights[2];
    if (t->settled)
        return settle(t);
    pt_iterate last = t->iterate;
    pt_warm warm = {0};
    double total = t->total;
    partan_status status = pt_training_pose(t);
    if (!status && last.count > 0 && !start && pose->again)
        status = pose->again(t, &last, total, &warm);
    pt_start solution = {.ids = last.id, .weights = last.now, .count = last.count};
    pt_start first = {.ids = ids, .weights = weights, .count = status ? 0 : pose->start(t, ids, weights)};
    if (warm.count > 0)
        solution = (pt_start){.ids = warm.ids, .weights = warm.weights, .count = warm.count};
    t->iterate = (pt_iterate){0};
    if (!status)
        status = pt_way_of(&t->settings)->solve(t, start ? *start : solution.count > 0 ? solution : first);
    if (t->share) /* rows may have become known */
        pt_share_take(t->share, &t->dual);
    pt_iterate_free(&last);
    pt_warm_free(t->context, &warm);
    return status;
}

/* Rows are known by their numbers only where all of them are there, or somebody saw to it. */
bool pt_training_known(const pt_training *t, const partan_model *model)
{
    uint64_t rows = t->share ? t->all : t->data->matrix.rows;
    if (model->by_number)
        return true;
    return model->format == PARTAN_MODEL_NATIVE && !t->rows && model->rows == rows
           && model->fingerprint == t->fingerprint && t->fingerprint != PT_NO_FINGERPRINT;
}

/* ---- The model ---- */

/* The rows of the vertices with weight, in ascending order; the slack brings along row 0. */
static void sort_rows(const pt_training *t, int64_t *rows)
{
    size_t count = 0;
    for (size_t i = 0; i < t->iterate.count; i++)
        if (t->iterate.now[i] > 0)
            rows[count++] = pt_dual_row(&t->dual, t->iterate.id[i]);
    qsort(rows, count, sizeof *rows, pt_compare_ids);
}

/* The weight of a row by its sign, that of two vertices together. */
double pt_training_weight(const pt_training *t, int64_t row)
{
    double sum = 0;
    for (size_t layer = 0; layer < t->dual.layers; layer++) {
        int64_t id = pt_dual_vertex(&t->dual, row, layer);
        sum += pt_iterate_weight(&t->iterate, id) * pt_dual_sign(&t->dual, id);
    }
    return sum;
}

/* The support vectors in the order of their rows. */
static partan_status take_support(pt_training *t, partan_model *model)
{
    partan_context *context = model->context;
    const pt_iterate *iterate = &t->iterate;
    size_t count = pt_iterate_support(iterate);
    model->origin = pt_alloc(context, count, sizeof *model->origin);
    model->weights = pt_alloc(context, count, sizeof *model->weights);
    model->signs = pt_alloc(context, count, sizeof *model->signs);
    if (t->data->serials)
        model->serials = pt_alloc(context, count, sizeof *model->serials);
    if (!model->origin || !model->weights || !model->signs || (t->data->serials && !model->serials))
        return pt_out_of_memory(context, "the model");
    sort_rows(t, model->origin);
    int64_t before = -1;
    for (size_t i = 0; i < count; i++) {
        int64_t row = model->origin[i];
        double weight = pt_training_weight(t, row);
        bool again = row == before;
        before = row;
        if (weight == 0 || again)
            continue;
        model->origin[model->count] = row;
        model->weights[model->count] = fabs(weight);
        model->signs[model->count] = weight > 0 ? 1 : -1;
        if (model->serials)
            model->serials[model->count] = t->data->serials[row];
        model->count++;
    }
    partan_status status =
        model->serials ? PARTAN_OK : pt_matrix_gather(&t->data->matrix, model->origin, model->count, &model->vectors);
    for (size_t i = 0; i < model->count && t->rows && !status; i++)
        model->origin[i] = t->rows[model->origin[i]];
    return status;
}

static partan_status copy_classes(partan_context *context, const pt_classes *from, pt_classes *classes)
{
    *classes = *from;
    if (!from->text[0])
        return PARTAN_OK; /* a problem without classes */
    for (int i = 0; i < 2; i++)
        classes->text[i] = pt_copy(context, from->text[i], strlen(from->text[i]) + 1, 1);
    return classes->text[0] && classes->text[1] ? PARTAN_OK : pt_out_of_memory(context, "the model");
}

partan_status pt_training_model(pt_training *t, partan_model **out)
{
    partan_context *context = t->context;
    partan_model *model;
    partan_status status = pt_model_create(context, &model);
    if (status)
        return status;
    const pt_certificate *certificate = &t->solution.certificate;
    memcpy(model->version, PARTAN_VERSION, sizeof PARTAN_VERSION);
    model->settings = t->settings;
    model->settings.gamma_rule = PARTAN_GAMMA_VALUE;
    model->settings.gamma = t->kernel.gamma;
    model->fingerprint = t->fingerprint;
    model->settings.class_weights = NULL; /* the classes have their weights */
    model->settings.class_weight_count = 0;
    model->settings.balanced = 0;
    model->rows = t->share ? t->all : t->original->matrix.rows;
    model->features = t->data->matrix.features;
    model->storage = t->data->matrix.storage;
    status = copy_classes(context, &t->classes, &model->classes);
    if (!status)
        status = pt_source_copy(context, &t->data->source, &model->source);
    if (!status && t->scaling)
        status = pt_scaling_copy(t->scaling, &model->scaling);
    if (!status)
        status = t->share ? pt_take_shared_support(t, model) : take_support(t, model);
    model->result = (partan_result){.status = t->solution.status,
                                    .converged = t->solution.converged,
                                    .iterations = t->iterations,
                                    .objective = certificate->objective,
                                    .gap = certificate->gap,
                                    .relative_gap = t->solution.relative_gap,
                                    .gap_is_bound = certificate->bound,
                                    .support_vectors = model->count,
                                    .kernel_columns = t->counters.kernel_columns,
                                    .kernel_values = t->counters.kernel_values,
                                    .cache_hits = t->counters.cache_hits,
                                    .seconds = t->earlier_seconds + pt_clock() - t->start};
    if (!status)
        status = pt_pose_of(t->settings.problem)->decide(t, model);
    if (status)
        partan_model_free(model);
    else
        *out = model;
    return status;
}
