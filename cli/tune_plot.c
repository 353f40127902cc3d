#include "tune_plot.h"

#include <math.h>
#include <stdlib.h>

#include "chart.h"
#include "svg.h"

enum { WIDTH = 820, HEIGHT = 500, LEFT = 110, TOP = 56, GRID_WIDTH = 580, GRID_HEIGHT = 370, BAR_LEFT = 724, BAR = 18 };

/* The different values of an axis, ascending. */
typedef struct levels {
    double *values;
    size_t count;
} levels;

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double cost_of(const partan_tune_point *point)
{
    return point->cost;
}

static double gamma_of(const partan_tune_point *point)
{
    return point->gamma;
}

static bool find_levels(const partan_tune_point *points, size_t count, double (*of)(const partan_tune_point *),
                        levels *found)
{
    found->count = 0;
    found->values = malloc((count ? count : 1) * sizeof *found->values);
    if (!found->values)
        return false;
    for (size_t i = 0; i < count; i++)
        found->values[i] = of(&points[i]);
    qsort(found->values, count, sizeof *found->values, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || found->values[i] != found->values[found->count - 1])
            found->values[found->count++] = found->values[i];
    return true;
}

static size_t level_of(const levels *of, double value)
{
    size_t i = 0;
    while (i + 1 < of->count && of->values[i] != value)
        i++;
    return i;
}

/* ---- Heat map ---- */

typedef struct span {
    double low, high;
} span;

static span scores(const partan_tune_point *points, size_t count)
{
    span s = {INFINITY, -INFINITY};
    for (size_t i = 0; i < count; i++) {
        s.low = fmin(s.low, points[i].score);
        s.high = fmax(s.high, points[i].score);
    }
    return s;
}

/* From nearly white to dark blue, in even steps of lightness. */
static void put_colour(double share, FILE *file)
{
    static const double stops[][3] = {{247, 251, 255}, {198, 219, 239}, {107, 174, 214}, {33, 113, 181}, {8, 48, 107}};
    double at = 4 * fmin(fmax(share, 0), 1);
    int i = at >= 4 ? 3 : (int)at;
    fprintf(file, "#");
    for (int k = 0; k < 3; k++)
        fprintf(file, "%02x", (unsigned)(stops[i][k] + (at - i) * (stops[i + 1][k] - stops[i][k]) + 0.5));
}

static double share_of(span s, double score)
{
    return s.high > s.low ? (score - s.low) / (s.high - s.low) : 1;
}

static void draw_cell(const partan_tune_point *point, const levels *costs, const levels *gammas, span s, FILE *file)
{
    double width = (double)GRID_WIDTH / (double)costs->count, height = (double)GRID_HEIGHT / (double)gammas->count;
    double x = LEFT + width * (double)level_of(costs, point->cost);
    double y = TOP + GRID_HEIGHT - height * (double)(level_of(gammas, point->gamma) + 1);
    double share = share_of(s, point->score);
    fprintf(file, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" stroke=\"white\" fill=\"", x, y, width,
            height);
    put_colour(share, file);
    fprintf(file, "\"><title>C %.6g, gamma %.6g: %.4f</title></rect>\n", point->cost, point->gamma, point->score);
    if (width >= 40 && height >= 16)
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\" font-size=\"12\" fill=\"%s\">%.1f</text>\n",
                x + width / 2, y + height / 2 + 4, share > 0.55 ? "white" : "#333333", 100 * point->score);
}

/* Every so many levels that their texts do not touch. */
static size_t every(size_t count, double room, double text)
{
    size_t step = (size_t)ceil((double)count * text / room);
    return step ? step : 1;
}

static void draw_levels(const levels *costs, const levels *gammas, FILE *file)
{
    double width = (double)GRID_WIDTH / (double)costs->count, height = (double)GRID_HEIGHT / (double)gammas->count;
    size_t step = every(costs->count, GRID_WIDTH, 62);
    for (size_t i = 0; i < costs->count; i += step)
        fprintf(file, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\" fill=\"" SVG_GREY "\">%.3g</text>\n",
                LEFT + width * ((double)i + 0.5), TOP + GRID_HEIGHT + 18, costs->values[i]);
    step = every(gammas->count, GRID_HEIGHT, 16);
    for (size_t i = 0; i < gammas->count; i += step)
        fprintf(file, "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\" fill=\"" SVG_GREY "\">%.3g</text>\n", LEFT - 8,
                TOP + GRID_HEIGHT - height * ((double)i + 0.5) + 4.5, gammas->values[i]);
    fprintf(file, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">C</text>\n", LEFT + GRID_WIDTH / 2,
            TOP + GRID_HEIGHT + 42);
    fprintf(file, "<text x=\"28\" y=\"%d\" text-anchor=\"middle\" transform=\"rotate(-90 28 %d)\">gamma</text>\n",
            TOP + GRID_HEIGHT / 2, TOP + GRID_HEIGHT / 2);
}

static void draw_bar(span s, FILE *file)
{
    enum { STEPS = 64 };
    for (int i = 0; i < STEPS; i++) {
        double height = (double)GRID_HEIGHT / STEPS;
        fprintf(file, "<rect x=\"%d\" y=\"%.1f\" width=\"%d\" height=\"%.1f\" fill=\"", BAR_LEFT,
                TOP + GRID_HEIGHT - height * (i + 1), BAR, height + 0.5);
        put_colour((i + 0.5) / STEPS, file);
        fprintf(file, "\"/>\n");
    }
    for (int i = 0; i <= 4; i++)
        fprintf(file, "<text x=\"%d\" y=\"%.1f\" fill=\"" SVG_GREY "\">%.4g</text>\n", BAR_LEFT + BAR + 8,
                TOP + GRID_HEIGHT - GRID_HEIGHT * i / 4.0 + 4.5, s.low + (s.high - s.low) * i / 4);
}

static const partan_tune_point *find_best(const partan_tune_point *points, size_t count)
{
    const partan_tune_point *best = points;
    for (size_t i = 1; i < count; i++)
        if (partan_tune_better(&points[i], best))
            best = &points[i];
    return best;
}

static void draw_map(const partan_tune_point *points, size_t count, const levels *costs, const levels *gammas,
                     FILE *file)
{
    span s = scores(points, count);
    const partan_tune_point *best = find_best(points, count);
    double width = (double)GRID_WIDTH / (double)costs->count, height = (double)GRID_HEIGHT / (double)gammas->count;
    for (size_t i = 0; i < count; i++)
        draw_cell(&points[i], costs, gammas, s, file);
    fprintf(file,
            "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"" SVG_ORANGE
            "\" stroke-width=\"3\"/>\n",
            LEFT + width * (double)level_of(costs, best->cost),
            TOP + GRID_HEIGHT - height * (double)(level_of(gammas, best->gamma) + 1), width, height);
    draw_levels(costs, gammas, file);
    draw_bar(s, file);
}

/* ---- Line ---- */

static void draw_points(const partan_tune_point *points, size_t count, const levels *across,
                        double (*of)(const partan_tune_point *), const char *title, const char *score, FILE *file)
{
    double low = INFINITY, high = -INFINITY;
    chart_line line;
    chart_panel panel = {LEFT, TOP, WIDTH - LEFT - 40, GRID_HEIGHT, {0, 0, true, title}, {0, 0, false, score}, NULL};
    for (size_t i = 0; i < count; i++) {
        low = fmin(low, points[i].score - points[i].deviation);
        high = fmax(high, points[i].score + points[i].deviation);
    }
    chart_fit(&panel.up, low, high);
    chart_fit(&panel.across, across->values[0], across->values[across->count - 1]);
    chart_frame(&panel, file);
    chart_line_begin(&line, &panel, SVG_BLUE, "", file);
    for (size_t k = 0; k < across->count; k++)
        for (size_t i = 0; i < count; i++)
            if (of(&points[i]) == across->values[k])
                chart_line_to(&line, of(&points[i]), points[i].score);
    chart_line_end(&line);
    const partan_tune_point *best = find_best(points, count);
    for (size_t i = 0; i < count; i++) {
        double x = chart_x(&panel, of(&points[i]));
        if (points[i].deviation > 0)
            fprintf(file, "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"" SVG_BLUE "\"/>\n", x,
                    chart_y(&panel, points[i].score - points[i].deviation), x,
                    chart_y(&panel, points[i].score + points[i].deviation));
        chart_dot(&panel, of(&points[i]), points[i].score, &points[i] == best ? 6 : 3.5,
                  &points[i] == best ? SVG_ORANGE : SVG_BLUE, file);
    }
}

/* Of several values of epsilon, a picture shows the best one's points. */
static size_t take_epsilon(const partan_tune_point *points, size_t count, double epsilon, partan_tune_point *taken)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i].epsilon == epsilon)
            taken[found++] = points[i];
    return found;
}

static bool draw(const partan_tune_point *points, size_t count, const char *score, FILE *file)
{
    levels costs = {0}, gammas = {0};
    bool well = find_levels(points, count, cost_of, &costs) && find_levels(points, count, gamma_of, &gammas);
    if (well && count > 0) {
        const partan_tune_point *best = find_best(points, count);
        chart_begin(file, WIDTH, HEIGHT, "Scores of partan tune");
        fprintf(file, "<text x=\"%d\" y=\"28\" text-anchor=\"middle\" font-size=\"15\">", WIDTH / 2);
        chart_text(file, score);
        fprintf(file, ", best %.4f at C %.4g, gamma %.4g</text>\n", best->score, best->cost, best->gamma);
        if (costs.count > 1 && gammas.count > 1)
            draw_map(points, count, &costs, &gammas, file);
        else if (gammas.count > 1)
            draw_points(points, count, &gammas, gamma_of, "gamma", score, file);
        else
            draw_points(points, count, &costs, cost_of, "C", score, file);
        chart_end(file);
    }
    free(costs.values);
    free(gammas.values);
    return well;
}

bool tune_plot(const partan_tune_point *points, size_t count, const char *score, FILE *file)
{
    partan_tune_point *taken = malloc((count ? count : 1) * sizeof *taken);
    if (!taken)
        return false;
    size_t kept = count > 0 ? take_epsilon(points, count, find_best(points, count)->epsilon, taken) : 0;
    bool well = draw(taken, kept, score, file);
    free(taken);
    return well;
}
