/* Generated data: one file and one line in the table of generate.c a kind. Row i depends on the kind, its parameters,
 * the seed and i alone: the same rows come out in any order, streamed or in memory. */
#ifndef PT_GENERATE_H
#define PT_GENERATE_H

#include "core/context.h"
#include "core/random.h"

typedef struct pt_generator_kind pt_generator_kind;

typedef struct pt_generator {
    partan_context *context;
    const pt_generator_kind *kind;
    size_t features;
    double noise;
    uint64_t seed;
    uint64_t key;     /* row i draws from a stream seeded by key + i */
    void *state;      /* what the kind prepared */
    int32_t *indices; /* of the row at hand; NULL for kinds with dense rows */
    float *values;
    size_t count;
    bool positive; /* its class, */
    double number; /* or of kinds for regression, its label */
} pt_generator;

struct pt_generator_kind {
    const char *name;
    const char *description; /* one line: what it is, its features, the meaning of noise; defaults included */
    size_t features;         /* default */
    size_t least, most;      /* features it can have */
    double noise;            /* default */
    double most_noise;
    const char *noise_means;                  /* for messages: "a probability" */
    bool numbers;                             /* labels are numbers, for regression */
    size_t (*room)(const pt_generator *);     /* the longest row's entries; NULL: rows are dense */
    partan_status (*prepare)(pt_generator *); /* sets state, which finish frees even after a failure; NULL: nothing */
    void (*finish)(pt_generator *);           /* frees state */
    void (*row)(pt_generator *, pt_random *); /* fills in the row at hand */
};

extern const pt_generator_kind pt_generate_checkerboard;
extern const pt_generator_kind pt_generate_spirals;
extern const pt_generator_kind pt_generate_ringnorm;
extern const pt_generator_kind pt_generate_twonorm;
extern const pt_generator_kind pt_generate_waveform;
extern const pt_generator_kind pt_generate_onehot;
extern const pt_generator_kind pt_generate_text;
extern const pt_generator_kind pt_generate_friedman;

/* Checks the options and prepares; after a failure there is nothing to close. */
partan_status pt_generator_open(partan_context *context, const partan_generator_options *options,
                                pt_generator *generator);
void pt_generator_row(pt_generator *generator, uint64_t row);
void pt_generator_close(pt_generator *generator);

/* For the kinds. */
bool pt_random_flip(pt_random *random, double probability);
float pt_random_unit(pt_random *random); /* uniform on the 2^24 floats k / 2^24 of [0, 1) */

#endif
