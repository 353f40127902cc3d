/* Writing rows as LIBSVM text, CSV or TSV, one at a time, in memory independent of their number. */
#ifndef PT_WRITE_H
#define PT_WRITE_H

#include "data/source.h"

typedef struct pt_writer {
    partan_context *context;
    partan_output output;
    partan_format format; /* never AUTO */
    size_t features;      /* columns of CSV; in LIBSVM text the first row names the last feature, if only with a zero */
    bool begun;           /* a row has been written */
    size_t label;         /* tables: column of the label, from 0, where rows have labels */
    size_t weight;        /* and of the weight, */
    bool weighted;        /* where there are weights */
    char *buffer;
    size_t used;
} pt_writer;

/* One row. indices (from 0, ascending) NULL: the values are those of features 0 .. count-1. */
typedef struct pt_row {
    const char *label; /* as text; "": this row has none; NULL: no row has one, and CSV has no column for it */
    int64_t serial;    /* of a precomputed kernel's row, from 0; -1: none */
    double weight;     /* of weighted tables */
    const int32_t *indices;
    const float *values;
    size_t count;
} pt_row;

/* Opens `path` ("-": standard output) aside. AUTO goes by the ending (endings.h), else it is LIBSVM text. The ending of
 * a compressed file is refused: what is written is plain text. */
partan_status pt_writer_open(partan_context *context, const char *path, partan_format format, size_t features,
                             pt_writer *writer);
/* Tables: puts label and weight where they were in the source (else the label first, the weight last) and, where that
 * has names, a header; `labels`, `weights`: there are some. */
partan_status pt_writer_like(pt_writer *writer, const pt_source *source, bool labels, bool weights);
partan_status pt_writer_row(pt_writer *writer, const pt_row *row);
/* Either ends the writer: commit puts the complete file into place, abandon removes what was written aside. */
partan_status pt_writer_commit(pt_writer *writer);
void pt_writer_abandon(pt_writer *writer);

#endif
