/* Ratings: entries sorted by rows, from arrays, accessors, fingerprint. */
#include "matrix/ratings.h"

#include <math.h>
#include <string.h>

#include "core/hash.h"
#include "core/require.h"

partan_status pt_ratings_create(partan_context *context, const char *name, partan_ratings **out)
{
    *out = NULL;
    partan_ratings *ratings = pt_alloc_zero(context, 1, sizeof *ratings);
    if (!ratings)
        return pt_out_of_memory(context, "ratings");
    ratings->context = context;
    pt_names_init(&ratings->rows, context);
    pt_names_init(&ratings->columns, context);
    ratings->name = pt_copy(context, name, strlen(name) + 1, 1);
    if (!ratings->name) {
        partan_ratings_free(ratings);
        return pt_out_of_memory(context, "ratings");
    }
    *out = ratings;
    return PARTAN_OK;
}

void partan_ratings_free(partan_ratings *ratings)
{
    if (!ratings)
        return;
    partan_context *context = ratings->context;
    pt_names_free(&ratings->rows);
    pt_names_free(&ratings->columns);
    pt_free(context, ratings->name);
    pt_free(context, ratings->starts);
    pt_free(context, ratings->column);
    pt_free(context, ratings->value);
    pt_free(context, ratings->position);
    pt_free(context, ratings);
}

/* ---- Entries ---- */

partan_status pt_triplets_add(partan_context *context, pt_triplets *t, int32_t row, int32_t column, double value)
{
    size_t need = t->count + 1;
    if (pt_reserve(context, (void **)&t->row, &t->capacity[0], t->count, need, sizeof *t->row)
        || pt_reserve(context, (void **)&t->column, &t->capacity[1], t->count, need, sizeof *t->column)
        || pt_reserve(context, (void **)&t->value, &t->capacity[2], t->count, need, sizeof *t->value))
        return pt_out_of_memory(context, "ratings");
    t->row[t->count] = row;
    t->column[t->count] = column;
    t->value[t->count++] = value;
    return PARTAN_OK;
}

void pt_triplets_free(partan_context *context, pt_triplets *triplets)
{
    pt_free(context, triplets->row);
    pt_free(context, triplets->column);
    pt_free(context, triplets->value);
    *triplets = (pt_triplets){0};
}

/* starts[i]: how many keys are below i, for i up to `groups`. */
static void count_groups(const int32_t *keys, size_t count, size_t groups, int64_t *starts)
{
    memset(starts, 0, (groups + 1) * sizeof *starts);
    for (size_t k = 0; k < count; k++)
        starts[keys[k] + 1]++;
    for (size_t i = 0; i < groups; i++)
        starts[i + 1] += starts[i];
}

/* Undoes what placing entries did to the starts: each has moved on to the next one's place. */
static void step_back(int64_t *starts, size_t groups)
{
    memmove(starts + 1, starts, groups * sizeof *starts);
    starts[0] = 0;
}

/* Puts the entries in order of columns, then, keeping that, in order of rows. by_column: entry numbers. */
static void sort_entries(partan_ratings *ratings, const pt_triplets *t, int64_t *starts, int64_t *by_column)
{
    size_t rows = ratings->rows.count, columns = ratings->columns.count;
    count_groups(t->column, t->count, columns, starts);
    for (size_t k = 0; k < t->count; k++)
        by_column[starts[t->column[k]]++] = (int64_t)k;
    count_groups(t->row, t->count, rows, ratings->starts);
    for (size_t n = 0; n < t->count; n++) {
        int64_t k = by_column[n], to = ratings->starts[t->row[k]]++;
        ratings->column[to] = t->column[k];
        ratings->value[to] = t->value[k];
        ratings->position[k] = to;
    }
    step_back(ratings->starts, rows);
}

/* Of two entries in one place, the later one; the first such in the file. */
static size_t find_twice(const partan_ratings *ratings, const pt_triplets *t)
{
    for (size_t k = 0; k < t->count; k++) {
        int64_t at = ratings->position[k], first = ratings->starts[t->row[k]];
        if (at > first && ratings->column[at - 1] == t->column[k])
            return k;
    }
    return SIZE_MAX;
}

partan_status pt_ratings_fill(partan_ratings *ratings, const pt_triplets *t, size_t *twice)
{
    partan_context *context = ratings->context;
    ratings->count = t->count;
    ratings->starts = pt_alloc(context, ratings->rows.count + 1, sizeof *ratings->starts);
    ratings->column = pt_alloc(context, t->count, sizeof *ratings->column);
    ratings->value = pt_alloc(context, t->count, sizeof *ratings->value);
    ratings->position = pt_alloc(context, t->count, sizeof *ratings->position);
    int64_t *starts = pt_alloc(context, ratings->columns.count + 1, sizeof *starts);
    int64_t *by_column = pt_alloc(context, t->count, sizeof *by_column);
    bool done = ratings->starts && ratings->column && ratings->value && ratings->position && starts && by_column;
    if (done) {
        sort_entries(ratings, t, starts, by_column);
        *twice = find_twice(ratings, t);
    }
    pt_free(context, starts);
    pt_free(context, by_column);
    return done ? PARTAN_OK : pt_out_of_memory(context, "ratings");
}

static partan_status check_triplets(partan_context *context, size_t rows, size_t columns, const int64_t *row,
                                    const int64_t *column, const double *value, size_t count)
{
    if (count == 0 || rows == 0 || columns == 0)
        return pt_fail(context, PARTAN_ERROR_DATA, "there are no ratings");
    if (rows > INT32_MAX || columns > INT32_MAX)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "found %zu rows and %zu columns, at most 2147483647 are possible", rows, columns);
    for (size_t k = 0; k < count; k++) {
        if (row[k] < 0 || (uint64_t)row[k] >= rows || column[k] < 0 || (uint64_t)column[k] >= columns)
            return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                           "entry %zu: found row %lld and column %lld, expected rows 0 .. %zu and columns 0 .. %zu", k,
                           (long long)row[k], (long long)column[k], rows - 1, columns - 1);
        if (value && !isfinite(value[k]))
            return pt_fail(context, PARTAN_ERROR_DATA, "entry %zu: found %s, expected a finite number", k,
                           isnan(value[k]) ? "NaN" : "an infinity");
    }
    return PARTAN_OK;
}

partan_status partan_ratings_from_triplets(partan_context *context, size_t rows, size_t columns, const int64_t *row,
                                           const int64_t *column, const double *value, size_t count,
                                           partan_ratings **out)
{
    PT_REQUIRE(context, context && out && (count == 0 || (row && column)));
    *out = NULL;
    pt_triplets triplets = {0};
    partan_ratings *ratings = NULL;
    size_t twice = SIZE_MAX;
    partan_status status = check_triplets(context, rows, columns, row, column, value, count);
    for (size_t k = 0; k < count && !status; k++)
        status = pt_triplets_add(context, &triplets, (int32_t)row[k], (int32_t)column[k], value ? value[k] : NAN);
    if (!status)
        status = pt_ratings_create(context, "ratings", &ratings);
    if (!status) {
        ratings->rows.count = rows;
        ratings->columns.count = columns;
        status = pt_ratings_fill(ratings, &triplets, &twice);
    }
    if (!status && twice < SIZE_MAX)
        status = pt_fail(context, PARTAN_ERROR_DATA, "entry %zu: row %lld and column %lld have a value already", twice,
                         (long long)row[twice], (long long)column[twice]);
    pt_triplets_free(context, &triplets);
    if (status)
        partan_ratings_free(ratings);
    else
        *out = ratings;
    return status;
}

/* ---- Accessors ---- */

size_t partan_ratings_rows(const partan_ratings *ratings)
{
    return ratings->rows.count;
}

size_t partan_ratings_columns(const partan_ratings *ratings)
{
    return ratings->columns.count;
}

size_t partan_ratings_count(const partan_ratings *ratings)
{
    return ratings->count;
}

size_t pt_ratings_row_at(const partan_ratings *ratings, size_t position)
{
    size_t low = 0, high = ratings->rows.count; /* starts[low] <= position < starts[high] */
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (ratings->starts[middle] <= (int64_t)position)
            low = middle;
        else
            high = middle;
    }
    return low;
}

partan_status partan_ratings_entry(const partan_ratings *ratings, size_t k, size_t *row, size_t *column, double *value)
{
    PT_REQUIRE(NULL, ratings && row && column && value);
    if (k >= ratings->count)
        return pt_fail(ratings->context, PARTAN_ERROR_ARGUMENT,
                       "entry %zu is out of range: there are %zu entries, "
                       "counted from 0",
                       k, ratings->count);
    size_t at = ratings->position ? (size_t)ratings->position[k] : k;
    *row = pt_ratings_row_at(ratings, at);
    *column = (size_t)ratings->column[at];
    *value = ratings->value[at];
    return PARTAN_OK;
}

const char *partan_ratings_row_name(const partan_ratings *ratings, size_t i, char *buffer, size_t size)
{
    return pt_names_show(&ratings->rows, i, buffer, size);
}

const char *partan_ratings_column_name(const partan_ratings *ratings, size_t i, char *buffer, size_t size)
{
    return pt_names_show(&ratings->columns, i, buffer, size);
}

/* A sum over the entries by the names of their places, so that the order of a file's lines makes no difference. */
uint64_t partan_ratings_fingerprint(const partan_ratings *ratings)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < ratings->rows.count; i++) {
        uint64_t row = pt_hash_mix(pt_names_hash(&ratings->rows, i));
        for (int64_t k = ratings->starts[i]; k < ratings->starts[i + 1]; k++) {
            double value = ratings->value[k] + 0.0; /* -0 is 0 */
            uint64_t bits;
            memcpy(&bits, &value, sizeof bits);
            uint64_t place = row ^ pt_names_hash(&ratings->columns, (size_t)ratings->column[k]);
            sum += pt_hash_mix(pt_hash_mix(place) ^ bits);
        }
    }
    return pt_hash_mix(sum ^ ratings->count);
}
