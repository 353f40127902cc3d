/* How predictions compare with labels, for people, for programs, and as a picture. */
#ifndef CLI_EVALUATION_H
#define CLI_EVALUATION_H

#include "command.h"
#include "json.h"

/* The texts of both classes, the negative one first, as in a partan_evaluation. */
typedef struct class_names {
    const char *text[2];
} class_names;

class_names model_classes(const partan_model *model);

/* "Accuracy = 85.136% (13861/16281)", a row for each class, balanced accuracy and areas; or that no row has a label. */
void print_evaluation(const partan_evaluation *found, class_names names, uint64_t rows, FILE *file);
/* The keys of one evaluation, into the object that is open. */
void json_evaluation(json *out, const partan_evaluation *found, class_names names);

/* Log-loss and Brier score, where there are probabilities; in JSON null where there are none. */
void print_losses(const partan_evaluation *found, FILE *file);

/* What more than two classes come to, on a line, and the losses. */
void print_many_summary(const partan_evaluation *found, FILE *file);
void json_losses(json *out, const partan_evaluation *found);

/* The same for more than two classes, with counts by [class][predicted class]. many_evaluate also makes the evaluation
 * itself, and returns an exit code; to be freed in any case. */
typedef struct many_evaluation {
    size_t count;
    uint64_t *confusion;
    partan_class_evaluation *classes;
    int32_t *predicted; /* the class of each row */
} many_evaluation;

int many_evaluate(invocation *run, const partan_model *model, const partan_data *data, const double *decision,
                  partan_evaluation *evaluation, many_evaluation *out);
void many_evaluation_free(many_evaluation *of);
void print_many_evaluation(const partan_evaluation *found, const partan_model *model, const many_evaluation *many,
                           uint64_t rows, FILE *file);
void json_many_evaluation(json *out, const partan_evaluation *found, const partan_model *model,
                          const many_evaluation *many);

/* The points of the ROC and precision-recall curves, as partan_evaluate hands them over. */
typedef struct curve_point {
    uint64_t true_positives, false_positives;
} curve_point;

typedef struct curves {
    curve_point *points;
    size_t count, room;
    bool full; /* memory is out: points are missing */
} curves;

void curves_add(void *user, double threshold, uint64_t true_positives, uint64_t false_positives);
void curves_free(curves *of);
/* Both curves as SVG to a file. Returns an exit code. */
int write_curves(invocation *run, const curves *of, const partan_evaluation *found, class_names names,
                 const char *path);

#endif
