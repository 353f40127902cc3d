/* Breiman's artificial data: ringnorm and twonorm (Bias, variance, and arcing classifiers, Technical Report 460,
 * Berkeley 1996) and waveform (Breiman, Friedman, Olshen and Stone, Classification and Regression Trees, 1984,
 * pages 49-55). In each the two classes are equally likely; class 1 is the positive one. */
#include <math.h>

#include "data/generate/generate.h"

/* ---- Two normal distributions ---- */

#define TWO_NORMALS(own_name, what, own_row)                                                                           \
    {                                                                                                                  \
        .name = own_name, .description = what "; 20 features; noise: probability of a flipped label (0)",              \
        .features = 20, .least = 1, .most = INT32_MAX, .noise = 0, .most_noise = 1,                                    \
        .noise_means = "a probability of a flipped label", .row = own_row,                                             \
    }

/* Class 1: N(0, 4 I). Class 2: N((a, ..., a), I), a = 1 / sqrt(d). */
static void ringnorm_row(pt_generator *generator, pt_random *random)
{
    bool first = pt_random_flip(random, 0.5);
    double mean = first ? 0 : 1 / sqrt((double)generator->features);
    double deviation = first ? 2 : 1;
    for (size_t f = 0; f < generator->features; f++)
        generator->values[f] = (float)(mean + deviation * pt_random_normal(random));
    generator->positive = first != pt_random_flip(random, generator->noise);
}

const pt_generator_kind pt_generate_ringnorm =
    TWO_NORMALS("ringnorm", "Breiman's two normal distributions, one inside the other", ringnorm_row);

/* Class 1: N((a, ..., a), I). Class 2: N((-a, ..., -a), I), a = 2 / sqrt(d). The best rule is the sign of the sum, and
 * errs with probability Phi(-2) = 2.28 % whatever d is. */
static void twonorm_row(pt_generator *generator, pt_random *random)
{
    bool first = pt_random_flip(random, 0.5);
    double a = 2 / sqrt((double)generator->features);
    for (size_t f = 0; f < generator->features; f++)
        generator->values[f] = (float)((first ? a : -a) + pt_random_normal(random));
    generator->positive = first != pt_random_flip(random, generator->noise);
}

const pt_generator_kind pt_generate_twonorm =
    TWO_NORMALS("twonorm", "Breiman's two normal distributions side by side", twonorm_row);

/* ---- Waveform ---- */

enum { WAVE_FEATURES = 21, WAVE_MOST = 40 };

/* Triangle of height 6 around a peak; the book's waves h1, h2, h3 have their peaks at 7, 15 and 11 of t = 1 .. 21. */
static double wave(double peak, double t)
{
    return fmax(6 - fabs(t - peak), 0);
}

/* The book has three classes, each a random convex combination of two of the waves plus noise: 1 = h1, h2; 2 = h1, h3;
 * 3 = h2, h3. These are the first two of them. Features 22 to 40 are standard normal, as in the 40-feature version. */
static void waveform_row(pt_generator *generator, pt_random *random)
{
    generator->positive = pt_random_flip(random, 0.5);
    double other = generator->positive ? 15 : 11;
    double u = pt_random_uniform(random);
    for (size_t f = 0; f < WAVE_FEATURES; f++) {
        double t = (double)f + 1;
        double noise = generator->noise * pt_random_normal(random);
        generator->values[f] = (float)(u * wave(7, t) + (1 - u) * wave(other, t) + noise);
    }
    for (size_t f = WAVE_FEATURES; f < generator->features; f++)
        generator->values[f] = (float)pt_random_normal(random);
}

const pt_generator_kind pt_generate_waveform = {
    .name = "waveform",
    .description = "classes 1 and 2 of Breiman's waveforms; 21 features, up to 40 with normal noise; noise: standard "
                   "deviation added to the waves (1)",
    .features = WAVE_FEATURES,
    .least = WAVE_FEATURES,
    .most = WAVE_MOST,
    .noise = 1,
    .most_noise = 1000,
    .noise_means = "a standard deviation",
    .row = waveform_row,
};
