/* Generated data: the distributions are the published ones, the seed decides everything, streamed rows are those in
 * memory, and options out of range are refused. */
#include "testing.h"

#include <math.h>

#include "core/random.h"
#include "data/data.h"
#include "data/generate/generate.h"
#include "failing.h"
#include "files.h"
#include "generating.h"

/* ---- Moments of the rows of one class ---- */

enum { MOST_FEATURES = 64 };

typedef struct moments {
    double count;
    double mean[MOST_FEATURES], variance[MOST_FEATURES];
} moments;

static void class_moments(partan_context *context, const partan_generator_options *options, bool positive, moments *out)
{
    pt_generator generator;
    assert_int_equal(pt_generator_open(context, options, &generator), PARTAN_OK);
    assert_true(generator.features <= MOST_FEATURES);
    *out = (moments){0};
    for (uint64_t row = 0; row < options->rows; row++) {
        pt_generator_row(&generator, row);
        if (generator.positive != positive)
            continue;
        out->count++;
        for (size_t f = 0; f < generator.features; f++) {
            double delta = generator.values[f] - out->mean[f]; /* Welford */
            out->mean[f] += delta / out->count;
            out->variance[f] += delta * (generator.values[f] - out->mean[f]);
        }
    }
    for (size_t f = 0; f < generator.features; f++)
        out->variance[f] /= out->count;
    pt_generator_close(&generator);
}

static void twonorm_has_its_means_and_unit_variance(void **state)
{
    partan_generator_options options = kind_options("twonorm", 40000);
    double a = 2 / sqrt(20);
    for (int positive = 0; positive < 2; positive++) {
        moments found;
        class_moments(*state, &options, positive, &found);
        assert_near(found.count / 40000, 0.5, 0.015);
        for (int f = 0; f < 20; f++) {
            assert_near(found.mean[f], positive ? a : -a, 0.04);
            assert_near(found.variance[f], 1, 0.06);
        }
    }
}

static void ringnorm_is_one_distribution_inside_the_other(void **state)
{
    partan_generator_options options = kind_options("ringnorm", 40000);
    moments outer, inner;
    class_moments(*state, &options, true, &outer);
    class_moments(*state, &options, false, &inner);
    for (int f = 0; f < 20; f++) {
        assert_near(outer.mean[f], 0, 0.08);
        assert_near(outer.variance[f], 4, 0.24);
        assert_near(inner.mean[f], 1 / sqrt(20), 0.04);
        assert_near(inner.variance[f], 1, 0.06);
    }
}

/* E u = E (1-u) = 1/2 and var u = 1/12: mean (h + h') / 2, variance (h - h')^2 / 12 + noise^2. */
static void waveform_mixes_two_triangles(void **state)
{
    partan_generator_options options = kind_options("waveform", 40000);
    options.features = 40;
    for (int positive = 0; positive < 2; positive++) {
        moments found;
        class_moments(*state, &options, positive, &found);
        for (int f = 0; f < 40; f++) {
            double t = f + 1, peak = positive ? 15 : 11;
            double h = f < 21 ? fmax(6 - fabs(t - 7), 0) : 0;
            double other = f < 21 ? fmax(6 - fabs(t - peak), 0) : 0;
            assert_near(found.mean[f], (h + other) / 2, 0.08);
            assert_near(found.variance[f], (h - other) * (h - other) / 12 + 1, 0.2);
        }
    }
}

/* ---- Known rules ---- */

static double error_rate(partan_context *context, const partan_generator_options *options,
                         bool (*rule)(const pt_generator *))
{
    pt_generator generator;
    assert_int_equal(pt_generator_open(context, options, &generator), PARTAN_OK);
    double wrong = 0;
    for (uint64_t row = 0; row < options->rows; row++) {
        pt_generator_row(&generator, row);
        wrong += rule(&generator) != generator.positive;
    }
    pt_generator_close(&generator);
    return wrong / (double)options->rows;
}

static bool sum_is_positive(const pt_generator *row)
{
    double sum = 0;
    for (size_t f = 0; f < row->features; f++)
        sum += row->values[f];
    return sum > 0;
}

static void best_rule_for_twonorm_errs_as_theory_says(void **state)
{
    partan_generator_options options = kind_options("twonorm", 100000);
    double phi = 0.5 * erfc(2 / sqrt(2)); /* 2.28 % */
    assert_near(error_rate(*state, &options, sum_is_positive), phi, 0.003);
    options.features = 5;
    assert_near(error_rate(*state, &options, sum_is_positive), phi, 0.003);
    options.noise = 0.25; /* flips: p (1 - q) + (1 - p) q */
    assert_near(error_rate(*state, &options, sum_is_positive), phi * 0.75 + (1 - phi) * 0.25, 0.006);
}

/* log N(0, 4I) against log N(a, I). */
static bool ringnorm_rule(const pt_generator *row)
{
    double d = (double)row->features, a = 1 / sqrt(d), balance = -d * log(2);
    for (size_t f = 0; f < row->features; f++) {
        double x = row->values[f];
        balance += (x - a) * (x - a) / 2 - x * x / 8;
    }
    return balance > 0;
}

static void best_rule_for_ringnorm_errs_as_breiman_says(void **state)
{
    partan_generator_options options = kind_options("ringnorm", 100000);
    assert_near(error_rate(*state, &options, ringnorm_rule), 0.013, 0.0025);
}

static bool parity(const pt_generator *row)
{
    return ((int)floor(4 * (double)row->values[0]) + (int)floor(4 * (double)row->values[1])) % 2 == 0;
}

static void checkerboard_labels_are_the_parity_of_the_field(void **state)
{
    partan_generator_options options = kind_options("checkerboard", 50000);
    assert_true(error_rate(*state, &options, parity) == 0);
    options.features = 7;
    assert_true(error_rate(*state, &options, parity) == 0);
    options.noise = 0.1;
    assert_near(error_rate(*state, &options, parity), 0.1, 0.006);
    options.noise = 1;
    assert_true(error_rate(*state, &options, parity) == 1);
}

/* Without jitter a point of radius r lies at angle 4 pi r, or opposite. */
static bool spiral_side(const pt_generator *row)
{
    double x = row->values[0], y = row->values[1];
    double radius = sqrt(x * x + y * y);
    return cos(atan2(y, x) - 4 * acos(-1) * radius) > 0;
}

static void spirals_are_where_they_should_be(void **state)
{
    partan_generator_options options = kind_options("spirals", 20000);
    options.noise = 0;
    assert_true(error_rate(*state, &options, spiral_side) == 0);
    options.noise = -1;
    double wrong = error_rate(*state, &options, spiral_side);
    assert_true(wrong < 0.05);
}

static void friedman_is_as_published(void **state)
{
    partan_generator_options options = kind_options("friedman", 40000);
    pt_generator generator;
    double mean = 0, squares = 0, errors = 0;
    assert_int_equal(pt_generator_open(*state, &options, &generator), PARTAN_OK);
    for (uint64_t row = 0; row < options.rows; row++) {
        pt_generator_row(&generator, row);
        const float *x = generator.values;
        double clean = 10 * sin(acos(-1) * x[0] * x[1]) + 20 * pow(x[2] - 0.5, 2) + 10 * x[3] + 5 * x[4];
        mean += clean / 40000;
        squares += clean * clean / 40000;
        errors += pow(generator.number - clean, 2) / 40000;
    }
    assert_near(errors, 1, 0.03);                  /* the noise */
    assert_near(squares - mean * mean, 23.8, 0.5); /* the variance without it */
    pt_generator_close(&generator);
}

/* ---- Every kind ---- */

static void classes_are_about_balanced(void **state)
{
    const char *kind;
    for (size_t i = 0; (kind = partan_generator(i, NULL)); i++)
        for (uint64_t seed = 0; seed < 5; seed++) {
            partan_generator_options options = kind_options(kind, 4000);
            options.seed = seed;
            pt_generator generator;
            assert_int_equal(pt_generator_open(*state, &options, &generator), PARTAN_OK);
            if (generator.kind->numbers) { /* no classes */
                pt_generator_close(&generator);
                continue;
            }
            double positive = 0;
            for (uint64_t row = 0; row < options.rows; row++) {
                pt_generator_row(&generator, row);
                positive += generator.positive;
            }
            assert_near(positive / 4000, 0.5, 0.05);
            pt_generator_close(&generator);
        }
}

static void neighbouring_rows_are_not_alike(void **state)
{
    const char *kind;
    for (size_t i = 0; (kind = partan_generator(i, NULL)); i++) {
        partan_generator_options options = kind_options(kind, 200);
        partan_data *data;
        assert_int_equal(partan_generate(*state, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
        for (size_t row = 1; row < 200; row++)
            assert_false(pt_matrix_rows_equal(&data->matrix, row - 1, &data->matrix, row));
        partan_data_free(data);
    }
}

static void same_seed_same_bytes(void **state)
{
    char path[256];
    temporary_path(path, sizeof path, ".svm");
    const char *kind;
    for (size_t i = 0; (kind = partan_generator(i, NULL)); i++) {
        char *text[3];
        for (uint64_t run = 0; run < 3; run++) {
            partan_generator_options options = kind_options(kind, 50);
            options.seed = run == 2 ? 8 : 7;
            assert_int_equal(partan_generate_file(*state, &options, path, PARTAN_FORMAT_AUTO), PARTAN_OK);
            text[run] = file_contents(path, NULL);
        }
        assert_string_equal(text[0], text[1]);
        assert_string_not_equal(text[0], text[2]);
        for (int run = 0; run < 3; run++)
            free(text[run]);
    }
    unlink(path);
}

static void streamed_rows_are_those_in_memory(void **state)
{
    partan_context *context = *state;
    char streamed[256], stored[256];
    temporary_path(streamed, sizeof streamed, ".streamed");
    temporary_path(stored, sizeof stored, ".stored");
    const char *kind;
    for (size_t i = 0; (kind = partan_generator(i, NULL)); i++)
        for (int format = PARTAN_FORMAT_LIBSVM; format <= PARTAN_FORMAT_TSV; format++) {
            partan_generator_options options = kind_options(kind, 100);
            options.features = i >= 5 ? 200 : 0;
            partan_data *data;
            assert_int_equal(partan_generate(context, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
            assert_int_equal(partan_data_rows(data), 100);
            assert_int_equal(partan_data_write(context, data, stored, (partan_format)format), PARTAN_OK);
            assert_int_equal(partan_generate_file(context, &options, streamed, (partan_format)format), PARTAN_OK);
            size_t sizes[2];
            char *a = file_contents(streamed, &sizes[0]), *b = file_contents(stored, &sizes[1]);
            assert_int_equal(sizes[0], sizes[1]);
            assert_memory_equal(a, b, sizes[0]);
            free(a);
            free(b);
            partan_data_free(data);
        }
    unlink(streamed);
    unlink(stored);
}

static void kinds_are_listed_with_descriptions(void **state)
{
    (void)state;
    size_t count = 0;
    const char *description = NULL;
    while (partan_generator(count, &description)) {
        assert_non_null(strstr(description, "features"));
        assert_non_null(strstr(description, "noise"));
        count++;
    }
    assert_int_equal(count, 8);
}

static void wrong_options_are_refused_with_a_sentence(void **state)
{
    static const struct {
        const char *kind;
        uint64_t rows, features;
        double noise;
        const char *says;
    } table[] = {
        {"cheqerboard", 10, 0, -1, "expected one of checkerboard, spirals"},
        {NULL, 10, 0, -1, "expected one of"},
        {"checkerboard", 0, 0, -1, "at least 1"},
        {"checkerboard", 10, 1, -1, "expected 2 to"},
        {"waveform", 10, 20, -1, "expected 21 to 40"},
        {"waveform", 10, 41, -1, "expected 21 to 40"},
        {"onehot", 10, 3, -1, "expected 4 to"},
        {"text", 10, (uint64_t)1 << 40, -1, "expected 2 to"},
        {"twonorm", 10, 0, 1.5, "probability"},
        {"twonorm", 10, 0, NAN, "probability"},
        {"spirals", 10, 0, INFINITY, "standard deviation"},
        {"text", 10, 0, 1.01, "share"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        partan_generator_options options = kind_options(table[i].kind, table[i].rows);
        options.features = table[i].features;
        options.noise = table[i].noise;
        partan_data *data = (partan_data *)&options;
        assert_int_equal(partan_generate(*state, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_ERROR_ARGUMENT);
        assert_null(data);
        assert_non_null(strstr(partan_error(*state), table[i].says));
        assert_int_equal(partan_generate_file(*state, &options, "/dev/null", PARTAN_FORMAT_AUTO),
                         PARTAN_ERROR_ARGUMENT);
    }
}

static void interruption_leaves_no_file(void **state)
{
    partan_context *context = *state;
    char path[256];
    temporary_path(path, sizeof path, ".svm");
    unlink(path);
    partan_generator_options options = kind_options("twonorm", 100000);
    partan_interrupt(context);
    assert_int_equal(partan_generate_file(context, &options, path, PARTAN_FORMAT_AUTO), PARTAN_INTERRUPTED);
    assert_int_equal(access(path, F_OK), -1);
    partan_data *data;
    partan_interrupt(context);
    assert_int_equal(partan_generate(context, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_INTERRUPTED);
    assert_null(data);
    /* The interruption is consumed. */
    options.rows = 10;
    assert_int_equal(partan_generate(context, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    partan_data_free(data);
}

/* ---- Allocations ---- */

static partan_status generate_each_kind(partan_context *context)
{
    const char *kind;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; !status && (kind = partan_generator(i, NULL)); i++) {
        partan_generator_options options = kind_options(kind, 40);
        partan_data *data;
        status = partan_generate(context, &options, PARTAN_STORAGE_AUTO, &data);
        partan_data_free(data);
        if (!status)
            status = partan_generate_file(context, &options, "/dev/null", PARTAN_FORMAT_CSV);
    }
    return status;
}

static void failed_allocations_are_survived(void **state)
{
    (void)state;
    check_every_allocation(generate_each_kind);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(twonorm_has_its_means_and_unit_variance),
        CONTEXT_TEST(ringnorm_is_one_distribution_inside_the_other),
        CONTEXT_TEST(waveform_mixes_two_triangles),
        CONTEXT_TEST(best_rule_for_twonorm_errs_as_theory_says),
        CONTEXT_TEST(best_rule_for_ringnorm_errs_as_breiman_says),
        CONTEXT_TEST(checkerboard_labels_are_the_parity_of_the_field),
        CONTEXT_TEST(spirals_are_where_they_should_be),
        CONTEXT_TEST(friedman_is_as_published),
        CONTEXT_TEST(classes_are_about_balanced),
        CONTEXT_TEST(neighbouring_rows_are_not_alike),
        CONTEXT_TEST(same_seed_same_bytes),
        CONTEXT_TEST(streamed_rows_are_those_in_memory),
        cmocka_unit_test(kinds_are_listed_with_descriptions),
        CONTEXT_TEST(wrong_options_are_refused_with_a_sentence),
        CONTEXT_TEST(interruption_leaves_no_file),
        cmocka_unit_test(failed_allocations_are_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
