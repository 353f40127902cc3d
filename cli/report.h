/* What several commands show alike: settings and results of a model, and what kept points of a series from the target.
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include "command.h"
#include "json.h"

#define REPORT_SIZE 160

/* "optimal to within 5 %", and of what, after the words that begin the line. */
void report_certificate(FILE *file, const char *begin, partan_problem problem, double relative_gap);

char *report_kernel(char buffer[REPORT_SIZE], const partan_settings *settings); /* "rbf, gamma 0.0652" */
/* all: with how it was trained, not the kernel alone. */
void report_json_settings(json *out, const partan_settings *settings, bool all);
/* What was trained with and on: solver, targets, size and storage of the data. */
void report_json_data(json *out, const partan_settings *settings, const partan_data *data);
void report_json_result(json *out, const partan_result *result);
void report_json_machine(json *out, const invocation *run); /* threads, instruction set, processes */
/* Of a series of points: the machine, how it ended, and how many points were wanted. */
void report_json_points(json *out, const invocation *run, partan_status status, size_t count);
/* The last part: the total in the open object of times, which ends there, and the memory. */
void report_json_end(json *out, const invocation *run);
void report_json_labels(json *out, const partan_model *model);
/* Each machine with its certificate, where there are several. */
void report_json_machines(json *out, const partan_model *model); /* the positive one first */

/* Warns where a fit ended before its target, for the reason that `status` is. `init`: the model that --init goes on
 * from, or NULL; `all`: what samples are drawn of. */
void report_shortfall(invocation *run, partan_status status, const partan_settings *settings, double gap,
                      double relative_gap, bool bound, const char *init, const char *all);

/* Warns where only `done` of `count` points are done, for the reason that `status` is, or `missed` of them fell short.
 */
void report_points_shortfall(invocation *run, partan_status status, size_t done, size_t count, size_t missed);

#endif
