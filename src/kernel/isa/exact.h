/* Measures and exponentials in double precision, for exact.c; part of the template of vector code. */

typedef int64_t vl __attribute__((vector_size(VECTOR_BYTES)));

/* The sums that registers hold: of several points and tiles at once, so that a row is loaded once for all points and
 * sums need not wait for each other. */
enum {
    EXACT_PARTS = PT_TILE / DOUBLES,
    MEASURED_POINTS = EXACT_PARTS > 4   ? 1
                      : EXACT_PARTS > 2 ? 2
                                        : 4,
    MEASURED_TILES = EXACT_PARTS > 2 ? 1 : 2,
};

INLINE vd measure_more(const pt_metric metric, vd sum, vd row, double z)
{
    vd difference = row - z;
    if (metric == PT_METRIC_DOT)
        return sum + row * z;
    if (metric == PT_METRIC_SQUARES)
        return sum + difference * difference;
    return sum + (vd)((vl)difference & INT64_MAX);
}

INLINE void measure_tiles(const pt_metric metric, const size_t points, const size_t tiles, const float *x,
                          const pt_exact_points *z, size_t first, double *u)
{
    vd sum[MEASURED_POINTS][MEASURED_TILES * EXACT_PARTS];
    size_t features = z->features;
    UNROLL for (size_t k = 0; k < points; k++)
    {
        UNROLL for (size_t p = 0; p < tiles * EXACT_PARTS; p++)
        {
            sum[k][p] = load_double(u + k * PT_EXACT_ROWS + p * DOUBLES);
        }
    }
    for (size_t f = 0; f < features; f++, x += PT_TILE) {
        UNROLL for (size_t p = 0; p < tiles * EXACT_PARTS; p++)
        {
            vd row = load_widened(x + p / EXACT_PARTS * features * PT_TILE + p % EXACT_PARTS * DOUBLES);
            UNROLL for (size_t k = 0; k < points; k++)
            {
                sum[k][p] = measure_more(metric, sum[k][p], row, z->values[(first + k) * features + f]);
            }
        }
    }
    UNROLL for (size_t k = 0; k < points; k++)
    {
        UNROLL for (size_t p = 0; p < tiles * EXACT_PARTS; p++)
        {
            store_double(u + k * PT_EXACT_ROWS + p * DOUBLES, sum[k][p]);
        }
    }
}

INLINE void measure_points(const pt_metric metric, const size_t points, const float *x, const pt_exact_points *z,
                           size_t first, size_t tiles, double *u)
{
    size_t t = 0;
    for (; t + MEASURED_TILES <= tiles; t += MEASURED_TILES)
        measure_tiles(metric, points, MEASURED_TILES, x + t * z->features * PT_TILE, z, first, u + t * PT_TILE);
    for (; t < tiles; t++)
        measure_tiles(metric, points, 1, x + t * z->features * PT_TILE, z, first, u + t * PT_TILE);
}

INLINE void measure_all(const pt_metric metric, const float *x, const pt_exact_points *z, size_t tiles, double *u)
{
    size_t k = 0;
    for (; k + MEASURED_POINTS <= z->count; k += MEASURED_POINTS)
        measure_points(metric, MEASURED_POINTS, x, z, k, tiles, u + k * PT_EXACT_ROWS);
    for (; k < z->count; k++)
        measure_points(metric, 1, x, z, k, tiles, u + k * PT_EXACT_ROWS);
}

static void measure(pt_metric metric, const float *x, const pt_exact_points *z, size_t tiles, double *u)
{
    if (metric == PT_METRIC_DOT)
        measure_all(PT_METRIC_DOT, x, z, tiles, u);
    else if (metric == PT_METRIC_SQUARES)
        measure_all(PT_METRIC_SQUARES, x, z, tiles, u);
    else
        measure_all(PT_METRIC_ABSOLUTE, x, z, tiles, u);
}

static void count(bool differing, const uint32_t *x, const uint32_t *z, size_t words, uint32_t *counts)
{
    vu sum[PARTS];
    memcpy(sum, counts, sizeof sum);
    for (size_t w = 0; w < words; w++, x += PT_TILE) {
        UNROLL for (size_t p = 0; p < PARTS; p++)
        {
            vu row = load_bits(x + p * LANES);
            sum[p] += vector_count(differing ? row ^ z[w] : row & z[w]);
        }
    }
    memcpy(counts, sum, sizeof sum);
}

/* exp(-v) = 2^n e^r with n an integer and |r| <= log(2) / 2, e^r by its Taylor series to r^13 / 13!; arguments are
 * clamped to the range of normal numbers. Less 1, that is 2^n (e^r - 1) + (2^n - 1). */
INLINE vd exponential(const bool less_one, vd v)
{
    static const double terms[] = {1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880,
                                   1.0 / 40320,     1.0 / 5040,     1.0 / 720,     1.0 / 120,
                                   1.0 / 24,        1.0 / 6,        0.5,           1};
    const double magic = 0x1.8p52; /* adding it rounds to an integer, in the low bits of the sum */
    vd x = -vector_min_double(v, (vd){0} + 708);
    vd shifted = x * 0x1.71547652b82fep0 + magic, n = shifted - magic;
    vd r = (x - n * 0x1.62e42fefa38p-1)
           - n * 0x1.ef35793c7673p-45; /* log(2) in two parts; products of the first are exact */
    vd p = (vd){0} + 1.0 / 6227020800;
    UNROLL for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) p = p * r + terms[i];
    if (!less_one)
        return (vd)((vl)(p * r + 1) + ((vl)shifted << 52));
    vd power = (vd)(((vl)shifted << 52) + 0x3ff0000000000000);
    return (power * p) * r + (power - 1);
}

static void exponentials(bool less_one, double *values, size_t count, double rate)
{
    for (size_t i = 0; i < count; i += DOUBLES) {
        vd v = rate * load_double(values + i);
        store_double(values + i, less_one ? exponential(true, v) : exponential(false, v));
    }
}

static void add_weighted(const double *values, size_t points, const double *weights, size_t count, double *sums)
{
    for (size_t i = 0; i < count; i += DOUBLES) {
        vd sum = load_double(sums + i);
        for (size_t k = 0; k < points; k++)
            sum += weights[k] * load_double(values + k * PT_EXACT_ROWS + i);
        store_double(sums + i, sum);
    }
}
