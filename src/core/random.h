/* Random numbers: xoshiro256++ seeded by splitmix64. The same seed gives the same numbers everywhere. */
#ifndef PT_RANDOM_H
#define PT_RANDOM_H

#include <stdint.h>

typedef struct pt_random {
    uint64_t state[4];
    double spare; /* second half of a normal pair */
    int has_spare;
} pt_random;

void pt_random_seed(pt_random *random, uint64_t seed);
uint64_t pt_random_next(pt_random *random);
uint64_t pt_random_below(pt_random *random, uint64_t bound); /* uniform in [0, bound), without bias */
double pt_random_uniform(pt_random *random);                 /* [0, 1), 53 bits */
double pt_random_normal(pt_random *random);

#endif
