/* A data set: a matrix of feature values with labels. */
#ifndef PT_DATA_H
#define PT_DATA_H

#include "data/source.h"
#include "data/storage/matrix.h"

struct partan_data {
    partan_context *context;
    pt_matrix matrix;
    double *labels; /* numbers, or indices into words; NaN: this row has none; NULL: no row has one */
    char **words;   /* labels that are words, in order of first appearance; NULL: labels are numbers */
    size_t word_count;
    double *weights;  /* of the rows, 0 or more; NULL: 1 each */
    int64_t *serials; /* precomputed kernels: the column (from 0) that stands for each row; NULL otherwise */
    pt_source source; /* how it was read, with the names of the features */
    char *name;       /* the file it came from, for messages; never NULL ("data" when it came from memory) */
};

/* An empty data set with its name copied; the caller fills the rest. */
partan_status pt_data_create(partan_context *context, const char *name, partan_data **data);

/* What a fingerprint is made of: a hash of rows that are the ones from number `first` on of a whole, to be added up
 * over all parts of it; and the fingerprint of a whole of so many rows. */
uint64_t pt_data_hash(const partan_data *data, uint64_t first);
uint64_t pt_fingerprint_of(uint64_t sum, uint64_t rows);

/* partan_data_fingerprint, for who does not wait for it: PT_NO_FINGERPRINT when asked to stop. */
#define PT_NO_FINGERPRINT UINT64_C(0)
uint64_t pt_fingerprint_heeding(const partan_data *data);

/* Whether a model with this fingerprint may have been trained on data with that one. */
static inline bool pt_is_fingerprint_of(uint64_t model, uint64_t data)
{
    return model == data || model == PT_NO_FINGERPRINT;
}

/* Gives a data set the label words of another. */
partan_status pt_data_copy_words(const partan_data *source, partan_data *copy);

/* A data set with all of another, labels and how it was read, but the matrix, which stays empty. NULL on failure. */
partan_status pt_data_copy_rest(const partan_data *source, partan_data **copy);

/* A data set of some rows, in the order given, with their labels and serials, in the same storage. Labels that are
 * words keep their numbers. */
partan_status pt_data_gather(const partan_data *data, const int64_t *rows, size_t count, partan_data **out);

/* Marks the rows that a share drawn with a seed consists of with 1 (`second` is all zeros before), from each label the
 * same share where `stratify`; *taken gets how many. Fails when that is none or all. */
partan_status pt_data_draw(const partan_data *data, double share, uint64_t seed, bool stratify, unsigned char *second,
                           size_t *taken);

/* Deals the rows to `parts` parts with a seed: part[row] is from 0. Sizes differ by one row at most, and so does, where
 * `stratify`, what the parts have of each label. */
partan_status pt_data_deal(const partan_data *data, size_t parts, uint64_t seed, bool stratify, int32_t *part);

/* The two classes of a data set: their labels as numbers and text (the positive one is [1]) and each row's sign. Fails
 * with PARTAN_ERROR_DATA when there are not exactly two, or when a row has no label. Labels of rows of weight 0 do not
 * count. */
typedef struct pt_classes {
    double weight[2]; /* what the costs of its rows are multiplied by; 0: 1, as they are */
    double label[2];
    char *text[2]; /* owned */
    bool words;
} pt_classes;

/* All classes of a data set, in ascending order: of numbers, or of words by strcmp. */
typedef struct pt_labels {
    size_t count;
    bool words;
    double *label;
    char **text;    /* owned */
    double *weight; /* what the costs of its rows are multiplied by */
} pt_labels;

/* Fails with PARTAN_ERROR_DATA when a row has no label, when there is only one class, or when the labels are the
 * targets of a regression. `class_of` (of each row) is the caller's to free. */
partan_status pt_data_labels(const partan_data *data, pt_labels *labels, int32_t **class_of);
/* Its two parts, for data of which others have the rest: the different labels of the rows here, however many, and each
 * row's place among them; and whether labels are those of classes, in data with so many rows. */
partan_status pt_labels_of_rows(const partan_data *data, pt_labels *labels, int32_t **class_of);
partan_status pt_labels_check(const partan_data *data, const pt_labels *labels, uint64_t rows);
partan_status pt_labels_reserve(partan_context *context, size_t count, pt_labels *labels); /* texts NULL, weights 1 */
void pt_labels_free(partan_context *context, pt_labels *labels);
/* The class that a text is the label of, where numbers are compared as numbers ("1" is "+1.0"); -1: none. */
int32_t pt_labels_find(const pt_labels *labels, const char *text);

static inline double pt_class_weight(const pt_classes *classes, bool positive)
{
    return classes->weight[positive] > 0 ? classes->weight[positive] : 1;
}

static inline double pt_data_weight(const partan_data *data, size_t row)
{
    return data->weights ? data->weights[row] : 1;
}

partan_status pt_data_classes(const partan_data *data, pt_classes *classes, float **signs /* padded to whole tiles */);
void pt_classes_free(partan_context *context, pt_classes *classes);

#endif
