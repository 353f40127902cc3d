/* Census-like binary data: categorical attributes, one-hot encoded, and a label by a rule that the seed draws.
 *
 * Every attribute has at least two categories with frequencies that fall off like 1 / k^s, s in [0.5, 1.5] (so that
 * some attributes are nearly even and others dominated by one value). The score of a row is the sum of its categories'
 * weights, every other of which is zero, plus the weights of those pairs of categories ("interactions") it has both of;
 * the label says on which side of the median score, or as near to it as scores allow, the row is. */
#include <math.h>
#include <stdlib.h>

#include "data/generate/generate.h"

enum {
    TYPICAL_CATEGORIES = 9, /* 123 features make 14 attributes */
    TRIALS = 4096           /* rows drawn to find the median score */
};

typedef struct interaction {
    size_t category[2]; /* as features */
    size_t attribute[2];
    double weight;
} interaction;

typedef struct onehot {
    size_t attributes;
    size_t *begin;             /* attribute a has features begin[a] .. begin[a+1]-1 */
    double *cumulative;        /* of the frequencies of its categories, the last one 1 */
    double *weights;           /* of categories */
    interaction *interactions; /* as many as attributes */
    double threshold;
} onehot;

static size_t attribute_count(size_t features)
{
    size_t count = (features + TYPICAL_CATEGORIES / 2) / TYPICAL_CATEGORIES;
    return count < 2 ? 2 : count;
}

static size_t onehot_room(const pt_generator *generator)
{
    return attribute_count(generator->features);
}

/* ---- The rule ---- */

/* Two categories each; the others go to attributes by lot, with the lot's own skew: the minimum of two draws. */
static void deal_categories(onehot *rule, size_t features, pt_random *random)
{
    size_t count = rule->attributes;
    for (size_t a = 0; a <= count; a++)
        rule->begin[a] = 0;
    for (size_t left = features - 2 * count; left > 0; left--) {
        uint64_t one = pt_random_below(random, count), other = pt_random_below(random, count);
        rule->begin[1 + (one < other ? one : other)]++;
    }
    for (size_t a = 0; a < count; a++)
        rule->begin[a + 1] += rule->begin[a] + 2;
}

static void draw_frequencies(onehot *rule, pt_random *random)
{
    for (size_t a = 0; a < rule->attributes; a++) {
        double exponent = 0.5 + pt_random_uniform(random), sum = 0;
        size_t begin = rule->begin[a], end = rule->begin[a + 1];
        for (size_t f = begin; f < end; f++)
            rule->cumulative[f] = sum += pow((double)(f - begin + 1), -exponent);
        for (size_t f = begin; f < end; f++)
            rule->cumulative[f] /= sum;
        rule->cumulative[end - 1] = 1;
    }
}

static size_t draw_category(const onehot *rule, size_t attribute, pt_random *random)
{
    double u = pt_random_uniform(random);
    size_t low = rule->begin[attribute], high = rule->begin[attribute + 1] - 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (u < rule->cumulative[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void draw_weights(onehot *rule, size_t features, pt_random *random)
{
    /* Every other one is zero, so that each attribute has both, however few categories there are. */
    for (size_t f = 0; f < features; f++)
        rule->weights[f] = f % 2 ? pt_random_normal(random) : 0;
    for (size_t i = 0; i < rule->attributes; i++) {
        interaction *pair = &rule->interactions[i];
        /* Drawn by frequency, so that the pairs do occur. */
        pair->attribute[0] = (size_t)pt_random_below(random, rule->attributes);
        pair->attribute[1] =
            (pair->attribute[0] + 1 + (size_t)pt_random_below(random, rule->attributes - 1)) % rule->attributes;
        for (int side = 0; side < 2; side++)
            pair->category[side] = draw_category(rule, pair->attribute[side], random);
        pair->weight = 2 * pt_random_normal(random);
    }
}

/* ---- Rows ---- */

static double score(const onehot *rule, const int32_t *chosen)
{
    double sum = 0;
    for (size_t a = 0; a < rule->attributes; a++)
        sum += rule->weights[chosen[a]];
    for (size_t i = 0; i < rule->attributes; i++) {
        const interaction *pair = &rule->interactions[i];
        if ((size_t)chosen[pair->attribute[0]] == pair->category[0]
            && (size_t)chosen[pair->attribute[1]] == pair->category[1])
            sum += pair->weight;
    }
    return sum;
}

static void draw_row(const onehot *rule, int32_t *chosen, pt_random *random)
{
    for (size_t a = 0; a < rule->attributes; a++)
        chosen[a] = (int32_t)draw_category(rule, a, random);
}

static void onehot_row(pt_generator *generator, pt_random *random)
{
    const onehot *rule = generator->state;
    draw_row(rule, generator->indices, random);
    generator->count = rule->attributes;
    for (size_t a = 0; a < rule->attributes; a++)
        generator->values[a] = 1;
    bool above = score(rule, generator->indices) > rule->threshold;
    generator->positive = above != pt_random_flip(random, generator->noise);
}

/* ---- Preparing ---- */

/* The middle between two neighbouring scores that parts them most evenly. */
static double best_split(const double *sorted)
{
    size_t best = 0; /* scores up to this one are below */
    for (size_t i = 0; i + 1 < TRIALS; i++) {
        size_t unevenness = i + 1 < TRIALS / 2 ? TRIALS / 2 - (i + 1) : i + 1 - TRIALS / 2;
        size_t so_far = best + 1 < TRIALS / 2 ? TRIALS / 2 - (best + 1) : best + 1 - TRIALS / 2;
        if (sorted[i] < sorted[i + 1] && (unevenness < so_far || sorted[best] == sorted[best + 1]))
            best = i;
    }
    return sorted[best] + (sorted[best + 1] - sorted[best]) / 2;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static partan_status find_threshold(pt_generator *generator, pt_random *random)
{
    partan_context *context = generator->context;
    onehot *rule = generator->state;
    double *scores = pt_alloc(context, TRIALS, sizeof *scores);
    int32_t *chosen = pt_alloc(context, rule->attributes, sizeof *chosen);
    partan_status status = PARTAN_OK;
    if (scores && chosen) {
        for (size_t i = 0; i < TRIALS; i++) {
            draw_row(rule, chosen, random);
            scores[i] = score(rule, chosen);
        }
        qsort(scores, TRIALS, sizeof *scores, by_value);
        rule->threshold = best_split(scores);
    } else {
        status = pt_out_of_memory(context, "trial rows");
    }
    pt_free(context, scores);
    pt_free(context, chosen);
    return status;
}

static void onehot_finish(pt_generator *generator)
{
    onehot *rule = generator->state;
    pt_free(generator->context, rule->begin);
    pt_free(generator->context, rule->cumulative);
    pt_free(generator->context, rule->weights);
    pt_free(generator->context, rule->interactions);
    pt_free(generator->context, rule);
    generator->state = NULL;
}

static partan_status onehot_prepare(pt_generator *generator)
{
    partan_context *context = generator->context;
    onehot *rule = pt_alloc_zero(context, 1, sizeof *rule);
    if (!rule)
        return pt_out_of_memory(context, "a rule");
    generator->state = rule; /* freed with the generator from here on */
    rule->attributes = attribute_count(generator->features);
    rule->begin = pt_alloc(context, rule->attributes + 1, sizeof *rule->begin);
    rule->cumulative = pt_alloc(context, generator->features, sizeof *rule->cumulative);
    rule->weights = pt_alloc(context, generator->features, sizeof *rule->weights);
    rule->interactions = pt_alloc(context, rule->attributes, sizeof *rule->interactions);
    if (!rule->begin || !rule->cumulative || !rule->weights || !rule->interactions)
        return pt_out_of_memory(context, "a rule");

    pt_random random;
    pt_random_seed(&random, ~generator->key);
    deal_categories(rule, generator->features, &random);
    draw_frequencies(rule, &random);
    draw_weights(rule, generator->features, &random);
    return find_threshold(generator, &random);
}

const pt_generator_kind pt_generate_onehot = {
    .name = "onehot",
    .description = "census-like one-hot attributes, labels by a random rule with interactions; 123 features (14 "
                   "attributes); noise: probability of a flipped label (0.1)",
    .features = 123,
    .least = 4,
    .most = INT32_MAX,
    .noise = 0.1,
    .most_noise = 1,
    .noise_means = "a probability of a flipped label",
    .room = onehot_room,
    .prepare = onehot_prepare,
    .finish = onehot_finish,
    .row = onehot_row,
};
