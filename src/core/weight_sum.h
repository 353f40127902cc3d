/* Sums of weights above 0 whose bits do not depend on the order in which these were added: in fixed point, of 128 bits.
 * There is room for 2^40 times the largest weight. Weights of 2^-35 times it and more are added exactly; smaller ones
 * lose what is below 2^-88 times it, and count for that much at least, so that no sum is 0. */
#ifndef PT_WEIGHT_SUM_H
#define PT_WEIGHT_SUM_H

#include <math.h>
#include <stdint.h>

typedef struct pt_weight_sum {
    uint64_t high, low;
} pt_weight_sum;

/* The power of two by which weights are multiplied, where none is larger. */
static inline int pt_weight_scale(double largest)
{
    int exponent;
    (void)frexp(largest, &exponent);
    return 88 - exponent;
}

static inline void pt_weight_sum_join(pt_weight_sum *sum, const pt_weight_sum *other)
{
    uint64_t low = sum->low + other->low;
    sum->high += other->high + (low < sum->low);
    sum->low = low;
}

static inline void pt_weight_sum_add(pt_weight_sum *sum, double weight, int scale)
{
    double units = fmax(ldexp(weight, scale), 1), high = floor(ldexp(units, -64));
    pt_weight_sum_join(sum, &(pt_weight_sum){(uint64_t)high, (uint64_t)(units - ldexp(high, 64))});
}

static inline double pt_weight_sum_value(const pt_weight_sum *sum, int scale)
{
    return ldexp(ldexp((double)sum->high, 64) + (double)sum->low, -scale);
}

#endif
