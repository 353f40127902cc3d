#include "svm/model/probability.h"

#include <math.h>

#include "core/require.h"
#include "partan/probability.h"
#include "svm/model/machines.h"

/* Nothing is certain: no machine gives its classes less than this, as in LIBSVM. */
#define LEAST 1e-7

/* Of coupling. LIBSVM ends earlier, and models that come from it do as well, so that the same file gives the same
 * probabilities. */
#define TOLERANCE        1e-10
#define LIBSVM_TOLERANCE 0.005 /* divided by the number of classes */
enum { MOST_ROUNDS = 1000, LIBSVM_ROUNDS = 100 };

enum { FEW_CLASSES = 64 }; /* that are decided between without memory of their own */

/* Without overflow on either side. */
double pt_sigmoid_at(pt_sigmoid s, double decision)
{
    double t = s.slope * decision + s.offset;
    return t >= 0 ? exp(-t) / (1 + exp(-t)) : 1 / (1 + exp(t));
}

static double bounded(pt_sigmoid sigmoid, double decision)
{
    return fmin(fmax(pt_sigmoid_at(sigmoid, decision), LEAST), 1 - LEAST);
}

/* ---- Pairs of classes ---- */

/* Q_tt = sum over j of r_jt^2, Q_tj = -r_jt r_tj. */
static void make_matrix(size_t n, double *pairs)
{
    for (size_t t = 0; t < n; t++)
        pairs[t * n + t] = 0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double wins = pairs[i * n + j], loses = pairs[j * n + i];
            pairs[i * n + i] += loses * loses;
            pairs[j * n + j] += wins * wins;
            pairs[i * n + j] = pairs[j * n + i] = -wins * loses;
        }
}

/* Qp and p'Qp from p; returns how far they are from the condition of optimality, Qp = p'Qp for all entries. */
static double measure(size_t n, const double *q, const double *p, double *product, double *value)
{
    double error = 0;
    *value = 0;
    for (size_t t = 0; t < n; t++) {
        product[t] = 0;
        for (size_t j = 0; j < n; j++)
            product[t] += q[t * n + j] * p[j];
        *value += p[t] * product[t];
    }
    for (size_t t = 0; t < n; t++)
        error = fmax(error, fabs(product[t] - *value));
    return error;
}

void pt_couple(size_t n, double *pairs, double *product, double tolerance, size_t most, double *p)
{
    double value;
    make_matrix(n, pairs);
    for (size_t t = 0; t < n; t++)
        p[t] = 1 / (double)n;
    for (size_t round = 0; round < most && measure(n, pairs, p, product, &value) > tolerance; round++)
        for (size_t t = 0; t < n; t++) { /* the best entry t, then the sum is 1 again */
            const double *row = pairs + t * n;
            double step = (value - product[t]) / row[t], scale = 1 / (1 + step);
            value = (value + step * (step * row[t] + 2 * product[t])) * scale * scale;
            p[t] += step;
            for (size_t j = 0; j < n; j++) {
                product[j] = (product[j] + step * row[j]) * scale;
                p[j] *= scale;
            }
        }
}

static void couple_machines(const partan_model *model, const double *decision, double *room, double *probabilities)
{
    size_t n = model->labels.count;
    bool libsvm = model->format == PARTAN_MODEL_LIBSVM;
    double *pairs = room + n;
    for (size_t i = 0; i < model->machine_count; i++) {
        const partan_model *machine = model->machines[i];
        size_t positive = (size_t)machine->sides[1], negative = (size_t)machine->sides[0];
        double wins = bounded(machine->sigmoid, decision[i]);
        pairs[positive * n + negative] = wins;
        pairs[negative * n + positive] = 1 - wins;
    }
    size_t least = libsvm ? LIBSVM_ROUNDS : MOST_ROUNDS;
    pt_couple(n, pairs, room, libsvm ? LIBSVM_TOLERANCE / (double)n : TOLERANCE, n > least ? n : least, probabilities);
}

/* ---- Each class against the rest ---- */

static void normalise_machines(const partan_model *model, const double *decision, double *probabilities)
{
    double sum = 0;
    for (size_t i = 0; i < model->machine_count; i++) {
        size_t class = (size_t)model->machines[i]->sides[1];
        probabilities[class] = bounded(model->machines[i]->sigmoid, decision[i]);
        sum += probabilities[class];
    }
    for (size_t i = 0; i < model->machine_count; i++)
        probabilities[i] /= sum;
}

/* ---- Any model ---- */

size_t pt_probability_room(const partan_model *model)
{
    size_t n = pt_class_count(model);
    bool pairs = model->machine_count > 0 && model->settings.multiclass == PARTAN_ONE_VS_ONE;
    return pairs ? n * (n + 1) : 0;
}

void pt_class_probabilities(const partan_model *model, const double *decision, double *room, double *probabilities)
{
    if (model->machine_count == 0) {
        probabilities[1] = bounded(model->sigmoid, decision[0]);
        probabilities[0] = bounded((pt_sigmoid){-model->sigmoid.slope, -model->sigmoid.offset}, decision[0]);
    } else if (model->settings.multiclass == PARTAN_ONE_VS_ONE)
        couple_machines(model, decision, room, probabilities);
    else
        normalise_machines(model, decision, probabilities);
}

int32_t pt_most_probable(const double *probabilities, size_t classes)
{
    size_t best = 0;
    for (size_t i = 1; i < classes; i++)
        best = probabilities[i] > probabilities[best] ? i : best;
    return (int32_t)best;
}

static int32_t decide(const partan_model *model, const double *decision, double *room)
{
    size_t classes = pt_class_count(model);
    pt_class_probabilities(model, decision, room + classes, room);
    return pt_most_probable(room, classes);
}

int32_t pt_decide_by_probability(const partan_model *model, const double *decision)
{
    double few[FEW_CLASSES * (FEW_CLASSES + 2)];
    if (pt_class_count(model) <= FEW_CLASSES)
        return decide(model, decision, few);
    double *room = pt_alloc(model->context, pt_class_count(model) + pt_probability_room(model), sizeof *room);
    int32_t class = room ? decide(model, decision, room) : -1;
    pt_free(model->context, room);
    return class;
}

void pt_calibrated(partan_model *model, int64_t folds)
{
    model->calibrated = model->by_probability = true;
    model->calibration_folds = folds;
    model->settings.probability = 1;
    model->settings.probability_folds = folds;
}

/* ---- Accessors ---- */

int partan_model_has_probability(const partan_model *model)
{
    return model->calibrated;
}

size_t partan_model_probability_folds(const partan_model *model)
{
    return (size_t)model->calibration_folds;
}

static partan_status require_sigmoids(const partan_model *model)
{
    return model->calibrated ? PARTAN_OK
                             : pt_fail(model->context, PARTAN_ERROR_ARGUMENT,
                                       "the model has no probabilities: train it with --probability");
}

partan_status partan_model_sigmoid(const partan_model *model, size_t i, double *slope, double *offset)
{
    PT_REQUIRE(NULL, model && slope && offset);
    partan_status status = require_sigmoids(model);
    if (!status && i >= pt_outputs(model))
        status = pt_fail(model->context, PARTAN_ERROR_ARGUMENT, "found machine %zu, expected one below %zu", i,
                         pt_outputs(model));
    if (status)
        return status;
    const partan_model *machine = model->machine_count > 0 ? model->machines[i] : model;
    *slope = machine->sigmoid.slope;
    *offset = machine->sigmoid.offset;
    return PARTAN_OK;
}

partan_status partan_model_use_probability(partan_model *model, int use)
{
    PT_REQUIRE(NULL, model);
    partan_status status = use ? require_sigmoids(model) : PARTAN_OK;
    if (!status)
        model->by_probability = use != 0;
    return status;
}
