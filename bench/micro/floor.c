/* What the machine can do: peak rates of vector operations by instruction set, and copying. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/clock.h"
#include "micro.h"
#include "rates.h"

enum { ROUNDS = 20000 };

typedef struct loop_state {
    rate_loop loop;
    partan_context *context;
    double *rate, *sink; /* of each part */
    double best;         /* operations a second of all threads */
} loop_state;

/* Threads time themselves: waiting for each other, or for a core, is not part of the rate. */
static void run_part(void *state, size_t part, size_t thread)
{
    loop_state *s = state;
    (void)thread;
    double start = pt_clock(), operations = s->loop(ROUNDS, &s->sink[part]);
    s->rate[part] = operations / (pt_clock() - start);
}

static void run_loop(void *state)
{
    loop_state *s = state;
    int threads = partan_threads(s->context);
    double sum = 0;
    pt_team_run(s->context, threads, (size_t)threads, run_part, s);
    for (int i = 0; i < threads; i++)
        sum += s->rate[i];
    s->best = sum > s->best ? sum : s->best;
}

static double rate(const micro *m, rate_loop loop, int threads)
{
    if (!loop)
        return 0;
    partan_context *context = make_context(pt_isa_best(), threads);
    double *room = pt_alloc_zero(context, 2 * (size_t)threads, sizeof *room);
    require(room ? context : NULL, PARTAN_OK);
    loop_state state = {.loop = loop, .context = context, .rate = room, .sink = room + threads};
    measure(m->seconds, run_loop, &state);
    pt_free(context, room);
    partan_destroy(context);
    return state.best * 1e-9;
}

rates measure_rates(const micro *m, pt_isa isa, int threads)
{
    rate_loop loops[3] = {rate_portable_multiply, rate_portable_count, NULL};
#if defined(MICRO_X86)
    static const rate_loop avx2[3] = {rate_avx2_multiply, rate_avx2_count, rate_avx2_products};
    static const rate_loop avx512[3] = {rate_avx512_multiply, rate_avx512_count, rate_avx512_products};
    if (isa == PT_ISA_AVX2)
        memcpy(loops, avx2, sizeof loops);
    if (isa == PT_ISA_AVX512)
        memcpy(loops, avx512, sizeof loops);
    if (isa == PT_ISA_AVX512 && !__builtin_cpu_supports("avx512vnni"))
        loops[2] = NULL;
#endif
    if (isa == PT_ISA_REFERENCE)
        return (rates){0}; /* plain code that is there to be compared with */
    return (rates){.multiply = rate(m, loops[0], threads),
                   .count = rate(m, loops[1], threads),
                   .products = rate(m, loops[2], threads)};
}

/* ---- Copying and reading ---- */

typedef struct copy_state {
    char *from, *to;
    size_t bytes;
    partan_context *context;
    read_loop loop;
    _Atomic uint32_t sink;
} copy_state;

static pt_span share_of(const copy_state *s, size_t part)
{
    size_t parts = (size_t)partan_threads(s->context);
    return (pt_span){s->bytes * part / parts / 64 * 64, s->bytes * (part + 1) / parts / 64 * 64};
}

static void run_parts(const copy_state *s, pt_work *work)
{
    int threads = partan_threads(s->context);
    pt_team_run(s->context, threads, (size_t)threads, work, (void *)s);
}

static void copy_part(void *state, size_t part, size_t thread)
{
    const copy_state *s = state;
    pt_span share = share_of(s, part);
    (void)thread;
    memcpy(s->to + share.begin, s->from + share.begin, share.end - share.begin);
}

static void run_copy(void *state)
{
    run_parts(state, copy_part);
}

double copy_rate(const micro *m, size_t bytes, int threads)
{
    copy_state state = {.bytes = bytes / 2, .context = make_context(pt_isa_best(), threads)};
    state.from = malloc(state.bytes);
    state.to = malloc(state.bytes);
    double seconds = NAN;
    if (state.from && state.to) {
        memset(state.from, 1, state.bytes);
        memset(state.to, 2, state.bytes);
        seconds = measure(m->seconds, run_copy, &state).best;
    }
    free(state.from);
    free(state.to);
    partan_destroy(state.context);
    return seconds;
}

static void read_part(void *state, size_t part, size_t thread)
{
    copy_state *s = state;
    pt_span share = share_of(s, part);
    (void)thread;
    atomic_fetch_xor(&s->sink, s->loop(s->from + share.begin, share.end - share.begin));
}

static void run_reading(void *state)
{
    run_parts(state, read_part);
}

double read_rate(const micro *m, pt_isa isa, size_t bytes, int threads)
{
    copy_state state = {.bytes = bytes, .loop = rate_portable_read};
#if defined(MICRO_X86)
    if (isa == PT_ISA_AVX2)
        state.loop = rate_avx2_read;
    if (isa == PT_ISA_AVX512)
        state.loop = rate_avx512_read;
#else
    (void)isa;
#endif
    state.from = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!state.from)
        return NAN;
    state.context = make_context(isa, threads);
    memset(state.from, 1, bytes);
    double seconds = measure(m->seconds, run_reading, &state).best;
    free(state.from);
    partan_destroy(state.context);
    return seconds;
}

void run_floor(const micro *m)
{
    for (int isa = 1; isa < PT_ISA_COUNT; isa++)
        for (int i = 0; i < m->teams && pt_isa_available((pt_isa)isa); i++) {
            rates r = measure_rates(m, (pt_isa)isa, m->team[i]);
            emit_begin("floor");
            emit_text("isa", pt_isa_name((pt_isa)isa));
            emit_integer("threads", (uint64_t)m->team[i]);
            emit_real("multiply_per_ns", r.multiply);
            emit_real("count_per_ns", r.count);
            emit_real("products_per_ns", r.products > 0 ? r.products : NAN);
            emit_end();
        }
    static const size_t sizes[] = {1 << 15, 1 << 19, 1 << 23, 1 << 28};
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (int i = 0; i < m->teams; i++) {
            emit_begin("copy");
            emit_integer("bytes", sizes[s]);
            emit_integer("threads", (uint64_t)m->team[i]);
            emit_real("bytes_per_second", (double)sizes[s] / copy_rate(m, sizes[s], m->team[i]));
            emit_real("read_bytes_per_second", (double)sizes[s] / read_rate(m, pt_isa_best(), sizes[s], m->team[i]));
            emit_end();
        }
}
