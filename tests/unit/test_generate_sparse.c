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

static void text_rows_are_sorted_and_unit(void **state)
{
    partan_generator_options options = kind_options("text", 2000);
    const uint64_t features[] = {0, 2, 3, 41, 500};
    for (size_t i = 0; i < sizeof features / sizeof *features; i++) {
        options.features = features[i];
        pt_generator generator;
        assert_int_equal(pt_generator_open(*state, &options, &generator), PARTAN_OK);
        for (uint64_t row = 0; row < options.rows; row++) {
            pt_generator_row(&generator, row);
            double squares = 0;
            assert_true(generator.count > 0);
            for (size_t k = 0; k < generator.count; k++) {
                assert_true(k == 0 || generator.indices[k - 1] < generator.indices[k]);
                assert_true((size_t)generator.indices[k] < generator.features);
                squares += (double)generator.values[k] * generator.values[k];
            }
            assert_near(squares, 1, 1e-6);
        }
        pt_generator_close(&generator);
    }
}

/* RCV1 has 47,236 features and 73.2 nonzeros a row. */
static void text_has_the_shape_of_rcv1(void **state)
{
    partan_generator_options options = kind_options("text", 10000);
    options.features = 47236;
    pt_generator generator;
    assert_int_equal(pt_generator_open(*state, &options, &generator), PARTAN_OK);
    double words = 0, squares = 0, positive = 0;
    double octave[16] = {0}; /* words of rank 2^i to 2^(i+1) - 1 */
    for (uint64_t row = 0; row < options.rows; row++) {
        pt_generator_row(&generator, row);
        double length = (double)generator.count;
        words += length;
        squares += length * length;
        positive += generator.positive;
        for (size_t k = 0; k < generator.count; k++)
            octave[ilogb((double)generator.indices[k] + 1)]++;
    }
    pt_generator_close(&generator);
    double rows = (double)options.rows, mean = words / rows;
    assert_near(mean, 73.2, 2);
    assert_near(positive / rows, 0.5, 0.02);
    /* Log-normal lengths: the standard deviation is some sixty per cent of the mean. */
    assert_near(sqrt(squares / rows - mean * mean) / mean, 0.6, 0.05);
    /* Zipf: a word is rarer the higher its rank, and far down in inverse proportion to it. */
    for (int i = 1; i < 15; i++)
        assert_true(octave[i] < 2 * octave[i - 1]);
    for (int i = 12; i < 15; i++)
        assert_near(octave[i] / octave[i - 1], 1, 0.07);
}

/* Without common words and with a single block of words, there is a word a topic: two topics make a document. */
static void text_documents_are_of_two_topics_and_common_words(void **state)
{
    for (int noise = 0; noise < 2; noise++) {
        partan_generator_options options = kind_options("text", 4000);
        options.features = 40;
        options.noise = noise;
        pt_generator generator;
        assert_int_equal(pt_generator_open(*state, &options, &generator), PARTAN_OK);
        int label_of_word[40] = {0};
        double few = 0;
        for (uint64_t row = 0; row < options.rows; row++) {
            pt_generator_row(&generator, row);
            few += generator.count <= 2;
            if (noise || generator.count > 1)
                continue;
            int *label = &label_of_word[generator.indices[0]], now = generator.positive ? 1 : -1;
            assert_true(*label == 0 || *label == now); /* the topic decides */
            *label = now;
        }
        pt_generator_close(&generator);
        assert_true(noise ? few < 40 : few == 4000);
        int words = 0, balance = 0;
        for (int w = 0; w < 40; w++) {
            words += label_of_word[w] != 0;
            balance += label_of_word[w];
        }
        assert_int_equal(words, noise ? 0 : 40);
        assert_int_equal(balance, 0);
    }
}

static partan_data *make_text(partan_context *context, uint64_t rows, uint64_t seed, double noise)
{
    partan_generator_options options = kind_options("text", rows);
    options.seed = seed;
    options.noise = noise;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(context, &options, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    return data;
}

/* A linear machine's accuracy on rows of another seed than those it was trained on. */
static double accuracy_on_fresh_text(partan_context *context, double noise)
{
    enum { TEST_ROWS = 4000 };
    partan_data *learn = make_text(context, 4000, 1, noise), *fresh = make_text(context, TEST_ROWS, 2, noise);
    partan_settings settings;
    partan_settings_init(&settings);
    settings.kernel = PARTAN_KERNEL_LINEAR;
    settings.cost = 0.3;
    partan_model *model = NULL;
    assert_int_equal(partan_train(context, learn, &settings, NULL, &model), PARTAN_OK);
    static double decision[TEST_ROWS];
    assert_int_equal(partan_predict(context, model, fresh, decision), PARTAN_OK);
    double right = 0;
    for (size_t i = 0; i < TEST_ROWS; i++)
        right += (decision[i] > 0) == (fresh->labels[i] > 0);
    partan_model_free(model);
    partan_data_free(learn);
    partan_data_free(fresh);
    return right / TEST_ROWS;
}

static void text_can_be_learnt_as_far_as_noise_lets_it(void **state)
{
    assert_near(accuracy_on_fresh_text(*state, -1), 0.97, 0.015);
    assert_near(accuracy_on_fresh_text(*state, 0.8), 0.8, 0.03);
    assert_near(accuracy_on_fresh_text(*state, 1), 0.5, 0.03);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(onehot_rows_have_one_category_an_attribute),
        CONTEXT_TEST(onehot_rule_depends_on_the_seed_alone),
        CONTEXT_TEST(onehot_labels_follow_a_rule),
        CONTEXT_TEST(text_rows_are_sorted_and_unit),
        CONTEXT_TEST(text_has_the_shape_of_rcv1),
        CONTEXT_TEST(text_documents_are_of_two_topics_and_common_words),
        CONTEXT_TEST(text_can_be_learnt_as_far_as_noise_lets_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
