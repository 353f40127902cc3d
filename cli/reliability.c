#include "reliability.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "chart.h"
#include "columns.h"
#include "human.h"
#include "message.h"
#include "outfile.h"
#include "plots.h"
#include "probability.h"
#include "runtime.h"
#include "svg.h"

enum { WIDTH = 520, HEIGHT = 640, LEFT = 80, TOP = 52, SIDE = 380, BELOW = 490, STRIP = 90, MOST_BINS = 1000 };

static double observed(const partan_reliability_bin *bin)
{
    return (double)bin->hits / (double)bin->rows; /* NaN where there are none */
}

/* The mean distance between probability and observed share, each row counting once. */
static double mean_error(const partan_reliability_bin *bins, size_t count)
{
    double sum = 0, rows = 0;
    for (size_t i = 0; i < count; i++)
        if (bins[i].rows > 0) {
            sum += (double)bins[i].rows * fabs(observed(&bins[i]) - bins[i].probability);
            rows += (double)bins[i].rows;
        }
    return sum / rows;
}

/* ---- The picture ---- */

static void draw_shares(const partan_reliability_bin *bins, size_t count, FILE *file)
{
    char title[80];
    chart_line line;
    snprintf(title, sizeof title, "Reliability, mean calibration error %.4f", mean_error(bins, count));
    chart_panel panel = {LEFT, TOP, SIDE, SIDE, {0, 1, false, "predicted probability"}, {0, 1, false, "observed share"},
                         title};
    chart_frame(&panel, file);
    chart_line_begin(&line, &panel, SVG_GREY, " stroke-dasharray=\"2 4\"", file);
    chart_line_to(&line, 0, 0);
    chart_line_to(&line, 1, 1);
    chart_line_end(&line);
    chart_line_begin(&line, &panel, SVG_BLUE, "", file);
    for (size_t i = 0; i < count; i++)
        if (bins[i].rows > 0)
            chart_line_to(&line, bins[i].probability, observed(&bins[i]));
    chart_line_end(&line);
    for (size_t i = 0; i < count; i++)
        if (bins[i].rows > 0)
            chart_dot(&panel, bins[i].probability, observed(&bins[i]), 4, SVG_BLUE, file);
}

static void draw_counts(const partan_reliability_bin *bins, size_t count, FILE *file)
{
    double most = 1;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, (double)bins[i].rows);
    chart_panel panel = {LEFT, BELOW, SIDE, STRIP, {0, 1, false, "rows by predicted probability"}, {0, most, false, ""},
                         ""};
    chart_fit(&panel.up, 0, most);
    chart_frame(&panel, file);
    for (size_t i = 0; i < count; i++) {
        double left = chart_x(&panel, bins[i].least), top = chart_y(&panel, (double)bins[i].rows);
        double right = chart_x(&panel, i + 1 < count ? bins[i + 1].least : 1);
        fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"" SVG_BLUE "\"/>\n", left + 1,
                top, right - left - 2, chart_y(&panel, 0) - top);
    }
}

void reliability_plot(const partan_reliability_bin *bins, size_t count, FILE *file)
{
    chart_begin(file, WIDTH, HEIGHT, "Reliability diagram");
    draw_shares(bins, count, file);
    draw_counts(bins, count, file);
    chart_end(file);
}

/* ---- The table ---- */

static void write_table(const partan_reliability_bin *bins, size_t count, FILE *file)
{
    char text[3][HUMAN_SIZE];
    fputs(RELIABILITY_HEAD "\n", file);
    for (size_t i = 0; i < count; i++) {
        bool any = bins[i].rows > 0;
        fprintf(file, "%s,%s,%s,%" PRIu64 ",%" PRIu64 "\n", shortest_real(text[0], bins[i].least),
                any ? shortest_real(text[1], bins[i].probability) : "",
                any ? shortest_real(text[2], observed(&bins[i])) : "", bins[i].rows, bins[i].hits);
    }
}

int plot_reliability(invocation *run, const plot_request *request)
{
    static const char *const names[] = {"least", "probability", "rows", "hits"};
    partan_reliability_bin bins[MOST_BINS];
    columns found;
    if (request->count != 1)
        return usage_error(run, "only one table of partan predict --reliability can be plotted at a time");
    int code = columns_read(run, request->inputs[0], names, 4, &found);
    if (code == EXIT_DONE && (found.rows < 1 || found.rows > MOST_BINS))
        code = failure(run, "%s: found %zu bins, expected 1 to %d", request->inputs[0], found.rows, MOST_BINS);
    for (size_t i = 0; code == EXIT_DONE && i < found.rows; i++) {
        double rows = columns_at(&found, i, 2), hits = columns_at(&found, i, 3);
        if (!(hits >= 0) || !(rows >= hits) || !(rows <= 1e15))
            code = failure(run, "%s: bin %zu: expected no more hits than rows", request->inputs[0], i + 1);
        else
            bins[i] = (partan_reliability_bin){.least = columns_at(&found, i, 0),
                                               .probability = columns_at(&found, i, 1),
                                               .rows = (uint64_t)rows,
                                               .hits = (uint64_t)hits};
    }
    if (code == EXIT_DONE)
        reliability_plot(bins, found.rows, request->file);
    columns_free(&found);
    return code;
}

/* ---- predict ---- */

int write_reliability(invocation *run, const partan_model *model, const partan_data *data, const double *decision,
                      const char *path)
{
    partan_output out;
    partan_reliability_bin bins[RELIABILITY_BINS];
    uint64_t rows = 0;
    partan_status status = partan_reliability(run->context, model, data, decision, RELIABILITY_BINS, bins);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    for (size_t i = 0; i < RELIABILITY_BINS; i++)
        rows += bins[i].rows;
    if (rows == 0)
        return failure(run, "%s: not written: a reliability diagram needs rows with labels", path);
    int code = is_silent(run) ? EXIT_DONE : outfile_open(run, path, &out);
    if (code == EXIT_DONE && !is_silent(run)) {
        (ends_in(path, ".csv") ? write_table : reliability_plot)(bins, RELIABILITY_BINS, out.file);
        code = outfile_commit(run, &out);
    }
    return agree_on(run, code);
}
