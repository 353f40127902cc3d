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
