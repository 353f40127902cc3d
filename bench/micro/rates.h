/* The loops of rate.h, by instruction set. */
#ifndef RATES_H
#define RATES_H

#include <stddef.h>
#include <stdint.h>

typedef double (*rate_loop)(uint64_t rounds, double *sink);
typedef uint32_t (*read_loop)(const char *from, size_t bytes);

double rate_portable_multiply(uint64_t rounds, double *sink);
double rate_portable_count(uint64_t rounds, double *sink);
double rate_avx2_multiply(uint64_t rounds, double *sink);
double rate_avx2_count(uint64_t rounds, double *sink);
double rate_avx2_products(uint64_t rounds, double *sink);
double rate_avx512_multiply(uint64_t rounds, double *sink);
double rate_avx512_count(uint64_t rounds, double *sink);
double rate_avx512_products(uint64_t rounds, double *sink);

uint32_t rate_portable_read(const char *from, size_t bytes);
uint32_t rate_avx2_read(const char *from, size_t bytes);
uint32_t rate_avx512_read(const char *from, size_t bytes);

#endif
