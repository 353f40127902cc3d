/* The fused step: the new gradient over all rows and its minimum, in bytes a second, beside a copy of as many bytes;
 * and the whole step of the simplex problem with the kernel column in it, on packed bits of a9a's size. */
#include <math.h>
#include <stdlib.h>

#include "data/data.h"
#include "fw/iterate.h"
#include "kernel/pass.h"
#include "micro.h"
#include "simplex/simplex.h"

/* A PARTAN step reads two gradients, a column and the signs, and writes one gradient. */
#define STEP_BYTES (3 * sizeof(double) + 2 * sizeof(float))

typedef struct combine_state {
    const pt_pass_ops *ops;
    pt_combination combination;
    size_t rows;
    partan_context *context;
    _Atomic double least;
} combine_state;

static void combine_part(void *state, size_t part, size_t thread)
{
    combine_state *s = state;
    size_t parts = (size_t)partan_threads(s->context);
    size_t begin = s->rows * part / parts / PT_TILE * PT_TILE;
    size_t end = part + 1 == parts ? s->rows : s->rows * (part + 1) / parts / PT_TILE * PT_TILE;
    pt_combination mine = s->combination;
    (void)thread;
    mine.column[0] = mine.column[0] + begin; /* columns are indexed from `begin` */
    pt_atomic_least(&s->least, s->ops->combine(&mine, begin, end));
}

static void run_combine(void *state)
{
    combine_state *s = state;
    int threads = partan_threads(s->context);
    atomic_store(&s->least, INFINITY);
    pt_team_run(s->context, threads, (size_t)threads, combine_part, s);
}

static void report(const char *part, pt_isa isa, size_t rows, int threads, size_t bytes, timing t, double copied)
{
    emit_begin(part);
    emit_text("isa", pt_isa_name(isa));
    emit_integer("rows", rows);
    emit_integer("threads", (uint64_t)threads);
    emit_real("microseconds", t.best * 1e6);
    emit_real("microseconds_median", t.median * 1e6);
    emit_real("bytes_per_second", (double)bytes / t.best);
    emit_real("copy_bytes_per_second", (double)bytes / copied);
    emit_real("to_copy", t.best / copied);
    emit_end();
}

static void run_rows(const micro *m, pt_isa isa, size_t rows, int threads)
{
    partan_context *context = make_context(isa, threads);
    double *now = pt_alloc_zero(context, rows, sizeof *now), *previous = pt_alloc_zero(context, rows, sizeof *previous);
    float *column = pt_alloc_zero(context, rows, sizeof *column), *signs = pt_alloc(context, rows, sizeof *signs);
    require(now && previous && column && signs ? context : NULL, PARTAN_OK);
    for (size_t i = 0; i < rows; i++) {
        now[i] = previous[i] = 1e-3 * (double)(i % 1000);
        signs[i] = i % 3 ? 1.0F : -1.0F;
    }
    /* Factors that sum to 1, so that values stay where they are, however many rounds. */
    combine_state state = {.ops = pt_pass_ops_for(isa),
                           .rows = rows,
                           .context = context,
                           .combination = {.next = previous,
                                           .now = now,
                                           .previous = previous,
                                           .signs = signs,
                                           .column = {column},
                                           .now_factor = 0.5,
                                           .previous_factor = 0.5,
                                           .factor = {1e-6},
                                           .bias = 1,
                                           .terms = 1}};
    timing t = measure(m->seconds, run_combine, &state);
    report("combine", isa, rows, threads, rows * STEP_BYTES, t, copy_rate(m, rows * STEP_BYTES, threads));
    pt_free(context, now);
    pt_free(context, previous);
    pt_free(context, column);
    pt_free(context, signs);
    partan_destroy(context);
}

/* ---- The whole step ---- */

typedef struct move_state {
    pt_problem *problem;
    pt_iterate iterate;
    size_t rows;
    uint64_t step;
} move_state;

static void run_move(void *state)
{
    move_state *s = state;
    /* A vertex that changes from step to step, as it does in training. */
    int64_t id = (int64_t)(s->step++ * 7919 % s->rows);
    pt_move move = {
        .now_factor = 0.6, .previous_factor = 0.3999, .terms = 1, .term = {{.id = id, .factor = 1e-4}}, .drop = -1};
    require(s->problem->context, s->problem->ops->move(s->problem, &s->iterate, &move));
}

static void run_bits(const micro *m, pt_isa isa, int threads)
{
    partan_context *context = make_context(isa, threads);
    partan_generator_options options;
    partan_generator_options_init(&options);
    options.kind = "onehot";
    options.rows = 32561;
    partan_data *data;
    float *signs;
    pt_classes classes;
    require(context, partan_generate(context, &options, PARTAN_STORAGE_BITS, &data));
    require(context, pt_data_classes(data, &classes, &signs));
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.0652};
    move_state state = {.rows = data->matrix.rows};
    pt_points points = {.matrix = &data->matrix};
    pt_dual dual = pt_dual_of_classes(data->matrix.rows, signs, 1);
    require(context, pt_simplex_full(context, &kernel, points, &dual, NULL, 0, &state.problem));
    state.problem->keeps_previous = true;
    pt_iterate_init(&state.iterate, context, true);
    require(context, pt_iterate_start(&state.iterate, &(int64_t){0}, &(double){1}, 1));
    pt_measure ignored;
    require(context, state.problem->ops->start(state.problem, &state.iterate, &ignored));
    size_t bytes = state.rows * (STEP_BYTES - sizeof(float) + data->matrix.words * sizeof(uint32_t));
    timing t = measure(m->seconds, run_move, &state);
    report("step", isa, state.rows, threads, bytes, t, copy_rate(m, bytes, threads));
    pt_iterate_free(&state.iterate);
    pt_problem_free(state.problem);
    pt_classes_free(context, &classes);
    pt_free(context, signs);
    partan_data_free(data);
    partan_destroy(context);
}

void run_step(const micro *m)
{
    static const size_t sizes[] = {32561, 395216, 4000000};
    for (int isa = PT_ISA_COUNT - 1; isa > 0; isa--) {
        if (!pt_isa_available((pt_isa)isa))
            continue;
        for (int i = 0; i < m->teams; i++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
                run_rows(m, (pt_isa)isa, sizes[s], m->team[i]);
            run_bits(m, (pt_isa)isa, m->team[i]);
        }
    }
}
