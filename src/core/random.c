/* xoshiro256++ (Blackman and Vigna), seeded by splitmix64. */
#include "core/random.h"

#include <math.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, int k)
{
    return (x << k) | (x >> (64 - k));
}

void pt_random_seed(pt_random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++)
        random->state[i] = splitmix(&seed);
    random->has_spare = 0;
    random->spare = 0;
}

uint64_t pt_random_next(pt_random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

uint64_t pt_random_below(pt_random *random, uint64_t bound)
{
    /* Values under 2^64 mod bound would make the small results likelier: draw again. */
    uint64_t reject = (0 - bound) % bound;
    uint64_t value;
    do
        value = pt_random_next(random);
    while (value < reject);
    return value % bound;
}

double pt_random_uniform(pt_random *random)
{
    return (double)(pt_random_next(random) >> 11) * 0x1p-53;
}

double pt_random_normal(pt_random *random)
{
    if (random->has_spare) {
        random->has_spare = 0;
        return random->spare;
    }
    /* Marsaglia's polar method. */
    double u, v, s;
    do {
        u = 2 * pt_random_uniform(random) - 1;
        v = 2 * pt_random_uniform(random) - 1;
        s = u * u + v * v;
    } while (s >= 1 || s == 0);
    double factor = sqrt(-2 * log(s) / s);
    random->spare = v * factor;
    random->has_spare = 1;
    return u * factor;
}
