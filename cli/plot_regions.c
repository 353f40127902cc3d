/* Decision regions of a model over two features: bands of the decision value, where it is 0 and 1, and rows of data. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart.h"
#include "evaluation.h"
#include "message.h"
#include "options.h"
#include "plots.h"
#include "runtime.h"
#include "svg.h"

enum {
    WIDTH = 720,
    HEIGHT = 640,
    LEFT = 84,
    TOP = 40,
    COLUMNS = 140, /* of the raster that decision values are computed on */
    ROWS = 126,
    BANDS = 11,
    MOST_DOTS = 2000,
    MOST_FEATURES = 1000000
};

typedef struct regions {
    invocation *run;
    partan_model *model;
    partan_data *data;
    size_t feature[2];
    float *mean; /* of all features: what those that are not drawn are held at */
    double *decision;
    chart_panel panel;
} regions;

/* ---- What is drawn ---- */

static void add_feature(void *user, const partan_feature *feature)
{
    regions *r = user;
    chart_axis *axes[] = {&r->panel.across, &r->panel.up};
    r->mean[feature->index] = (float)feature->mean;
    for (size_t k = 0; k < 2; k++)
        if (feature->index == r->feature[k]) {
            double margin = feature->greatest > feature->least ? 0.05 * (feature->greatest - feature->least) : 1;
            axes[k]->low = feature->least - margin;
            axes[k]->high = feature->greatest + margin;
        }
}

static int choose_features(regions *r)
{
    const char *text = option_text(r->run, "features");
    size_t features = partan_data_features(r->data);
    unsigned long first = 1, second = 2;
    char rest;
    if (partan_model_class_count(r->model) == 0)
        return failure(r->run, "a plot shows the regions of two classes; the model predicts numbers");
    if (partan_model_class_count(r->model) > 2)
        return usage_error(r->run, "decision regions need a model of two classes; %s has %zu", r->run->arguments[0],
                           partan_model_class_count(r->model));
    if (text && (sscanf(text, "%lu,%lu%c", &first, &second, &rest) != 2 || first == second))
        return usage_error(r->run, "--features takes two different numbers of features, as in 1,2, not '%s'", text);
    if (!text && features > 2)
        return usage_error(r->run, "%s has %zu features: choose two of them with --features I,J", r->run->arguments[1],
                           features);
    if (features > MOST_FEATURES)
        return usage_error(r->run, "%s has %zu features; decision regions support at most %d", r->run->arguments[1],
                           features, MOST_FEATURES);
    if (first < 1 || second < 1 || first > features || second > features)
        return usage_error(r->run, "%s has %zu features; decision regions need two", r->run->arguments[1], features);
    r->feature[0] = first - 1;
    r->feature[1] = second - 1;
    return EXIT_DONE;
}

static int measure(regions *r)
{
    partan_data_summary summary;
    partan_data_summary_init(&summary);
    r->mean = calloc(partan_data_features(r->data) + 1, sizeof *r->mean);
    if (!r->mean)
        return failure(r->run, "out of memory");
    partan_status status = partan_data_summarise(r->run->context, r->data, NULL, add_feature, r, &summary);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(r->run, status);
}

/* The decision values at the corners of one row of the raster. `values` has room for its points. */
static partan_status decide_row(const regions *r, size_t row, float *values)
{
    size_t features = partan_data_features(r->data);
    const chart_axis *x = &r->panel.across, *y = &r->panel.up;
    partan_data *points = NULL;
    for (size_t column = 0; column <= COLUMNS; column++) {
        float *point = values + column * features;
        memcpy(point, r->mean, features * sizeof *point);
        point[r->feature[0]] = (float)(x->low + (x->high - x->low) * (double)column / COLUMNS);
        point[r->feature[1]] = (float)(y->low + (y->high - y->low) * (double)row / ROWS);
    }
    partan_dense array;
    partan_array_options how;
    partan_dense_init(&array);
    partan_array_options_init(&how);
    array.values = values;
    array.rows = COLUMNS + 1;
    array.features = features;
    how.storage = PARTAN_STORAGE_DENSE;
    partan_status status = partan_data_from_dense(r->run->context, &array, &how, &points);
    if (status == PARTAN_OK)
        status = partan_predict(r->run->context, r->model, points, r->decision + row * (COLUMNS + 1));
    partan_data_free(points);
    return status;
}

/* (COLUMNS + 1) x (ROWS + 1) decision values, from the bottom. */
static int decide(regions *r)
{
    partan_status status = PARTAN_OK;
    float *values = malloc((COLUMNS + 1) * partan_data_features(r->data) * sizeof *values);
    r->decision = malloc((COLUMNS + 1) * (ROWS + 1) * sizeof *r->decision);
    if (!values || !r->decision) {
        free(values);
        return failure(r->run, "out of memory");
    }
    for (size_t row = 0; row <= ROWS && status == PARTAN_OK; row++)
        status = decide_row(r, row, values);
    free(values);
    return status == PARTAN_OK ? EXIT_DONE : library_failure(r->run, status);
}

static double at(const regions *r, size_t column, size_t row)
{
    return r->decision[row * (COLUMNS + 1) + column];
}

/* ---- Bands ---- */

/* Bands of a decision value from -1.1 to 1.1; the middle one is around 0. */
static int band(double value)
{
    double place = (value + 1.1) / 2.2 * BANDS;
    return place < 0 ? 0 : place >= BANDS ? BANDS - 1 : (int)place;
}

static void put_colour(int of, FILE *file)
{
    static const double ends[2][3] = {{246, 205, 170}, {176, 204, 236}}; /* orange below 0, blue above */
    double share = fabs((double)(2 * of - (BANDS - 1))) / (BANDS - 1);
    const double *end = ends[2 * of > BANDS - 1];
    fputc('#', file);
    for (int k = 0; k < 3; k++)
        fprintf(file, "%02x", (unsigned)(252 + share * (end[k] - 252) + 0.5));
}

static int band_of_cell(const regions *r, size_t column, size_t row)
{
    return band((at(r, column, row) + at(r, column + 1, row + 1)) / 2);
}

/* One path for each band: cells of a row of the raster that are side by side are one rectangle. */
static void draw_band(const regions *r, int level, FILE *file)
{
    double width = r->panel.width / COLUMNS, height = r->panel.height / ROWS;
    fprintf(file, "<path fill=\"");
    put_colour(level, file);
    fprintf(file, "\" d=\"");
    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0, end; column < COLUMNS; column = end) {
            bool inside = band_of_cell(r, column, row) == level;
            for (end = column + 1; end < COLUMNS && (band_of_cell(r, end, row) == level) == inside;)
                end++;
            double wide = width * (double)(end - column) + 0.1;
            if (inside)
                fprintf(file, "M%.1f %.1fh%.1fv%.1fh-%.1fz", r->panel.left + width * (double)column,
                        r->panel.top + r->panel.height - height * (double)(row + 1), wide, height + 0.1, wide);
        }
    fprintf(file, "\"/>\n");
}

static void draw_bands(const regions *r, FILE *file)
{
    fprintf(file, "<g shape-rendering=\"crispEdges\">\n");
    for (int level = 0; level < BANDS; level++)
        draw_band(r, level, file);
    fprintf(file, "</g>\n");
}

/* ---- Contours ---- */

/* Where the value crosses a level on an edge of a cell, in the units of the picture. */
static void cross(const regions *r, double level, size_t column, size_t row, int edge, double point[2])
{
    static const int ends[4][4] = {{0, 0, 1, 0}, {1, 0, 1, 1}, {0, 1, 1, 1}, {0, 0, 0, 1}};
    const int *e = ends[edge];
    double a = at(r, column + (size_t)e[0], row + (size_t)e[1]), b = at(r, column + (size_t)e[2], row + (size_t)e[3]);
    double t = (level - a) / (b - a);
    double x = (double)column + e[0] + t * (e[2] - e[0]), y = (double)row + e[1] + t * (e[3] - e[1]);
    point[0] = r->panel.left + r->panel.width * x / COLUMNS;
    point[1] = r->panel.top + r->panel.height * (1 - y / ROWS);
}

/* Marching squares: the edges of a cell whose ends are on both sides of the level, joined in pairs. */
static void draw_cell_contour(const regions *r, double level, size_t column, size_t row, FILE *file)
{
    bool corner[4] = {at(r, column, row) > level, at(r, column + 1, row) > level, at(r, column + 1, row + 1) > level,
                      at(r, column, row + 1) > level};
    double points[4][2];
    int count = 0;
    for (int edge = 0; edge < 4; edge++)
        if (corner[edge] != corner[(edge + 1) % 4])
            cross(r, level, column, row, edge, points[count++]);
    for (int i = 0; i + 1 < count; i += 2)
        fprintf(file, "M%.1f %.1fL%.1f %.1f", points[i][0], points[i][1], points[i + 1][0], points[i + 1][1]);
}

static void draw_contour(const regions *r, double level, const char *style, FILE *file)
{
    fprintf(file, "<path fill=\"none\" stroke=\"#222222\"%s d=\"", style);
    for (size_t row = 0; row < ROWS; row++)
        for (size_t column = 0; column < COLUMNS; column++)
            draw_cell_contour(r, level, column, row, file);
    fprintf(file, "\"/>\n");
}

/* ---- Rows of data ---- */

/* 1: the positive class, 0: the negative one, -1: neither, or no label. */
static int class_of(const regions *r, size_t row)
{
    char text[256];
    const char *label = partan_data_label_text(r->data, row, text, sizeof text);
    for (int positive = 0; positive < 2; positive++)
        if (strcmp(label, partan_model_label_text(r->model, positive)) == 0)
            return positive;
    return -1;
}

static int draw_dots(const regions *r, FILE *file)
{
    static const char *const colours[] = {SVG_GREY, SVG_ORANGE, SVG_BLUE};
    size_t rows = partan_data_rows(r->data), step = (rows + MOST_DOTS - 1) / MOST_DOTS;
    float *values = malloc((partan_data_features(r->data) + 1) * sizeof *values);
    if (!values)
        return failure(r->run, "out of memory");
    fprintf(file, "<g stroke=\"white\" stroke-width=\"0.6\">\n");
    for (size_t row = 0; row < rows; row += step) {
        partan_data_row(r->data, row, values);
        chart_dot(&r->panel, (double)values[r->feature[0]], (double)values[r->feature[1]],
                  rows / step > 500 ? 2.2 : 3.2, colours[class_of(r, row) + 1], file);
    }
    fprintf(file, "</g>\n");
    free(values);
    return EXIT_DONE;
}

static void draw_legend(const regions *r, FILE *file)
{
    static const char *const colours[] = {SVG_ORANGE, SVG_BLUE};
    double x = LEFT, y = HEIGHT - 14;
    for (int positive = 1; positive >= 0; positive--, x += 150) {
        fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"%s\"/>\n<text x=\"%.1f\" y=\"%.1f\">", x, y - 4.5,
                colours[positive], x + 10, y);
        chart_text(file, partan_model_label_text(r->model, positive));
        fprintf(file, "</text>\n");
    }
    fprintf(file,
            "<text x=\"%.1f\" y=\"%.1f\" fill=\"" SVG_GREY "\">lines: decision value 0, and -1 and 1 (thin)</text>\n",
            x, y);
}

static int draw(regions *r, FILE *file)
{
    char titles[2][80];
    chart_axis *axes[] = {&r->panel.across, &r->panel.up};
    for (size_t k = 0; k < 2; k++) {
        const char *name = partan_data_feature_name(r->data, r->feature[k]);
        if (name)
            snprintf(titles[k], sizeof titles[k], "%s", name);
        else
            snprintf(titles[k], sizeof titles[k], "feature %zu", r->feature[k] + 1);
        axes[k]->title = titles[k];
    }
    chart_begin(file, WIDTH, HEIGHT, "Decision regions");
    draw_bands(r, file);
    draw_contour(r, 0, " stroke-width=\"1.8\"", file);
    draw_contour(r, 1, " stroke-width=\"0.7\"", file);
    draw_contour(r, -1, " stroke-width=\"0.7\"", file);
    int code = draw_dots(r, file);
    chart_frame(&r->panel, file);
    draw_legend(r, file);
    chart_end(file);
    return code;
}

int plot_regions(invocation *run, const plot_request *request)
{
    regions r = {.run = run,
                 .panel = {.left = LEFT, .top = TOP, .width = WIDTH - LEFT - 24, .height = HEIGHT - TOP - 96}};
    if (request->count != 2)
        return usage_error(run, "decision regions need a model and its data: plot MODEL DATA OUTPUT");
    partan_status status = partan_model_read(run->context, request->inputs[0], &r.model);
    int code = status == PARTAN_OK ? EXIT_DONE : library_failure(run, status);
    if (code == EXIT_DONE)
        code = read_data(run, request->inputs[1], (reading){.unlabelled = true}, &r.data, NULL);
    if (code == EXIT_DONE)
        code = choose_features(&r);
    if (code == EXIT_DONE)
        code = measure(&r);
    if (code == EXIT_DONE)
        code = decide(&r);
    if (code == EXIT_DONE)
        code = draw(&r, request->file);
    free(r.mean);
    free(r.decision);
    partan_data_free(r.data);
    partan_model_free(r.model);
    return code;
}
