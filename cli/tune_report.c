#include "tune_report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "human.h"
#include "json.h"
#include "message.h"
#include "options.h"
#include "report.h"
#include "weights.h"

static double share(const partan_tune_point *point)
{
    return (double)point->correct / (double)point->rows;
}

/* Trainings that a point consists of. */
static double rounds(const tuning *at)
{
    return at->options.folds > 0 ? (double)at->options.folds : 1;
}

static bool is_regression(const tuning *at)
{
    return at->settings.problem == PARTAN_REGRESSION;
}

static bool is_accuracy(const tuning *at)
{
    return at->options.score == PARTAN_SCORE_ACCURACY;
}

const char *tune_score_title(const tuning *at)
{
    static const char *const titles[] = {[PARTAN_SCORE_ACCURACY] = "accuracy",
                                         [PARTAN_SCORE_BALANCED] = "balanced accuracy",
                                         [PARTAN_SCORE_F1] = "F1",
                                         [PARTAN_SCORE_AUC] = "AUC",
                                         [PARTAN_SCORE_LOG_LOSS] = "log-loss",
                                         [PARTAN_SCORE_R2] = "R^2",
                                         [PARTAN_SCORE_MSE] = "-MSE",
                                         [PARTAN_SCORE_MAE] = "-MAE"};
    return titles[at->options.score];
}

/* Of log-loss, which is to be small, the score is the negative. */
static double shown_score(const tuning *at, const partan_tune_point *point)
{
    return at->options.score == PARTAN_SCORE_LOG_LOSS ? -point->score : point->score;
}

const partan_tune_point *tune_best(const tuning *at)
{
    const partan_tune_point *best = NULL;
    for (size_t i = 0; i < at->count; i++)
        if (at->ready[i] && (!best || partan_tune_better(&at->points[i], best)))
            best = &at->points[i];
    return best;
}

/* ---- The table ---- */

void tune_report_head(const tuning *at)
{
    printf("%10s  %10s", "C", "gamma");
    if (is_regression(at))
        printf("  %10s  %10s  %10s  %10s", "epsilon", "R^2", "MSE", "MAE");
    else
        printf("  %19s", "validation accuracy");
    if (!is_accuracy(at) && !is_regression(at))
        printf("  %9s", partan_score_name(at->options.score));
    if (at->options.folds > 0)
        printf("  %9s", "deviation");
    printf("  %15s  %12s  %8s\n", "support vectors", "relative gap", "seconds");
    fflush(stdout);
}

void tune_report_row(const tuning *at, const partan_tune_point *point)
{
    const partan_result *result = &point->result;
    char vectors[HUMAN_SIZE];
    printf("%10.4g  %10.4g", point->cost, point->gamma);
    if (is_regression(at))
        printf("  %10.4g  %10.4f  %10.4g  %10.4g", point->epsilon, point->evaluation.r2, point->evaluation.mse,
               point->evaluation.mae);
    else
        printf("  %17.2f %%", 100 * share(point));
    if (!is_accuracy(at) && !is_regression(at))
        printf("  %9.4f", shown_score(at, point));
    if (at->options.folds > 0)
        printf("  %9.4f", point->deviation);
    printf("  %15s  %12.4f  %8.2f",
           human_count(vectors, (uint64_t)((double)result->support_vectors / rounds(at) + 0.5)), result->relative_gap,
           result->seconds + point->predict_seconds);
    if (!result->converged)
        printf("  %s", partan_status_name(result->status));
    putchar('\n');
    fflush(stdout);
}

/* ---- The command that uses the result ---- */

/* A word as a shell reads it back. */
static void put_word(FILE *file, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*word && strspn(word, plain) == strlen(word)) {
        fputs(word, file);
        return;
    }
    fputc('\'', file);
    for (; *word; word++)
        fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, file);
    fputc('\'', file);
}

/* Options of train, other than those that tune has decided or that were limits of the tuning. */
static bool carries_over(const char *name)
{
    static const char *const own[] = {"cost", "gamma", "epsilon", "time-limit", "json", "quiet", "verbose", "progress"};
    const partan_option *option;
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++)
        if (strcmp(own[i], name) == 0)
            return false;
    for (size_t i = 0; (option = command_option(find_command("train"), i, NULL)); i++)
        if (strcmp(option->name, name) == 0)
            return true;
    return false;
}

static void put_command(FILE *file, const invocation *run, const tuning *at)
{
    char cost[HUMAN_SIZE], gamma[HUMAN_SIZE];
    fprintf(file, "partan train --cost %s", shortest_real(cost, at->best.cost));
    if (partan_kernel_uses(at->settings.kernel, "gamma"))
        fprintf(file, " --gamma %s", shortest_real(gamma, at->best.gamma));
    if (is_regression(at))
        fprintf(file, " --epsilon %s", shortest_real(gamma, at->best.epsilon));
    for (size_t i = 0; i < run->given_count; i++) {
        const given *word = &run->given[i];
        if (!carries_over(word->option->name))
            continue;
        fprintf(file, " --%s%s", word->negated ? "no-" : "", word->option->name);
        if (word->text) {
            fputc(' ', file);
            put_word(file, word->text);
        }
    }
    if (at->options.score == PARTAN_SCORE_LOG_LOSS && !option_given(run, "probability"))
        fputs(" --probability", file);
    fputc(' ', file);
    put_word(file, at->data_path);
}

void tune_report_end(const invocation *run, const tuning *at)
{
    const partan_tune_point *best = &at->best;
    if (at->done == 0)
        return;
    if (is_regression(at))
        printf("best: R^2 %.4f, MSE %.4g, MAE %.4g", best->evaluation.r2, best->evaluation.mse, best->evaluation.mae);
    else
        printf("best: %.2f %% (%" PRIu64 "/%" PRIu64 ")", 100 * share(best), best->correct, best->rows);
    if (!is_accuracy(at) && !is_regression(at))
        printf(", %s %.4f", tune_score_title(at), shown_score(at, best));
    printf(" at C %.4g, gamma %.4g", best->cost, best->gamma);
    if (is_regression(at))
        printf(", epsilon %.4g", best->epsilon);
    putchar('\n');
    fputs("train on all rows with: ", stdout);
    put_command(stdout, run, at);
    putchar('\n');
}

/* ---- JSON ---- */

static void json_classes(json *out, const partan_tune_point *point)
{
    json_real(out, "validation_accuracy", share(point));
    json_unsigned(out, "correct", point->correct);
    json_real(out, "balanced_accuracy", point->evaluation.balanced_accuracy);
    json_real(out, "f1", partan_score_of(PARTAN_SCORE_F1, &point->evaluation));
    json_real(out, "auc", point->evaluation.auc);
    json_real(out, "log_loss", point->evaluation.log_loss);
    json_real(out, "brier", point->evaluation.brier);
}

static void json_numbers(json *out, const partan_tune_point *point)
{
    json_real(out, "epsilon", point->epsilon);
    json_real(out, "r2", point->evaluation.r2);
    json_real(out, "mse", point->evaluation.mse);
    json_real(out, "mae", point->evaluation.mae);
}

static void json_point(json *out, const char *key, const partan_tune_point *point)
{
    json_open(out, key);
    json_real(out, "cost", point->cost);
    json_real(out, "gamma", point->gamma);
    (point->evaluation.classes == 0 ? json_numbers : json_classes)(out, point);
    json_real(out, "score", point->score);
    json_real(out, "deviation", point->deviation);
    report_json_result(out, &point->result);
    json_real(out, "seconds", point->result.seconds);
    json_real(out, "predict_seconds", point->predict_seconds);
    json_close(out);
}

void tune_report_json(const invocation *run, const tuning *at)
{
    json out;
    json_begin(&out, stdout);
    json_text(&out, "data", at->data_path);
    json_text(&out, "version", partan_version());
    json_text(&out, "kernel", partan_kernel_name(at->settings.kernel));
    report_json_data(&out, &at->settings, at->data);
    json_row_weights(&out, at->data);
    json_class_weights(&out, run);
    json_real(&out, "validation", at->options.folds > 0 ? NAN : at->options.validation);
    json_unsigned(&out, "folds", at->options.folds);
    json_text(&out, "score", partan_score_name(at->options.score));
    json_text(&out, "table", at->table_path);
    json_unsigned(&out, "resumed", at->resumed);
    json_unsigned(&out, "validation_rows", at->done > 0 ? at->best.rows : 0);
    json_unsigned(&out, "seed", at->options.seed);
    report_json_points(&out, run, at->status, at->count);
    if (at->done > 0)
        json_point(&out, "best", &at->best);
    else
        json_text(&out, "best", NULL);
    json_open_array(&out, "points");
    for (size_t i = 0; i < at->count; i++)
        if (at->ready[i])
            json_point(&out, NULL, &at->points[i]);
    json_close_array(&out);
    json_open(&out, "time");
    json_real(&out, "read", at->read_seconds);
    json_real(&out, "tune", at->seconds);
    report_json_end(&out, run);
}

/* ---- Warnings ---- */

/* A best value at an end of those tried may have better ones beyond it. */
static void warn_edge(invocation *run, const char *name, const double *values, size_t count, double best)
{
    double least = INFINITY, most = 0;
    for (size_t i = 0; i < count; i++) {
        least = fmin(least, values[i]);
        most = fmax(most, values[i]);
    }
    if (least < most && (best == least || best == most))
        note(run, "the best %s is the %s value tried; a better one may lie beyond it", name,
             best == least ? "smallest" : "largest");
}

void tune_report_shortfall(invocation *run, const tuning *at)
{
    size_t missed = 0;
    for (size_t i = 0; i < at->count; i++)
        missed += at->ready[i] && !at->points[i].result.converged;
    report_points_shortfall(run, at->status, at->done, at->count, missed);
    if (at->done < at->count || run->quiet)
        return;
    warn_edge(run, "cost", at->costs, at->options.cost_count, at->best.cost);
    warn_edge(run, "gamma", at->gammas, at->gamma_count, at->best.gamma);
    if (is_regression(at))
        warn_edge(run, "epsilon", at->epsilons, at->epsilon_count, at->best.epsilon);
}
