/* Tables of partan path and partan tune. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "columns.h"
#include "message.h"
#include "path_report.h"
#include "plots.h"
#include "tune_plot.h"
#include "tune_table.h"

/* "--score auc" in a table's first line. */
static const char *score_in(const char *identity)
{
    static const char *const titles[][2] = {{"--score balanced", "balanced accuracy"},
                                            {"--score f1", "F1"},
                                            {"--score auc", "AUC"},
                                            {"--score log-loss", "negative log-loss"},
                                            {"--score mse", "-MSE"},
                                            {"--score mae", "-MAE"},
                                            {"--problem regression", "R^2"}};
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++)
        if (strstr(identity, titles[i][0]))
            return titles[i][1];
    return "accuracy";
}

int plot_tuning(invocation *run, const plot_request *request)
{
    tune_table table;
    int code = request->count == 1 ? tune_table_read(run, request->inputs[0], &table)
                                   : usage_error(run, "only one table of partan tune can be plotted at a time");
    if (request->count != 1)
        return code;
    if (code == EXIT_DONE && table.count == 0)
        code = failure(run, "%s: the table has no points yet", request->inputs[0]);
    if (code == EXIT_DONE && !tune_plot(table.points, table.count, score_in(table.identity), request->file))
        code = failure(run, "out of memory");
    tune_table_free(&table);
    return code;
}

static int draw_path(invocation *run, const columns *found, bool numbers, FILE *file)
{
    path_run at = {.count = found->rows, .done = found->rows};
    at.settings.problem = numbers ? PARTAN_REGRESSION : PARTAN_CLASSIFICATION;
    at.costs = calloc(found->rows, sizeof *at.costs);
    at.points = calloc(found->rows, sizeof *at.points);
    bool well = at.costs && at.points;
    for (size_t i = 0; well && i < found->rows; i++) {
        double share = columns_at(found, i, 2);
        at.points[i].cost = at.costs[i] = columns_at(found, i, 0);
        at.points[i].result.support_vectors = (uint64_t)columns_at(found, i, 1);
        at.points[i].test.accuracy = at.points[i].test.r2 = share;
        at.points[i].test.classes = numbers ? 0 : 2;
        at.points[i].test.labelled = isnan(share) ? 0u : 1u; /* there was a test */
    }
    if (well)
        path_plot(&at, file);
    free(at.costs);
    free(at.points);
    return well ? EXIT_DONE : failure(run, "out of memory");
}

int plot_path(invocation *run, const plot_request *request)
{
    static const char *const names[2][3] = {{"cost", "support_vectors", "test_accuracy"},
                                            {"cost", "support_vectors", "test_r2"}};
    columns found;
    bool numbers = columns_have(request->inputs[0], "test_r2");
    if (request->count != 1)
        return usage_error(run, "only one table of partan path can be plotted at a time");
    int code = columns_read(run, request->inputs[0], names[numbers], 3, &found);
    if (code == EXIT_DONE && found.rows < 2)
        code = failure(run, "%s: the table has fewer than two points", request->inputs[0]);
    if (code == EXIT_DONE)
        code = draw_path(run, &found, numbers, request->file);
    columns_free(&found);
    return code;
}
