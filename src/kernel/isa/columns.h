/* Products of columns with vectors, part of the template of vector code. Lane = row: sums of the lanes are added up at
 * the end of a column, always in the same order. */

enum {
    LINE_PARTS = PT_TILE / DOUBLES,              /* registers of doubles in a line of a column */
    SINGLE_COLUMNS = VECTOR_BYTES == 16 ? 4 : 8, /* at once against one vector */
    SEVERAL_VECTORS = 4,                         /* at once, and columns against them */
    SEVERAL_COLUMNS = VECTOR_BYTES == 64 ? 4 : 2
};

INLINE double sum_lanes(vd v)
{
    double lane[DOUBLES];
    store_double(lane, v);
    UNROLL for (int half = DOUBLES / 2; half > 0; half /= 2)
    {
        UNROLL for (int i = 0; i < half; i++) lane[i] += lane[i + half];
    }
    return lane[0];
}

/* `columns` columns against `vectors` vectors, all sums in registers. */
INLINE void dot_block(const size_t columns, const size_t vectors, const float *const *x, const pt_columns *c,
                      const double *vector, size_t stride, double *out, size_t out_step)
{
    vd sum[SINGLE_COLUMNS][SEVERAL_VECTORS];
    UNROLL for (size_t j = 0; j < columns; j++)
    {
        UNROLL for (size_t v = 0; v < vectors; v++) sum[j][v] = (vd){0};
    }
    for (size_t line = 0; line < c->lines; line++) {
        size_t at = line * c->line_step;
        UNROLL for (size_t part = 0; part < LINE_PARTS; part++)
        {
            vd r[SEVERAL_VECTORS];
            UNROLL for (size_t v = 0; v < vectors; v++) r[v] =
                load_double(vector + v * stride + line * PT_TILE + part * DOUBLES);
            UNROLL for (size_t j = 0; j < columns; j++)
            {
                vd value = load_widened(x[j] + at + part * DOUBLES);
                UNROLL for (size_t v = 0; v < vectors; v++) sum[j][v] += value * r[v];
            }
        }
    }
    UNROLL for (size_t j = 0; j < columns; j++)
    {
        UNROLL for (size_t v = 0; v < vectors; v++) out[j * out_step + v] += sum_lanes(sum[j][v]);
    }
}

INLINE void find_columns(const size_t columns, const pt_columns *c, const int64_t *which, size_t first, size_t i,
                         const float **x)
{
    UNROLL for (size_t j = 0; j < columns; j++) x[j] =
        c->values + (which ? (size_t)which[i + j] : first + i + j) * c->column_step;
}

/* `at_once` columns at a time against a few vectors. */
INLINE void dots_group(const size_t at_once, const size_t vectors, const pt_columns *c, const int64_t *which,
                       size_t first, size_t count, const double *vector, size_t stride, double *out, size_t out_step)
{
    const float *x[SINGLE_COLUMNS];
    size_t i = 0;
    for (; i + at_once <= count; i += at_once) {
        find_columns(at_once, c, which, first, i, x);
        dot_block(at_once, vectors, x, c, vector, stride, out + i * out_step, out_step);
    }
    for (; i < count; i++) {
        find_columns(1, c, which, first, i, x);
        dot_block(1, vectors, x, c, vector, stride, out + i * out_step, out_step);
    }
}

/* Columns by the handful, so that one that several groups of vectors want is still in the cache for the next. */
static void dots(const pt_columns *c, const int64_t *which, size_t first, size_t count, const double *vector,
                 size_t stride, size_t vectors, double *out)
{
    enum { HANDFUL = 16 };
    for (size_t i = 0; i < count; i += HANDFUL) {
        size_t some = count - i < HANDFUL ? count - i : HANDFUL;
        const int64_t *ids = which ? which + i : NULL;
        for (size_t v = 0; v < vectors; v += SEVERAL_VECTORS) {
            const double *at = vector + v * stride;
            double *to = out + i * vectors + v;
            switch (vectors - v) {
            case 1:
                dots_group(SINGLE_COLUMNS, 1, c, ids, first + i, some, at, stride, to, vectors);
                break;
            case 2:
                dots_group(SEVERAL_COLUMNS, 2, c, ids, first + i, some, at, stride, to, vectors);
                break;
            case 3:
                dots_group(SEVERAL_COLUMNS, 3, c, ids, first + i, some, at, stride, to, vectors);
                break;
            default:
                dots_group(SEVERAL_COLUMNS, SEVERAL_VECTORS, c, ids, first + i, some, at, stride, to, vectors);
            }
        }
    }
}

static void moments(const pt_columns *c, size_t column, const double *ones, double shift, double sums[2])
{
    const float *x = c->values + column * c->column_step;
    vd sum = {0}, squares = {0}, less = (vd){0} + shift;
    for (size_t line = 0; line < c->lines; line++) {
        UNROLL for (size_t part = 0; part < LINE_PARTS; part++)
        {
            vd value = load_widened(x + line * c->line_step + part * DOUBLES);
            vd d = (value - less) * load_double(ones + line * PT_TILE + part * DOUBLES);
            sum += d;
            squares += d * d;
        }
    }
    sums[0] = sum_lanes(sum);
    sums[1] = sum_lanes(squares);
}

static void add_column(const pt_columns *c, size_t column, double factor, double *vector)
{
    const float *x = c->values + column * c->column_step;
    for (size_t line = 0; line < c->lines; line++) {
        UNROLL for (size_t part = 0; part < LINE_PARTS; part++)
        {
            double *at = vector + line * PT_TILE + part * DOUBLES;
            vd value = load_widened(x + line * c->line_step + part * DOUBLES);
            store_double(at, load_double(at) + factor * value);
        }
    }
}

/* ---- Compressed columns ---- */

enum { SPARSE_PARTS = PT_COLUMN_VECTORS / DOUBLES };

INLINE void sparse_all(const pt_sparse_columns *c, size_t column, const double *vector, double *out)
{
    vd sum[SPARSE_PARTS];
    UNROLL for (size_t p = 0; p < SPARSE_PARTS; p++) sum[p] = (vd){0};
    for (int64_t i = c->offsets[column]; i < c->offsets[column + 1]; i++) {
        const double *row = vector + (size_t)c->rows[i] * PT_COLUMN_VECTORS;
        double value = (double)c->values[i];
        UNROLL for (size_t p = 0; p < SPARSE_PARTS; p++) sum[p] += value * load_double(row + p * DOUBLES);
    }
    UNROLL for (size_t p = 0; p < SPARSE_PARTS; p++)
    {
        double *at = out + p * DOUBLES;
        store_double(at, load_double(at) + sum[p]);
    }
}

static double sparse_single(const pt_sparse_columns *c, size_t column, const double *vector)
{
    enum { CHAINS = 4 };
    double sum[CHAINS] = {0};
    int64_t i = c->offsets[column], end = c->offsets[column + 1];
    for (; i + CHAINS <= end; i += CHAINS) {
        UNROLL for (int k = 0; k < CHAINS; k++) sum[k] += (double)c->values[i + k] * vector[c->rows[i + k]];
    }
    for (; i < end; i++)
        sum[0] += (double)c->values[i] * vector[c->rows[i]];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

static void sparse_some(const pt_sparse_columns *c, size_t column, const double *vector, size_t vectors, double *out)
{
    for (int64_t i = c->offsets[column]; i < c->offsets[column + 1]; i++)
        for (size_t v = 0; v < vectors; v++)
            out[v] += (double)c->values[i] * vector[(size_t)c->rows[i] * vectors + v];
}

static void sparse_dots(const pt_sparse_columns *c, const int64_t *which, size_t first, size_t count,
                        const double *vector, size_t vectors, double *out)
{
    for (size_t i = 0; i < count; i++) {
        size_t column = which ? (size_t)which[i] : first + i;
        if (vectors == PT_COLUMN_VECTORS)
            sparse_all(c, column, vector, out + i * vectors);
        else if (vectors == 1)
            out[i] += sparse_single(c, column, vector);
        else
            sparse_some(c, column, vector, vectors, out + i * vectors);
    }
}

/* ---- Vectors ---- */

static void axpy(double factor, const double *x, size_t count, double *y)
{
    size_t i = 0;
    for (; i + DOUBLES <= count; i += DOUBLES)
        store_double(y + i, load_double(y + i) + factor * load_double(x + i));
    for (; i < count; i++)
        y[i] += factor * x[i];
}

static double dot(const double *x, const double *y, size_t count)
{
    enum { CHAINS = 4 };
    vd sum[CHAINS] = {{0}};
    size_t i = 0;
    for (; i + CHAINS * DOUBLES <= count; i += CHAINS * DOUBLES) {
        UNROLL for (int k = 0; k < CHAINS; k++) sum[k] +=
            load_double(x + i + k * DOUBLES) * load_double(y + i + k * DOUBLES);
    }
    for (; i + DOUBLES <= count; i += DOUBLES)
        sum[0] += load_double(x + i) * load_double(y + i);
    double total = sum_lanes((sum[0] + sum[1]) + (sum[2] + sum[3]));
    for (; i < count; i++)
        total += x[i] * y[i];
    return total;
}
