/* Predictions of more than two classes: decision values, votes, and what is counted of them. */
#include "zoo.h"

/* Decision values by the formula. */
static void decide(const zoo *z, const partan_settings *s, const partan_model *model, size_t row, double *decision)
{
    for (size_t m = 0; m < model->machine_count; m++) {
        const partan_model *part = model->machines[m];
        decision[m] = part->bias;
        for (size_t k = 0; k < part->count; k++) {
            int64_t origin = model->origin[part->members[k]];
            decision[m] += part->scale * part->weights[k] * (double)part->signs[k]
                           * formula(s, z->t.values[row], z->t.values[origin], FEATURES);
        }
    }
}

/* Most votes; of several classes, the greatest sum of values. */
static int vote(const partan_model *model, const double *decision)
{
    double best = -INFINITY;
    int class = -1;
    for (int c = 0; c < CLASSES; c++) {
        double score = 0;
        for (size_t m = 0; m < model->machine_count; m++) {
            int64_t positive = model->machines[m]->sides[1], negative = model->machines[m]->sides[0];
            if (negative < 0)
                score += positive == c ? decision[m] : 0;
            else if (positive == c || negative == c) {
                double value = positive == c ? decision[m] : -decision[m];
                score += (value > 0 ? 1e6 : 0) + value;
            }
        }
        if (score > best) {
            best = score;
            class = c;
        }
    }
    return class;
}

/* A row's score for a class: its votes, and the sum of values that tells those of equal votes apart. */
static void score_class(const partan_model *model, const double *decision, int class, double score[2])
{
    score[0] = score[1] = 0;
    for (size_t m = 0; m < model->machine_count; m++) {
        int64_t positive = model->machines[m]->sides[1], negative = model->machines[m]->sides[0];
        double value = positive == class ? decision[m] : -decision[m];
        if (positive != class && negative != class)
            continue;
        score[0] += negative >= 0 && (positive == class ? value > 0 : value >= 0);
        score[1] += value;
    }
}

/* The share of pairs of a row of the class and one of the rest in which the first has the larger score, ties half; the
 * mean over the classes. */
static double area_by_pairs(const zoo *z, const partan_model *model, const double *decision)
{
    size_t outputs = partan_model_outputs(model);
    double sum = 0;
    for (int class = 0; class < CLASSES; class ++) {
        double won = 0, pairs = 0;
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < ROWS; j++) {
                double a[2], b[2];
                if (z->class[i] != class || z->class[j] == class)
                    continue;
                score_class(model, decision + i * outputs, class, a);
                score_class(model, decision + j * outputs, class, b);
                int k = a[0] == b[0];
                won += a[k] > b[k] ? 1 : a[k] == b[k] ? 0.5 : 0;
                pairs++;
            }
        sum += won / pairs;
    }
    return sum / CLASSES;
}

static void check_predictions(partan_context *context, const zoo *z, const partan_data *data, const partan_settings *s,
                              const partan_model *model)
{
    size_t outputs = partan_model_outputs(model);
    double found[ROWS * CLASSES * CLASSES], expected[CLASSES * CLASSES];
    uint64_t confusion[CLASSES * CLASSES], correct = 0, sum = 0;
    int32_t predicted[ROWS];
    partan_class_evaluation each[CLASSES];
    partan_evaluation all, same;
    partan_evaluation_init(&all);
    partan_evaluation_init(&same);
    assert_int_equal(partan_predict(context, model, data, found), PARTAN_OK);
    for (size_t row = 0; row < ROWS; row++) {
        decide(z, s, model, row, expected);
        for (size_t m = 0; m < outputs; m++)
            assert_true(fabs(found[row * outputs + m] - expected[m]) <= 1e-4);
        int class = partan_model_decide(model, found + row * outputs);
        assert_int_equal(class, vote(model, found + row * outputs));
        correct += class == z->class[row];
    }
    assert_int_equal(partan_evaluate(context, model, data, found, NULL, NULL, &all), PARTAN_OK);
    assert_int_equal(partan_evaluate_classes(context, model, data, found, confusion, each, predicted, &same),
                     PARTAN_OK);
    assert_memory_equal(&same, &all, sizeof same);
    for (size_t row = 0; row < ROWS; row++)
        assert_int_equal(predicted[row], partan_model_decide(model, found + row * outputs));
    assert_int_equal(all.correct, correct);
    assert_true(fabs(all.auc - area_by_pairs(z, model, found)) < 1e-12);
    for (int c = 0; c < CLASSES; c++) {
        sum += confusion[c * CLASSES + c];
        assert_true(each[c].recall == (double)confusion[c * CLASSES + c] / (double)each[c].rows);
    }
    assert_int_equal(sum, correct);
    assert_true(all.balanced_accuracy == (each[0].recall + each[1].recall + each[2].recall + each[3].recall) / CLASSES);
}

static void votes_follow_from_decision_values(void **state)
{
    static zoo z;
    FOR_EVERY_KERNEL(kernel)
        for (size_t i = 0; i < 2 * STORAGES; i++) {
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            s.kernel = (partan_kernel)kernel;
            s.multiclass = (partan_multiclass)(i % 2);
            s.coef0 = kernel == PARTAN_KERNEL_POLYNOMIAL;
            s.gamma = kernel == PARTAN_KERNEL_SIGMOID ? 0.01 : 0.2;
            if (kernel == PARTAN_KERNEL_PRECOMPUTED && i > 1)
                continue;
            zoo_fill(&z, every_storage(i / 2), 5 + i);
            partan_data *data = zoo_data(*state, &z, &s, every_storage(i / 2), false);
            partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
            check_predictions(*state, &z, data, &s, model);
            partan_model_free(model);
            partan_data_free(data);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(votes_follow_from_decision_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
