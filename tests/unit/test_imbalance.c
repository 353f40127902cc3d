/* Classes of very different sizes: balanced weights find the rare one, and cross-validation and tuning balance each
 * training part by its own rows. */
#include <math.h>

#include "realdata.h"
#include "svm/folds.h"
#include "training.h"

/* ---- Recall ---- */

typedef struct recalls {
    double rare, common; /* shares of the rows of each class that are recognised; the rare class is the positive one */
} recalls;

static recalls count_recalls(const partan_data *data, const double *decision)
{
    double rows[2] = {0}, found[2] = {0};
    for (size_t row = 0; row < partan_data_rows(data); row++) {
        int positive = partan_data_label(data, row) > 0;
        rows[positive]++;
        found[positive] += (decision[row] > 0) == positive;
    }
    return (recalls){found[1] / rows[1], found[0] / rows[0]};
}

static recalls test_on(partan_context *context, const partan_data *data, const partan_data *test, partan_settings s,
                       bool balanced)
{
    double *decision = malloc(partan_data_rows(test) * sizeof *decision);
    assert_non_null(decision);
    s.balanced = balanced;
    partan_model *model = train(context, data, &s, NULL, PARTAN_OK);
    assert_int_equal(partan_predict(context, model, test, decision), PARTAN_OK);
    recalls found = count_recalls(test, decision);
    partan_model_free(model);
    free(decision);
    return found;
}

/* 1 row of the rare class to 33 of the other. */
static void balanced_finds_the_rare_class_of_w8a(void **state)
{
    partan_data *data = read_real_data(*state, "w8a", "w8a", 0);
    partan_data *test = read_real_data(*state, "w8a", "w8a.t", partan_data_features(data));
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.cost = 1;
    s.gamma = 0.0485;
    recalls plain = test_on(*state, data, test, s, false), balanced = test_on(*state, data, test, s, true);
    assert_true(plain.rare < 0.75);
    assert_true(balanced.rare > 0.95 && balanced.common > 0.85);
    partan_data_free(test);
    partan_data_free(data);
}

/* ---- Generated data ---- */

enum { RARE = 40, SHARE = 60, ROWS = RARE * (1 + SHARE) };

static double draw_uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) * 0x1p-53;
}

static double draw_normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(draw_uniform(state)));
    return radius * cos(6.283185307179586 * draw_uniform(state));
}

/* Two overlapping clouds in the plane, 1 row of the positive one to 60 of the other. */
static partan_data *clouds(partan_context *context, uint64_t seed)
{
    static float values[2 * ROWS];
    static double labels[ROWS];
    partan_data *data = NULL;
    for (size_t row = 0; row < ROWS; row++) {
        bool rare = row % (SHARE + 1) == 0;
        labels[row] = rare ? 1 : -1;
        for (size_t k = 0; k < 2; k++)
            values[2 * row + k] = (float)(draw_normal(&seed) + (rare ? 1.5 : 0));
    }
    assert_int_equal(dense_data(context, values, ROWS, 2, 2, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    return data;
}

static void balanced_finds_one_row_in_sixty(void **state)
{
    partan_data *data = clouds(*state, 1), *test = clouds(*state, 2);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.cost = 1;
    recalls plain = test_on(*state, data, test, s, false), balanced = test_on(*state, data, test, s, true);
    assert_true(plain.rare < 0.2);
    assert_true(balanced.rare > 0.7 && balanced.common > 0.7);
    partan_data_free(test);
    partan_data_free(data);
}

/* ---- Training parts ---- */

/* What balanced gives the classes of these rows, by the definition. */
static void weigh_by_hand(const partan_data *part, partan_class_weight list[2])
{
    double sums[2] = {0};
    for (size_t row = 0; row < partan_data_rows(part); row++)
        sums[partan_data_label(part, row) > 0] += partan_data_weight(part, row);
    list[0] = (partan_class_weight){"-1", (sums[0] + sums[1]) / (2 * sums[0])};
    list[1] = (partan_class_weight){"1", (sums[0] + sums[1]) / (2 * sums[1])};
}

/* Weights that make parts differ: one row of the rare class has most of its class's weight. */
static partan_data *uneven_clouds(partan_context *context)
{
    static double weights[ROWS];
    partan_data *data = clouds(context, 3);
    for (size_t row = 0; row < ROWS; row++)
        weights[row] = row == 0 ? 50 : 1;
    assert_int_equal(partan_data_set_weights(context, data, weights), PARTAN_OK);
    return data;
}

static partan_result train_by_hand(partan_context *context, const partan_data *part, partan_settings s)
{
    partan_class_weight list[2];
    weigh_by_hand(part, list);
    s.balanced = 0;
    s.class_weights = list;
    s.class_weight_count = 2;
    partan_model *model = train(context, part, &s, NULL, PARTAN_OK);
    partan_result result = *partan_model_result(model);
    partan_model_free(model);
    return result;
}

enum { FOLDS = 3 };

static int keep_objective(void *user, size_t fold, const partan_result *result, const partan_evaluation *evaluation)
{
    (void)evaluation;
    ((double *)user)[fold] = result->objective;
    return 0;
}

static void each_fold_balances_its_own_training_part(void **state)
{
    partan_data *data = uneven_clouds(*state);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_evaluation evaluation;
    pt_folds folds;
    double objectives[FOLDS];
    partan_evaluation_init(&evaluation);
    s.balanced = 1;
    assert_int_equal(partan_cross_validate(*state, data, &s, FOLDS, 1, keep_objective, objectives, NULL, &evaluation),
                     PARTAN_OK);
    assert_int_equal(pt_folds_deal(&folds, *state, NULL, data, FOLDS, FOLDS, 1), PARTAN_OK);
    for (size_t k = 0; k < FOLDS; k++) {
        partan_data *part, *held;
        assert_int_equal(pt_folds_take(&folds, k, &part, &held), PARTAN_OK);
        assert_true(fabs(train_by_hand(*state, part, s).objective - objectives[k]) <= 1e-12 * objectives[k]);
        partan_data_free(part);
        partan_data_free(held);
    }
    pt_folds_free(&folds);
    partan_data_free(data);
}

static void tuning_balances_its_training_part(void **state)
{
    static const double costs[] = {3};
    partan_data *data = uneven_clouds(*state), *part, *held;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_tune_options options;
    partan_tune_point best;
    partan_tune_options_init(&options);
    partan_tune_point_init(&best);
    options.costs = costs;
    options.cost_count = 1;
    s.balanced = 1;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, &best), PARTAN_OK);
    assert_int_equal(partan_data_split(*state, data, options.validation, options.seed, &part, &held), PARTAN_OK);
    s.cost = costs[0];
    partan_result hand = train_by_hand(*state, part, s);
    assert_true(fabs(hand.objective - best.result.objective) <= 1e-12 * hand.objective);
    assert_int_equal(hand.support_vectors, best.result.support_vectors);
    partan_data_free(held);
    partan_data_free(part);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(balanced_finds_the_rare_class_of_w8a),
        SERIAL_TEST(balanced_finds_one_row_in_sixty),
        SERIAL_TEST(each_fold_balances_its_own_training_part),
        SERIAL_TEST(tuning_balances_its_training_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
