#include "trace.h"

#include <inttypes.h>
#include <string.h>

#include "human.h"
#include "json.h"
#include "message.h"
#include "outfile.h"

int trace_open(invocation *run, const char *path, trace_file *trace)
{
    *trace = (trace_file){.lines = ends_in(path, ".jsonl") || ends_in(path, ".json")};
    if (!trace->lines && !ends_in(path, ".csv"))
        return usage_error(run, "--trace takes a file whose name ends in .csv, .jsonl or .json, not '%s'", path);
    int code = outfile_open(run, path, &trace->out);
    if (code != EXIT_DONE)
        return code;
    if (!trace->lines)
        fputs("iteration,step,objective,gap,relative_gap,lambda,mu,active,kernel_columns,seconds\n", trace->out.file);
    run->trace = trace;
    return EXIT_DONE;
}

static void write_csv(FILE *file, const partan_trace_row *row)
{
    const double reals[] = {row->objective, row->gap, row->relative_gap, row->lambda, row->mu};
    char text[HUMAN_SIZE];
    fprintf(file, "%" PRId64 ",%s", row->iteration, partan_step_type_name(row->type));
    for (size_t i = 0; i < sizeof reals / sizeof reals[0]; i++)
        fprintf(file, ",%s", shortest_real(text, reals[i]));
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%.6f\n", row->active, row->kernel_columns, row->seconds);
}

static void write_json(FILE *file, const partan_trace_row *row)
{
    json out;
    json_begin(&out, file);
    json_integer(&out, "iteration", row->iteration);
    json_text(&out, "step", partan_step_type_name(row->type));
    json_real(&out, "objective", row->objective);
    json_real(&out, "gap", row->gap);
    json_real(&out, "relative_gap", row->relative_gap);
    json_real(&out, "lambda", row->lambda);
    json_real(&out, "mu", row->mu);
    json_unsigned(&out, "active", row->active);
    json_unsigned(&out, "kernel_columns", row->kernel_columns);
    json_real(&out, "seconds", row->seconds);
    json_end(&out);
}

void trace_callback(void *user, const partan_trace_row *row)
{
    const invocation *run = user;
    if (!run->trace)
        return;
    if (run->trace->lines)
        write_json(run->trace->out.file, row);
    else
        write_csv(run->trace->out.file, row);
}

int trace_commit(invocation *run)
{
    trace_file *trace = run->trace;
    run->trace = NULL;
    return trace ? outfile_commit(run, &trace->out) : EXIT_DONE;
}

void trace_abandon(invocation *run)
{
    if (run->trace)
        partan_output_abandon(&run->trace->out);
    run->trace = NULL;
}
