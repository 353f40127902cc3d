/* Plots as SVG by hand: a picture of one size, vertical axes with round ticks, a logarithmic horizontal one. */
#ifndef CLI_SVG_H
#define CLI_SVG_H

#include <stdbool.h>
#include <stdio.h>

enum {
    SVG_WIDTH = 760,
    SVG_HEIGHT = 440,
    SVG_LEFT = 80,
    SVG_RIGHT = 80,
    SVG_TOP = 56,
    SVG_BOTTOM = 64,
    SVG_TICKS = 5 /* about so many on a vertical axis */
};

#define SVG_BLUE   "#1f5fa8"
#define SVG_ORANGE "#b4540a"
#define SVG_GREY   "#5f6368"

/* A vertical axis: a range of values, rounded outwards to ticks. */
typedef struct svg_axis {
    double low, high, step;
    const char *colour, *title;
    bool right;
} svg_axis;

void svg_begin(FILE *file, const char *title);
void svg_end(FILE *file);

/* Sets the range: what the values span, or `least` if that is more; values that are none at all count as 0. */
void svg_fit(svg_axis *axis, double low, double high, double least);
double svg_up(const svg_axis *axis, double value);
void svg_draw_axis(const svg_axis *axis, FILE *file);

/* The horizontal axis from low to high, in the logarithm. */
double svg_across(double low, double high, double value);
void svg_draw_log_axis(double low, double high, const char *title, FILE *file);

#endif
