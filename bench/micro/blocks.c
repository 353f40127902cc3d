/* Kernel blocks: nanoseconds a value, for storages, features, panel widths, instruction sets and threads, beside the
 * floor: the vector operations that the value needs at the rates measured in registers.
 *
 * A single column runs over all rows, as a step of the paper's variants does; full panels run GROUP at a time over
 * chunks of rows, as prediction and pricing do. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "kernel/block.h"
#include "micro.h"

enum {
    ROWS = 16384,
    WORDS_A_TEXT = 8315, /* features of the sparse case, and about its nonzeros a row */
    NONZEROS = 60,
    GROUP = 8,
    CHUNK_TILES = 32,
    CHUNK_ROWS = CHUNK_TILES * PT_TILE,
};

/* Multiplications and the like that make a kernel value of a sum: the distance and gamma (2), the exponential's
 * reduction (3) and polynomial (6). For packed bits on AVX-512, look-ups of digits and products of them instead. What
 * other units can do at the same time is not counted. */
#define RBF_OPERATIONS      11.0
#define DIGIT_OPERATIONS(n) (2.0 * (n)-1)

/* A storage by its name: one that this library does not have is left out. */
typedef struct shape {
    const char *storage;
    size_t features;
} shape;

static const shape shapes[] = {
    {"bits", 123}, {"bits", 300},  {"dense", 2},  {"dense", 8},   {"dense", 22},
    {"dense", 38}, {"dense", 784}, {"bytes", 38}, {"bytes", 784}, {"sparse", WORDS_A_TEXT},
};

static bool find_storage(const char *name, partan_storage *storage)
{
    for (int i = 1; i < 16; i++) {
        const char *found = partan_storage_name((partan_storage)i);
        if (found && strcmp(found, name) == 0) {
            *storage = (partan_storage)i;
            return true;
        }
    }
    return false;
}

/* ---- Rows ---- */

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

/* Random words, the frequent ones first as in real vocabularies; returns how many different ones. */
static size_t text_row(pt_random *random, int32_t *indices, float *values)
{
    for (int i = 0; i < NONZEROS; i++) {
        double u = pt_random_uniform(random);
        indices[i] = (int32_t)(u * u * WORDS_A_TEXT);
    }
    qsort(indices, NONZEROS, sizeof *indices, ascending);
    size_t count = 0;
    for (int i = 0; i < NONZEROS; i++)
        if (i == 0 || indices[i] != indices[count - 1])
            indices[count++] = indices[i];
    for (size_t i = 0; i < count; i++)
        values[i] = (float)(0.05 + 0.1 * pt_random_uniform(random));
    return count;
}

static void plain_row(pt_random *random, const shape *s, float *values)
{
    for (size_t i = 0; i < s->features; i++) {
        double u = pt_random_uniform(random);
        if (strcmp(s->storage, "bits") == 0)
            values[i] = u < 0.11; /* a9a's share */
        else if (strcmp(s->storage, "bytes") == 0)
            values[i] = (float)(u < 0.8 ? 0 : floor(u * 255) / 255.0);
        else
            values[i] = (float)u;
    }
}

static void make_rows(partan_context *context, const shape *s, partan_storage storage, pt_matrix *rows)
{
    pt_random random;
    pt_segment segment;
    pt_random_seed(&random, 1);
    pt_segment_init(&segment, context);
    size_t room = s->features > NONZEROS ? s->features : NONZEROS;
    float *values = malloc(room * sizeof *values);
    int32_t indices[NONZEROS];
    require(values ? context : NULL, PARTAN_OK);
    for (int i = 0; i < ROWS; i++) {
        if (storage == PARTAN_STORAGE_SPARSE) {
            size_t count = text_row(&random, indices, values);
            require(context, pt_segment_add(&segment, indices, values, count));
        } else {
            plain_row(&random, s, values);
            require(context, pt_segment_add(&segment, NULL, values, s->features));
        }
    }
    require(context, pt_matrix_build(context, &segment, 1, storage, s->features, rows));
    free(values);
}

/* ---- Work ---- */

typedef struct work {
    const pt_block *block;
    pt_panel panels[GROUP];
    size_t count; /* panels in use */
    int threads;
    float *out; /* a chunk of values for each thread */
} work;

static void run_chunk(void *state, size_t chunk, size_t thread)
{
    const work *w = state;
    float *out = w->out + thread * CHUNK_ROWS * PT_PANEL;
    pt_span span = pt_span_of(w->block->rows->tiles, CHUNK_TILES, chunk);
    for (size_t p = 0; p < w->count; p++)
        pt_block_values(w->block, &w->panels[p], span.begin, span.end - span.begin, out, CHUNK_ROWS);
}

static void run_chunks(void *state)
{
    work *w = state;
    pt_team_run(w->block->context, w->threads, pt_span_count(w->block->rows->tiles, CHUNK_TILES), run_chunk, w);
}

static void pack(work *w, partan_context *context, const pt_matrix *rows, size_t width)
{
    for (size_t p = 0; p < w->count; p++) {
        int64_t ids[PT_PANEL];
        for (size_t c = 0; c < width; c++)
            ids[c] = (int64_t)((p * width + c) * 977 % rows->rows);
        require(context, pt_panel_init(&w->panels[p], w->block, rows, width));
        require(context, pt_panel_pack(&w->panels[p], (pt_points){.matrix = rows}, ids, width));
    }
}

static double floor_nanoseconds(const pt_block *block, pt_isa isa, const rates *r)
{
    const pt_matrix *rows = block->rows;
    double features = (double)rows->features, finish = RBF_OPERATIONS;
    double each = features / r->multiply;
    if (rows->storage == PARTAN_STORAGE_BITS) {
        each = (double)rows->words / r->count;
        if (isa == PT_ISA_AVX512 && block->digits)
            finish = DIGIT_OPERATIONS(block->digits);
    } else if (rows->storage == PARTAN_STORAGE_SPARSE) {
        each = (double)rows->nonzeros / (double)rows->rows / r->multiply;
    } else if (strcmp(partan_storage_name(rows->storage), "bytes") == 0) {
        each = ceil(features / 4) / r->products;
    }
    return each + finish / r->multiply; /* not finite where a rate is not known */
}

static size_t row_bytes(const pt_matrix *rows)
{
    if (rows->storage == PARTAN_STORAGE_BITS)
        return rows->words * sizeof(uint32_t);
    if (rows->storage == PARTAN_STORAGE_SPARSE)
        return (size_t)rows->nonzeros * 8 / rows->rows + sizeof(int64_t);
    return rows->features * (strcmp(partan_storage_name(rows->storage), "bytes") == 0 ? 1 : sizeof(float));
}

/* Reading the rows once for all columns at hand, by loops that do nothing else. */
static double memory_nanoseconds(const micro *m, pt_isa isa, const pt_matrix *rows, size_t columns, int threads)
{
    size_t bytes = row_bytes(rows) * rows->rows;
    return read_rate(m, isa, bytes, threads) * 1e9 / (double)(rows->rows * columns);
}

static void report(const shape *s, const pt_block *block, size_t width, int threads, pt_isa isa, timing t,
                   double values, double memory, const rates *r)
{
    emit_begin("block");
    emit_text("storage", s->storage);
    emit_integer("features", s->features);
    emit_real("nonzeros_a_row", (double)block->rows->nonzeros / (double)block->rows->rows);
    emit_integer("width", width);
    emit_text("isa", pt_isa_name(isa));
    emit_integer("threads", (uint64_t)threads);
    emit_real("ns", t.best / values * 1e9);
    emit_real("ns_median", t.median / values * 1e9);
    emit_real("ns_floor", floor_nanoseconds(block, isa, r));
    emit_real("ns_memory", memory);
    emit_real("ns_estimate", pt_block_cost(block)); /* what the solvers go by; for one core */
    emit_end();
}

static void run_shape(const micro *m, const shape *s, pt_isa isa, const rates *r)
{
    static const size_t widths[] = {1, PT_PANEL};
    partan_storage storage;
    if (!find_storage(s->storage, &storage))
        return;
    int most = 1;
    for (int team = 0; team < m->teams; team++)
        most = m->team[team] > most ? m->team[team] : most;
    partan_context *context = make_context(isa, most);
    pt_matrix rows;
    make_rows(context, s, storage, &rows);
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = pt_gamma_of(PARTAN_GAMMA_AUTO, &rows, rows.features)};
    pt_block block;
    require(context, pt_block_init(&block, context, &kernel, &rows, &rows));
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        for (int team = 0; team < m->teams; team++) {
            work w = {.block = &block, .threads = m->team[team], .count = widths[i] == 1 ? 1 : GROUP};
            w.out = pt_alloc(context, (size_t)w.threads * CHUNK_ROWS * PT_PANEL, sizeof *w.out);
            require(w.out ? context : NULL, PARTAN_OK);
            pack(&w, context, &rows, widths[i]);
            timing t = measure(m->seconds, run_chunks, &w);
            double values = (double)(rows.tiles * PT_TILE) * (double)(widths[i] * w.count);
            double memory = memory_nanoseconds(m, isa, &rows, widths[i] * w.count, w.threads);
            report(s, &block, widths[i], w.threads, isa, t, values, memory, &r[team]);
            for (size_t p = 0; p < w.count; p++)
                pt_panel_free(&w.panels[p]);
            pt_free(context, w.out);
        }
    pt_matrix_free(&rows);
    partan_destroy(context);
}

void run_blocks(const micro *m)
{
    for (int isa = PT_ISA_COUNT - 1; isa > 0; isa--) {
        if (!pt_isa_available((pt_isa)isa))
            continue;
        rates r[MOST_TEAMS];
        for (int i = 0; i < m->teams; i++)
            r[i] = measure_rates(m, (pt_isa)isa, m->team[i]);
        for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
            run_shape(m, &shapes[s], (pt_isa)isa, r);
    }
}
