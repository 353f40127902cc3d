/* The path as a picture: support vectors and test accuracy, or R^2, against the cost. */
#include <math.h>

#include "path_report.h"
#include "svg.h"

/* A series with its axis. */
typedef struct series {
    svg_axis axis;
    double (*value)(const path_point *point);
} series;

static double support(const path_point *point)
{
    return (double)point->result.support_vectors;
}

static double percent(const path_point *point)
{
    return 100 * path_score(point);
}

static void fit(series *of, const path_run *at, double least)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < at->done; i++) {
        double value = of->value(&at->points[i]);
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    svg_fit(&of->axis, low, high, least);
}

static double across(const path_run *at, double cost)
{
    return svg_across(at->costs[0], at->costs[at->count - 1], cost);
}

static void draw_series(const series *of, const path_run *at, FILE *file)
{
    fprintf(file, "<g stroke=\"%s\" fill=\"%s\">\n<polyline fill=\"none\" stroke-width=\"2\"%s points=\"",
            of->axis.colour, of->axis.colour, of->axis.right ? " stroke-dasharray=\"6 4\"" : "");
    for (size_t i = 0; i < at->done; i++)
        if (isfinite(of->value(&at->points[i])))
            fprintf(file, "%.1f,%.1f ", across(at, at->points[i].cost), svg_up(&of->axis, of->value(&at->points[i])));
    fprintf(file, "\"/>\n");
    for (size_t i = 0; i < at->done; i++)
        if (isfinite(of->value(&at->points[i])))
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", across(at, at->points[i].cost),
                    svg_up(&of->axis, of->value(&at->points[i])));
    fprintf(file, "</g>\n");
}

static void draw_best(const series *of, const path_run *at, FILE *file)
{
    const path_point *best = path_best(at);
    if (!best)
        return;
    double x = across(at, best->cost);
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", x,
            svg_up(&of->axis, of->value(best)), of->axis.colour);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">best: %.4g%s at C = %.4g</text>\n",
            SVG_WIDTH / 2, SVG_TOP - 14, of->axis.colour, of->value(best), path_is_regression(at) ? "" : " %",
            best->cost);
}

void path_plot(const path_run *at, FILE *file)
{
    bool test = path_best(at) != NULL;
    series vectors = {.axis = {.colour = SVG_ORANGE, .title = "support vectors", .right = test}, .value = support};
    bool numbers = path_is_regression(at);
    series labels = {.axis = {.colour = SVG_BLUE, .title = numbers ? "test R^2" : "test accuracy, %"},
                     .value = numbers ? path_score : percent};
    fit(&vectors, at, SVG_TICKS);
    svg_begin(file, "The path over C");
    if (test) {
        fit(&labels, at, numbers ? 0.001 : 0.1);
        svg_draw_axis(&labels.axis, file);
    }
    svg_draw_axis(&vectors.axis, file);
    svg_draw_log_axis(at->costs[0], at->costs[at->count - 1], "C", file);
    draw_series(&vectors, at, file);
    if (test) {
        draw_series(&labels, at, file);
        draw_best(&labels, at, file);
    }
    svg_end(file);
}
