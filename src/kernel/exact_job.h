/* What the two files of exact sums share: exact_blocks.c meets a block of rows with all vertices, in a way that depends
 * on the storage; exact.c shares the blocks out to the threads. */
#ifndef PT_EXACT_JOB_H
#define PT_EXACT_JOB_H

#include "kernel/exact.h"
#include "kernel/exact_lists.h"

/* What each thread has of its own. */
typedef struct pt_exact_scratch {
    double *scattered; /* points as they are met with rows, over the features that rows have; else all zero */
    size_t room;       /* of indices and values, for each point or row */
    int32_t *indices;
    float *values;
    uint32_t *words;
    float *decoded;  /* a block of rows held as bytes */
    pt_lists *lists; /* of a block of sparse rows */
    double *block;   /* a block of values, where they are not summed */
} pt_exact_scratch;

typedef struct pt_exact_job {
    partan_context *context;
    const pt_kernel *kernel;
    const pt_kernel_kind *kind; /* of the kernel */
    const pt_exact_ops *ops;    /* the instruction set's */
    pt_points rows, vertices;
    size_t count;
    const double *weights; /* and where their sums go; NULL: values go to `take` */
    double *sums;
    pt_exact_taker *take;
    void *user;
    double *table; /* bits: the kernel at 0, 1, 2, ...; precomputed: the summed weight of each column */
    size_t width;  /* precomputed: columns with a weight */
    const struct pt_exact_way *way;
} pt_exact_job;

/* A way to meet rows first .. end-1 with all vertices, and what it needs of the scratch. */
typedef struct pt_exact_way {
    void (*block)(const pt_exact_job *job, const pt_exact_scratch *own, size_t first, size_t end);
    size_t points; /* that are scattered, at most */
    bool words, decoded, lists;
    bool vertices, rows; /* indices and values, with room for a vertex (or for each of the points) or for a row */
} pt_exact_way;

/* Chooses the way, and makes the table that it needs, which is the caller's to free. */
partan_status pt_exact_choose(pt_exact_job *job);

#endif
