#include "svm/probability/calibration.h"

#include <math.h>

#include "core/agree.h"
#include "core/clock.h"
#include "svm/fold_start.h"
#include "svm/labels.h"
#include "svm/many/many.h"
#include "svm/probability/fit.h"
#include "svm/weights.h"

/* ---- Before the model ---- */

/* Rows to train on and a row to test: a class with fewer than these has no held-out decision values. */
enum { LEAST_ROWS = 2 };

partan_status pt_calibration_open(pt_calibration *c, partan_context *context, pt_comm *comm, const partan_data *data,
                                  const partan_settings *settings)
{
    *c = (pt_calibration){
        .context = context, .comm = comm, .wanted = settings->probability, .data = data, .settings = *settings};
    if (!c->wanted)
        return PARTAN_OK;
    c->deadline = settings->time_limit > 0 ? pt_clock() + settings->time_limit : 0;
    c->settings.probability = 0;
    pt_count_all(comm, data->matrix.rows, &c->before);
    partan_status status = partan_settings_check(context, settings);
    if (!status && pt_any_weightless(comm, data)) {
        status = pt_leave_weightless(comm, data, &c->weighty, &c->rows);
        c->data = c->weighty;
    }
    uint64_t folds = (uint64_t)settings->probability_folds, rows = status ? 0 : c->data->matrix.rows;
    if (!status)
        pt_add_up(comm, &rows, 1);
    if (!status && folds > rows)
        folds = rows < 2 ? 2 : rows;
    return status ? status : pt_folds_deal(&c->folds, context, comm, c->data, folds, LEAST_ROWS, settings->seed);
}

void pt_calibration_close(pt_calibration *c)
{
    pt_folds_free(&c->folds);
    partan_data_free(c->weighty);
    pt_free(c->context, c->rows);
}

/* ---- Decision values of rows held out ---- */

/* Of each row, those of the machines that know its class: one, that of each class against the rest, or that of its
 * class with each other one. */
typedef struct held_out {
    const pt_calibration *calibration;
    const partan_model *model;
    size_t width;
    double *decision;  /* of each row, `width` values */
    int32_t *class_of; /* of each row */
} held_out;

/* Where the value of a machine is among those of a row of this class; SIZE_MAX: the machine is not about it. */
static size_t place_of(const partan_model *model, size_t machine, int32_t class)
{
    if (model->machine_count == 0 || model->settings.multiclass == PARTAN_ONE_VS_REST)
        return machine;
    const int64_t *sides = model->machines[machine]->sides;
    if (sides[0] != class && sides[1] != class)
        return SIZE_MAX;
    int64_t other = sides[sides[0] == class];
    return (size_t)(other < class ? other : other - 1);
}

static void keep(held_out *h, size_t round, const double *decision)
{
    size_t outputs = pt_outputs(h->model), next = 0;
    for (size_t row = 0; row < h->calibration->data->matrix.rows; row++) {
        if (h->calibration->folds.round[row] != (int32_t)round)
            continue;
        for (size_t i = 0; i < outputs; i++) {
            size_t place = place_of(h->model, i, h->class_of[row]);
            if (place != SIZE_MAX)
                h->decision[row * h->width + place] = decision[next * outputs + i];
        }
        next++;
    }
}

static partan_status decide(void *user, size_t round, const partan_model *model, const partan_data *held)
{
    held_out *h = user;
    partan_context *context = h->calibration->context;
    double *decision = pt_alloc(context, held->matrix.rows * pt_outputs(model), sizeof *decision);
    if (!decision)
        return pt_out_of_memory(context, "decision values");
    partan_status status = partan_predict(context, model, held, decision);
    if (!status)
        keep(h, round, decision);
    pt_free(context, decision);
    return status;
}

/* A limit of iterations or of support vectors leaves more of the start than a certificate allows. */
static bool starts_pay(const pt_calibration *c, const partan_model *model)
{
    return c->settings.max_iter == 0 && c->settings.max_sv == 0 && pt_fold_start_pays(model);
}

/* gamma is the model's, since decision values of another kernel would not be on its scale; a scaling of the features is
 * made anew from the rows of each round, which knows nothing of those held out. */
static partan_status run_folds(const pt_calibration *c, held_out *h)
{
    partan_settings s = c->settings;
    pt_folds folds = c->folds;
    partan_context_options *options = &c->context->options;
    bool outermost = c->context->progress.whole == 0;
    s.cost = h->model->settings.cost;
    s.gamma_rule = PARTAN_GAMMA_VALUE;
    s.gamma = h->model->settings.gamma;
    s.time_limit = c->deadline > 0 ? fmax(c->deadline - pt_clock(), 1e-9) : 0;
    pt_progress_whole_begin(c->context, "calibrate");
    if (outermost)
        pt_progress_points(c->context, c->folds.rounds);
    uint64_t point = c->context->progress.point;
    void (*trace)(void *, const partan_trace_row *) = options->trace;
    options->trace = NULL; /* a trace is that of the model */
    folds.whole = starts_pay(c, h->model) ? h->model : NULL;
    folds.whole_rows = c->rows;
    folds.whole_before = c->before;
    partan_status status = pt_folds_run(&folds, &s, outermost, decide, h);
    options->trace = trace;
    if (!outermost) /* points are those of a whole that this is a part of */
        c->context->progress.point = point;
    pt_progress_whole_end(c->context);
    return status;
}

/* ---- The sigmoids ---- */

/* What a row counts: as in training, its own weight times that of its class. */
static size_t gather(const held_out *h, size_t machine, pt_held *values)
{
    size_t count = 0;
    const partan_data *data = h->calibration->data;
    for (size_t row = 0; row < data->matrix.rows; row++) {
        size_t place = place_of(h->model, machine, h->class_of[row]);
        if (place == SIZE_MAX)
            continue;
        int64_t positive = h->model->machine_count > 0 ? h->model->machines[machine]->sides[1] : 1;
        values[count++] = (pt_held){
            .decision = h->decision[row * h->width + place],
            .weight = pt_data_weight(data, row) * partan_model_class_weight(h->model, h->class_of[row]),
            .positive = h->class_of[row] == positive,
        };
    }
    return count;
}

static partan_status fit_sigmoids(const held_out *h, partan_model *model)
{
    partan_context *context = h->calibration->context;
    pt_held *values = pt_alloc(context, h->calibration->data->matrix.rows, sizeof *values);
    if (!values)
        return pt_out_of_memory(context, "the fit of probabilities");
    for (size_t i = 0; i < pt_outputs(model); i++) {
        partan_model *machine = model->machine_count > 0 ? model->machines[i] : model;
        machine->sigmoid = pt_sigmoid_fit(h->calibration->comm, values, gather(h, i, values));
    }
    pt_free(context, values);
    return PARTAN_OK;
}

static partan_status prepare(held_out *h)
{
    const pt_calibration *c = h->calibration;
    size_t rows = c->data->matrix.rows, classes = pt_class_count(h->model);
    h->width = h->model->machine_count == 0                          ? 1
               : h->model->settings.multiclass == PARTAN_ONE_VS_REST ? classes
                                                                     : classes - 1;
    h->decision = pt_alloc(c->context, rows * h->width, sizeof *h->decision);
    h->class_of = pt_alloc(c->context, rows, sizeof *h->class_of);
    partan_status status = h->decision && h->class_of
                               ? pt_label_classes(c->context, h->model, c->data, h->class_of)
                               : pt_out_of_memory(c->context, "decision values of rows held out");
    return pt_agree(c->context, c->comm, status);
}

partan_status pt_calibrate(pt_calibration *c, partan_model *model)
{
    double start = pt_clock();
    if (!c->wanted)
        return PARTAN_OK;
    model->settings.probability = 0;
    if (pt_is_cut_short(model->result.status))
        return model->result.status;
    held_out h = {.calibration = c, .model = model};
    partan_status status = prepare(&h);
    if (!status)
        status = run_folds(c, &h);
    if (status >= 0 && !pt_is_cut_short(status))
        status = fit_sigmoids(&h, model);
    if (!status) {
        pt_calibrated(model, (int64_t)c->folds.rounds);
        model->result.seconds += pt_clock() - start;
    }
    pt_free(c->context, h.decision);
    pt_free(c->context, h.class_of);
    return status;
}
