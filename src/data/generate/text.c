/* Text-like sparse rows: words by Zipf's law, log-normal lengths, tf-idf values, unit Euclidean norm, two topics.
 *
 * Feature w (from 0) is the word of rank w + 1, drawn with probability log(1 + 1/rank) / log(n + 1): Zipf's law with
 * exponent 1, and its inverse is in closed form, so that nothing of the size of the vocabulary is kept. Words of
 * neighbouring rank form pairs; of each pair, one word belongs to the one topic and its neighbour to the other, as the
 * seed decides. A word drawn for a document is replaced by its pair's word of the document's topic, except that with
 * probability `noise` it is kept: such words say nothing about the class, and the two topics share them. */
#include <math.h>
#include <string.h>

#include "data/generate/generate.h"

#define MEDIAN_LENGTH 60.0
#define SPREAD        0.6 /* standard deviation of the logarithm of the length */

enum { LEAST_LENGTH = 3, MOST_LENGTH = 1000 };

static size_t text_room(const pt_generator *generator)
{
    return generator->features < MOST_LENGTH ? generator->features : MOST_LENGTH;
}

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 32)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static size_t draw_length(pt_random *random)
{
    double length = MEDIAN_LENGTH * exp(SPREAD * pt_random_normal(random));
    return (size_t)fmin(fmax(length, LEAST_LENGTH), MOST_LENGTH);
}

static size_t draw_word(const pt_generator *generator, double log_size, pt_random *random)
{
    size_t n = generator->features;
    double rank = floor(exp(pt_random_uniform(random) * log_size));
    size_t word = rank < 1 ? 0 : (size_t)rank - 1;
    if (word >= n)
        word = n - 1;
    bool kept = pt_random_flip(random, generator->noise);
    if (kept || (word | 1) >= n) /* the last word of an odd vocabulary has no neighbour */
        return word;
    size_t of_positive = mix(generator->key ^ (word / 2)) & 1;
    return (word & ~(size_t)1) | (generator->positive ? of_positive : 1 - of_positive);
}

/* Counts a word in the row, whose indices stay sorted; values are counts for now. */
static void count_word(pt_generator *generator, size_t word)
{
    size_t low = 0, high = generator->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((size_t)generator->indices[middle] < word)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < generator->count && (size_t)generator->indices[low] == word) {
        generator->values[low]++;
        return;
    }
    size_t after = generator->count - low;
    memmove(generator->indices + low + 1, generator->indices + low, after * sizeof *generator->indices);
    memmove(generator->values + low + 1, generator->values + low, after * sizeof *generator->values);
    generator->indices[low] = (int32_t)word;
    generator->values[low] = 1;
    generator->count++;
}

/* (1 + log tf) idf, with the idf that the word's rank implies for a document of median length. */
static double weight(size_t word, double log_size, double tf)
{
    double probability = log1p(1 / ((double)word + 1)) / log_size;
    return (1 + log(tf)) * log1p(1 / (MEDIAN_LENGTH * probability));
}

static void text_row(pt_generator *generator, pt_random *random)
{
    double log_size = log((double)generator->features + 1);
    generator->positive = pt_random_flip(random, 0.5);
    generator->count = 0;
    for (size_t left = draw_length(random); left > 0; left--)
        count_word(generator, draw_word(generator, log_size, random));

    double squares = 0;
    for (size_t k = 0; k < generator->count; k++) {
        double value = weight((size_t)generator->indices[k], log_size, generator->values[k]);
        generator->values[k] = (float)value;
        squares += value * value;
    }
    for (size_t k = 0; k < generator->count; k++)
        generator->values[k] = (float)(generator->values[k] / sqrt(squares));
}

const pt_generator_kind pt_generate_text = {
    .name = "text",
    .description = "sparse documents of two topics, words by Zipf's law, tf-idf, unit norm; 10000 features; noise: "
                   "share of the words common to both topics (0.75)",
    .features = 10000,
    .least = 2,
    .most = INT32_MAX,
    .noise = 0.75,
    .most_noise = 1,
    .noise_means = "a share of words",
    .room = text_room,
    .row = text_row,
};
