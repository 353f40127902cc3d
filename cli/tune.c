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
    at->shown = calloc(at->count, sizeof *at->shown);
    at->endings = calloc(at->lines, sizeof *at->endings);
    if (!at->points || !at->ready || !at->shown || !at->endings)
        return failure(run, "out of memory");
    return at->table_path && !is_silent(run) ? tune_table_resume(run, at) : EXIT_DONE;
}

/* ---- The rows of the table ---- */

static void show(tuning *at, size_t place)
{
    invocation *run = at->run;
    if (run->json || run->quiet || !at->ready[place] || at->shown[place])
        return;
    at->shown[place] = true;
    progress_clear(run);
    if (!at->headed)
        tune_report_head(at);
    at->headed = true;
    tune_report_row(at, &at->points[place]);
}

/* Points in the order of the grid, as far as they are there: several processes are at several lines of it. */
static void show_next(tuning *at)
{
    for (; at->next < at->count && at->ready[at->next]; at->next++)
        show(at, at->next);
}

static void show_all(tuning *at)
{
    for (size_t place = 0; place < at->count; place++)
        show(at, place);
}

static void show_resumed(tuning *at)
{
    show_all(at);
    if (at->resumed > 0 && !at->run->quiet)
        note(at->run, "%zu of %zu points are taken from %s", at->resumed, at->count, at->table_path);
}

/* ---- The points ---- */

/* What is handed in: a point or, after those of a line, how it ended. */
typedef struct news {
    size_t place; /* of the point in the grid, or of the line */
    bool ended;
    partan_status status;
    partan_tune_point point;
} news;

static void take_news(void *user, const void *bytes, size_t size)
{
    tuning *at = user;
    news one;
    memcpy(&one, bytes, size < sizeof one ? size : sizeof one);
    if (one.ended) {
        at->endings[one.place] = one.status;
        at->unwritten |= !is_cut_short(one.status);
        return;
    }
    at->points[one.place] = one.point;
    at->ready[one.place] = true;
    at->done++;
    show_next(at);
}

/* The table with the lines that have ended. */
static int settle(void *user)
{
    tuning *at = user;
    bool due = at->unwritten && at->table_path && !is_silent(at->run);
    at->unwritten = false;
    return due ? tune_table_write(at->run, at) : EXIT_DONE;
}

typedef struct walk {
    tuning *at;
    size_t line; /* the one under way */
    size_t next; /* cost */
} walk;

static int take_point(void *user, const partan_tune_point *point)
{
    walk *w = user;
    tuning *at = w->at;
    news one = {.place = w->line * at->options.cost_count + w->next++, .point = *point};
    farm_hand_in(at->run, &at->work, &one, sizeof one);
    at->code = settle(at);
    return at->code != EXIT_DONE || interrupt_seen();
}

static bool is_known(const void *user, size_t line)
{
    const tuning *at = user;
    return at->ready[line * at->options.cost_count];
}

/* One gamma and epsilon. */
static int tune_line(void *user, size_t line)
{
    tuning *at = user;
    walk w = {at, line, 0};
    news end = {.place = line, .ended = true};
    bool used = partan_kernel_uses(at->settings.kernel, "gamma");
    partan_settings settings = at->settings;
    settings.epsilon = at->epsilons[line / at->gamma_count];
    if (at->settings.time_limit > 0)
        settings.time_limit = fmax(at->settings.time_limit - (seconds_now() - at->start), 1e-9);
    at->options.gammas = used ? &at->gammas[line % at->gamma_count] : NULL;
    at->options.gamma_count = used;
    end.status = partan_tune(at->run->context, at->data, &settings, &at->options, take_point, &w, NULL);
    if (at->code != EXIT_DONE)
        return at->code;
    if (end.status < 0)
        return library_failure(at->run, end.status);
    at->work.stop = is_cut_short(end.status);
    farm_hand_in(at->run, &at->work, &end, sizeof end);
    return EXIT_DONE;
}

static int tune_all(invocation *run, tuning *at)
{
    at->work = (farm){
        .user = at, .count = at->lines, .skip = is_known, .work = tune_line, .take = take_news, .settle = settle};
    at->start = seconds_now();
    int code = farm_run(run, &at->work);
    at->status = farm_status(&at->work, at->endings);
    at->seconds = seconds_now() - at->start;
    show_all(at);
    return code;
}

static int work(invocation *run, tuning *at)
{
    reading how = {.precomputed = at->settings.kernel == PARTAN_KERNEL_PRECOMPUTED,
                   .unlabelled = at->settings.problem == PARTAN_OUTLIER,
                   .weighted = true};
    int code = agree_on(run, read_data(run, at->data_path, how, &at->data, &at->read_seconds));
    if (code == EXIT_DONE)
        code = agree_on(run, prepare_points(run, at));
    if (code != EXIT_DONE)
        return code;
    show_resumed(at);
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

static int finish(invocation *run, tuning *at)
{
    int code = EXIT_DONE;
    if (is_silent(run))
        return EXIT_DONE;
    if (option_given(run, "plot") && at->done > 0)
        code = write_plot(run, at, option_text(run, "plot"));
    if (code == EXIT_DONE)
        report(run, at);
    return code;
}

static int tune(invocation *run)
{
    tuning at = {.run = run};
    int code = agree_on(run, tune_choose(run, &at));
    if (code == EXIT_DONE)
        code = work(run, &at);
    if (code == EXIT_DONE)
        code = finish(run, &at);
    code = agree_on(run, code);
    partan_data_free(at.data);
    gamma_grid_free(&at.grid);
    free(at.costs);
    free(at.gammas);
    free(at.epsilons);
    free(at.points);
    free(at.ready);
    free(at.shown);
    free(at.endings);
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
