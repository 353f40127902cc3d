/* Generators of the plane: a checkerboard and two spirals. Features after the second carry no information. */
#include <math.h>

#include "data/generate/generate.h"

#define PI 3.14159265358979323846

enum {
    BOARD = 4, /* fields along a side of the checkerboard */
    TURNS = 2, /* of a spiral */
};

/* The label is a function of the floats that are handed out: without flips, it is the parity of the field exactly. */
static void checkerboard_row(pt_generator *generator, pt_random *random)
{
    for (size_t f = 0; f < generator->features; f++)
        generator->values[f] = pt_random_unit(random);
    int column = (int)(BOARD * generator->values[0]);
    int line = (int)(BOARD * generator->values[1]);
    bool even = (column + line) % 2 == 0;
    generator->positive = even != pt_random_flip(random, generator->noise);
}

const pt_generator_kind pt_generate_checkerboard = {
    .name = "checkerboard",
    .description = "4 x 4 board on the unit square; 2 features, more are uniform noise; noise: probability of a "
                   "flipped label (0)",
    .features = 2,
    .least = 2,
    .most = INT32_MAX,
    .noise = 0,
    .most_noise = 1,
    .noise_means = "a probability of a flipped label",
    .row = checkerboard_row,
};

/* Radius r in [0, 1] at angle 2 pi TURNS r, the other class half a turn ahead: neighbouring arms are 1 / (2 TURNS)
 * apart. r = sqrt(uniform) spreads the points evenly over the disc. */
static void spirals_row(pt_generator *generator, pt_random *random)
{
    generator->positive = pt_random_flip(random, 0.5);
    double radius = sqrt(pt_random_uniform(random));
    double angle = 2 * PI * TURNS * radius + (generator->positive ? 0 : PI);
    double jitter_x = generator->noise * pt_random_normal(random);
    double jitter_y = generator->noise * pt_random_normal(random);
    generator->values[0] = (float)(radius * cos(angle) + jitter_x);
    generator->values[1] = (float)(radius * sin(angle) + jitter_y);
    for (size_t f = 2; f < generator->features; f++)
        generator->values[f] = 2 * pt_random_unit(random) - 1;
}

const pt_generator_kind pt_generate_spirals = {
    .name = "spirals",
    .description = "two interleaved spirals of two turns in the unit disc; 2 features, more are uniform noise; noise: "
                   "standard deviation of the jitter (0.03)",
    .features = 2,
    .least = 2,
    .most = INT32_MAX,
    .noise = 0.03,
    .most_noise = 1000,
    .noise_means = "a standard deviation",
    .row = spirals_row,
};
