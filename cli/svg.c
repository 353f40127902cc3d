#include "svg.h"

#include <math.h>

#define FONT "font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\""

enum { BASE = SVG_HEIGHT - SVG_BOTTOM, END = SVG_WIDTH - SVG_RIGHT };

void svg_begin(FILE *file, const char *title)
{
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" " FONT ">\n"
            "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
            SVG_WIDTH, SVG_HEIGHT, SVG_WIDTH, SVG_HEIGHT, title);
}

void svg_end(FILE *file)
{
    fprintf(file, "</svg>\n");
}

/* ---- Vertical axes ---- */

/* 1, 2 or 5 times a power of ten, such that about SVG_TICKS of them cover the span. */
static double nice_step(double span)
{
    double rough = span / SVG_TICKS, power = pow(10, floor(log10(rough))), digit = rough / power;
    return power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10);
}

void svg_fit(svg_axis *of, double low, double high, double least)
{
    if (!(low <= high))
        low = high = 0; /* no point, or none with a value */
    double span = high - low > least ? high - low : least;
    of->step = nice_step(span);
    of->low = of->step * floor(low / of->step);
    of->high = of->step * ceil((of->low + span > high ? of->low + span : high) / of->step);
}

double svg_up(const svg_axis *of, double value)
{
    return BASE - (BASE - SVG_TOP) * (value - of->low) / (of->high - of->low);
}

void svg_draw_axis(const svg_axis *of, FILE *file)
{
    double x = of->right ? END : SVG_LEFT;
    int decimals = of->step < 1 ? (int)ceil(-log10(of->step)) : 0;
    for (double value = of->low; value <= of->high + of->step / 2; value += of->step) {
        double y = svg_up(of, value), shown = fabs(value) < of->step / 2 ? 0 : value;
        if (!of->right)
            fprintf(file, "<line x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\" stroke=\"#dddddd\"/>\n", SVG_LEFT, y, END,
                    y);
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" fill=\"%s\">%.*f</text>\n",
                x + (of->right ? 8 : -8), y + 4.5, of->right ? "start" : "end", of->colour, decimals, shown);
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n", x, SVG_TOP - 14,
            of->right ? "end" : "start", of->colour, of->title);
}

/* ---- The horizontal axis ---- */

double svg_across(double low, double high, double value)
{
    return SVG_LEFT + (END - SVG_LEFT) * (log(value) - log(low)) / (log(high) - log(low));
}

void svg_draw_log_axis(double low, double high, const char *title, FILE *file)
{
    int first = (int)floor(log10(low)), last = (int)ceil(log10(high)), every = 1 + (last - first) / 10;
    bool within = log10(high / low) >= 2; /* powers of ten are enough */
    static const int digits[] = {1, 2, 5};
    for (int power = first; power <= last; power += every)
        for (int i = 0; i < (within ? 1 : 3); i++) {
            double value = digits[i] * pow(10, power);
            if (value < low * (1 - 1e-9) || value > high * (1 + 1e-9))
                continue;
            double x = svg_across(low, high, value);
            fprintf(file, "<line x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\" stroke=\"" SVG_GREY "\"/>\n", x, BASE, x,
                    BASE + 5);
            fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"" SVG_GREY "\">%g</text>\n", x,
                    BASE + 22, value);
        }
    fprintf(file, "<line x1=\"%d\" y1=\"%d\" x2=\"%d\" y2=\"%d\" stroke=\"" SVG_GREY "\"/>\n", SVG_LEFT, BASE, END,
            BASE);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\" fill=\"" SVG_GREY "\">%s</text>\n", SVG_WIDTH / 2,
            SVG_HEIGHT - 16, title);
}
