/* Charts as SVG: panels anywhere in a picture, each with a frame, two axes that are linear or logarithmic, and lines.
 */
#ifndef CLI_CHART_H
#define CLI_CHART_H

#include <stdbool.h>
#include <stdio.h>

typedef struct chart_axis {
    double low, high;
    bool logarithmic;
    const char *title;
} chart_axis;

typedef struct chart_panel {
    double left, top, width, height; /* of the frame, in the units of the picture */
    chart_axis across, up;
    const char *title;
} chart_panel;

void chart_begin(FILE *file, int width, int height, const char *title);
void chart_end(FILE *file);
void chart_text(FILE *file, const char *text); /* with what XML wants escaped */

/* Rounds a range outwards: to ticks, or to powers of ten. Values that are all the same get a range around them. */
void chart_fit(chart_axis *axis, double low, double high);
double chart_x(const chart_panel *panel, double value);
double chart_y(const chart_panel *panel, double value);
void chart_frame(const chart_panel *panel, FILE *file); /* title, ticks with a grid, titles of the axes */

/* A line through points; points that would not be told apart in the picture are left out. */
typedef struct chart_line {
    const chart_panel *panel;
    FILE *file;
    double x, y; /* the last point, drawn or not */
    double drawn_x, drawn_y;
    bool begun;
} chart_line;

/* `style`: more attributes, as in " stroke-dasharray=\"6 4\"". */
void chart_line_begin(chart_line *line, const chart_panel *panel, const char *colour, const char *style, FILE *file);
void chart_line_to(chart_line *line, double x, double y);
void chart_line_end(chart_line *line);

void chart_dot(const chart_panel *panel, double x, double y, double radius, const char *colour, FILE *file);

#endif
