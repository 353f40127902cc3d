/* The path as a picture: SVG by hand, support vectors and test accuracy against the cost on a logarithmic axis. */
#include <math.h>

#include "path_report.h"

enum { WIDTH = 760, HEIGHT = 440, LEFT = 80, RIGHT = 80, TOP = 56, BOTTOM = 64, TICKS = 5 };

#define FONT   "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\""
#define BLUE   "#1f5fa8"
#define ORANGE "#b4540a"
#define GREY   "#5f6368"

/* A vertical axis: a range of values, rounded outwards to ticks. */
typedef struct axis {
    double low, high, step;
    const char *colour, *title;
    bool right;
    double (*value)(const path_point *point);
} axis;

static double support(const path_point *point)
{
    return (double)point->result.support_vectors;
}

static double percent(const path_point *point)
{
    return 100 * accuracy_share(point->test);
}

/* 1, 2 or 5 times a power of ten, such that about TICKS of them cover the span. */
static double nice_step(double span)
{
    double rough = span / TICKS, power = pow(10, floor(log10(rough))), digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

static void fit(axis *of, const path_run *at, double least_span)
{
    of->low = INFINITY;
    of->high = -INFINITY;
    for (size_t i = 0; i < at->done; i++) {
        double value = of->value(&at->points[i]);
        of->low = value < of->low ? value : of->low;
        of->high = value > of->high ? value : of->high;
    }
    if (!(of->low <= of->high))
        of->low = of->high = 0; /* no point, or none with a value */
    double span = of->high - of->low > least_span ? of->high - of->low : least_span;
    of->step = nice_step(span);
    of->low = of->step * floor(of->low / of->step);
    of->high = of->step * ceil((of->low + span > of->high ? of->low + span : of->high) / of->step);
}

static double across(const path_run *at, double cost)
{
    double low = log(at->costs[0]), high = log(at->costs[at->count - 1]);
    return LEFT + (WIDTH - LEFT - RIGHT) * (log(cost) - low) / (high - low);
}

static double up(const axis *of, double value)
{
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - of->low) / (of->high - of->low);
}

static void draw_axis(const axis *of, FILE *file)
{
    double x = of->right ? WIDTH - RIGHT : LEFT;
    int decimals = of->step < 1 ? (int)ceil(-log10(of->step)) : 0;
    for (double value = of->low; value <= of->high + of->step / 2; value += of->step) {
        double y = up(of, value);
        if (!of->right)
            fprintf(file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n", LEFT, y,
                    WIDTH - RIGHT, y);
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%.*f</text>\n",
                x + (of->right ? 8 : -8), y + 4.5, of->right ? "start" : "end", of->colour, decimals, value);
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", x, TOP - 14,
            of->right ? "end" : "start", of->colour, of->title);
}

static void draw_costs(const path_run *at, FILE *file)
{
    double low = at->costs[0], high = at->costs[at->count - 1];
    int first = (int)floor(log10(low)), last = (int)ceil(log10(high)), every = 1 + (last - first) / 10;
    bool within = log10(high / low) >= 2; /* powers of ten are enough */
    static const int digits[] = {1, 2, 5};
    for (int power = first; power <= last; power += every)
        for (int i = 0; i < (within ? 1 : 3); i++) {
            double cost = digits[i] * pow(10, power);
            if (cost < low * (1 - 1e-9) || cost > high * (1 + 1e-9))
                continue;
            double x = across(at, cost);
            fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"%s\"/>\n", x, HEIGHT - BOTTOM, x,
                    HEIGHT - BOTTOM + 5, GREY);
            fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">%g</text>\n", x,
                    HEIGHT - BOTTOM + 22, GREY, cost);
        }
    fprintf(file, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"%s\"/>\n", LEFT, HEIGHT - BOTTOM,
            WIDTH - RIGHT, HEIGHT - BOTTOM, GREY);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">cost C</text>\n", WIDTH / 2, HEIGHT - 16,
            GREY);
}

static void draw_series(const axis *of, const path_run *at, FILE *file)
{
    fprintf(file, "<g stroke=\"%s\" fill=\"%s\">\n<polyline fill=\"none\" stroke-width=\"2\"%s points=\"", of->colour,
            of->colour, of->right ? " stroke-dasharray=\"6 4\"" : "");
    for (size_t i = 0; i < at->done; i++)
        if (isfinite(of->value(&at->points[i])))
            fprintf(file, "%.1f,%.1f ", across(at, at->points[i].cost), up(of, of->value(&at->points[i])));
    fprintf(file, "\"/>\n");
    for (size_t i = 0; i < at->done; i++)
        if (isfinite(of->value(&at->points[i])))
            fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", across(at, at->points[i].cost),
                    up(of, of->value(&at->points[i])));
    fprintf(file, "</g>\n");
}

static void draw_best(const axis *of, const path_run *at, FILE *file)
{
    const path_point *best = path_best(at);
    if (!best)
        return;
    double x = across(at, best->cost);
    fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"7\" fill=\"none\" stroke=\"%s\" stroke-width=\"2\"/>\n", x,
            up(of, percent(best)), of->colour);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"%s\">best: %.2f %% at C = %.4g</text>\n",
            WIDTH / 2, TOP - 14, of->colour, percent(best), best->cost);
}

void path_plot(const path_run *at, FILE *file)
{
    bool test = path_best(at) != NULL;
    axis vectors = {.colour = ORANGE, .title = "support vectors", .right = test, .value = support};
    axis labels = {.colour = BLUE, .title = "test accuracy, %", .value = percent};
    fit(&vectors, at, TICKS);
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" " FONT ">\n"
            "<title>The path over C</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    if (test) {
        fit(&labels, at, 0.1);
        draw_axis(&labels, file);
    }
    draw_axis(&vectors, file);
    draw_costs(at, file);
    draw_series(&vectors, at, file);
    if (test) {
        draw_series(&labels, at, file);
        draw_best(&labels, at, file);
    }
    fprintf(file, "</svg>\n");
}
