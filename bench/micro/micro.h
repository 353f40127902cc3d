/* bench_micro: what partan's parts cost on this machine, beside what the machine can do. One JSON object a line goes to
 * standard output; bench/run --micro makes tables of them. */
#ifndef MICRO_H
#define MICRO_H

#include <stdint.h>
#include <stdio.h>

#include "core/team.h"

enum { MOST_TEAMS = 8 };

typedef struct micro {
    double seconds; /* to spend on each measurement */
    int team[MOST_TEAMS];
    int teams;
} micro;

/* ---- Timing ---- */

/* Seconds a call. On a machine that others use too, the best is what the code can do and the median what it got. */
typedef struct timing {
    double best;
    double median;
} timing;

timing measure(double seconds, void (*work)(void *state), void *state);

/* ---- Output: begin, fields, end ---- */

void emit_begin(const char *part);
void emit_text(const char *name, const char *value);
void emit_integer(const char *name, uint64_t value);
void emit_real(const char *name, double value); /* null when it is not finite */
void emit_end(void);

/* ---- What the machine can do ---- */

/* Operations on 32-bit lanes, a nanosecond, by a team of threads whose data is in registers; 0 where not known. */
typedef struct rates {
    double multiply; /* fused multiply-add of float32 (or a product and a sum, where that is all there is) */
    double count;    /* exclusive or, population count and sum */
    double products; /* four products of bytes, summed */
} rates;

rates measure_rates(const micro *m, pt_isa isa, int threads);
double copy_rate(const micro *m, size_t bytes, int threads); /* seconds to read bytes/2 and write them elsewhere */
double read_rate(const micro *m, pt_isa isa, size_t bytes, int threads); /* seconds to read them */

/* ---- The parts ---- */

void run_floor(const micro *m);
void run_blocks(const micro *m);
void run_step(const micro *m);
void run_predict(const micro *m);
void run_readers(const micro *m, char *const *paths, int count);

/* Ends the program when a status is a failure: a benchmark has nothing to go on with. */
void require(partan_context *context, partan_status status);
partan_context *make_context(pt_isa isa, int threads);

#endif
