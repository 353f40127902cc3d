#include "tune_table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "human.h"
#include "message.h"
#include "options.h"
#include "outfile.h"

static const char header[] =
    "cost,gamma,score,deviation,true_positives,false_negatives,false_positives,true_negatives,other_labels,auc,"
    "average_precision,log_loss,brier,status,converged,iterations,objective,gap,relative_gap,support_vectors,"
    "kernel_columns,kernel_values,cache_hits,seconds,predict_seconds,epsilon,r2,mse,mae,"
    "classes,rows,correct,balanced_accuracy,macro_f1";

/* ---- Whose table it is ---- */

/* Options that do not change any number of a point, or only which points there are. */
static bool is_aside(const char *name)
{
    /* The fingerprint of the data includes the weights of its rows. */
    static const char *const aside[] = {"gamma", "gamma-points", "epsilon",  "table",   "plot",       "json",
                                        "quiet", "verbose",      "progress", "threads", "time-limit", "weights"};
    for (size_t i = 0; i < sizeof aside / sizeof aside[0]; i++)
        if (strcmp(aside[i], name) == 0)
            return true;
    return false;
}

/* "# partan tune 0.1.0, data 7260bcb06380ca37, --cost 0.1..10 --folds 5": options in the order of the help. */
static void put_identity(FILE *file, const invocation *run, const tuning *at)
{
    const partan_option *option;
    fprintf(file, TUNE_TABLE_MAGIC " %s, data %016" PRIx64 ",", partan_version(), partan_data_fingerprint(at->data));
    for (size_t i = 0; (option = command_option(run->command, i, NULL)); i++) {
        bool repeated = strcmp(option->name, "class-weight") == 0; /* of others the last one counts */
        const given *last = is_aside(option->name) ? NULL : option_given(run, option->name);
        for (const given *one = repeated ? run->given : last; last && one <= last; one++)
            if (one->option == option)
                fprintf(file, " --%s%s%s%s", one->negated ? "no-" : "", option->name, one->text ? " " : "",
                        one->text ? one->text : "");
    }
}

static char *make_identity(const invocation *run, const tuning *at)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    put_identity(file, run, at);
    bool well = fclose(file) == 0;
    if (well)
        return text;
    free(text);
    return NULL;
}

/* ---- Points ---- */

static void put_point(FILE *file, const partan_tune_point *p)
{
    const partan_result *r = &p->result;
    const partan_evaluation *e = &p->evaluation;
    char text[HUMAN_SIZE];
    double first[] = {p->cost, p->gamma, p->score, p->deviation};
    double measures[] = {e->auc, e->average_precision, e->log_loss, e->brier};
    double gaps[] = {r->objective, r->gap, r->relative_gap};
    for (size_t i = 0; i < 4; i++)
        fprintf(file, "%s,", shortest_real(text, first[i]));
    fprintf(file, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", e->confusion[1][1],
            e->confusion[1][0], e->confusion[0][1], e->confusion[0][0], e->other);
    for (size_t i = 0; i < 4; i++)
        fprintf(file, "%s,", shortest_real(text, measures[i]));
    fprintf(file, "%s,%d,%" PRId64 ",", partan_status_name(r->status), r->converged, r->iterations);
    for (size_t i = 0; i < 3; i++)
        fprintf(file, "%s,", shortest_real(text, gaps[i]));
    fprintf(file, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",", r->support_vectors, r->kernel_columns,
            r->kernel_values, r->cache_hits);
    fprintf(file, "%.6f,%.6f", r->seconds, p->predict_seconds);
    double numbers[] = {p->epsilon, e->r2, e->mse, e->mae};
    for (size_t i = 0; i < 4; i++)
        fprintf(file, ",%s", shortest_real(text, numbers[i]));
    fprintf(file, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, e->classes, e->labelled, e->correct);
    fprintf(file, ",%s", shortest_real(text, e->balanced_accuracy));
    fprintf(file, ",%s\n", shortest_real(text, e->macro_f1));
}

static bool take_point(const char *line, partan_tune_point *p)
{
    char status[32];
    double balanced, macro;
    partan_result *r = &p->result;
    partan_evaluation *e = &p->evaluation;
    partan_tune_point_init(p);
    partan_evaluation_init(e);
    int found = sscanf(line,
                       "%lf,%lf,%lf,%lf,%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%" SCNu64
                       ",%lf,%lf,%lf,%lf,%31[A-Z_],%d,%" SCNd64 ",%lf,%lf,%lf,%" SCNu64 ",%" SCNu64 ",%" SCNu64
                       ",%" SCNu64 ",%lf,%lf,%lf,%lf,%lf,%lf,%" SCNu64 ",%" SCNu64 ",%" SCNu64 ",%lf,%lf",
                       &p->cost, &p->gamma, &p->score, &p->deviation, &e->confusion[1][1], &e->confusion[1][0],
                       &e->confusion[0][1], &e->confusion[0][0], &e->other, &e->auc, &e->average_precision,
                       &e->log_loss, &e->brier, status, &r->converged, &r->iterations, &r->objective, &r->gap,
                       &r->relative_gap, &r->support_vectors, &r->kernel_columns, &r->kernel_values, &r->cache_hits,
                       &r->seconds, &p->predict_seconds, &p->epsilon, &e->r2, &e->mse, &e->mae, &e->classes,
                       &e->labelled, &e->correct, &balanced, &macro);
    if (found != 34 || !partan_status_from_name(status, &r->status))
        return false;
    partan_evaluation_measure(e); /* of two classes; of more, there are no counts of each */
    e->balanced_accuracy = balanced;
    e->macro_f1 = macro;
    p->rows = e->labelled;
    p->correct = e->correct;
    return true;
}

/* ---- Files ---- */

static bool keep_point(tune_table *table, const partan_tune_point *point)
{
    if ((table->count & (table->count - 1)) == 0) { /* room doubles at powers of two */
        partan_tune_point *more = realloc(table->points, (table->count ? 2 * table->count : 1) * sizeof *more);
        if (!more)
            return false;
        table->points = more;
    }
    table->points[table->count++] = *point;
    return true;
}

static int read_lines(invocation *run, const char *path, FILE *file, tune_table *table)
{
    char *line = NULL;
    size_t room = 0;
    int code = EXIT_DONE;
    for (size_t number = 1; code == EXIT_DONE && getline(&line, &room, file) >= 0; number++) {
        partan_tune_point point;
        line[strcspn(line, "\r\n")] = '\0';
        if (number == 1 && strncmp(line, TUNE_TABLE_MAGIC, strlen(TUNE_TABLE_MAGIC)) == 0)
            table->identity = strdup(line);
        else if (number == 1 || (number == 2 && strcmp(line, header) != 0) || (number > 2 && !take_point(line, &point)))
            code = failure(run, "%s:%zu: not a table of partan tune", path, number);
        else if (number > 2 && !keep_point(table, &point))
            code = failure(run, "out of memory");
    }
    free(line);
    if (code == EXIT_DONE && !table->identity)
        code = failure(run, "%s: not a table of partan tune: it is empty", path);
    return code;
}

int tune_table_read(invocation *run, const char *path, tune_table *table)
{
    *table = (tune_table){0};
    FILE *file = fopen(path, "r");
    if (!file)
        return failure(run, "%s: cannot be read: %s", path, strerror(errno));
    int code = read_lines(run, path, file, table);
    fclose(file);
    return code;
}

void tune_table_free(tune_table *table)
{
    free(table->identity);
    free(table->points);
    *table = (tune_table){0};
}

/* ---- Resuming ---- */

/* The points of a line of the grid, from the table; false when one is not there. */
static bool copy_line(tuning *at, const tune_table *table, size_t line)
{
    size_t costs = at->options.cost_count, found = 0;
    double gamma = at->gammas[line % at->gamma_count], epsilon = at->epsilons[line / at->gamma_count];
    partan_tune_point *row = at->points + line * costs;
    for (size_t c = 0; c < costs; c++)
        for (size_t i = 0; i < table->count; i++)
            if (table->points[i].gamma == gamma && table->points[i].epsilon == epsilon
                && table->points[i].cost == at->costs[c]) {
                row[c] = table->points[i];
                found++;
                break;
            }
    return found == costs;
}

static void take_over(tuning *at, const tune_table *table)
{
    size_t costs = at->options.cost_count;
    for (size_t g = 0; g < at->lines; g++) {
        if (!copy_line(at, table, g))
            continue;
        for (size_t c = 0; c < costs; c++)
            at->ready[g * costs + c] = true;
        at->done += costs;
    }
    at->resumed = at->done;
}

int tune_table_resume(invocation *run, tuning *at)
{
    FILE *there = fopen(at->table_path, "r");
    if (!there)
        return EXIT_DONE;
    fclose(there);
    tune_table table;
    char *identity = make_identity(run, at);
    int code = identity ? tune_table_read(run, at->table_path, &table) : failure(run, "out of memory");
    if (!identity)
        return code;
    if (code == EXIT_DONE && strcmp(identity, table.identity) != 0)
        code = failure(run, "%s is the table of a different run (%s): remove it, or choose another file",
                       at->table_path, table.identity + 2);
    if (code == EXIT_DONE)
        take_over(at, &table);
    tune_table_free(&table);
    free(identity);
    return code;
}

int tune_table_write(invocation *run, const tuning *at)
{
    partan_output out;
    size_t costs = at->options.cost_count;
    int code = outfile_open(run, at->table_path, &out);
    if (code != EXIT_DONE)
        return code;
    put_identity(out.file, run, at);
    fprintf(out.file, "\n%s\n", header);
    for (size_t g = 0; g < at->lines; g++) {
        bool complete = true;
        for (size_t c = 0; c < costs; c++)
            complete = complete && at->ready[g * costs + c];
        for (size_t c = 0; c < costs && complete; c++)
            put_point(out.file, &at->points[g * costs + c]);
    }
    return outfile_commit(run, &out);
}
