/* The choice of the radius as a picture: errors at entries held out and at those fitted, and the rank. */
#include <math.h>

#include "complete_run.h"
#include "svg.h"

static double held_error(const partan_matrix_point *point)
{
    return point->held_rmse;
}

static double own_error(const partan_matrix_point *point)
{
    return point->result.rmse;
}

static double rank(const partan_matrix_point *point)
{
    return (double)point->result.rank;
}

static double across(const complete_run *at, double radius)
{
    double low = at->points[0].radius, high = at->points[at->done - 1].radius;
    return svg_across(low, high > low ? high : 2 * low, radius);
}

static void draw_series(const complete_run *at, const svg_axis *axis, double (*value)(const partan_matrix_point *),
                        const char *colour, const char *dashes, FILE *file)
{
    fprintf(file, "<g stroke=\"%s\" fill=\"%s\">\n<polyline fill=\"none\" stroke-width=\"2\"%s points=\"", colour,
            colour, dashes);
    for (size_t i = 0; i < at->done; i++)
        fprintf(file, "%.1f,%.1f ", across(at, at->points[i].radius), svg_up(axis, value(&at->points[i])));
    fprintf(file, "\"/>\n");
    for (size_t i = 0; i < at->done; i++)
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\"/>\n", across(at, at->points[i].radius),
                svg_up(axis, value(&at->points[i])));
    fprintf(file, "</g>\n");
}

static void fit_axis(svg_axis *axis, const complete_run *at, double (*value)(const partan_matrix_point *),
                     double (*other)(const partan_matrix_point *), double least)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < at->done; i++) {
        low = fmin(low, fmin(value(&at->points[i]), other(&at->points[i])));
        high = fmax(high, fmax(value(&at->points[i]), other(&at->points[i])));
    }
    svg_fit(axis, low, high, least);
}

void complete_plot(const complete_run *at, FILE *file)
{
    svg_axis errors = {.colour = SVG_BLUE, .title = "RMSE at entries held out, and at those fitted (dashed)"};
    svg_axis ranks = {.colour = SVG_ORANGE, .title = "rank (dotted)", .right = true};
    svg_begin(file, "Choice of the radius");
    if (at->done > 0) {
        double low = at->points[0].radius, high = at->points[at->done - 1].radius;
        fit_axis(&errors, at, held_error, own_error, 1e-9);
        fit_axis(&ranks, at, rank, rank, 5);
        svg_draw_axis(&errors, file);
        svg_draw_axis(&ranks, file);
        svg_draw_log_axis(low, high > low ? high : 2 * low, "radius", file);
        draw_series(at, &ranks, rank, SVG_ORANGE, " stroke-dasharray=\"2 4\"", file);
        draw_series(at, &errors, own_error, SVG_BLUE, " stroke-dasharray=\"6 4\"", file);
        draw_series(at, &errors, held_error, SVG_BLUE, "", file);
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"6\" fill=\"none\" stroke=\"" SVG_BLUE "\"/>\n",
                across(at, at->best.radius), svg_up(&errors, at->best.held_rmse));
    }
    svg_end(file);
}
