/* Matrix recovery from general linear measurements: a matrix of rank one, of which only sums of all its entries with
 * random signs are known, half as many as it has entries.
 *
 *     recover
 *
 * How to compile it: see README.md beside this file. */
#include <math.h>
#include <partan/partan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 40, COLUMNS = 30, COUNT = 600 };

typedef struct signs {
    double at[COUNT][ROWS][COLUMNS];
} signs;

/* A number from -1 to 1; any generator will do. */
static double draw(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double)(*state >> 11) / 4503599627370496.0 - 1;
}

/* ---- The measurements: A(X), and its adjoint times a vector ---- */

static int apply(void *user, size_t rank, size_t stride, const double *left, const double *right, double *values)
{
    const signs *s = user;
    for (size_t k = 0; k < COUNT; k++) {
        values[k] = 0;
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                for (size_t r = 0; r < rank; r++)
                    values[k] += s->at[k][i][j] * left[i * stride + r] * right[j * stride + r];
    }
    return 0;
}

static int times(void *user, const double *values, const double *x, double *out)
{
    const signs *s = user;
    memset(out, 0, ROWS * sizeof *out);
    for (size_t k = 0; k < COUNT; k++)
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                out[i] += values[k] * s->at[k][i][j] * x[j];
    return 0;
}

static int times_transposed(void *user, const double *values, const double *x, double *out)
{
    const signs *s = user;
    memset(out, 0, COLUMNS * sizeof *out);
    for (size_t k = 0; k < COUNT; k++)
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                out[j] += values[k] * s->at[k][i][j] * x[i];
    return 0;
}

/* ---- The program ---- */

static double length(const double *x, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* |X - u v'|, the root of the sum of squares. */
static double error_of(const partan_matrix *matrix, const double *u, const double *v)
{
    const double *left = partan_matrix_left(matrix), *right = partan_matrix_right(matrix);
    size_t rank = (size_t)partan_matrix_get_result(matrix)->rank;
    double sum = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) {
            double difference = -u[i] * v[j];
            for (size_t r = 0; r < rank; r++)
                difference += partan_matrix_singular(matrix)[r] * left[i * rank + r] * right[j * rank + r];
            sum += difference * difference;
        }
    return sqrt(sum);
}

static partan_status recover(partan_context *context, signs *s)
{
    double u[ROWS], v[COLUMNS], b[COUNT];
    uint64_t state = 1;
    for (size_t i = 0; i < ROWS; i++)
        u[i] = draw(&state);
    for (size_t j = 0; j < COLUMNS; j++)
        v[j] = draw(&state);
    for (size_t k = 0; k < COUNT; k++)
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                s->at[k][i][j] = draw(&state) > 0 ? 1 : -1;
    apply(s, 1, 1, u, v, b);

    partan_measurements map = {sizeof map, ROWS, COLUMNS, COUNT, apply, times, times_transposed, s};
    partan_settings settings;
    partan_settings_init(&settings);
    settings.tol = 1e-6;
    partan_matrix_settings bounds;
    partan_matrix_settings_init(&bounds);
    bounds.radius = length(u, ROWS) * length(v, COLUMNS); /* the nuclear norm of u v' */

    partan_matrix *matrix = NULL;
    partan_status status = partan_matrix_recover(context, &map, b, &settings, &bounds, NULL, &matrix);
    if (status >= 0) {
        const partan_matrix_result *found = partan_matrix_get_result(matrix);
        printf("%d entries from %d measurements: rank %d, relative error %.1e, relative gap %.1e\n", ROWS * COLUMNS,
               COUNT, (int)found->rank, error_of(matrix, u, v) / bounds.radius, found->relative_gap);
    }
    partan_matrix_free(matrix);
    return status;
}

int main(void)
{
    partan_context *context = partan_create(NULL);
    signs *s = malloc(sizeof *s);
    partan_status status = context && s ? recover(context, s) : PARTAN_ERROR_MEMORY;
    if (status < 0)
        fprintf(stderr, "recover: %s: %s\n", partan_status_name(status), context ? partan_error(context) : "");
    free(s);
    partan_destroy(context);
    return status < 0;
}
