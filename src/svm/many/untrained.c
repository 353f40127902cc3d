/* Machines of more than two classes for which a run that is to end has no time left. They take hardly any: thousands of
 * them must not delay the end. */
#include <math.h>
#include <string.h>

#include "svm/many/training.h"

/* Those whose first rows are the first of either side: negative, positive. */
static void choose_classes(const pt_many *m, const int64_t sides[2], size_t classes[2])
{
    classes[1] = (size_t)sides[1];
    classes[0] = sides[0] != PT_REST ? (size_t)sides[0] : SIZE_MAX;
    for (size_t class = 0; class < m->labels.count && sides[0] == PT_REST; class ++)
        if ((int64_t) class != sides[1]
            && (classes[0] == SIZE_MAX || m->first[class].number < m->first[classes[0]].number))
            classes[0] = class;
}

/* The problem of two rows. */
typedef struct duel {
    double own[2];     /* 1 / C of each */
    double k[2], both; /* K: its diagonal, and the entry beside it */
    double weights[2];
} duel;

static double inverse_cost(const pt_many *m, size_t class)
{
    return 1 / (m->settings.cost * m->first[class].weight * m->labels.weight[class]);
}

/* a'Ka is least where its slope along the segment is 0, or at an end. */
static void solve(const pt_many *m, const size_t classes[2], duel *d)
{
    pt_points points = m->firsts;
    size_t rows[2] = {m->first[classes[0]].at, m->first[classes[1]].at};
    for (int i = 0; i < 2; i++) {
        d->own[i] = inverse_cost(m, classes[i]);
        d->k[i] = pt_kernel_value(&m->kernel, points, rows[i], points, rows[i]) + 1 + d->own[i];
    }
    d->both = -(pt_kernel_value(&m->kernel, points, rows[0], points, rows[1]) + 1);
    d->weights[1] = fmin(fmax((d->k[0] - d->both) / (d->k[0] + d->k[1] - 2 * d->both), 0), 1);
    d->weights[0] = 1 - d->weights[1];
}

static partan_result result_of(const pt_many *m, const duel *d, partan_status why)
{
    const double *a = d->weights;
    double twice = a[0] * a[0] * d->k[0] + a[1] * a[1] * d->k[1] + 2 * a[0] * a[1] * d->both;
    double squared = twice - a[0] * a[0] * d->own[0] - a[1] * a[1] * d->own[1]; /* |w|^2 */
    double gap = twice - pt_least_score(&m->kernel, squared, m->largest + 1);
    return (partan_result){.status = why,
                           .objective = twice / 2,
                           .gap = gap,
                           .relative_gap = gap / twice,
                           .gap_is_bound = 1,
                           .kernel_values = 3};
}

static partan_status take_support(const pt_many *m, partan_model *machine, const size_t classes[2],
                                  const double weights[2])
{
    machine->origin = pt_alloc(machine->context, 2, sizeof *machine->origin);
    machine->weights = pt_alloc(machine->context, 2, sizeof *machine->weights);
    machine->signs = pt_alloc(machine->context, 2, sizeof *machine->signs);
    if (!machine->origin || !machine->weights || !machine->signs)
        return pt_out_of_memory(machine->context, "a machine");
    for (int i = 0; i < 2; i++) {
        if (!(weights[i] > 0))
            continue;
        float sign = i ? 1 : -1;
        machine->origin[machine->count] = m->first[classes[i]].number;
        machine->weights[machine->count] = weights[i];
        machine->signs[machine->count++] = sign;
        machine->bias += machine->scale * weights[i] * (double)sign;
    }
    machine->result.support_vectors = machine->count;
    return PARTAN_OK;
}

partan_status pt_many_untrained(const pt_many *m, partan_context *context, const int64_t sides[2], partan_status why,
                                partan_model **out)
{
    size_t classes[2];
    duel d;
    partan_model *machine;
    choose_classes(m, sides, classes);
    solve(m, classes, &d);
    partan_result result = result_of(m, &d, why);
    if (!isfinite(result.relative_gap) || !(result.objective > 0))
        return PARTAN_OK;
    partan_status status = pt_model_create(context, &machine);
    if (status)
        return status;
    machine->settings = m->settings;
    machine->result = result;
    machine->scale = 1 / (2 * result.objective);
    memcpy(machine->sides, sides, sizeof machine->sides);
    status = take_support(m, machine, classes, d.weights);
    if (status)
        partan_model_free(machine);
    else
        *out = machine;
    return status;
}
