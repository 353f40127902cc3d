/* Singular values of sparse matrices known by products: leading pairs, and the upper bound that certificates rest on,
 * against dense singular values; and the small dense algebra beneath them. */
#include "completing.h"

#include "matrix/spectral.h"

/* ---- Small matrices ---- */

enum { N = 23 };

static void eigenvectors_are_found(void **state)
{
    (void)state;
    double A[N * N], copy[N * N], values[N], V[N * N];
    pt_random random;
    pt_random_seed(&random, 1);
    for (size_t n = 1; n <= N; n += 2)
        for (int low = 0; low < 2; low++) { /* also of low rank */
            for (size_t i = 0; i < n; i++)
                for (size_t j = 0; j <= i; j++)
                    A[i * n + j] = A[j * n + i] = low ? (double)(i + 1) * (double)(j + 1) : pt_random_normal(&random);
            memcpy(copy, A, sizeof A);
            pt_eigen(n, copy, values, V);
            for (size_t k = 0; k < n; k++) {
                assert_true(k == 0 || values[k] <= values[k - 1]);
                for (size_t i = 0; i < n; i++) {
                    double sum = 0;
                    for (size_t j = 0; j < n; j++)
                        sum += A[i * n + j] * V[j * n + k];
                    assert_true(fabs(sum - values[k] * V[i * n + k]) <= 1e-11 * (1 + fabs(values[0])));
                }
            }
        }
}

static void singular_values_are_found(void **state)
{
    (void)state;
    double A[N * N], U[N * N], s[N], V[N * N];
    pt_random random;
    pt_random_seed(&random, 2);
    for (size_t n = 1; n <= N; n += 2) {
        for (size_t i = 0; i < n * n; i++)
            A[i] = pt_random_normal(&random);
        memcpy(U, A, sizeof A);
        pt_svd(n, U, s, V);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                double sum = 0, orthogonal = 0;
                for (size_t k = 0; k < n; k++) {
                    sum += U[i * n + k] * s[k] * V[j * n + k];
                    orthogonal += U[k * n + i] * U[k * n + j];
                }
                assert_true(fabs(sum - A[i * n + j]) <= 1e-12);
                assert_true(fabs(orthogonal - (i == j)) <= 1e-12);
            }
        for (size_t k = 1; k < n; k++)
            assert_true(s[k] <= s[k - 1] && s[k] >= 0);
    }
}

static void factors_are_balanced(void **state)
{
    enum { ROWS = 700, COLUMNS = 40, RANK = 35 };
    static double X[ROWS * COLUMNS], u[ROWS], v[COLUMNS];
    pt_factors f;
    pt_random random;
    pt_random_seed(&random, 3);
    pt_factors_init(&f, *state, ROWS, COLUMNS);
    for (size_t k = 0; k < RANK; k++) { /* every third one lies in the span of the others */
        for (size_t i = 0; i < ROWS; i++)
            u[i] = k % 3 == 2 ? u[i] : pt_random_normal(&random);
        for (size_t j = 0; j < COLUMNS; j++)
            v[j] = k % 3 == 2 ? 2 * v[j] : pt_random_normal(&random);
        double weight = 1 + (double)k;
        assert_int_equal(pt_factors_append(&f, u, v, weight), PARTAN_OK);
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < COLUMNS; j++)
                X[i * COLUMNS + j] += weight * u[i] * v[j];
    }
    double largest, norm = dense_norms(X, ROWS, COLUMNS, &largest);
    assert_int_equal(pt_factors_balance(&f, 1e-9, 0), PARTAN_OK);
    assert_int_equal(f.rank, RANK - RANK / 3);
    assert_int_equal(pt_factors_polish(&f), PARTAN_OK);
    assert_true(fabs(pt_factors_norm(&f) - norm) <= 1e-9 * norm && fabs(f.singular[0] - largest) <= 1e-9 * norm);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < COLUMNS; j++) {
            double sum = 0;
            for (size_t k = 0; k < f.rank; k++)
                sum += f.left[i * f.stride + k] * f.right[j * f.stride + k];
            assert_true(fabs(sum - X[i * COLUMNS + j]) <= 1e-9 * largest);
        }
    for (size_t k = 0; k < f.rank; k++)
        for (size_t l = 0; l < f.rank; l++) {
            double left = 0, right = 0;
            for (size_t i = 0; i < ROWS; i++)
                left += f.left[i * f.stride + k] * f.left[i * f.stride + l];
            for (size_t j = 0; j < COLUMNS; j++)
                right += f.right[j * f.stride + k] * f.right[j * f.stride + l];
            double expected = k == l ? f.singular[k] : 0;
            assert_true(fabs(left - expected) <= 1e-12 * largest && fabs(right - expected) <= 1e-12 * largest);
        }
    pt_factors_free(&f);
}

/* ---- Sparse matrices ---- */

typedef struct subject {
    sketch s;
    partan_ratings *ratings;
    pt_sampling sampling;
    pt_measurement measurement;
    pt_spectral spectral;
    double *dense;
} subject;

static subject open_subject(partan_context *context, size_t rows, size_t columns, double share, uint64_t seed)
{
    subject t = {.s = sketch_make(rows, columns, 3, share, 1, seed)};
    t.ratings = sketch_ratings(context, &t.s);
    assert_int_equal(pt_sampling_make(context, t.ratings, &t.sampling), PARTAN_OK);
    t.dense = calloc(rows * columns, sizeof *t.dense);
    for (size_t k = 0; k < t.s.count; k++)
        t.dense[(size_t)t.s.row[k] * columns + (size_t)t.s.column[k]] = t.s.value[k];
    return t;
}

/* The measurement is part of the subject, so that the pointers are made where the subject stays. */
static void ready(subject *t, uint64_t seed)
{
    pt_measurement_of_entries(&t->measurement, &t->sampling);
    assert_int_equal(pt_spectral_make(&t->spectral, &t->measurement, seed), PARTAN_OK);
    pt_measurement_prepare(&t->measurement, t->ratings->value);
}

static void close_subject(subject *t)
{
    pt_spectral_free(&t->spectral);
    pt_sampling_free(&t->sampling);
    partan_ratings_free(t->ratings);
    free(t->dense);
    sketch_free(&t->s);
}

static const struct {
    size_t rows, columns;
    double share;
} shapes[] = {{80, 60, 0.2}, {60, 80, 0.5}, {200, 30, 0.3}, {20, 15, 0.6}, {9, 70, 0.9}, {1, 5, 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void leading_pairs_are_found(void **state)
{
    for (size_t n = 0; n < SHAPES; n++) {
        subject t = open_subject(*state, shapes[n].rows, shapes[n].columns, shapes[n].share, n + 1);
        size_t rows = t.s.rows, columns = t.s.columns;
        double largest;
        dense_norms(t.dense, rows, columns, &largest);
        ready(&t, 1);
        const pt_pairs *p = &t.spectral.pairs;
        for (double tolerance = 0.1; tolerance > 1e-12; tolerance /= 100) {
            assert_int_equal(pt_spectral_pairs(&t.spectral, t.ratings->value, 4, tolerance), PARTAN_OK);
            assert_true(p->count >= 1 && p->count <= 4);
            assert_true(p->value[0] <= largest * (1 + 1e-12) && largest <= (p->value[0] + p->error) * (1 + 1e-9));
            double product = 0, left = 0, right = 0;
            for (size_t i = 0; i < rows; i++) {
                left += p->left[i] * p->left[i];
                for (size_t j = 0; j < columns; j++)
                    product += p->left[i] * t.dense[i * columns + j] * p->right[j];
            }
            for (size_t j = 0; j < columns; j++)
                right += p->right[j] * p->right[j];
            assert_true(fabs(left - 1) <= 1e-12 && fabs(right - 1) <= 1e-12);
            assert_true(fabs(product - p->value[0]) <= 1e-12 * largest);
        }
        assert_true(p->error <= 1e-6 * largest);
        close_subject(&t);
    }
}

/* The bound holds after however few steps, for many random vectors, and comes down to the truth. */
static void the_bound_is_true(void **state)
{
    for (size_t n = 0; n < SHAPES; n++) {
        subject t = open_subject(*state, shapes[n].rows, shapes[n].columns, shapes[n].share, n + 1);
        double largest, lower, upper;
        dense_norms(t.dense, t.s.rows, t.s.columns, &largest);
        ready(&t, 1);
        for (uint64_t seed = 1; seed <= 20; seed++)
            for (double enough = 10 * largest; enough > 1e-10 * largest; enough /= 10) {
                t.spectral.seed = seed;
                assert_int_equal(pt_spectral_bound(&t.spectral, t.ratings->value, enough, &lower, &upper), PARTAN_OK);
                assert_true(lower <= largest * (1 + 1e-12) && largest <= upper * (1 + 1e-13));
                if (!(upper - lower <= enough))
                    fail_msg("%zu: upper - lower is %g, asked were %g", n, upper - lower, enough);
            }
        close_subject(&t);
    }
}

/* What singular vectors of another matrix are treated apart, changes nothing of the bound's truth; and the pairs found
 * are orthogonal to them. */
static void the_bound_is_true_with_vectors_apart(void **state)
{
    for (size_t n = 0; n < SHAPES; n++) {
        subject t = open_subject(*state, shapes[n].rows, shapes[n].columns, shapes[n].share, n + 1);
        size_t rows = t.s.rows, columns = t.s.columns, least = rows < columns ? rows : columns;
        double largest, lower, upper;
        dense_norms(t.dense, rows, columns, &largest);
        ready(&t, 1);
        for (size_t rank = 1; rank <= 3 && rank < least; rank++) {
            /* The leading ones themselves, bent a little. */
            pt_factors x;
            pt_deflation d;
            pt_factors_init(&x, *state, rows, columns);
            t.spectral.deflation = NULL;
            assert_int_equal(pt_spectral_pairs(&t.spectral, t.ratings->value, rank, 0.1), PARTAN_OK);
            rank = t.spectral.pairs.count < rank ? t.spectral.pairs.count : rank;
            for (size_t k = 0; k < rank; k++) {
                t.spectral.pairs.left[k * rows] += 0.2;
                t.spectral.pairs.right[k * columns] -= 0.1;
                pt_factors_append(&x, t.spectral.pairs.left + k * rows, t.spectral.pairs.right + k * columns,
                                  2 + (double)k);
            }
            assert_int_equal(pt_factors_balance(&x, 0, 0), PARTAN_OK);
            assert_int_equal(pt_factors_polish(&x), PARTAN_OK);
            assert_int_equal(pt_deflation_make(&d, &t.measurement, t.ratings->value, &x), PARTAN_OK);
            t.spectral.deflation = &d;
            for (double enough = largest; enough > 1e-9 * largest; enough /= 10) {
                assert_int_equal(pt_spectral_bound(&t.spectral, t.ratings->value, enough, &lower, &upper), PARTAN_OK);
                assert_true(lower <= largest * (1 + 1e-12) && largest <= upper * (1 + 1e-13));
            }
            assert_true(upper <= 2 * largest); /* and is not beside the point */
            assert_int_equal(pt_spectral_pairs(&t.spectral, t.ratings->value, 1, 1e-6), PARTAN_OK);
            for (size_t k = 0; k < x.rank; k++) {
                double sum = 0;
                for (size_t i = 0; i < rows; i++)
                    sum += t.spectral.pairs.left[i] * x.left[i * x.stride + k];
                assert_true(fabs(sum) <= 1e-9 || t.spectral.pairs.value[0] <= 1e-9 * largest);
            }
            t.spectral.deflation = NULL;
            pt_factors_free(&x);
        }
        close_subject(&t);
    }
}

/* Many equal singular values, as gradients at a solution have them; and none at all. */
static void equal_singular_values_are_no_trouble(void **state)
{
    enum { SIZE = 60 };
    int64_t row[SIZE], column[SIZE];
    double value[SIZE], lower, upper;
    for (int64_t k = 0; k < SIZE; k++) {
        row[k] = k;
        column[k] = SIZE - 1 - k;
        value[k] = k < 40 ? 3 : k < 50 ? 2.9 : 0.1;
    }
    subject t = {0};
    assert_int_equal(partan_ratings_from_triplets(*state, SIZE, SIZE, row, column, value, SIZE, &t.ratings), PARTAN_OK);
    assert_int_equal(pt_sampling_make(*state, t.ratings, &t.sampling), PARTAN_OK);
    ready(&t, 1);
    assert_int_equal(pt_spectral_pairs(&t.spectral, t.ratings->value, 5, 1e-8), PARTAN_OK);
    assert_true(fabs(t.spectral.pairs.value[0] - 3) <= 1e-10);
    assert_int_equal(pt_spectral_bound(&t.spectral, t.ratings->value, 1e-6, &lower, &upper), PARTAN_OK);
    assert_true(lower <= 3 + 1e-12 && upper >= 3 - 1e-12 && upper - lower <= 1e-6);
    double zero[SIZE] = {0};
    pt_measurement_prepare(&t.measurement, zero);
    assert_int_equal(pt_spectral_pairs(&t.spectral, zero, 3, 1e-8), PARTAN_OK);
    assert_true(t.spectral.pairs.value[0] == 0);
    assert_int_equal(pt_spectral_bound(&t.spectral, zero, 1e-6, &lower, &upper), PARTAN_OK);
    assert_true(lower == 0 && upper == 0);
    close_subject(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(eigenvectors_are_found),
        SERIAL_TEST(singular_values_are_found),
        SERIAL_TEST(factors_are_balanced),
        SERIAL_TEST(leading_pairs_are_found),
        SERIAL_TEST(the_bound_is_true),
        SERIAL_TEST(the_bound_is_true_with_vectors_apart),
        SERIAL_TEST(equal_singular_values_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
