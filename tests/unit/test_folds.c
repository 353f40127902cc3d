/* Folds, cross-validation and tuning by folds, against training and predicting by hand. */
#include <math.h>

#include "failing.h"
#include "svm/cross_validate.h"
#include "svm/folds.h"
#include "training.h"

enum { ROWS = 300, FOLDS = 4 };

static void every_row_is_held_out_once_and_classes_are_even(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    pt_folds folds, same, other;
    assert_int_equal(pt_folds_deal(&folds, *state, NULL, data, FOLDS, FOLDS, 1), PARTAN_OK);
    assert_int_equal(pt_folds_deal(&same, *state, NULL, data, FOLDS, FOLDS, 1), PARTAN_OK);
    assert_int_equal(pt_folds_deal(&other, *state, NULL, data, FOLDS, FOLDS, 2), PARTAN_OK);
    assert_memory_equal(folds.round, same.round, ROWS * sizeof *folds.round);
    assert_memory_not_equal(folds.round, other.round, ROWS * sizeof *folds.round);
    size_t count[FOLDS][2] = {{0}};
    for (size_t row = 0; row < ROWS; row++) {
        assert_in_range(folds.round[row], 0, FOLDS - 1);
        count[folds.round[row]][partan_data_label(data, row) > 0]++;
    }
    for (size_t k = 1; k < FOLDS; k++)
        for (int label = 0; label < 2; label++)
            assert_true(llabs((long long)count[k][label] - (long long)count[0][label]) <= 1);
    for (size_t k = 0; k < FOLDS; k++) {
        partan_data *train, *held;
        assert_int_equal(pt_folds_take(&folds, k, &train, &held), PARTAN_OK);
        assert_int_equal(partan_data_rows(held), count[k][0] + count[k][1]);
        assert_int_equal(partan_data_rows(train) + partan_data_rows(held), ROWS);
        partan_data_free(train);
        partan_data_free(held);
    }
    pt_folds_free(&folds);
    pt_folds_free(&same);
    pt_folds_free(&other);
    partan_data_free(data);
}

/* ---- Cross-validation ---- */

typedef struct by_hand {
    double decision[ROWS];
    uint64_t correct[FOLDS];
    double auc[FOLDS];
} by_hand;

static void validate_by_hand(partan_context *context, const partan_data *data, const partan_settings *s, by_hand *hand)
{
    pt_folds folds;
    assert_int_equal(pt_folds_deal(&folds, context, NULL, data, FOLDS, FOLDS, 1), PARTAN_OK);
    for (size_t k = 0; k < FOLDS; k++) {
        partan_data *part, *held;
        double decision[ROWS];
        partan_evaluation found;
        partan_evaluation_init(&found);
        assert_int_equal(pt_folds_take(&folds, k, &part, &held), PARTAN_OK);
        partan_model *model = train(context, part, s, NULL, PARTAN_OK);
        assert_int_equal(partan_predict(context, model, held, decision), PARTAN_OK);
        assert_int_equal(partan_evaluate(context, model, held, decision, NULL, NULL, &found), PARTAN_OK);
        hand->correct[k] = found.correct;
        hand->auc[k] = found.auc;
        for (size_t row = 0, next = 0; row < ROWS; row++)
            if (folds.round[row] == (int32_t)k)
                hand->decision[row] = decision[next++];
        partan_model_free(model);
        partan_data_free(part);
        partan_data_free(held);
    }
    pt_folds_free(&folds);
}

typedef struct told {
    const by_hand *hand;
    size_t folds, stop_after;
    size_t held; /* rows that were predicted */
} told;

static int take_fold(void *user, size_t fold, const partan_result *result, const partan_evaluation *evaluation)
{
    told *t = user;
    assert_int_equal(fold, t->folds);
    assert_true(result->converged);
    assert_int_equal(evaluation->correct, t->hand->correct[fold]);
    return ++t->folds == t->stop_after;
}

static void take_held(void *user, const partan_model *model, const size_t *rows, size_t count, const double *decision)
{
    told *t = user;
    assert_int_equal(partan_model_outputs(model), 1);
    for (size_t i = 0; i < count; i++)
        assert_true(decision[i] == t->hand->decision[rows[i]]);
    t->held += count;
}

static void cross_validation_is_training_without_each_fold(void **state)
{
    static by_hand hand;
    double decision[ROWS], auc = 0;
    uint64_t correct = 0;
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_evaluation found;
    partan_evaluation_init(&found);
    told t = {.hand = &hand};
    validate_by_hand(*state, data, &s, &hand);
    assert_int_equal(partan_cross_validate(*state, data, &s, FOLDS, 1, take_fold, &t, decision, &found), PARTAN_OK);
    assert_int_equal(t.folds, FOLDS);
    assert_memory_equal(decision, hand.decision, sizeof decision);
    for (size_t k = 0; k < FOLDS; k++) {
        correct += hand.correct[k];
        auc += hand.auc[k] / FOLDS;
    }
    assert_int_equal(found.correct, correct);
    assert_int_equal(found.labelled, ROWS);
    assert_true(fabs(found.auc - auc) < 1e-12 && found.accuracy == (double)correct / ROWS);

    t = (told){.hand = &hand};
    assert_int_equal(partan_cross_predict(*state, data, &s, FOLDS, 1, take_fold, take_held, &t, &found), PARTAN_OK);
    assert_true(t.held == ROWS && t.folds == FOLDS && found.correct == correct);

    t = (told){.hand = &hand, .stop_after = 2};
    assert_int_equal(partan_cross_validate(*state, data, &s, FOLDS, 1, take_fold, &t, decision, &found),
                     PARTAN_INTERRUPTED);
    assert_int_equal(found.correct, hand.correct[0] + hand.correct[1]);
    size_t missing = 0;
    for (size_t row = 0; row < ROWS; row++)
        missing += isnan(decision[row]) ? 1 : 0;
    assert_int_equal(missing, ROWS - found.labelled);
    partan_data_free(data);
}

static int keep_evaluation(void *user, size_t fold, const partan_result *result, const partan_evaluation *evaluation)
{
    assert_true(result->converged);
    ((partan_evaluation *)user)[fold] = *evaluation;
    return 0;
}

static void keep_nothing(void *user, const partan_model *model, const size_t *rows, size_t count,
                         const double *decision)
{
    (void)user, (void)model, (void)rows, (void)count, (void)decision;
}

/* Evaluations are added up in the order of the folds, in whichever they are done. */
static void folds_one_by_one_are_the_cross_validation(void **state)
{
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_evaluation whole, joined, folds[FOLDS];
    partan_evaluation_init(&whole);
    partan_evaluation_init(&joined);
    assert_int_equal(partan_cross_validate(*state, data, &s, FOLDS, 1, NULL, NULL, NULL, &whole), PARTAN_OK);
    for (size_t k = FOLDS; k-- > 0;)
        assert_int_equal(pt_cross_predict_fold(*state, data, &s, FOLDS, 1, k, keep_evaluation, keep_nothing, folds),
                         PARTAN_OK);
    pt_cross_evaluation(folds, FOLDS, &joined);
    assert_memory_equal(&joined, &whole, sizeof whole);
    assert_int_equal(pt_cross_predict_fold(*state, data, &s, FOLDS, 1, FOLDS, keep_evaluation, keep_nothing, folds),
                     PARTAN_ERROR_ARGUMENT);
    partan_data_free(data);
}

static int count_points(void *user, const partan_tune_point *point)
{
    (void)point;
    return ++*(size_t *)user == 100;
}

/* At one cost there is no path, so the numbers are the same. */
static void tuning_by_folds_is_cross_validation(void **state)
{
    static const partan_score scores[] = {PARTAN_SCORE_ACCURACY, PARTAN_SCORE_BALANCED, PARTAN_SCORE_F1,
                                          PARTAN_SCORE_AUC};
    static by_hand hand;
    static const double cost = 10;
    partan_data *data = generate(*state, "ringnorm", ROWS);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    validate_by_hand(*state, data, &s, &hand);
    for (size_t i = 0; i < 4; i++) {
        partan_evaluation expected;
        partan_evaluation_init(&expected);
        partan_tune_options options;
        partan_tune_point best;
        partan_tune_point_init(&best);
        size_t points = 0;
        partan_tune_options_init(&options);
        options.folds = FOLDS;
        options.score = scores[i];
        options.costs = &cost;
        options.cost_count = 1;
        assert_int_equal(partan_tune(*state, data, &s, &options, count_points, &points, &best), PARTAN_OK);
        partan_cross_validate(*state, data, &s, FOLDS, 1, NULL, NULL, NULL, &expected);
        assert_int_equal(points, 1);
        assert_int_equal(best.correct, expected.correct);
        assert_int_equal(best.rows, ROWS);
        assert_memory_equal(&best.evaluation, &expected, sizeof expected);
        assert_true(best.score > 0.5 && best.score <= 1 && best.deviation > 0 && best.deviation < 0.2);
        if (scores[i] == PARTAN_SCORE_AUC)
            assert_true(fabs(best.score - expected.auc) < 1e-12);
    }
    double mean = 0, squares = 0;
    for (size_t k = 0; k < FOLDS; k++)
        mean += hand.auc[k] / FOLDS;
    for (size_t k = 0; k < FOLDS; k++)
        squares += (hand.auc[k] - mean) * (hand.auc[k] - mean);
    partan_tune_options options;
    partan_tune_point best;
    partan_tune_point_init(&best);
    partan_tune_options_init(&options);
    options.folds = FOLDS;
    options.score = PARTAN_SCORE_AUC;
    options.costs = &cost;
    options.cost_count = 1;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, &best), PARTAN_OK);
    assert_true(fabs(best.deviation - sqrt(squares / (FOLDS - 1))) < 1e-9);
    partan_data_free(data);
}

static void what_cannot_be_is_refused(void **state)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_data *data = generate(*state, "ringnorm", 20);
    partan_evaluation found;
    partan_evaluation_init(&found);
    assert_int_equal(partan_cross_validate(*state, data, &s, 1, 1, NULL, NULL, NULL, &found), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_cross_validate(*state, data, &s, 0, 1, NULL, NULL, NULL, &found), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_cross_validate(*state, data, &s, 15, 1, NULL, NULL, NULL, &found), PARTAN_ERROR_DATA);
    assert_non_null(strstr(partan_error(*state), "for each of 15 folds"));
    s.cost = -1;
    assert_int_equal(partan_cross_validate(*state, data, &s, 2, 1, NULL, NULL, NULL, &found), PARTAN_ERROR_ARGUMENT);
    partan_data_free(data);
}

static partan_status cross_validate_small(partan_context *context)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "twonorm";
    make.rows = 20;
    partan_data *data = NULL;
    partan_evaluation found;
    partan_evaluation_init(&found);
    partan_status status = partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data);
    if (!status)
        status = partan_cross_validate(context, data, &s, 2, 1, NULL, NULL, NULL, &found);
    partan_data_free(data);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_allocations(cross_validate_small, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(every_row_is_held_out_once_and_classes_are_even),
        CONTEXT_TEST(cross_validation_is_training_without_each_fold),
        CONTEXT_TEST(folds_one_by_one_are_the_cross_validation),
        CONTEXT_TEST(tuning_by_folds_is_cross_validation),
        SERIAL_TEST(what_cannot_be_is_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
