/* Evaluation of predictions: counts, shares and areas against counting all pairs by hand. */
#include <math.h>

#include "failing.h"
#include "training.h"

enum { ROWS = 400 };

typedef struct sample {
    partan_data *data;
    partan_model *model;
    double decision[ROWS];
} sample;

/* Decision values of few different numbers, so that there are ties, that go with the labels now and then. */
static void make_sample(partan_context *context, sample *s)
{
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    s->data = generate(context, "twonorm", ROWS);
    s->model = train(context, s->data, &settings, NULL, PARTAN_OK);
    for (size_t i = 0; i < ROWS; i++)
        s->decision[i] = (double)((i * 7919) % 23) - 11 + 4 * partan_data_label(s->data, i);
}

static void free_sample(sample *s)
{
    partan_model_free(s->model);
    partan_data_free(s->data);
}

/* The probability that a positive row has a greater value than a negative one, by all pairs. */
static double area_by_pairs(const sample *s)
{
    double wins = 0, pairs = 0;
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j < ROWS; j++)
            if (partan_data_label(s->data, i) > partan_data_label(s->data, j)) {
                wins += s->decision[i] > s->decision[j] ? 1 : s->decision[i] == s->decision[j] ? 0.5 : 0;
                pairs++;
            }
    return wins / pairs;
}

typedef struct curve {
    const sample *sample;
    size_t points;
    double last, precision, recall;
} curve;

/* Every point is what counting all rows at its threshold gives. */
static void check_point(void *user, double threshold, uint64_t true_positives, uint64_t false_positives)
{
    curve *c = user;
    uint64_t found[2] = {0, 0}, positives = 0;
    assert_true(c->points == 0 || threshold < c->last);
    for (size_t i = 0; i < ROWS; i++) {
        bool positive = partan_data_label(c->sample->data, i) > 0;
        positives += positive;
        found[positive] += c->sample->decision[i] >= threshold;
    }
    assert_int_equal(true_positives, found[1]);
    assert_int_equal(false_positives, found[0]);
    double recall = (double)found[1] / (double)positives;
    c->precision += (recall - c->recall) * (double)found[1] / (double)(found[0] + found[1]);
    c->recall = recall;
    c->last = threshold;
    c->points++;
}

static void areas_and_curves_are_what_counting_gives(void **state)
{
    sample s;
    partan_evaluation found;
    partan_evaluation_init(&found);
    make_sample(*state, &s);
    curve c = {.sample = &s};
    assert_int_equal(partan_evaluate(*state, s.model, s.data, s.decision, check_point, &c, &found), PARTAN_OK);
    assert_true(fabs(found.auc - area_by_pairs(&s)) < 1e-12);
    assert_true(found.auc > 0.6 && found.auc < 0.99);
    assert_true(fabs(found.average_precision - c.precision) < 1e-12);
    assert_true(c.points > 10 && c.recall == 1);
    free_sample(&s);
}

static void shares_follow_from_the_counts(void **state)
{
    sample s;
    partan_evaluation found;
    partan_evaluation_init(&found);
    uint64_t counts[2][2] = {{0, 0}, {0, 0}};
    make_sample(*state, &s);
    for (size_t i = 0; i < ROWS; i++)
        counts[partan_data_label(s.data, i) > 0][s.decision[i] > 0]++;
    assert_int_equal(partan_evaluate(*state, s.model, s.data, s.decision, NULL, NULL, &found), PARTAN_OK);
    assert_memory_equal(found.confusion, counts, sizeof counts);
    assert_int_equal(found.labelled, ROWS);
    assert_int_equal(found.correct, counts[0][0] + counts[1][1]);
    double recall[2];
    for (int k = 0; k < 2; k++) {
        double precision = (double)counts[k][k] / (double)(counts[0][k] + counts[1][k]);
        recall[k] = (double)counts[k][k] / (double)(counts[k][0] + counts[k][1]);
        assert_true(found.precision[k] == precision && found.recall[k] == recall[k]);
        assert_true(fabs(found.f1[k] - 2 * precision * recall[k] / (precision + recall[k])) < 1e-15);
    }
    assert_true(found.balanced_accuracy == (recall[0] + recall[1]) / 2);
    assert_true(found.accuracy == (double)found.correct / ROWS);
    free_sample(&s);
}

/* Labels that the model does not know are wrong, rows without one are left out; a share of nothing is NaN. */
static void unknown_and_missing_labels(void **state)
{
    sample s;
    partan_evaluation found;
    partan_evaluation_init(&found);
    partan_data *other = NULL;
    const float values[] = {1, 2, 3, 4};
    const double labels[] = {1, 7, NAN, 1}, decision[] = {1, 1, 1, -1};
    make_sample(*state, &s);
    dense_data(*state, values, 4, 1, 1, labels, PARTAN_STORAGE_DENSE, &other);
    assert_int_equal(partan_evaluate(*state, s.model, other, decision, NULL, NULL, &found), PARTAN_OK);
    assert_int_equal(found.labelled, 3);
    assert_int_equal(found.other, 1);
    assert_int_equal(found.correct, 1);
    assert_true(found.recall[1] == 0.5 && isnan(found.recall[0]) && isnan(found.balanced_accuracy));
    assert_true(isnan(found.auc) && found.average_precision == 1);
    partan_data_free(other);
    free_sample(&s);
}

static partan_status evaluate_some(partan_context *context)
{
    partan_settings settings = defaults(PARTAN_SOLVER_AUTO);
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "twonorm";
    make.rows = 20;
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_evaluation found;
    partan_evaluation_init(&found);
    double decision[20] = {0};
    partan_status status = partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data);
    if (!status)
        status = partan_train(context, data, &settings, NULL, &model);
    if (!status)
        status = partan_evaluate(context, model, data, decision, NULL, NULL, &found);
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_allocations(evaluate_some, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(areas_and_curves_are_what_counting_gives),
        SERIAL_TEST(shares_follow_from_the_counts),
        SERIAL_TEST(unknown_and_missing_labels),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
