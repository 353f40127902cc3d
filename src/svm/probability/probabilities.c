#include "svm/probability/probabilities.h"

#include "core/require.h"
#include "core/team.h"
#include "partan/probability.h"
#include "svm/model/machines.h"

enum { CHUNK = 32 }; /* rows that a thread takes at a time */

#define NANOSECONDS_PER_PAIR 300.0 /* of coupling a row, roughly: some tens of rounds */

static size_t room_of_thread(const partan_model *model)
{
    return pt_team_room(pt_probability_room(model));
}

partan_status pt_probabilities_open(pt_probabilities *p, partan_context *context, const partan_model *model)
{
    *p = (pt_probabilities){.context = context, .model = model};
    p->rooms = pt_alloc(context, (size_t)context->threads * room_of_thread(model), sizeof *p->rooms);
    return p->rooms ? PARTAN_OK : pt_out_of_memory(context, "probabilities");
}

void pt_probabilities_close(pt_probabilities *p)
{
    pt_free(p->context, p->rooms);
}

typedef struct filling {
    const pt_probabilities *p;
    const double *decision;
    size_t rows;
    double *values;
} filling;

static void fill_chunk(void *user, size_t chunk, size_t thread)
{
    const filling *f = user;
    const partan_model *model = f->p->model;
    size_t outputs = pt_outputs(model), classes = pt_class_count(model);
    pt_span span = pt_span_of(f->rows, CHUNK, chunk);
    for (size_t row = span.begin; row < span.end; row++)
        pt_class_probabilities(model, f->decision + row * outputs, f->p->rooms + thread * room_of_thread(model),
                               f->values + row * classes);
}

void pt_probabilities_fill(const pt_probabilities *p, const double *decision, size_t rows, double *values)
{
    double work = NANOSECONDS_PER_PAIR * (double)rows * (double)pt_outputs(p->model);
    pt_team_run(p->context, pt_team_for(p->context, work), pt_span_count(rows, CHUNK), fill_chunk,
                &(filling){p, decision, rows, values});
}

partan_status partan_probabilities(partan_context *context, const partan_model *model, const double *decision,
                                   size_t rows, double *probabilities)
{
    PT_REQUIRE(context, context && model && decision && probabilities);
    pt_probabilities p;
    if (!model->calibrated)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "the model has no probabilities: train it with --probability");
    partan_status status = pt_probabilities_open(&p, context, model);
    if (!status)
        pt_probabilities_fill(&p, decision, rows, probabilities);
    pt_probabilities_close(&p);
    return status;
}
