/* Text-like sparse rows: words by Zipf's law, log-normal lengths, tf-idf values, unit Euclidean norm, two classes of
 * many topics each. With 47,236 features they have the shape of RCV1 as LIBSVM's page offers it.
 *
 * Feature w (from 0) is the word of rank w + 1. Words follow Zipf's law with Mandelbrot's shift q, in the form
 * P(w) = log(1 + 1/(w + q)) / log(1 + n/q): its inverse is in closed form, so that nothing of the size of the
 * vocabulary is kept.
 *
 * A document has a first topic, which decides its class, and a second one of either class. Each of its words is common
 * with probability `noise`; of the others, the second topic has a share that the document draws between 0 and
 * MOST_SECOND, and the first topic has the rest. Words of topics are drawn by Zipf's law too, and then replaced by the
 * topic's word of neighbouring rank: of every block of as many words as there are topics, each topic owns one. Who owns
 * which depends on the number of features alone, not on the seed, so that a model trained on rows of one seed can be
 * tested on rows of another. */
#include <math.h>
#include <string.h>

#include "data/generate/generate.h"

/* Set by trial for what RCV1 is known to be like: 73 nonzeros a row, and an accuracy of about 97 % by linear and rbf
 * kernels after a few ten thousand rows of 47,236 features. */
#define MEDIAN_LENGTH 66.0  /* in words, repeated ones included */
#define SPREAD        0.6   /* standard deviation of the logarithm of the length */
#define COMMON_SHIFT  20.0  /* the most frequent word is in a fifth of the documents, as if stop words were left out */
#define TOPIC_SHIFT   200.0 /* flatter: a topic has many words of its own, and none is in all of its documents */
#define MOST_SECOND   0.4   /* a half would make documents of two opposed topics a matter of luck */

enum { LEAST_LENGTH = 3, MOST_LENGTH = 1000, MOST_TOPICS = 40 };

typedef struct zipf {
    double shift;
    double log_span; /* log(1 + n/q) */
} zipf;

typedef struct vocabulary {
    size_t features;
    size_t topics; /* even ones are of the negative class, odd ones of the positive */
    double noise;
    zipf common, topical;
} vocabulary;

typedef struct document {
    size_t topics[2];
    double second; /* share of the second topic among words of topics */
} document;

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

/* ---- Words ---- */

static zipf make_zipf(size_t features, double shift)
{
    return (zipf){.shift = shift, .log_span = log1p((double)features / shift)};
}

static vocabulary make_vocabulary(const pt_generator *generator)
{
    size_t n = generator->features;
    return (vocabulary){
        .features = n,
        .topics = n < MOST_TOPICS ? n - n % 2 : MOST_TOPICS,
        .noise = generator->noise,
        .common = make_zipf(n, COMMON_SHIFT),
        .topical = make_zipf(n, TOPIC_SHIFT),
    };
}

static size_t draw_zipf(const zipf *law, size_t features, pt_random *random)
{
    size_t word = (size_t)(law->shift * expm1(pt_random_uniform(random) * law->log_span));
    return word < features ? word : features - 1; /* rounding */
}

static double probability(const zipf *law, size_t word)
{
    return log1p(1 / ((double)word + law->shift)) / law->log_span;
}

/* The topic's word in the block of the given one; the last words, fewer than a block, stay as they are. */
static size_t word_of_topic(const vocabulary *words, size_t word, size_t topic)
{
    size_t block = word / words->topics;
    if ((block + 1) * words->topics > words->features)
        return word;
    return block * words->topics + (topic + mix(block) % words->topics) % words->topics;
}

/* (1 + log tf) idf, with the idf that the word's probability implies for a document of median length. */
static double weight(const vocabulary *words, size_t word, double tf)
{
    double frequency =
        words->noise * probability(&words->common, word) + (1 - words->noise) * probability(&words->topical, word);
    return (1 + log(tf)) * log1p(1 / (MEDIAN_LENGTH * frequency));
}

/* ---- Documents ---- */

static document draw_document(const vocabulary *words, pt_random *random)
{
    document drawn;
    for (int i = 0; i < 2; i++)
        drawn.topics[i] = (size_t)pt_random_below(random, words->topics);
    drawn.second = MOST_SECOND * pt_random_uniform(random);
    return drawn;
}

static size_t draw_length(pt_random *random)
{
    double length = MEDIAN_LENGTH * exp(SPREAD * pt_random_normal(random));
    return (size_t)fmin(fmax(length, LEAST_LENGTH), MOST_LENGTH);
}

static size_t draw_word(const vocabulary *words, const document *about, pt_random *random)
{
    if (pt_random_flip(random, words->noise))
        return draw_zipf(&words->common, words->features, random);
    size_t topic = about->topics[pt_random_flip(random, about->second)];
    return word_of_topic(words, draw_zipf(&words->topical, words->features, random), topic);
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

/* Makes tf-idf values of unit norm of the counts. */
static void weigh_words(pt_generator *generator, const vocabulary *words)
{
    double squares = 0;
    for (size_t k = 0; k < generator->count; k++) {
        double value = weight(words, (size_t)generator->indices[k], generator->values[k]);
        generator->values[k] = (float)value;
        squares += value * value;
    }
    for (size_t k = 0; k < generator->count; k++)
        generator->values[k] = (float)(generator->values[k] / sqrt(squares));
}

static void text_row(pt_generator *generator, pt_random *random)
{
    vocabulary words = make_vocabulary(generator);
    document about = draw_document(&words, random);
    generator->positive = about.topics[0] % 2;
    generator->count = 0;
    for (size_t left = draw_length(random); left > 0; left--)
        count_word(generator, draw_word(&words, &about, random));
    weigh_words(generator, &words);
}

const pt_generator_kind pt_generate_text = {
    .name = "text",
    .description = "sparse documents of 40 topics in two classes, words by Zipf's law, tf-idf, unit norm; 10000 "
                   "features; noise: share of the words common to all topics (0.5)",
    .features = 10000,
    .least = 2,
    .most = INT32_MAX,
    .noise = 0.5,
    .most_noise = 1,
    .noise_means = "a share of words",
    .room = text_room,
    .row = text_row,
};
