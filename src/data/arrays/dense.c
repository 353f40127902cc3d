/* Dense arrays of either type and any strides as rows of float32. */
#include <math.h>
#include <string.h>

#include "data/arrays/rows.h"

enum {
    BLOCK_VALUES = 1 << 22, /* between two looks whether to go on: some milliseconds */
    CHUNK_ROWS = 256,       /* that a thread takes at a time */
    STRIP = 16              /* rows side by side, so that both orders are read by whole cache lines */
};

#define EXPONENT UINT32_C(0x7f800000) /* of a float32 */

typedef struct job {
    const char *values;
    bool is_double;
    size_t features;
    ptrdiff_t row_stride, column_stride; /* in values */
    float *out;                          /* NULL: they are rows of ours, only look at them */
    size_t first, count;                 /* rows of this block */
    atomic_bool refused;
} job;

static double value_at(const job *j, size_t row, size_t feature)
{
    ptrdiff_t at = (ptrdiff_t)row * j->row_stride + (ptrdiff_t)feature * j->column_stride;
    return j->is_double ? ((const double *)(const void *)j->values)[at]
                        : (double)((const float *)(const void *)j->values)[at];
}

/* Rows that need no copy. */
static bool are_finite(const job *j, size_t first, size_t count)
{
    bool finite = true;
    for (size_t row = first; row < first + count; row++) {
        const char *in = j->values + (ptrdiff_t)row * j->row_stride * (ptrdiff_t)sizeof(float);
        uint32_t greatest = 0; /* of the exponents: all bits set where a value is not finite */
        for (size_t f = 0; f < j->features; f++) {
            uint32_t bits;
            memcpy(&bits, in + f * sizeof bits, sizeof bits);
            bits &= EXPONENT;
            greatest = bits > greatest ? bits : greatest;
        }
        finite &= greatest < EXPONENT;
    }
    return finite;
}

/* Rows of one strip, of either type; returns whether all values are finite. */
#define DEFINE_STRIP(name, type)                                                                                       \
    static bool name(const job *j, size_t first, size_t count)                                                         \
    {                                                                                                                  \
        const type *in = (const type *)(const void *)j->values + (ptrdiff_t)first * j->row_stride;                     \
        bool finite = true;                                                                                            \
        for (size_t f = 0; f < j->features; f++)                                                                       \
            for (size_t r = 0; r < count; r++) {                                                                       \
                float value = (float)in[(ptrdiff_t)r * j->row_stride + (ptrdiff_t)f * j->column_stride];               \
                finite &= value - value == 0;                                                                          \
                j->out[(first + r) * j->features + f] = value;                                                         \
            }                                                                                                          \
        return finite;                                                                                                 \
    }

DEFINE_STRIP(convert_floats, float)
DEFINE_STRIP(convert_doubles, double)

static bool take_strip(const job *j, size_t first, size_t count)
{
    if (!j->out)
        return are_finite(j, first, count);
    return j->is_double ? convert_doubles(j, first, count) : convert_floats(j, first, count);
}

static void convert_chunk(void *user, size_t chunk, size_t thread)
{
    job *j = user;
    pt_span span = pt_span_of(j->count, CHUNK_ROWS, chunk);
    bool finite = true;
    (void)thread;
    for (size_t row = span.begin; row < span.end; row += STRIP) {
        size_t count = span.end - row < STRIP ? span.end - row : STRIP;
        finite &= take_strip(j, j->first + row, count);
    }
    if (!finite)
        atomic_store(&j->refused, true);
}

static partan_status refuse_first(partan_context *context, const job *j)
{
    for (size_t row = j->first;; row++)
        for (size_t feature = 0; feature < j->features; feature++)
            if (!isfinite((float)value_at(j, row, feature)))
                return pt_refuse_value(context, row, feature, value_at(j, row, feature));
}

static partan_status convert(partan_context *context, job *j, size_t rows)
{
    size_t block = BLOCK_VALUES / (j->features + 1) + 1;
    partan_status status = PARTAN_OK;
    if (j->features == 0) /* there may be no array */
        return PARTAN_OK;
    for (j->first = 0; j->first < rows && !status; j->first += block) {
        j->count = rows - j->first < block ? rows - j->first : block;
        pt_team_run(context, pt_team_for(context, (double)j->count * (double)j->features),
                    pt_span_count(j->count, CHUNK_ROWS), convert_chunk, j);
        status = atomic_load(&j->refused) ? refuse_first(context, j)
                                          : pt_progress_share(context, (double)(j->first + j->count) / (double)rows);
    }
    return status;
}

partan_status pt_dense_rows(partan_context *context, const partan_dense *array, pt_array_rows *out)
{
    *out = (pt_array_rows){.features = array->features};
    if (array->type != PARTAN_FLOAT32 && array->type != PARTAN_FLOAT64)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "values: found type %d, expected float32 or float64",
                       (int)array->type);
    partan_status status =
        pt_check_array(context, "values", array->values, array->type, array->rows > 0 ? array->features : 0);
    if (status)
        return status;
    job j = {.values = array->values,
             .is_double = array->type == PARTAN_FLOAT64,
             .features = array->features,
             .row_stride = array->row_stride == PARTAN_CONTIGUOUS ? (ptrdiff_t)array->features : array->row_stride,
             .column_stride = array->column_stride == PARTAN_CONTIGUOUS ? 1 : array->column_stride};
    atomic_init(&j.refused, false);
    bool is_ours = !j.is_double && j.row_stride >= 0 && (j.column_stride == 1 || j.features < 2);
    out->rows = (pt_rows){.count = array->rows, .values = array->values, .width = j.features};
    out->rows.stride = is_ours ? (size_t)j.row_stride : j.features;
    if (!is_ours) {
        out->rows.values = j.out = out->values =
            j.features <= INT32_MAX ? pt_alloc(context, array->rows, j.features * sizeof(float)) : NULL;
        if (!out->values)
            return pt_out_of_memory(context, "values as float32");
    }
    return convert(context, &j, array->rows);
}
