/* The support vectors of model files: what reading and writing the two formats have in common. */
#ifndef PT_MODEL_VECTORS_H
#define PT_MODEL_VECTORS_H

#include "model/scan.h"
#include "svm/model/model.h"

/* Room for `count` support vectors: weights, signs, origins (-1) and, for precomputed kernels, serials. */
partan_status pt_model_reserve(partan_model *model, size_t count);

typedef struct pt_vectors {
    partan_model *model;
    pt_segment segment; /* the rows read so far */
    size_t text_size;   /* of the whole file, which bounds what is allocated for it */
    int32_t *indices;   /* of the row being read */
    float *values;
    size_t index_capacity, value_capacity, room; /* room: for both */
} pt_vectors;

void pt_vectors_init(pt_vectors *vectors, partan_model *model, size_t text_size);
void pt_vectors_free(pt_vectors *vectors);

/* Reads the rest of a line as support vector i: features, or the serial of a precomputed kernel. With `strict`, the
 * line must hold what the native writer writes: no zeros, no more features than the model's, ones only for bits. */
partan_status pt_vectors_read(pt_vectors *vectors, pt_scan *scan, size_t i, bool strict);

/* Makes model->vectors of what was read. */
partan_status pt_vectors_finish(pt_vectors *vectors, partan_storage storage, size_t features);

/* Writes the nonzeros of support vectors as " index:value", or the serial as " 0:serial", and the end of the line.
 * start makes room for the longest row. */
partan_status pt_vectors_write_start(pt_vectors *vectors, const partan_model *model);
void pt_vectors_write(pt_vectors *vectors, const partan_model *model, size_t i, FILE *file);

#endif
