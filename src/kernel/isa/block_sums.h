/* Sums of kernel values that are in memory, part of the template of vector code. */

static void accumulate(double *sums, const float *block, size_t stride, const double *weights, size_t count)
{
    size_t i = 0;
    for (; i + DOUBLES <= count; i += DOUBLES) {
        vd sum = load_double(sums + i);
        UNROLL for (size_t c = 0; c < PT_PANEL; c++)
        {
            sum += weights[c] * load_widened(block + c * stride + i);
        }
        store_double(sums + i, sum);
    }
    for (; i < count; i++)
        for (size_t c = 0; c < PT_PANEL; c++)
            sums[i] += weights[c] * (double)block[c * stride + i];
}

static void accumulate_float32(double *sums, const float *block, size_t stride, const float *weights, size_t count)
{
    for (size_t i = 0; i < count; i += LANES) {
        vf total = {0};
        UNROLL for (size_t c = 0; c < PT_PANEL_WIDE; c++)
        {
            total += weights[c] * load(block + c * stride + i);
        }
        add_widened(sums + i, total);
    }
}

INLINE void picked(const size_t vectors, double *sums, const float *block, size_t stride, const pt_pick *picks,
                   size_t pick_count)
{
    vf total[4] = {{0}};
    for (size_t k = 0; k < pick_count; k++) {
        const float *column = block + picks[k].column * stride;
        UNROLL for (size_t v = 0; v < vectors; v++)
        {
            total[v] += picks[k].weight * load(column + v * LANES);
        }
    }
    UNROLL for (size_t v = 0; v < vectors; v++)
    {
        add_widened(sums + v * LANES, total[v]);
    }
}

static void accumulate_picked(double *sums, const float *block, size_t stride, const pt_pick *picks, size_t pick_count,
                              size_t count)
{
    size_t i = 0;
    for (; i + 4 * LANES <= count; i += 4 * LANES)
        picked(4, sums + i, block + i, stride, picks, pick_count);
    for (; i < count; i += LANES)
        picked(1, sums + i, block + i, stride, picks, pick_count);
}

static void project(const float *block, size_t stride, const double *weights, size_t count, double *sums)
{
    vd partial[PT_PANEL] = {{0}};
    size_t i = 0;
    for (; i + DOUBLES <= count; i += DOUBLES) {
        vd weight = load_double(weights + i);
        UNROLL for (size_t c = 0; c < PT_PANEL; c++)
        {
            partial[c] += weight * load_widened(block + c * stride + i);
        }
    }
    for (size_t c = 0; c < PT_PANEL; c++) {
        for (int lane = 0; lane < DOUBLES; lane++)
            sums[c] += partial[c][lane];
        for (size_t k = i; k < count; k++)
            sums[c] += weights[k] * (double)block[c * stride + k];
    }
}
