/* ROC and precision-recall curves, side by side. */
#include <stdlib.h>

#include "chart.h"
#include "evaluation.h"
#include "message.h"
#include "outfile.h"
#include "svg.h"

enum { WIDTH = 900, HEIGHT = 480, SIDE = 350, TOP = 52 };

void curves_add(void *user, double threshold, uint64_t true_positives, uint64_t false_positives)
{
    curves *of = user;
    (void)threshold;
    if (of->count == of->room && !of->full) {
        size_t room = of->room ? 2 * of->room : 1024;
        curve_point *more = realloc(of->points, room * sizeof *more);
        of->full = !more;
        of->points = more ? more : of->points;
        of->room = more ? room : of->room;
    }
    if (!of->full)
        of->points[of->count++] = (curve_point){true_positives, false_positives};
}

void curves_free(curves *of)
{
    free(of->points);
}

static void draw_roc(const curves *of, const partan_evaluation *found, FILE *file)
{
    char title[64];
    chart_line line;
    double positives = (double)(found->confusion[1][0] + found->confusion[1][1]);
    double negatives = (double)(found->confusion[0][0] + found->confusion[0][1]);
    snprintf(title, sizeof title, "ROC curve, AUC %.4f", found->auc);
    chart_panel panel = {
        80, TOP, SIDE, SIDE, {0, 1, false, "false positive rate"}, {0, 1, false, "true positive rate"}, title};
    chart_frame(&panel, file);
    chart_line_begin(&line, &panel, SVG_GREY, " stroke-dasharray=\"2 4\"", file);
    chart_line_to(&line, 0, 0);
    chart_line_to(&line, 1, 1);
    chart_line_end(&line);
    chart_line_begin(&line, &panel, SVG_BLUE, "", file);
    chart_line_to(&line, 0, 0);
    for (size_t i = 0; i < of->count; i++)
        chart_line_to(&line, (double)of->points[i].false_positives / negatives,
                      (double)of->points[i].true_positives / positives);
    chart_line_end(&line);
    chart_dot(&panel, (double)found->confusion[0][1] / negatives, found->recall[1], 5, SVG_ORANGE, file);
}

static void draw_precision(const curves *of, const partan_evaluation *found, FILE *file)
{
    char title[64];
    chart_line line;
    double positives = (double)(found->confusion[1][0] + found->confusion[1][1]);
    double share = positives / (double)(found->labelled - found->other);
    snprintf(title, sizeof title, "Precision-recall curve, average precision %.4f", found->average_precision);
    chart_panel panel = {520, TOP, SIDE, SIDE, {0, 1, false, "recall"}, {0, 1, false, "precision"}, title};
    chart_frame(&panel, file);
    chart_line_begin(&line, &panel, SVG_GREY, " stroke-dasharray=\"2 4\"", file);
    chart_line_to(&line, 0, share); /* of predictions at random */
    chart_line_to(&line, 1, share);
    chart_line_end(&line);
    chart_line_begin(&line, &panel, SVG_BLUE, "", file);
    for (size_t i = 0; i < of->count; i++) {
        double hits = (double)of->points[i].true_positives;
        chart_line_to(&line, hits / positives, hits / (hits + (double)of->points[i].false_positives));
    }
    chart_line_end(&line);
    if (found->precision[1] >= 0)
        chart_dot(&panel, found->recall[1], found->precision[1], 5, SVG_ORANGE, file);
}

int write_curves(invocation *run, const curves *of, const partan_evaluation *found, class_names names, const char *path)
{
    partan_output out;
    if (of->full)
        return failure(run, "out of memory for the points of the plot");
    if (!(found->balanced_accuracy >= 0))
        return failure(run, "%s: not written: the curves need rows of both classes with labels", path);
    int code = outfile_open(run, path, &out);
    if (code != EXIT_DONE)
        return code;
    chart_begin(out.file, WIDTH, HEIGHT, "ROC and precision-recall curves");
    draw_roc(of, found, out.file);
    draw_precision(of, found, out.file);
    fprintf(out.file,
            "<circle cx=\"80\" cy=\"%d\" r=\"5\" fill=\"" SVG_ORANGE "\"/>\n<text x=\"92\" y=\"%d\" fill=\"" SVG_GREY
            "\">the predictions; dotted: random predictions; positive class: ",
            HEIGHT - 20, HEIGHT - 15);
    chart_text(out.file, names.text[1]);
    fprintf(out.file, "</text>\n");
    chart_end(out.file);
    return outfile_commit(run, &out);
}
