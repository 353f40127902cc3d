/* What the tests of generators share. */
#ifndef GENERATING_H
#define GENERATING_H

#include <math.h>

#include "data/generate/generate.h"
#include "testing.h"

static inline partan_generator_options kind_options(const char *kind, uint64_t rows)
{
    partan_generator_options options;
    partan_generator_options_init(&options);
    options.kind = kind;
    options.rows = rows;
    return options;
}

static inline void assert_near(double value, double wanted, double slack)
{
    if (!(fabs(value - wanted) <= slack))
        fail_msg("%g is not within %g of %g", value, slack, wanted);
}

#endif
