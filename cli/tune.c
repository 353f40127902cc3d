/* partan tune */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "progress.h"
#include "runtime.h"
#include "tune_options.h"
#include "tune_plot.h"
#include "tune_report.h"
#include "tune_table.h"

/* The grid on this data, and what of it is known already. */
static int prepare_points(invocation *run, tuning *at)
{
    int code =
        gamma_grid_resolve(run, &at->grid, at->gamma_points, &at->settings, at->data, &at->gammas, &at->gamma_count);
    if (code != EXIT_DONE)
        return code;
    at->lines = at->gamma_count * at->epsilon_count;
    at->count = at->options.cost_count * at->lines;
    at->points = calloc(at->count, sizeof *at->points);
    at->ready = calloc(at->count, sizeof *at->ready);
    if (!at->points || !at->ready)
        return failure(run, "out of memory");
    return at->table_path ? tune_table_resume(run, at) : EXIT_DONE;
}

/* ---- The points ---- */

typedef struct walk {
    invocation *run;
    tuning *at;
    size_t line; /* the one under way */
    size_t next; /* cost */
} walk;

static void show(invocation *run, const tuning *at, const partan_tune_point *point, bool first)
{
    if (run->json || run->quiet)
        return;
    progress_clear(run);
    if (first)
        tune_report_head(at);
    tune_report_row(at, point);
}

static int take_point(void *user, const partan_tune_point *point)
{
    walk *w = user;
    tuning *at = w->at;
    size_t place = w->line * at->options.cost_count + w->next++;
    at->points[place] = *point;
    at->ready[place] = true;
    show(w->run, at, point, at->done++ == 0);
    return interrupt_seen();
}

static void show_resumed(invocation *run, const tuning *at)
{
    size_t shown = 0;
    for (size_t i = 0; i < at->count; i++)
        if (at->ready[i])
            show(run, at, &at->points[i], shown++ == 0);
    if (at->resumed > 0 && !run->quiet)
        note(run, "%zu of %zu points are taken from %s", at->resumed, at->count, at->table_path);
}

/* One gamma and epsilon, and the table with them. */
static int tune_line(invocation *run, tuning *at, size_t line)
{
    walk user = {run, at, line, 0};
    bool used = partan_kernel_uses(at->settings.kernel, "gamma");
    at->settings.epsilon = at->epsilons[line / at->gamma_count];
    at->options.gammas = used ? &at->gammas[line % at->gamma_count] : NULL;
    at->options.gamma_count = used;
    partan_tune_point_init(&at->best);
    partan_status status =
        partan_tune(run->context, at->data, &at->settings, &at->options, take_point, &user, &at->best);
    at->status = status < 0 || !at->status ? status : at->status;
    if (status < 0)
        return library_failure(run, status);
    if (at->status == PARTAN_INTERRUPTED || at->status == PARTAN_TIME_LIMIT)
        return EXIT_DONE;
    return at->table_path ? tune_table_write(run, at) : EXIT_DONE;
}

static int tune_all(invocation *run, tuning *at)
{
    int code = EXIT_DONE;
    double limit = at->settings.time_limit, start = seconds_now();
    for (size_t line = 0; line < at->lines && code == EXIT_DONE; line++) {
        if (at->ready[line * at->options.cost_count])
            continue;
        if (limit > 0)
            at->settings.time_limit = fmax(limit - (seconds_now() - start), 1e-9);
        code = tune_line(run, at, line);
        if (at->status == PARTAN_INTERRUPTED || at->status == PARTAN_TIME_LIMIT)
            break;
    }
    at->settings.time_limit = limit;
    at->seconds = seconds_now() - start;
    return code;
}

static int work(invocation *run, tuning *at)
{
    reading how = {.precomputed = at->settings.kernel == PARTAN_KERNEL_PRECOMPUTED,
                   .unlabelled = at->settings.problem == PARTAN_OUTLIER,
                   .weighted = true};
    int code = read_data(run, at->data_path, how, &at->data, &at->read_seconds);
    if (code == EXIT_DONE)
        code = prepare_points(run, at);
    if (code != EXIT_DONE)
        return code;
    show_resumed(run, at);
    return tune_all(run, at);
}

static int write_plot(invocation *run, const tuning *at, const char *path)
{
    partan_output out;
    size_t count = 0;
    partan_tune_point *done = malloc(at->count * sizeof *done);
    int code = done ? outfile_open(run, path, &out) : failure(run, "out of memory");
    if (code == EXIT_DONE) {
        for (size_t i = 0; i < at->count; i++)
            if (at->ready[i])
                done[count++] = at->points[i];
        bool well = tune_plot(done, count, tune_score_title(at), out.file);
        code = outfile_commit(run, &out);
        if (!well)
            code = failure(run, "out of memory");
    }
    free(done);
    return code;
}

static void report(invocation *run, tuning *at)
{
    const partan_tune_point *best = tune_best(at);
    if (best)
        at->best = *best;
    if (run->json)
        tune_report_json(run, at);
    else if (!run->quiet)
        tune_report_end(run, at);
    tune_report_shortfall(run, at);
}

static int tune(invocation *run)
{
    tuning at = {0};
    int code = tune_choose(run, &at);
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE && option_given(run, "plot") && at.done > 0)
        code = write_plot(run, &at, option_text(run, "plot"));
    if (code == EXIT_DONE)
        report(run, &at);
    partan_data_free(at.data);
    gamma_grid_free(&at.grid);
    free(at.costs);
    free(at.gammas);
    free(at.epsilons);
    free(at.points);
    free(at.ready);
    return code;
}

const command tune_command = {
    .name = "tune",
    .arguments = "DATA",
    .summary = "Choose C, gamma and epsilon by validation or cross-validation.",
    .details =
        "Holds out a fraction of the rows of DATA, or each of --folds folds in turn, trains on the remaining rows for "
        "every C and gamma (and, in a regression, epsilon), tests each model on the held-out rows, and prints a row "
        "for each point. At the end it "
        "prints "
        "the best point (ties: first epsilon and gamma, smallest C) and the command that trains on all rows with "
        "it.\n\n"
        "For each gamma and fold, the values of C form one path, as in partan path, which is fastest in ascending "
        "order; solvers other than auto train each model from scratch. --time-limit applies to the whole run, "
        "--max-iter to each model.\n\n"
        "Ctrl-C (SIGINT), SIGTERM and SIGHUP stop the run early; the finished points are reported, and the exit status "
        "is 0. A second signal quits immediately. With --table, running the same command again resumes; only the gamma "
        "that was in progress starts over.",
    .examples = "$ partan tune --cost 0.1..100 --points 10 a9a\n"
                "$ partan tune --folds 5 --gamma 0.1auto..10auto --table t.csv --plot t.svg a9a\n"
                "$ partan tune --cost 1,10,100 --gamma 0.5,1,2 --json ijcnn1 > tune.json\n"
                "$ partan tune --problem regression --epsilon 0.1,0.5 --score mse abalone",
    .sets = tune_sets,
    .least = 1,
    .most = 1,
    .run = tune,
};
