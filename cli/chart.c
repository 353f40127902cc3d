#include "chart.h"

#include <math.h>

#include "svg.h"

#define LEAST_MOVE 0.3 /* of a line, in the units of the picture */

void chart_text(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '&')
            fputs("&amp;", file);
        else if (*text == '<')
            fputs("&lt;", file);
        else if (*text == '>')
            fputs("&gt;", file);
        else
            fputc((unsigned char)*text < 0x20 ? ' ' : *text, file); /* XML has no control characters */
    }
}

void chart_begin(FILE *file, int width, int height, const char *title)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
            "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\">\n<title>",
            width, height, width, height);
    chart_text(file, title);
    fprintf(file, "</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n");
}

void chart_end(FILE *file)
{
    fprintf(file, "</svg>\n");
}

/* ---- Axes ---- */

/* 1, 2 or 5 times a power of ten, such that about five of them cover the span. */
static double tick_step(double span)
{
    double rough = span / SVG_TICKS, power = pow(10, floor(log10(rough))), digit = rough / power;
    return power * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

void chart_fit(chart_axis *axis, double low, double high)
{
    if (!(low <= high))
        low = high = axis->logarithmic ? 1 : 0; /* there are no values */
    if (axis->logarithmic) {
        axis->low = pow(10, floor(log10(low) + 1e-9));
        axis->high = pow(10, ceil(log10(high) - 1e-9));
        if (axis->low == axis->high)
            axis->high *= 10;
        return;
    }
    if (low == high) {
        double around = low == 0 ? 1 : fabs(low) / 2;
        low -= around;
        high += around;
    }
    double step = tick_step(high - low);
    axis->low = step * floor(low / step + 1e-9);
    axis->high = step * ceil(high / step - 1e-9);
}

/* Where a value is on an axis, from 0 to 1. */
static double place(const chart_axis *axis, double value)
{
    if (axis->logarithmic)
        return log(value / axis->low) / log(axis->high / axis->low);
    return (value - axis->low) / (axis->high - axis->low);
}

double chart_x(const chart_panel *panel, double value)
{
    return panel->left + panel->width * place(&panel->across, value);
}

double chart_y(const chart_panel *panel, double value)
{
    return panel->top + panel->height * (1 - place(&panel->up, value));
}

static void draw_tick(const chart_panel *panel, bool up, double value, FILE *file)
{
    double bottom = panel->top + panel->height;
    if (up) {
        double y = chart_y(panel, value);
        fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#e4e4e4\"/>\n", panel->left, y,
                panel->left + panel->width, y);
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"end\" fill=\"" SVG_GREY "\">%.6g</text>\n",
                panel->left - 7, y + 4.5, value);
    } else {
        double x = chart_x(panel, value);
        fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#e4e4e4\"/>\n", x, panel->top, x,
                bottom);
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" fill=\"" SVG_GREY "\">%.6g</text>\n", x,
                bottom + 18, value);
    }
}

static void draw_log_ticks(const chart_panel *panel, bool up, FILE *file)
{
    static const int digits[] = {1, 2, 5};
    const chart_axis *axis = up ? &panel->up : &panel->across;
    int first = (int)floor(log10(axis->low) + 1e-9), last = (int)ceil(log10(axis->high) - 1e-9);
    int every = 1 + (last - first) / 8;
    for (int power = first; power <= last; power += every)
        for (int i = 0; i < (last - first < 2 ? 3 : 1); i++) {
            double value = digits[i] * pow(10, power);
            if (value >= axis->low * (1 - 1e-9) && value <= axis->high * (1 + 1e-9))
                draw_tick(panel, up, value, file);
        }
}

static void draw_ticks(const chart_panel *panel, bool up, FILE *file)
{
    const chart_axis *axis = up ? &panel->up : &panel->across;
    if (axis->logarithmic) {
        draw_log_ticks(panel, up, file);
        return;
    }
    double step = tick_step(axis->high - axis->low);
    double first = ceil(axis->low / step - 1e-9), last = floor(axis->high / step + 1e-9);
    for (double i = first; i <= last; i++)
        draw_tick(panel, up, i * step + 0.0, file); /* never -0 */
}

void chart_frame(const chart_panel *panel, FILE *file)
{
    double middle = panel->left + panel->width / 2, bottom = panel->top + panel->height;
    draw_ticks(panel, false, file);
    draw_ticks(panel, true, file);
    fprintf(file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"" SVG_GREY "\"/>\n",
            panel->left, panel->top, panel->width, panel->height);
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"15\">", middle, panel->top - 14);
    chart_text(file, panel->title ? panel->title : "");
    fprintf(file, "</text>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\">", middle, bottom + 40);
    chart_text(file, panel->across.title);
    double x = panel->left - 54, y = panel->top + panel->height / 2;
    fprintf(file, "</text>\n<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" transform=\"rotate(-90 %.1f %.1f)\">", x,
            y, x, y);
    chart_text(file, panel->up.title);
    fprintf(file, "</text>\n");
}

/* ---- Lines ---- */

void chart_line_begin(chart_line *line, const chart_panel *panel, const char *colour, const char *style, FILE *file)
{
    *line = (chart_line){.panel = panel, .file = file};
    fprintf(file, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\"%s points=\"", colour, style);
}

static void put(chart_line *line)
{
    fprintf(line->file, "%.1f,%.1f ", line->x, line->y);
    line->drawn_x = line->x;
    line->drawn_y = line->y;
    line->begun = true;
}

void chart_line_to(chart_line *line, double x, double y)
{
    line->x = chart_x(line->panel, x);
    line->y = chart_y(line->panel, y);
    if (!line->begun || fabs(line->x - line->drawn_x) > LEAST_MOVE || fabs(line->y - line->drawn_y) > LEAST_MOVE)
        put(line);
}

void chart_line_end(chart_line *line)
{
    if (line->begun && (line->x != line->drawn_x || line->y != line->drawn_y))
        put(line);
    fprintf(line->file, "\"/>\n");
}

void chart_dot(const chart_panel *panel, double x, double y, double radius, const char *colour, FILE *file)
{
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>\n", chart_x(panel, x), chart_y(panel, y),
            radius, colour);
}
