#include "cv_folds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "interrupt.h"
#include "message.h"
#include "options.h"
#include "outfile.h"
#include "progress.h"

/* ---- The table ---- */

static void print_numbers_fold(const fold *one, size_t number, bool head)
{
    char rows[HUMAN_SIZE], vectors[HUMAN_SIZE];
    const partan_evaluation *e = &one->evaluation;
    if (head)
        printf("%5s  %9s  %8s  %10s  %10s  %15s  %12s  %8s\n", "fold", "rows", "R^2", "MSE", "MAE", "support vectors",
               "relative gap", "seconds");
    printf("%5zu  %9s  %8.4f  %10.4g  %10.4g  %15s  %12.4f  %8.2f", number, human_count(rows, e->labelled), e->r2,
           e->mse, e->mae, human_count(vectors, one->result.support_vectors), one->result.relative_gap,
           one->result.seconds);
}

static void print_classes_fold(const fold *one, size_t number, bool head)
{
    char rows[HUMAN_SIZE], vectors[HUMAN_SIZE];
    const partan_evaluation *e = &one->evaluation;
    if (head)
        printf("%5s  %9s  %10s  %8s  %8s  %15s  %12s  %8s\n", "fold", "rows", "accuracy", "balanced", "AUC",
               "support vectors", "relative gap", "seconds");
    printf("%5zu  %9s  %8.2f %%  %8.4f  %8.4f  %15s  %12.4f  %8.2f", number, human_count(rows, e->labelled),
           100 * e->accuracy, e->balanced_accuracy, e->auc, human_count(vectors, one->result.support_vectors),
           one->result.relative_gap, one->result.seconds);
}

static void show(validation *at, size_t number)
{
    const fold *one = &at->list[number];
    if (at->run->json || at->run->quiet || is_standard_output(at->output))
        return;
    progress_clear(at->run);
    (one->evaluation.classes == 0 ? print_numbers_fold : print_classes_fold)(one, number + 1, !at->headed);
    at->headed = true;
    if (!one->result.converged)
        printf("  %s", partan_status_name(one->result.status));
    putchar('\n');
    fflush(stdout);
}

/* Folds are shown in their order, as far as they are there: several processes are at several of them. */
static void keep(validation *at, size_t number, const fold *one)
{
    at->list[number] = *one;
    at->ready[number] = true;
    at->done++;
    for (; at->next < at->folds && at->ready[at->next]; at->next++)
        show(at, at->next);
}

/* ---- Lines of OUTPUT ---- */

/* The predicted label of a row and, if asked for, its decision values. */
static char *make_line(const validation *at, const partan_model *model, const double *decision)
{
    char *text = NULL, number[HUMAN_SIZE];
    size_t size = 0, outputs = option_flag(at->run, "decision", false) ? partan_model_outputs(model) : 0;
    bool numbers = partan_model_class_count(model) == 0;
    const char *label = numbers ? shortest_real(number, decision[0])
                                : partan_model_label_text(model, partan_model_decide(model, decision));
    FILE *file = label ? open_memstream(&text, &size) : NULL;
    if (!file)
        return NULL;
    fputs(label, file);
    for (size_t i = 0; i < outputs; i++)
        fprintf(file, " %s", shortest_real(number, decision[i]));
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}

/* ---- What is handed in ---- */

/* Lines (after which their rows and texts follow), a fold and then how it ended. */
typedef enum news_kind { NEWS_LINES, NEWS_FOLD, NEWS_ENDING } news_kind;

typedef struct news {
    news_kind kind;
    size_t number; /* of the fold */
    bool lacking;
    partan_status status;
    fold fold;
} news;

enum { LINES_AT_ONCE = 10000 };

/* A line, or none where there was no memory for it, for all that follow too. */
static void keep_line(validation *at, size_t row, char *line)
{
    at->lines[row] = line;
    at->lacking |= !line;
}

static void take_lines(validation *at, const char *bytes, const char *end)
{
    while (bytes < end) {
        size_t row;
        memcpy(&row, bytes, sizeof row);
        keep_line(at, row, strdup(bytes + sizeof row));
        bytes += sizeof row + strlen(bytes + sizeof row) + 1;
    }
}

static void hand_in_lines(validation *at, const partan_model *model, const size_t *rows, size_t count,
                          const double *decision)
{
    char *bytes = NULL;
    size_t size = 0, outputs = partan_model_outputs(model);
    news head = {.kind = NEWS_LINES};
    FILE *file = open_memstream(&bytes, &size);
    at->lacking |= !file;
    if (file)
        fwrite(&head, sizeof head, 1, file);
    for (size_t i = 0; i < count && !at->lacking; i++) {
        char *line = make_line(at, model, decision + i * outputs);
        at->lacking = !line;
        if (line) {
            fwrite(&rows[i], sizeof rows[i], 1, file);
            fwrite(line, strlen(line) + 1, 1, file);
        }
        free(line);
    }
    if (file)
        at->lacking |= fclose(file) != 0;
    if (!at->lacking)
        farm_hand_in(at->run, &at->work, bytes, size);
    free(bytes);
}

static void take_news(void *user, const void *bytes, size_t size)
{
    validation *at = user;
    news one;
    memcpy(&one, bytes, sizeof one);
    at->lacking |= one.lacking;
    if (one.kind == NEWS_LINES)
        take_lines(at, (const char *)bytes + sizeof one, (const char *)bytes + size);
    else if (one.kind == NEWS_FOLD)
        keep(at, one.number, &one.fold);
    else
        at->endings[one.number] = one.status;
}

/* ---- The folds ---- */

static void take_held(void *user, const partan_model *model, const size_t *rows, size_t count, const double *decision)
{
    validation *at = user;
    size_t outputs = partan_model_outputs(model);
    for (size_t i = 0; i < count && at->lines && !at->lacking; i++) {
        size_t some = is_silent(at->run) ? (count - i < LINES_AT_ONCE ? count - i : LINES_AT_ONCE) : 1;
        if (is_silent(at->run))
            hand_in_lines(at, model, rows + i, some, decision + i * outputs);
        else
            keep_line(at, rows[i], make_line(at, model, decision + i * outputs));
        i += some - 1;
    }
}

static int take_fold(void *user, size_t number, const partan_result *result, const partan_evaluation *evaluation)
{
    validation *at = user;
    news one = {.kind = NEWS_FOLD, .number = number, .lacking = at->lacking, .fold = {*result, *evaluation}};
    farm_hand_in(at->run, &at->work, &one, sizeof one);
    return interrupt_seen();
}

static int run_fold(void *user, size_t number)
{
    validation *at = user;
    news end = {.kind = NEWS_ENDING, .number = number};
    partan_settings settings = at->settings;
    if (settings.time_limit > 0)
        settings.time_limit = fmax(settings.time_limit - (seconds_now() - at->start), 1e-9);
    end.status = at->run->together->fold(at->run, at->data, &settings, at->folds, at->settings.seed, number, take_fold,
                                         take_held, at);
    if (end.status < 0)
        return library_failure(at->run, end.status);
    at->work.stop = is_cut_short(end.status);
    farm_hand_in(at->run, &at->work, &end, sizeof end);
    return EXIT_DONE;
}

/* The folds that are done come first, in their order, and are evaluated together. */
static int join(validation *at)
{
    size_t count = 0;
    partan_evaluation *evaluations = calloc(at->folds, sizeof *evaluations);
    if (!evaluations)
        return failure(at->run, "out of memory");
    for (size_t i = 0; i < at->folds; i++) {
        if (!at->ready[i])
            continue;
        if (i >= at->next)
            show(at, i);
        at->list[count] = at->list[i];
        evaluations[count++] = at->list[i].evaluation;
    }
    at->run->together->join(evaluations, count, &at->evaluation);
    free(evaluations);
    return EXIT_DONE;
}

static int farm_out(validation *at)
{
    int code = farm_run(at->run, &at->work);
    at->status = farm_status(&at->work, at->endings);
    return code == EXIT_DONE && !is_silent(at->run) ? join(at) : code;
}

int cv_run_folds(validation *at)
{
    invocation *run = at->run;
    at->work = (farm){.user = at, .count = at->folds, .work = run_fold, .take = take_news};
    at->start = seconds_now();
    int code = EXIT_DONE;
    if (run->together)
        code = farm_out(at);
    else
        at->status = partan_cross_predict(run->context, at->data, &at->settings, at->folds, at->settings.seed,
                                          take_fold, take_held, at, &at->evaluation);
    at->seconds = seconds_now() - at->start;
    progress_clear(run);
    return at->status < 0 ? library_failure(run, at->status) : code;
}
