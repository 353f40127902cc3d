/* Measures and exponentials in double precision, for exact.c; part of the template of vector code. */

typedef int64_t vl __attribute__((vector_size(VECTOR_BYTES)));

enum { EXACT_PARTS = PT_TILE / DOUBLES, MEASURED_TILES = EXACT_PARTS > 2 ? 2 : 4 };

/* Several tiles at once, so that sums need not wait for each other. */
INLINE void measure_tiles(const pt_metric metric, const size_t tiles, const float *x, const double *z, size_t features,
                          double *u)
{
    vd sum[MEASURED_TILES][EXACT_PARTS];
    UNROLL for (size_t t = 0; t < tiles; t++)
    {
        UNROLL for (size_t p = 0; p < EXACT_PARTS; p++) sum[t][p] = load_double(u + t * PT_TILE + p * DOUBLES);
    }
    for (size_t f = 0; f < features; f++, x += PT_TILE) {
        UNROLL for (size_t t = 0; t < tiles; t++)
        {
            UNROLL for (size_t p = 0; p < EXACT_PARTS; p++)
            {
                vd row = load_widened(x + t * features * PT_TILE + p * DOUBLES), difference = row - z[f];
                if (metric == PT_METRIC_DOT)
                    sum[t][p] += row * z[f];
                else if (metric == PT_METRIC_SQUARES)
                    sum[t][p] += difference * difference;
                else
                    sum[t][p] += (vd)((vl)difference & INT64_MAX);
            }
        }
    }
    UNROLL for (size_t t = 0; t < tiles; t++)
    {
        UNROLL for (size_t p = 0; p < EXACT_PARTS; p++) store_double(u + t * PT_TILE + p * DOUBLES, sum[t][p]);
    }
}

INLINE void measure_run(const pt_metric metric, const float *x, const double *z, size_t features, size_t tiles,
                        double *u)
{
    size_t t = 0;
    for (; t + MEASURED_TILES <= tiles; t += MEASURED_TILES)
        measure_tiles(metric, MEASURED_TILES, x + t * features * PT_TILE, z, features, u + t * PT_TILE);
    for (; t < tiles; t++)
        measure_tiles(metric, 1, x + t * features * PT_TILE, z, features, u + t * PT_TILE);
}

static void measure(pt_metric metric, const float *x, const double *z, size_t features, size_t tiles, double *u)
{
    if (metric == PT_METRIC_DOT)
        measure_run(PT_METRIC_DOT, x, z, features, tiles, u);
    else if (metric == PT_METRIC_SQUARES)
        measure_run(PT_METRIC_SQUARES, x, z, features, tiles, u);
    else
        measure_run(PT_METRIC_ABSOLUTE, x, z, features, tiles, u);
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
 * clamped to the range of normal numbers. */
INLINE vd exponential(vd v)
{
    static const double terms[] = {
        1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040, 1.0 / 720,
        1.0 / 120,       1.0 / 24,       1.0 / 6,       0.5,          1,           1};
    const double magic = 0x1.8p52; /* adding it rounds to an integer, in the low bits of the sum */
    vd x = -vector_min_double(v, (vd){0} + 708);
    vd shifted = x * 0x1.71547652b82fep0 + magic, n = shifted - magic;
    vd r = (x - n * 0x1.62e42fefa38p-1)
           - n * 0x1.ef35793c7673p-45; /* log(2) in two parts; products of the first are exact */
    vd p = (vd){0} + 1.0 / 6227020800;
    UNROLL for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) p = p * r + terms[i];
    return (vd)((vl)p + ((vl)shifted << 52));
}

static void exponentials(double *values, size_t count, double rate)
{
    for (size_t i = 0; i < count; i += DOUBLES)
        store_double(values + i, exponential(rate * load_double(values + i)));
}
