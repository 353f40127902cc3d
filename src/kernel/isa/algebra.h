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

INLINE void multiply_lines(const size_t lines, const double *left, size_t left_stride, const double *right,
                           size_t inner, size_t stride, double *out)
{
    for (size_t l = 0; l < stride; l += FACTOR_VECTORS * DOUBLES) {
        vd sum[FACTOR_LINES][FACTOR_VECTORS];
        UNROLL for (size_t j = 0; j < lines; j++)
        {
            UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++) sum[j][p] =
                load_double(out + j * stride + l + p * DOUBLES);
        }
        for (size_t k = 0; k < inner; k++) {
            vd x[FACTOR_VECTORS];
            UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++) x[p] = load_double(right + k * stride + l + p * DOUBLES);
            UNROLL for (size_t j = 0; j < lines; j++)
            {
                UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++) sum[j][p] += left[j * left_stride + k] * x[p];
            }
        }
        UNROLL for (size_t j = 0; j < lines; j++)
        {
            UNROLL for (size_t p = 0; p < FACTOR_VECTORS; p++)
                store_double(out + j * stride + l + p * DOUBLES, sum[j][p]);
        }
    }
}

static void multiply(const double *left, size_t left_stride, size_t lines, const double *right, size_t inner,
                     size_t stride, double *out)
{
    size_t i = 0;
    for (; i + FACTOR_LINES <= lines; i += FACTOR_LINES)
        multiply_lines(FACTOR_LINES, left + i * left_stride, left_stride, right, inner, stride, out + i * stride);
    for (; i < lines; i++)
        multiply_lines(1, left + i * left_stride, left_stride, right, inner, stride, out + i * stride);
}

/* ---- One symmetric system ---- */

/* Line i of A, from its diagonal's vector on, less the products of its entries in `lines` lines of R above it. */
INLINE void subtract_lines(const size_t lines, const double *R, size_t stride, size_t n, size_t i, double *line)
{
    for (size_t l = i / DOUBLES * DOUBLES; l < n; l += DOUBLES) {
        vd sum = load_double(line + l);
        UNROLL for (size_t j = 0; j < lines; j++) sum -= R[j * stride + i] * load_double(R + j * stride + l);
        store_double(line + l, sum);
    }
}

/* Line k of R is that of A divided by the root of its diagonal; those above have been subtracted. */
INLINE bool divide_line(double *line, size_t n, size_t k)
{
    if (!(line[k] > 0))
        return false;
    double root = sqrt(line[k]), inverse = 1 / root;
    for (size_t l = k / DOUBLES * DOUBLES; l < n; l += DOUBLES)
        store_double(line + l, load_double(line + l) * inverse);
    line[k] = root;
    return true;
}

/* A = R'R in the upper triangle, four lines at a time: first among themselves, then in all below. What is left of the
 * diagonal is overwritten with numbers of no meaning. */
static bool factorise(double *A, size_t stride, size_t n)
{
    for (size_t k = 0; k < n; k += FACTOR_LINES) {
        size_t end = n - k < FACTOR_LINES ? n : k + FACTOR_LINES;
        double *first = A + k * stride;
        for (size_t i = k; i < end; i++) {
            for (size_t j = k; j < i; j++)
                subtract_lines(1, A + j * stride, stride, n, i, A + i * stride);
            if (!divide_line(A + i * stride, n, i))
                return false;
        }
        for (size_t i = end; i < n; i++)
            subtract_lines(FACTOR_LINES, first, stride, n, i, A + i * stride);
    }
    return true;
}

static bool solve(double *A, size_t stride, size_t n, double *b)
{
    for (size_t k = 0; k < n; k++)
        for (size_t l = k + 1; l < n; l++)
            A[k * stride + l] = A[l * stride + k];
    if (!factorise(A, stride, n))
        return false;
    for (size_t k = 0; k < n; k++) { /* R'y = b */
        b[k] /= A[k * stride + k];
        for (size_t l = k + 1; l < n; l++)
            b[l] -= b[k] * A[k * stride + l];
    }
    for (size_t k = n; k-- > 0;) { /* R x = y */
        double sum = 0;
        for (size_t l = k + 1; l < n; l++)
            sum += A[k * stride + l] * b[l];
        b[k] = (b[k] - sum) / A[k * stride + k];
    }
    return true;
}
