/* Training traces: a gap or the objective against iterations or seconds, one line for each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "columns.h"
#include "message.h"
#include "options.h"
#include "plots.h"
#include "svg.h"

enum { WIDTH = 760, HEIGHT = 480, LEFT = 92, TOP = 40, MOST_TRACES = 8, LEGEND = 20 };

static const char *const palette[MOST_TRACES] = {SVG_BLUE,  SVG_ORANGE, "#2f7d4f", "#8a3a8f",
                                                 "#b58a00", "#3a8f8a",  "#8f3a3a", SVG_GREY};

typedef struct traces {
    columns list[MOST_TRACES];
    size_t count;
    chart_panel panel;
} traces;

/* Both axes are logarithmic: what is not positive has no place there. */
static bool is_drawn(const columns *of, size_t row)
{
    return columns_at(of, row, 0) > 0 && columns_at(of, row, 1) > 0;
}

static void fit(traces *t)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
    for (size_t i = 0; i < t->count; i++)
        for (size_t row = 0; row < t->list[i].rows; row++)
            for (size_t k = 0; k < 2 && is_drawn(&t->list[i], row); k++) {
                low[k] = fmin(low[k], columns_at(&t->list[i], row, k));
                high[k] = fmax(high[k], columns_at(&t->list[i], row, k));
            }
    chart_fit(&t->panel.across, low[0], high[0]);
    chart_fit(&t->panel.up, low[1], high[1]);
}

static void draw(const traces *t, const plot_request *request)
{
    chart_line line;
    for (size_t i = 0; i < t->count; i++) {
        chart_line_begin(&line, &t->panel, palette[i], "", request->file);
        for (size_t row = 0; row < t->list[i].rows; row++)
            if (is_drawn(&t->list[i], row))
                chart_line_to(&line, columns_at(&t->list[i], row, 0), columns_at(&t->list[i], row, 1));
        chart_line_end(&line);
        double y = t->panel.top + 18 + LEGEND * (double)i, x = t->panel.left + t->panel.width - 12;
        fprintf(request->file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"%s\">", x, y, palette[i]);
        chart_text(request->file, request->inputs[i]);
        fprintf(request->file, "</text>\n");
    }
}

static const char *chosen(const invocation *run, const char *option, const char *otherwise)
{
    const char *text = option_text(run, option);
    return text ? text : otherwise;
}

int plot_traces(invocation *run, const plot_request *request)
{
    static const char *const titles[][2] = {{"iteration", "iterations"},      {"seconds", "seconds"},
                                            {"relative_gap", "relative gap"}, {"gap", "gap"},
                                            {"objective", "objective"},       {"active", "active vertices"}};
    traces t = {.panel = {LEFT, TOP, WIDTH - LEFT - 30, HEIGHT - TOP - 70, {0, 0, true, ""}, {0, 0, true, ""}, NULL}};
    const char *names[] = {chosen(run, "x", "iteration"), chosen(run, "y", "relative_gap")};
    if (request->count > MOST_TRACES)
        return usage_error(run, "at most %d traces can be plotted together", MOST_TRACES);
    int code = EXIT_DONE;
    for (size_t i = 0; i < request->count && code == EXIT_DONE; i++, t.count++)
        code = columns_read(run, request->inputs[i], names, 2, &t.list[i]);
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        if (strcmp(titles[i][0], names[0]) == 0)
            t.panel.across.title = titles[i][1];
        if (strcmp(titles[i][0], names[1]) == 0)
            t.panel.up.title = titles[i][1];
    }
    if (code == EXIT_DONE) {
        fit(&t);
        chart_begin(request->file, WIDTH, HEIGHT, "Training traces");
        chart_frame(&t.panel, request->file);
        draw(&t, request);
        chart_end(request->file);
    }
    for (size_t i = 0; i < t.count; i++)
        columns_free(&t.list[i]);
    return code;
}
