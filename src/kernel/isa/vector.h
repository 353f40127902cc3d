/* The template of vector code: what kernel/instructions.h asks of an instruction set, subject by subject in the files
 * included below. Each instruction set's file includes it once, after defining
 *
 *   VECTOR_BYTES        size of a register
 *   WIDE_TILES, WIDE_COLUMNS    register tile for full panels; WIDE_COLUMNS divides PT_PANEL
 *   NARROW_TILES                tiles at once for a single column
 *   INSTRUCTION_SET             name of the pt_instruction_set to define
 *   vector_max(a, b)            lane-wise maximum of vf
 *   vector_min_double(a, b)     lane-wise minimum of vd
 *   vector_greater(a, b, x, y)  x where a > b, else y; all vf
 *   vector_widen(half), vector_narrow(low, high)    a vd of half as many floats as vf has, and a vf of two vd
 *   vector_count(v)             lane-wise population count of vu
 *   bytes_start(sum), bytes_prepare(row)    where sums of products with z begin (`sum` is that of z's bytes), and
 *                               what to make of a row's bytes for
 *   bytes_dot(sum, row, z)      sum + products of the four bytes of each lane
 *   bytes_difference(sum, row, z)   sum + absolute differences of the four bytes of each lane, rows not prepared
 *   HAVE_DECAY and vector_decay(y), a better 2^-y than that of functions.h
 *   HAVE_DIGITS and vector_digits(block, v), where a product of in-register tables beats exp
 *
 * Vectors are the compilers' (gcc and clang) generic vectors: lane = row of a tile. Loops over tiles, columns and parts
 * have constant bounds after inlining and are unrolled, so that sums stay in registers. */
#include <math.h>
#include <string.h>

#include "kernel/instructions.h"

typedef float vf __attribute__((vector_size(VECTOR_BYTES)));
typedef int32_t vi __attribute__((vector_size(VECTOR_BYTES)));
typedef uint32_t vu __attribute__((vector_size(VECTOR_BYTES)));
typedef double vd __attribute__((vector_size(VECTOR_BYTES)));
typedef float vh __attribute__((vector_size(VECTOR_BYTES / 2))); /* as many floats as vd has doubles */

enum { LANES = VECTOR_BYTES / 4, PARTS = PT_TILE / LANES, DOUBLES = VECTOR_BYTES / 8 };

#define INLINE static inline __attribute__((always_inline))
#if defined(__has_feature)
#define HAS_SANITIZER __has_feature(address_sanitizer)
#elif defined(__SANITIZE_ADDRESS__)
#define HAS_SANITIZER 1
#else
#define HAS_SANITIZER 0
#endif
#if HAS_SANITIZER
#define UNROLL /* checks in every copy would take minutes to compile */
#else
#define UNROLL _Pragma("GCC unroll 16")
#endif

INLINE vf load(const float *p)
{
    vf v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE vu load_bits(const uint32_t *p)
{
    vu v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store(float *p, vf v)
{
    memcpy(p, &v, sizeof v);
}

INLINE vd load_double(const double *p)
{
    vd v;
    memcpy(&v, p, sizeof v);
    return v;
}

INLINE void store_double(double *p, vd v)
{
    memcpy(p, &v, sizeof v);
}

INLINE vd load_widened(const float *p)
{
    vh v;
    memcpy(&v, p, sizeof v);
    return vector_widen(v);
}

INLINE void add_widened(double *sums, vf total)
{
    vh half[2];
    memcpy(half, &total, sizeof half);
    UNROLL for (int h = 0; h < 2; h++)
    {
        vd sum = load_double(sums + h * DOUBLES) + vector_widen(half[h]);
        store_double(sums + h * DOUBLES, sum);
    }
}

#include "kernel/isa/functions.h"

#include "kernel/isa/block_values.h"

#include "kernel/isa/block_sums.h"

#include "kernel/isa/pass_combine.h"
#include "kernel/isa/pass_sweep.h"

#include "kernel/isa/algebra.h"
#include "kernel/isa/columns.h"
#include "kernel/isa/exact.h"

const pt_instruction_set INSTRUCTION_SET = {
    .block = {.values = values,
              .weigh = weigh,
              .by_index = by_index,
              .accumulate = accumulate,
              .accumulate_float32 = accumulate_float32,
              .accumulate_picked = accumulate_picked,
              .project = project},
    .pass = {.combine = combine, .sweep = sweep},
    .algebra = {.substitute = substitute, .gram = gram, .multiply = multiply, .solve = solve},
    .exact = {.measure = measure, .count = count, .exponentials = exponentials, .add = add_weighted},
    .columns =
        {.dots = dots, .moments = moments, .add = add_column, .sparse_dots = sparse_dots, .axpy = axpy, .dot = dot},
};
