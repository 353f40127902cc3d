/* Friedman's first regression problem (Multivariate adaptive regression splines, The Annals of Statistics 19, 1991,
 * section 4.3): features are uniform on [0, 1), of which the first five matter. */
#include <math.h>

#include "data/generate/generate.h"

static void friedman_row(pt_generator *generator, pt_random *random)
{
    const double pi = 3.14159265358979323846;
    float *x = generator->values;
    for (size_t f = 0; f < generator->features; f++)
        x[f] = pt_random_unit(random);
    double wave = 10 * sin(pi * (double)x[0] * (double)x[1]), hollow = (double)x[2] - 0.5;
    double number = wave + 20 * hollow * hollow + 10 * (double)x[3] + 5 * (double)x[4];
    generator->number = number + generator->noise * pt_random_normal(random);
}

const pt_generator_kind pt_generate_friedman = {
    .name = "friedman",
    .description =
        "Friedman's first regression problem: labels are numbers, of variance 24 without noise; 10 features, "
        "of which 5 matter; noise: standard deviation added to the labels (1)",
    .features = 10,
    .least = 5,
    .most = INT32_MAX,
    .noise = 1,
    .most_noise = 1e6,
    .noise_means = "a standard deviation",
    .numbers = true,
    .row = friedman_row,
};
