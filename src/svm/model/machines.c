/* Models of more than two classes: which machines there are, what they come to together, and each of them alone. */
#include <string.h>

#include "svm/model/machines.h"

size_t pt_machine_count(partan_multiclass multiclass, size_t classes)
{
    return multiclass == PARTAN_ONE_VS_REST ? classes : classes * (classes - 1) / 2;
}

/* Pairs in the order 0 1, 0 2, ..., 1 2, ...; the greater class is the positive one. */
void pt_machine_sides(partan_multiclass multiclass, size_t classes, size_t i, int64_t sides[2])
{
    sides[0] = PT_REST;
    sides[1] = (int64_t)i;
    if (multiclass == PARTAN_ONE_VS_REST)
        return;
    size_t first = 0;
    for (size_t left = classes - 1; i >= left; left--, first++)
        i -= left;
    sides[0] = (int64_t)first;
    sides[1] = (int64_t)(first + 1 + i);
}

size_t pt_machine_of_pair(size_t classes, size_t a, size_t b)
{
    size_t i = a < b ? a : b, j = a < b ? b : a;
    return i * (2 * classes - i - 1) / 2 + (j - i - 1);
}

/* ---- Weights by support vector ---- */

void pt_member_weights_free(partan_context *context, pt_member_weights *w)
{
    pt_free(context, w->begin);
    pt_free(context, w->machine);
    pt_free(context, w->weight);
}

/* Two places ahead, so that begin[i + 1] can count up to the end of vector i while they are filled in. */
static void count_members(const partan_model *model, size_t *begin)
{
    for (size_t m = 0; m < model->machine_count; m++)
        for (size_t k = 0; k < model->machines[m]->count; k++)
            begin[model->machines[m]->members[k] + 2]++;
    for (size_t i = 2; i < model->count + 2; i++)
        begin[i] += begin[i - 1];
}

partan_status pt_member_weights_make(partan_context *context, const partan_model *model, bool coefficients,
                                     pt_member_weights *w)
{
    size_t all = 0;
    for (size_t m = 0; m < model->machine_count; m++)
        all += model->machines[m]->count;
    *w = (pt_member_weights){.begin = pt_alloc_zero(context, model->count + 2, sizeof *w->begin),
                             .machine = pt_alloc(context, all, sizeof *w->machine),
                             .weight = pt_alloc(context, all, sizeof *w->weight)};
    if (!w->begin || !w->machine || !w->weight)
        return pt_out_of_memory(context, "the weights of support vectors");
    count_members(model, w->begin);
    for (size_t m = 0; m < model->machine_count; m++) {
        const partan_model *machine = model->machines[m];
        for (size_t k = 0; k < machine->count; k++) {
            size_t at = w->begin[machine->members[k] + 1]++;
            w->machine[at] = m;
            w->weight[at] =
                coefficients ? machine->scale * machine->weights[k] * (double)machine->signs[k] : machine->weights[k];
        }
    }
    return PARTAN_OK;
}

/* ---- Together and alone ---- */

/* Work is added up; objective and gap are those of the machine of the largest relative gap, whose status counts first,
 * but for an interruption. */
void pt_many_sum_up(partan_model *model)
{
    const partan_result *worst = &model->machines[0]->result;
    partan_result sum = {.converged = 1};
    for (size_t i = 0; i < model->machine_count; i++) {
        const partan_result *one = &model->machines[i]->result;
        worst = one->relative_gap > worst->relative_gap ? one : worst;
        if (!sum.status || one->status == PARTAN_INTERRUPTED)
            sum.status = one->status;
        sum.converged &= one->converged;
        sum.iterations += one->iterations;
        sum.kernel_columns += one->kernel_columns;
        sum.kernel_values += one->kernel_values;
        sum.cache_hits += one->cache_hits;
        sum.gap_is_bound |= one->gap_is_bound;
        sum.seconds += one->seconds;
    }
    if (sum.status != PARTAN_INTERRUPTED && worst->status)
        sum.status = worst->status;
    sum.objective = worst->objective;
    sum.gap = worst->gap;
    sum.relative_gap = worst->relative_gap;
    sum.support_vectors = model->count;
    model->result = sum;
}

static partan_status take_members(const partan_model *model, const partan_model *machine, partan_model *alone)
{
    partan_context *context = model->context;
    size_t count = machine->count;
    int64_t *places = pt_alloc(context, count, sizeof *places);
    alone->count = count;
    alone->weights = pt_copy(context, machine->weights, count, sizeof *machine->weights);
    alone->signs = pt_copy(context, machine->signs, count, sizeof *machine->signs);
    alone->origin = pt_alloc(context, count, sizeof *alone->origin);
    alone->serials = model->serials ? pt_alloc(context, count, sizeof *alone->serials) : NULL;
    if (!places || !alone->weights || !alone->signs || !alone->origin || (model->serials && !alone->serials)) {
        pt_free(context, places);
        return pt_out_of_memory(context, "a machine");
    }
    for (size_t i = 0; i < count; i++) {
        places[i] = (int64_t)machine->members[i];
        alone->origin[i] = model->origin[places[i]];
        if (model->serials)
            alone->serials[i] = model->serials[places[i]];
    }
    partan_status status =
        model->serials ? PARTAN_OK : pt_matrix_gather(&model->vectors, places, count, &alone->vectors);
    pt_free(context, places);
    return status;
}

static partan_status name_sides(partan_context *context, pt_classes *classes)
{
    static const char *const texts[2] = {"-1", "1"};
    for (int i = 0; i < 2; i++) {
        classes->label[i] = i ? 1 : -1;
        classes->text[i] = pt_copy(context, texts[i], strlen(texts[i]) + 1, 1);
    }
    return classes->text[0] && classes->text[1] ? PARTAN_OK : pt_out_of_memory(context, "a machine");
}

partan_status pt_machine_alone(const partan_model *model, size_t i, partan_model **out)
{
    const partan_model *machine = model->machines[i];
    partan_model *alone;
    partan_status status = pt_model_create(model->context, &alone);
    if (status)
        return status;
    alone->format = model->format;
    alone->settings = model->settings;
    alone->result = machine->result;
    alone->features = model->features;
    alone->storage = model->storage;
    alone->scale = machine->scale;
    alone->bias = machine->bias;
    memcpy(alone->sides, machine->sides, sizeof alone->sides);
    status = name_sides(model->context, &alone->classes);
    if (!status)
        status = take_members(model, machine, alone);
    if (status)
        partan_model_free(alone);
    else
        *out = alone;
    return status;
}

/* ---- Votes ---- */

enum { FEW_CLASSES = 256 }; /* whose votes are counted in one go */

static void count_for(pt_poll *one, bool wins, double value)
{
    one->votes += wins;
    one->strength += value;
}

static pt_poll poll_of(const partan_model *model, const double *decision, int64_t class)
{
    pt_poll found = {0};
    for (size_t i = 0; i < model->machine_count; i++) {
        const int64_t *sides = model->machines[i]->sides;
        if (sides[1] == class)
            count_for(&found, decision[i] > 0, decision[i]);
        else if (sides[0] == class)
            count_for(&found, !(decision[i] > 0), -decision[i]);
    }
    return found;
}

/* Pairs come in the order 0 1, 0 2, ..., 1 2, ..., either of which may be the positive one in all of them. */
void pt_poll_classes(const partan_model *model, const double *decision, pt_poll *classes)
{
    const int64_t *sides = model->machines[0]->sides;
    double sign = sides[1] > sides[0] ? 1 : -1;
    for (size_t class = 0; class < model->labels.count; class ++)
        classes[class] = (pt_poll){0};
    for (size_t first = 0; first < model->labels.count; first++) {
        pt_poll own = classes[first];
        for (size_t second = first + 1; second < model->labels.count; second++, decision++) {
            bool wins = (*decision > 0) == (sign > 0);
            count_for(&classes[second], wins, sign * *decision);
            count_for(&own, !wins, -sign * *decision);
        }
        classes[first] = own;
    }
}

/* Of several classes with most votes, the one whose values add up to most wins or, in a model of LIBSVM, which decides
 * so, the one that its file names first. */
static bool wins(const partan_model *model, pt_poll one, pt_poll best)
{
    bool tied = one.votes == best.votes && model->format == PARTAN_MODEL_NATIVE;
    return one.votes > best.votes || (tied && one.strength > best.strength);
}

int32_t pt_poll_winner(const partan_model *model, const pt_poll *classes)
{
    int32_t winner = 0;
    for (size_t class = 1; class < model->labels.count; class ++)
        if (wins(model, classes[class], classes[winner]))
            winner = (int32_t) class;
    return winner;
}

static int32_t vote_by_pairs(const partan_model *model, const double *decision)
{
    pt_poll few[FEW_CLASSES], best = {.votes = -1};
    int32_t winner = 0;
    if (model->labels.count <= FEW_CLASSES) {
        pt_poll_classes(model, decision, few);
        return pt_poll_winner(model, few);
    }
    for (size_t class = 0; class < model->labels.count; class ++) {
        pt_poll one = poll_of(model, decision, (int64_t) class);
        if (wins(model, one, best)) {
            winner = (int32_t) class;
            best = one;
        }
    }
    return winner;
}

/* One against the rest: the greatest value. */
int32_t pt_vote(const partan_model *model, const double *decision)
{
    if (pt_class_count(model) == 0)
        return -1;
    if (model->by_probability)
        return pt_decide_by_probability(model, decision);
    if (model->machine_count == 0)
        return decision[0] > 0;
    if (model->settings.multiclass == PARTAN_ONE_VS_ONE)
        return vote_by_pairs(model, decision);
    int32_t best = 0;
    for (size_t i = 1; i < model->machine_count; i++)
        best = decision[i] > decision[best] ? (int32_t)i : best;
    return best;
}
