/* Dense linear algebra in double for kernels of low rank, part of the template of vector code: what a factorisation of
 * K is used for. Every entry is summed in one order, whatever the threads and the vectors' length. */

enum { FACTOR_LINES = 4, FACTOR_VECTORS = 4 }; /* the sums that are held in registers */

/* Lines k .. k + lines - 1 of the solution, for FACTOR_VECTORS vectors of columns; the lines before are solved. */
INLINE void substitute_lines(const size_t lines, const double *factor, size_t stride, size_t k, double *values)
{
    vd sum[FACTOR_LINES][FACTOR_VECTORS];
    const double *line = factor + k * stride;
    UNROLL for (size_t j = 0; j < lines; j++)
    {
        UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++)
        {
            sum[j][p] = load_double(values + (k + j) * PT_EXACT_ROWS + p * DOUBLES);
        }
    }
    for (size_t l = 0; l < k; l++) {
        UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++)
        {
            vd solved = load_double(values + l * PT_EXACT_ROWS + p * DOUBLES);
            UNROLL for (size_t j = 0; j < lines; j++) sum[j][p] -= line[j * stride + l] * solved;
        }
    }
    UNROLL for (size_t j = 0; j < lines; j++)
    {
        UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++)
        {
            UNROLL for (size_t i = 0; i < j; i++) sum[j][p] -= line[j * stride + k + i] * sum[i][p];
            sum[j][p] /= line[j * stride + k + j];
            store_double(values + (k + j) * PT_EXACT_ROWS + p * DOUBLES, sum[j][p]);
        }
    }
}

static void substitute(const double *factor, size_t stride, size_t rank, double *values)
{
    for (size_t at = 0; at < PT_EXACT_ROWS; at += FACTOR_VECTORS * DOUBLES) {
        size_t k = 0;
        for (; k + FACTOR_LINES <= rank; k += FACTOR_LINES)
            substitute_lines(FACTOR_LINES, factor, stride, k, values + at);
        for (; k < rank; k++)
            substitute_lines(1, factor, stride, k, values + at);
    }
}

static void gram(const pt_gram *g, size_t first, size_t end, double *out)
{
    for (size_t k = first; k < end; k += FACTOR_LINES)
        for (size_t l = 0; l < k + FACTOR_LINES; l += FACTOR_VECTORS * DOUBLES) {
            vd sum[FACTOR_LINES][FACTOR_VECTORS];
            double *at = out + k * g->stride + l;
            UNROLL for (size_t j = 0; j < FACTOR_LINES; j++)
            {
                UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++) sum[j][p] =
                    load_double(at + j * g->stride + p * DOUBLES);
            }
            for (size_t i = 0; i < g->count; i++) {
                const double *row = g->rows + (size_t)g->which[i] * g->stride;
                vd x[FACTOR_VECTORS];
                UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++) x[p] = load_double(row + l + p * DOUBLES);
                UNROLL for (size_t j = 0; j < FACTOR_LINES; j++)
                {
                    double weighed = g->weights[i] * row[k + j];
                    UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++) sum[j][p] += weighed * x[p];
                }
            }
            UNROLL for (size_t j = 0; j < FACTOR_LINES; j++)
            {
                UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++)
                    store_double(at + j * g->stride + p * DOUBLES, sum[j][p]);
            }
        }
}
