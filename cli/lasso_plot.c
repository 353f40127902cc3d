/* The path of a Lasso as a picture: coefficients against lambda, or the error of cross-validation. */
#include <math.h>
#include <stdlib.h>

#include "lasso_run.h"
#include "svg.h"

enum { MOST_LINES = 300 }; /* of coefficients: more are drawn over each other anyway */

static const char *const colours[] = {SVG_BLUE, SVG_ORANGE, "#2a7f3f", "#8a3a9a", "#a8322a", "#3a8a9a", "#7a6a1a"};
enum { COLOURS = sizeof colours / sizeof colours[0] };

/* ---- Coefficients ---- */

/* Where in a point a feature is; `nonzeros`: nowhere. */
static double value_at(const lasso_point *point, size_t feature)
{
    size_t low = 0, high = (size_t)point->result.nonzeros;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (point->features[middle] < feature)
            low = middle + 1;
        else
            high = middle;
    }
    return low < point->result.nonzeros && point->features[low] == feature ? point->values[low] : 0;
}

typedef struct line {
    size_t feature;
    double largest;
} line;

static int by_feature(const void *a, const void *b)
{
    const line *x = a, *y = b;
    return (x->feature > y->feature) - (x->feature < y->feature);
}

static int by_size(const void *a, const void *b)
{
    const line *x = a, *y = b;
    return x->largest != y->largest ? (x->largest < y->largest) - (x->largest > y->largest) : by_feature(a, b);
}

/* The features that any point has, largest first; returns how many. */
static size_t collect_lines(const lasso_run *at, line **lines)
{
    size_t total = 0, count = 0;
    for (size_t i = 0; i < at->done; i++)
        total += (size_t)at->points[i].result.nonzeros;
    *lines = malloc((total + 1) * sizeof **lines);
    if (!*lines)
        return 0;
    for (size_t i = 0, k = 0; i < at->done; i++)
        for (size_t j = 0; j < at->points[i].result.nonzeros; j++)
            (*lines)[k++] = (line){at->points[i].features[j], fabs(at->points[i].values[j])};
    qsort(*lines, total, sizeof **lines, by_feature);
    for (size_t i = 0; i < total; i++) {
        if (count == 0 || (*lines)[count - 1].feature != (*lines)[i].feature)
            (*lines)[count++] = (*lines)[i];
        else
            (*lines)[count - 1].largest = fmax((*lines)[count - 1].largest, (*lines)[i].largest);
    }
    qsort(*lines, count, sizeof **lines, by_size);
    return count;
}

static double across(const lasso_run *at, double lambda)
{
    double high = at->points[0].result.lambda, low = at->points[at->done - 1].result.lambda;
    return svg_across(low < high ? low : high / 10, high, lambda);
}

static void draw_line(const lasso_run *at, const svg_axis *axis, const line *of, size_t number, FILE *file)
{
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.3\" points=\"", colours[number % COLOURS]);
    for (size_t i = 0; i < at->done; i++) {
        double now = value_at(&at->points[i], of->feature);
        bool near = now != 0 || (i > 0 && value_at(&at->points[i - 1], of->feature) != 0)
                    || (i + 1 < at->done && value_at(&at->points[i + 1], of->feature) != 0);
        if (near)
            fprintf(file, "%.1f,%.1f ", across(at, at->points[i].result.lambda), svg_up(axis, now));
    }
    fprintf(file, "\"/>\n");
}

static void plot_coefficients(const lasso_run *at, FILE *file)
{
    svg_axis axis = {.colour = SVG_GREY, .title = "coefficients"};
    line *lines = NULL;
    size_t count = collect_lines(at, &lines);
    double low = 0, high = 0, largest = at->points[0].result.lambda;
    for (size_t i = 0; i < at->done; i++)
        for (size_t j = 0; j < at->points[i].result.nonzeros; j++) {
            low = fmin(low, at->points[i].values[j]);
            high = fmax(high, at->points[i].values[j]);
        }
    svg_fit(&axis, low, high, high > low ? (high - low) * 1e-9 : 1);
    svg_draw_axis(&axis, file);
    double least = at->points[at->done - 1].result.lambda;
    svg_draw_log_axis(least < largest ? least : largest / 10, largest, "lambda", file);
    for (size_t i = 0; i < count && i < MOST_LINES; i++)
        draw_line(at, &axis, &lines[i], i, file);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\" fill=\"" SVG_GREY "\">%s%zu features</text>\n",
            SVG_WIDTH - SVG_RIGHT, SVG_TOP - 14, count > MOST_LINES ? "the largest of " : "", count);
    free(lines);
}

/* ---- Cross-validation ---- */

static void draw_choice(const lasso_run *at, size_t index, const char *name, int row, FILE *file)
{
    double high = at->errors[0].lambda, low = at->errors[at->count - 1].lambda;
    double x = svg_across(low < high ? low : high / 10, high, at->errors[index].lambda);
    fprintf(file,
            "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"" SVG_ORANGE
            "\" stroke-dasharray=\"6 4\"/>\n<text x=\"%.1f\" y=\"%d\" fill=\"" SVG_ORANGE "\">%s</text>\n",
            x, SVG_TOP, x, SVG_HEIGHT - SVG_BOTTOM, x + 5, SVG_TOP + 14 + 18 * row, name);
}

static void plot_errors(const lasso_run *at, FILE *file)
{
    svg_axis axis = {.colour = SVG_BLUE, .title = "mean squared error on rows held out, with its standard error"};
    double low = INFINITY, high = -INFINITY, largest = at->errors[0].lambda, least = at->errors[at->count - 1].lambda;
    least = least < largest ? least : largest / 10;
    for (size_t i = 0; i < at->count; i++) {
        low = fmin(low, at->errors[i].error - at->errors[i].standard_error);
        high = fmax(high, at->errors[i].error + at->errors[i].standard_error);
    }
    svg_fit(&axis, low, high, high > low ? (high - low) * 1e-9 : 1);
    svg_draw_axis(&axis, file);
    svg_draw_log_axis(least, largest, "lambda", file);
    fprintf(file, "<g stroke=\"" SVG_BLUE "\" fill=\"" SVG_BLUE "\">\n");
    for (size_t i = 0; i < at->count; i++) {
        const partan_lasso_cv_point *p = &at->errors[i];
        double x = svg_across(least, largest, p->lambda);
        fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke-opacity=\"0.4\"/>\n", x,
                svg_up(&axis, p->error - p->standard_error), x, svg_up(&axis, p->error + p->standard_error));
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", x, svg_up(&axis, p->error));
    }
    fprintf(file, "</g>\n");
    draw_choice(at, at->chosen.best, "best", 0, file);
    draw_choice(at, at->chosen.one_standard_error, "one standard error", 1, file);
}

void lasso_plot(const lasso_run *at, FILE *file)
{
    svg_begin(file, at->cv ? "Cross-validation of the Lasso" : "The path of the Lasso");
    if (at->cv)
        plot_errors(at, file);
    else if (at->done > 0)
        plot_coefficients(at, file);
    svg_end(file);
}
