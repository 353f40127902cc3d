/* Generated ratings: entries of a matrix of low rank at random places, with noise. */
#include <math.h>

#include "core/hash.h"
#include "core/random.h"
#include "core/require.h"
#include "core/sized.h"
#include "matrix/ratings.h"

PT_STRUCT_INIT(partan_ratings_generator, .rows = 1000, .columns = 500, .rank = 5, .entries = 50000, .noise = 0.5,
               .seed = 1)

static partan_status check(partan_context *context, const partan_ratings_generator *g)
{
    if (g->rows < 1 || g->columns < 1 || g->rows > INT32_MAX || g->columns > INT32_MAX)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found %llu rows and %llu columns, expected 1 to 2147483647",
                       (unsigned long long)g->rows, (unsigned long long)g->columns);
    if (g->entries < 1 || g->entries > g->rows * g->columns)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found %llu entries, expected 1 to %llu, rows x columns",
                       (unsigned long long)g->entries, (unsigned long long)(g->rows * g->columns));
    if (g->rank < 1 || g->rank > 10000 || !(g->noise >= 0) || !isfinite(g->noise))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "found rank %llu and noise %g, expected 1 to 10000 and 0 or more", (unsigned long long)g->rank,
                       g->noise);
    return PARTAN_OK;
}

/* One factor, its entries normal. */
static double *draw_factor(partan_context *context, size_t rows, size_t rank, uint64_t seed)
{
    double *factor = pt_alloc(context, rows * rank, sizeof *factor);
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; factor && i < rows * rank; i++)
        factor[i] = pt_random_normal(&random);
    return factor;
}

/* Number k of a random order of 0 .. count - 1: a Feistel network over the next even power of two, gone through again
 * while it leads outside. So places are drawn without ever noting which are taken. */
static uint64_t shuffled(uint64_t k, uint64_t count, uint64_t seed)
{
    unsigned half = 1;
    while (half < 31 && (uint64_t)1 << 2 * half < count)
        half++;
    uint64_t mask = ((uint64_t)1 << half) - 1;
    do {
        uint64_t left = k >> half, right = k & mask;
        for (uint64_t round = 0; round < 6; round++) {
            uint64_t next = left ^ (pt_hash_mix(right ^ pt_hash_mix(seed + round)) & mask);
            left = right;
            right = next;
        }
        k = left << half | right;
    } while (k >= count);
    return k;
}

static partan_status draw_entries(partan_context *context, const partan_ratings_generator *g, const double *left,
                                  const double *right, pt_triplets *triplets)
{
    pt_random random;
    pt_random_seed(&random, g->seed + 2);
    partan_status status = PARTAN_OK;
    for (uint64_t k = 0; k < g->entries && !status; k++) {
        uint64_t place = shuffled(k, g->rows * g->columns, g->seed);
        size_t row = (size_t)(place / g->columns), column = (size_t)(place % g->columns);
        double value = g->noise * pt_random_normal(&random);
        for (size_t r = 0; r < g->rank; r++)
            value += left[row * g->rank + r] * right[column * g->rank + r] / sqrt((double)g->rank);
        status = pt_triplets_add(context, triplets, (int32_t)row, (int32_t)column, round(1e4 * value) / 1e4);
        if (!status && k % 4096 == 0)
            status = pt_progress_share(context, (double)k / (double)g->entries);
    }
    if (status == PARTAN_INTERRUPTED) {
        pt_interrupt_clear(context);
        pt_fail(context, status, "generating ratings was interrupted");
    }
    return status;
}

partan_status partan_ratings_generate(partan_context *context, const partan_ratings_generator *options,
                                      partan_ratings **out)
{
    PT_REQUIRE(context, context && options && out);
    PT_TAKE(context, partan_ratings_generator, options);
    *out = NULL;
    pt_triplets triplets = {0};
    partan_ratings *ratings = NULL;
    size_t twice;
    partan_status status = check(context, options);
    if (status)
        return status;
    pt_progress_begin(context, "generate");
    double *left = draw_factor(context, (size_t)options->rows, (size_t)options->rank, options->seed);
    double *right = draw_factor(context, (size_t)options->columns, (size_t)options->rank, options->seed + 1);
    status =
        left && right ? draw_entries(context, options, left, right, &triplets) : pt_out_of_memory(context, "factors");
    if (!status)
        status = pt_ratings_create(context, "ratings", &ratings);
    if (!status) {
        ratings->rows.count = (size_t)options->rows;
        ratings->columns.count = (size_t)options->columns;
        status = pt_ratings_fill(ratings, &triplets, &twice);
    }
    pt_free(context, left);
    pt_free(context, right);
    pt_triplets_free(context, &triplets);
    if (status)
        partan_ratings_free(ratings);
    else
        *out = ratings;
    return status;
}
