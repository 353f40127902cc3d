#include "fw/trace.h"

#include <math.h>

#define LONGEST_RUN 1e9 /* iterations for which the number of rows is kept */

/* With ratio r the iterations 0, 1, 2, ... are all traced up to about k0 = 1 / (r - 1) and log-spaced from there:
 * k0 + log(LONGEST_RUN / k0) / log r rows in all. Halving finds the least r within the number asked for. */
static double choose_ratio(double rows)
{
    double low = 1 + 1e-9, high = 16;
    for (int i = 0; i < 100; i++) {
        double r = 0.5 * (low + high), k0 = 1 / (r - 1);
        if (k0 + log(LONGEST_RUN / k0) / log(r) > rows)
            low = r;
        else
            high = r;
    }
    return high;
}

void pt_trace_begin(pt_trace *trace, partan_context *context, int64_t rows, double start)
{
    *trace = (pt_trace){.context = context, .ratio = 1, .last = -1, .start = start};
    if (rows > 0)
        trace->ratio = choose_ratio((double)rows);
}

static bool due(const pt_trace *trace, int64_t iteration, bool final)
{
    return trace->context->options.trace && iteration != trace->last && (iteration >= trace->next || final);
}

void pt_trace_row(pt_trace *trace, partan_trace_row *row, double clock, bool final)
{
    if (!due(trace, row->iteration, final))
        return;
    row->seconds = clock - trace->start;
    trace->context->options.trace(trace->context->options.user, row);
    trace->last = row->iteration;
    int64_t next = (int64_t)((double)row->iteration * trace->ratio);
    trace->next = next > row->iteration ? next : row->iteration + 1;
}

void pt_trace_iteration(pt_trace *trace, const pt_fw *fw, double clock, bool final)
{
    if (!due(trace, fw->iteration, final))
        return;
    double gap = pt_gap(fw);
    partan_trace_row row = {.iteration = fw->iteration,
                            .type = fw->type,
                            .objective = fw->at.objective + fw->problem->constant,
                            .gap = gap,
                            .relative_gap = pt_relative_gap(fw->problem, gap, fw->at.objective),
                            .lambda = fw->lambda,
                            .mu = fw->mu,
                            .active = pt_iterate_support(&fw->iterate)};
    if (fw->problem->ops->trace)
        fw->problem->ops->trace(fw->problem, &row);
    pt_trace_row(trace, &row, clock, final);
}
