/* Two parts of ratings, drawn with a seed. */
#include <math.h>

#include "core/random.h"
#include "core/require.h"
#include "matrix/ratings.h"

/* Marks `wanted` of the entries, each set of so many as likely as any other: an entry is taken with the share that is
 * still to be taken of those that are left. */
static void draw(size_t count, size_t wanted, uint64_t seed, unsigned char *second)
{
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t k = 0; k < count; k++) {
        second[k] = pt_random_below(&random, count - k) < wanted;
        wanted -= second[k];
    }
}

static partan_status make_part(partan_context *context, const partan_ratings *ratings, const unsigned char *second,
                               int which, partan_ratings **out)
{
    partan_ratings *part = NULL;
    pt_triplets triplets = {0};
    size_t twice;
    partan_status status = pt_ratings_create(context, ratings->name, &part);
    if (!status)
        status = pt_names_copy(&ratings->rows, &part->rows);
    if (!status)
        status = pt_names_copy(&ratings->columns, &part->columns);
    for (size_t k = 0; k < ratings->count && !status; k++) {
        size_t row, column;
        double value;
        if (second[k] != which)
            continue;
        partan_ratings_entry(ratings, k, &row, &column, &value);
        status = pt_triplets_add(context, &triplets, (int32_t)row, (int32_t)column, value);
    }
    if (!status)
        status = pt_ratings_fill(part, &triplets, &twice);
    pt_triplets_free(context, &triplets);
    if (status)
        partan_ratings_free(part);
    else
        *out = part;
    return status;
}

partan_status partan_ratings_split(partan_context *context, const partan_ratings *ratings, double share, uint64_t seed,
                                   partan_ratings **first, partan_ratings **second)
{
    PT_REQUIRE(context, context && ratings && first && second);
    *first = *second = NULL;
    if (!(share > 0) || !(share < 1))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found a share of %g, expected one above 0 and below 1", share);
    size_t wanted = (size_t)floor(share * (double)ratings->count + 0.5);
    if (wanted == 0 || wanted == ratings->count)
        return pt_fail(context, PARTAN_ERROR_DATA,
                       "%s: too few ratings (%zu) to hold out a fraction of %g for choosing the radius", ratings->name,
                       ratings->count, share);
    unsigned char *marks = pt_alloc(context, ratings->count, 1);
    if (!marks)
        return pt_out_of_memory(context, "a split");
    draw(ratings->count, wanted, seed, marks);
    partan_status status = make_part(context, ratings, marks, 0, first);
    if (!status)
        status = make_part(context, ratings, marks, 1, second);
    if (status) {
        partan_ratings_free(*first);
        *first = NULL;
    }
    pt_free(context, marks);
    return status;
}
