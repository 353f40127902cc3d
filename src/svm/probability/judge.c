#include "svm/probability/judge.h"

#include <math.h>
#include <string.h>

#include "core/agree.h"
#include "core/require.h"
#include "core/team.h"
#include "partan/probability.h"
#include "svm/labels.h"
#include "svm/model/machines.h"
#include "svm/probability/probabilities.h"

/* What is not quite 0 may be rounded to it in coupling; its logarithm counts as that of this. */
#define LEAST 1e-15

static double squared_error(const double *probabilities, size_t classes, int32_t class)
{
    double sum = 0;
    if (classes == 2)
        return pow(probabilities[1] - (class == PT_POSITIVE), 2);
    for (size_t i = 0; i < classes; i++)
        sum += pow(probabilities[i] - ((int32_t)i == class), 2);
    return sum;
}

/* ---- Row by row ---- */

enum { BLOCK = 1024 }; /* rows whose probabilities are there at a time */

typedef void visitor(void *user, size_t row, const double *probabilities);

/* Shows the probabilities of all rows, in their order. */
static partan_status visit(partan_context *context, const partan_model *model, const double *decision, size_t rows,
                           visitor *show, void *user)
{
    pt_probabilities p;
    size_t outputs = pt_outputs(model), classes = pt_class_count(model);
    double *values = pt_alloc(context, BLOCK * classes, sizeof *values);
    partan_status status = pt_probabilities_open(&p, context, model);
    if (!status && !values)
        status = pt_out_of_memory(context, "probabilities");
    for (size_t row = 0; row < rows && !status; row++) {
        size_t left = rows - row;
        if (row % BLOCK == 0)
            pt_probabilities_fill(&p, decision + row * outputs, left < BLOCK ? left : BLOCK, values);
        show(user, row, values + row % BLOCK * classes);
    }
    pt_probabilities_close(&p);
    pt_free(context, values);
    return status;
}

/* ---- Predictions and their scores ---- */

typedef struct judgement {
    size_t classes, rows;
    const int32_t *class_of;
    int32_t *predicted;
    double *scores;          /* may be NULL */
    double *losses, *errors; /* of each row */
} judgement;

static void judge_row(void *user, size_t row, const double *probabilities)
{
    judgement *j = user;
    int32_t class = j->class_of[row];
    j->predicted[row] = pt_most_probable(probabilities, j->classes);
    if (j->scores)
        memcpy(j->scores + row * j->classes, probabilities, j->classes * sizeof *j->scores);
    if (class < 0)
        return;
    j->losses[row] = log(fmax(probabilities[class], LEAST));
    j->errors[row] = squared_error(probabilities, j->classes, class);
}

/* Sums of losses and errors, and rows with a label of a class. */
static void add_judgement(void *user, double *sums)
{
    const judgement *j = user;
    for (size_t row = 0; row < j->rows; row++) {
        if (j->class_of[row] < 0)
            continue;
        sums[0] -= j->losses[row];
        sums[1] += j->errors[row];
        sums[2]++;
    }
}

static partan_status judge_by_probability(partan_context *context, const partan_model *model, const double *decision,
                                          judgement *j, partan_evaluation *found)
{
    double sums[3] = {0};
    j->losses = pt_alloc(context, j->rows, sizeof *j->losses);
    j->errors = pt_alloc(context, j->rows, sizeof *j->errors);
    partan_status status = j->losses && j->errors ? visit(context, model, decision, j->rows, judge_row, j)
                                                  : pt_out_of_memory(context, "probabilities");
    status = pt_agree(context, context->comm, status);
    if (!status) {
        pt_in_turn(context->comm, add_judgement, j, sums, 3);
        found->log_loss = sums[0] / sums[2]; /* NaN where there are none */
        found->brier = sums[1] / sums[2];
    }
    pt_free(context, j->losses);
    pt_free(context, j->errors);
    return status;
}

/* ---- Votes ---- */

typedef struct voting {
    const partan_model *model;
    const double *decision;
    const judgement *j;
    pt_poll *polls; /* of each thread */
} voting;

/* Orders rows as predictions are made, by votes and, where these are the same, by the sum of the values: the second
 * term is between -1/3 and 1/3. */
static double score_of(pt_poll poll)
{
    return (double)poll.votes + poll.strength / (3 * (fabs(poll.strength) + 1));
}

static void vote_in_chunk(void *user, size_t chunk, size_t thread)
{
    const voting *v = user;
    size_t outputs = pt_outputs(v->model), classes = v->j->classes;
    pt_span span = pt_span_of(v->j->rows, BLOCK, chunk);
    pt_poll *polls = v->polls + thread * pt_team_room(classes);
    for (size_t row = span.begin; row < span.end; row++) {
        pt_poll_classes(v->model, v->decision + row * outputs, polls);
        v->j->predicted[row] = pt_poll_winner(v->model, polls);
        for (size_t class = 0; class < classes; class ++)
            v->j->scores[row * classes + class] = score_of(polls[class]);
    }
}

static partan_status judge_by_votes(partan_context *context, const partan_model *model, const double *decision,
                                    const judgement *j)
{
    voting v = {.model = model, .decision = decision, .j = j};
    v.polls = pt_alloc(context, (size_t)context->threads * pt_team_room(j->classes), sizeof *v.polls);
    if (!v.polls)
        return pt_out_of_memory(context, "the votes of a row");
    pt_team_run(context, pt_team_for(context, (double)(j->rows * pt_outputs(model))), pt_span_count(j->rows, BLOCK),
                vote_in_chunk, &v);
    pt_free(context, v.polls);
    return PARTAN_OK;
}

partan_status pt_judge(partan_context *context, const partan_model *model, const double *decision,
                       const int32_t *class_of, size_t rows, int32_t *predicted, double *scores,
                       partan_evaluation *found)
{
    size_t outputs = pt_outputs(model);
    judgement j = {pt_class_count(model), rows, class_of, predicted, scores, NULL, NULL};
    found->log_loss = found->brier = (double)NAN;
    if (model->by_probability)
        return judge_by_probability(context, model, decision, &j, found);
    if (scores && model->settings.multiclass == PARTAN_ONE_VS_ONE)
        return pt_agree(context, context->comm, judge_by_votes(context, model, decision, &j));
    for (size_t row = 0; row < rows; row++)
        predicted[row] = pt_vote(model, decision + row * outputs);
    if (scores) /* one against the rest: a value for each class */
        memcpy(scores, decision, rows * outputs * sizeof *scores);
    return PARTAN_OK;
}

/* ---- Reliability ---- */

typedef struct reliability {
    size_t classes, count, rows;
    const int32_t *class_of;
    int32_t *about; /* of each row, the class whose probability is looked at, */
    double *told;   /* and this */
} reliability;

static void look_at_row(void *user, size_t row, const double *probabilities)
{
    reliability *r = user;
    r->about[row] = r->classes == 2 ? PT_POSITIVE : pt_most_probable(probabilities, r->classes);
    r->told[row] = probabilities[r->about[row]];
}

enum { ROWS, HITS, PROBABILITY, SUMS }; /* of each bin */

static void add_bins(void *user, double *sums)
{
    const reliability *r = user;
    for (size_t row = 0; row < r->rows; row++) {
        if (r->class_of[row] < 0)
            continue;
        size_t i = (size_t)(r->told[row] * (double)r->count);
        double *bin = sums + SUMS * (i < r->count ? i : r->count - 1);
        bin[ROWS]++;
        bin[HITS] += r->class_of[row] == r->about[row];
        bin[PROBABILITY] += r->told[row];
    }
}

static partan_status fill_bins(partan_context *context, const reliability *r, partan_status status,
                               partan_reliability_bin *bins)
{
    double *sums = pt_alloc_zero(context, SUMS * r->count, sizeof *sums);
    if (!status && !sums)
        status = pt_out_of_memory(context, "the bins of probabilities");
    status = pt_agree(context, context->comm, status);
    if (!status)
        pt_in_turn(context->comm, add_bins, (void *)(uintptr_t)r, sums, SUMS * r->count);
    for (size_t i = 0; i < r->count && !status; i++) {
        const double *bin = sums + SUMS * i;
        bins[i] = (partan_reliability_bin){.least = (double)i / (double)r->count,
                                           .rows = (uint64_t)bin[ROWS],
                                           .hits = (uint64_t)bin[HITS],
                                           .probability = bin[PROBABILITY] / bin[ROWS]}; /* NaN where there are none */
    }
    pt_free(context, sums);
    return status;
}

partan_status partan_reliability(partan_context *context, const partan_model *model, const partan_data *data,
                                 const double *decision, size_t count, partan_reliability_bin *bins)
{
    PT_REQUIRE(context, context && model && data && decision && bins);
    size_t rows = data->matrix.rows;
    if (!model->calibrated)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "the model has no probabilities: train it with --probability");
    if (count < 1)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found 0 bins, expected 1 or more");
    int32_t *classes = pt_alloc(context, 2 * rows, sizeof *classes), *about = classes ? classes + rows : NULL;
    double *told = pt_alloc(context, rows, sizeof *told);
    partan_status status = classes && told ? pt_label_classes(context, model, data, classes)
                                           : pt_out_of_memory(context, "the classes of rows");
    reliability r = {pt_class_count(model), count, rows, classes, about, told};
    if (!status)
        status = visit(context, model, decision, rows, look_at_row, &r);
    status = fill_bins(context, &r, status, bins);
    pt_free(context, classes);
    pt_free(context, told);
    return status;
}
