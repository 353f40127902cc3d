/* The generators of sparse rows: census-like categories and text. */
#include "testing.h"

#include <string.h>

#include "data/data.h"
#include "generating.h"

static void onehot_rows_have_one_category_an_attribute(void **state)
{
    partan_generator_options options = kind_options("onehot", 5000);
    const uint64_t features[] = {0, 4, 5, 13, 300};
    for (size_t i = 0; i < 5; i++) {
        options.features = features[i];
        partan_data *data;
        assert_int_equal(partan_generate(*state, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
        size_t wanted = features[i] ? features[i] : 123;
        assert_int_equal(partan_data_features(data), wanted);
        assert_int_equal(partan_data_nonzeros(data) % options.rows, 0);
        if (features[i] == 0) {
            assert_int_equal(partan_data_nonzeros(data), 14 * options.rows);
            assert_int_equal(partan_data_storage(data), PARTAN_STORAGE_BITS);
        }
        partan_data_free(data);
    }
}

static void onehot_rule_depends_on_the_seed_alone(void **state)
{
    /* Two generators that differ in the rows asked for agree; another seed draws another rule. */
    partan_generator_options options = kind_options("onehot", 10);
    pt_generator a, b, c;
    assert_int_equal(pt_generator_open(*state, &options, &a), PARTAN_OK);
    options.rows = 1000;
    assert_int_equal(pt_generator_open(*state, &options, &b), PARTAN_OK);
    options.seed = 2;
    assert_int_equal(pt_generator_open(*state, &options, &c), PARTAN_OK);
    int differences = 0;
    for (uint64_t row = 0; row < 100; row++) {
        pt_generator_row(&a, row);
        pt_generator_row(&b, row);
        pt_generator_row(&c, row);
        assert_memory_equal(a.indices, b.indices, a.count * sizeof *a.indices);
        assert_int_equal(a.positive, b.positive);
        differences += memcmp(a.indices, c.indices, a.count * sizeof *a.indices) != 0;
    }
    assert_true(differences > 90);
    pt_generator_close(&a);
    pt_generator_close(&b);
    pt_generator_close(&c);
}

/* With all noise off, rows with equal categories have equal labels; and the labels are not one attribute's doing. */
static void onehot_labels_follow_a_rule(void **state)
{
    partan_generator_options options = kind_options("onehot", 20000);
    options.features = 20; /* two attributes: rows repeat */
    options.noise = 0;
    pt_generator generator;
    assert_int_equal(pt_generator_open(*state, &options, &generator), PARTAN_OK);
    int seen[20][20] = {{0}};
    for (uint64_t row = 0; row < options.rows; row++) {
        pt_generator_row(&generator, row);
        int *label = &seen[generator.indices[0]][generator.indices[1]];
        int now = generator.positive ? 1 : -1;
        assert_true(*label == 0 || *label == now);
        *label = now;
    }
    pt_generator_close(&generator);
}

static void text_rows_are_sorted_unit_and_zipf(void **state)
{
    partan_generator_options options = kind_options("text", 5000);
    const uint64_t features[] = {0, 2, 3, 500};
    for (size_t i = 0; i < 4; i++) {
        options.features = features[i];
        pt_generator generator;
        assert_int_equal(pt_generator_open(*state, &options, &generator), PARTAN_OK);
        double frequent = 0, rare = 0;
        for (uint64_t row = 0; row < options.rows; row++) {
            pt_generator_row(&generator, row);
            double squares = 0;
            assert_true(generator.count > 0);
            for (size_t k = 0; k < generator.count; k++) {
                assert_true(k == 0 || generator.indices[k - 1] < generator.indices[k]);
                assert_true((size_t)generator.indices[k] < generator.features);
                squares += (double)generator.values[k] * generator.values[k];
                frequent += generator.indices[k] >= 100 && generator.indices[k] < 200;
                rare += generator.indices[k] >= 1000 && generator.indices[k] < 2000;
            }
            assert_near(squares, 1, 1e-6);
        }
        /* Zipf: as many words of rank 100 to 200 as of rank 1000 to 2000. */
        if (features[i] == 0)
            assert_near(frequent / rare, 1, 0.1);
        pt_generator_close(&generator);
    }
}

static void text_topics_differ_by_their_noise(void **state)
{
    /* One pair of words: without noise each topic has its own; with noise 1 the classes are alike. */
    for (int noise = 0; noise < 2; noise++) {
        partan_generator_options options = kind_options("text", 4000);
        options.features = 2;
        options.noise = noise;
        pt_generator generator;
        assert_int_equal(pt_generator_open(*state, &options, &generator), PARTAN_OK);
        double both = 0;
        for (uint64_t row = 0; row < options.rows; row++) {
            pt_generator_row(&generator, row);
            both += generator.count == 2;
        }
        assert_true(noise ? both > 3900 : both == 0);
        pt_generator_close(&generator);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(onehot_rows_have_one_category_an_attribute),
        CONTEXT_TEST(onehot_rule_depends_on_the_seed_alone),
        CONTEXT_TEST(onehot_labels_follow_a_rule),
        CONTEXT_TEST(text_rows_are_sorted_unit_and_zipf),
        CONTEXT_TEST(text_topics_differ_by_their_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
