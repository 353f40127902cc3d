/* More than two classes: every machine is the model of two classes that it would be alone; files of both formats,
 * verification, weights, cross-validation. */
#include "svm/many/many.h"
#include "zoo.h"

/* The rows of a machine alone, with labels -1 and 1. */
static partan_data *rows_of(partan_context *context, const zoo *z, const partan_data *data, int negative, int positive,
                            int64_t *rows)
{
    partan_data *out = NULL;
    size_t count = 0;
    (void)context;
    for (size_t i = 0; i < ROWS; i++)
        if (negative < 0 || z->class[i] == negative || z->class[i] == positive)
            rows[count++] = (int64_t)i;
    assert_int_equal(pt_data_gather(data, rows, count, &out), PARTAN_OK);
    for (size_t i = 0; i < out->word_count; i++)
        pt_free(out->context, out->words[i]);
    pt_free(out->context, out->words);
    out->words = NULL;
    out->word_count = 0;
    for (size_t i = 0; i < count; i++)
        out->labels[i] = z->class[rows[i]] == positive ? 1 : -1;
    return out;
}

static void check_machine(partan_context *context, const zoo *z, const partan_data *data, const partan_settings *s,
                          const partan_model *model, size_t i)
{
    int64_t rows[ROWS];
    partan_machine one;
    partan_machine_init(&one);
    assert_int_equal(partan_model_machine(model, i, &one), PARTAN_OK);
    partan_data *some = rows_of(context, z, data, one.negative, one.positive, rows);
    partan_model *alone = train(context, some, s, NULL, PARTAN_OK), *part = NULL;
    assert_int_equal(pt_machine_alone(model, i, &part), PARTAN_OK);
    assert_int_equal(alone->count, part->count);
    for (size_t k = 0; k < alone->count; k++) { /* in other orders */
        size_t j = 0;
        while (j < part->count && part->origin[j] != rows[alone->origin[k]])
            j++;
        assert_true(j < part->count && part->weights[j] == alone->weights[k] && part->signs[j] == alone->signs[k]);
    }
    assert_true(one.result.objective == alone->result.objective && one.result.gap == alone->result.gap);
    assert_true(one.bias == alone->bias);
    partan_model_free(alone);
    partan_model_free(part);
    partan_data_free(some);
}

static void machines_are_models_of_two_classes(void **state)
{
    static zoo z;
    FOR_EVERY_SOLVER(solver)
        for (size_t i = 0; i < STORAGES; i++)
            for (int multiclass = 0; multiclass < 2; multiclass++) {
                partan_settings s = defaults((partan_solver)solver);
                s.multiclass = (partan_multiclass)multiclass;
                zoo_fill(&z, every_storage(i), 3 + i);
                partan_data *data = zoo_data(*state, &z, &s, every_storage(i), i % 2);
                partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
                size_t machines = multiclass ? CLASSES : CLASSES * (CLASSES - 1) / 2;
                assert_int_equal(partan_model_class_count(model), CLASSES);
                assert_int_equal(partan_model_outputs(model), machines);
                assert_int_equal(partan_model_has_words(model), i % 2);
                for (int class = 0; class < CLASSES; class ++) {
                    assert_string_equal(partan_model_label_text(model, class),
                                        i % 2 ? zoo_words[class] : ((const char *[]){"-3", "0", "2", "7"})[class]);
                    assert_true(i % 2 || partan_model_label(model, class) == zoo_numbers[class]);
                }
                for (size_t m = 0; m < machines; m++)
                    check_machine(*state, &z, data, &s, model, m);
                partan_model_free(model);
                partan_data_free(data);
            }
}

/* ---- Files ---- */

static void assert_same_predictions(partan_context *context, const partan_data *data, const partan_model *a,
                                    const partan_model *b, double tolerance)
{
    double x[ROWS * CLASSES * CLASSES], y[ROWS * CLASSES * CLASSES];
    size_t outputs = partan_model_outputs(a);
    assert_int_equal(outputs, partan_model_outputs(b));
    assert_int_equal(partan_predict(context, a, data, x), PARTAN_OK);
    assert_int_equal(partan_predict(context, b, data, y), PARTAN_OK);
    for (size_t i = 0; i < ROWS * outputs; i++)
        if (!(fabs(fabs(x[i]) - fabs(y[i])) <= tolerance))
            fail_msg("%.17g and %.17g", x[i], y[i]);
}

static void files_keep_everything(void **state)
{
    static zoo z;
    for (size_t i = 0; i < 2 * STORAGES; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.multiclass = (partan_multiclass)(i % 2);
        s.scale = i % 3 == 1 ? PARTAN_SCALE_STANDARD : PARTAN_SCALE_NONE;
        s.balanced = i % 2;
        zoo_fill(&z, every_storage(i / 2), 5 + i);
        partan_data *data = zoo_data(*state, &z, &s, every_storage(i / 2), i % 2);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        partan_model *read = through_memory(*state, model, PARTAN_MODEL_NATIVE);
        check_verified(*state, read, data);
        assert_same_predictions(*state, data, model, read, 0);
        assert_true(read->result.iterations == model->result.iterations && read->result.gap == model->result.gap);
        for (int class = 0; class < CLASSES; class ++) {
            assert_true(partan_model_class_weight(read, class) == partan_model_class_weight(model, class));
            assert_true(i % 2 || partan_model_class_weight(read, class) == 1);
        }
        partan_model_free(read);
        if (i % 2 == 0 && s.scale == PARTAN_SCALE_NONE) {
            read = through_memory(*state, model, PARTAN_MODEL_LIBSVM);
            assert_same_predictions(*state, data, model, read, 1e-6);
            partan_model *again = through_memory(*state, read, PARTAN_MODEL_LIBSVM);
            assert_same_predictions(*state, data, read, again, 1e-6);
            partan_model_free(again);
            partan_model_free(read);
        }
        partan_model_free(model);
        partan_data_free(data);
    }
}

/* ---- Claims ---- */

static void false_claims_of_a_machine_are_found(void **state)
{
    static zoo z;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.max_iter = 3; /* a solved machine's gap may be 0, and half of that as well */
    zoo_fill(&z, PARTAN_STORAGE_DENSE, 8);
    partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, true);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
    assert_true(model->machines[4]->result.relative_gap > 0.01 && !model->machines[4]->result.gap_is_bound);
    check_verified(*state, model, data);
    for (int lie = 0; lie < 5; lie++) {
        partan_model *read = through_memory(*state, model, PARTAN_MODEL_NATIVE);
        partan_model *part = read->machines[4];
        partan_verification found;
        partan_verification_init(&found);
        part->result.gap /= lie == 0 ? 2 : 1;
        part->bias += lie == 1 ? 0.01 : 0;
        part->weights[0] *= lie == 2 ? 1.5 : 1;
        read->origin[part->members[0]] += lie == 3 ? 1 : 0;
        read->fingerprint += lie == 4;
        assert_int_equal(partan_verify(*state, read, data, &found), PARTAN_OK);
        assert_false(found.matches);
        assert_true(lie == 3 || lie == 4 || strstr(found.reason, "machine 5 ('dog' against 'bee'): ") == found.reason);
        partan_model_free(read);
    }
    /* The whole has the worst machine's numbers. */
    double worst = 0;
    for (size_t m = 0; m < model->machine_count; m++)
        worst = fmax(worst, model->machines[m]->result.relative_gap);
    assert_true(worst == partan_model_result(model)->relative_gap);
    partan_model_free(model);
    partan_data_free(data);
}

static void rows_and_classes_have_weights(void **state)
{
    static zoo z;
    static const partan_class_weight list[] = {{"7", 2}, {"0.0", 0.5}}, none[] = {{"5", 2}};
    for (int multiclass = 0; multiclass < 2; multiclass++) {
        double weights[ROWS];
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.multiclass = (partan_multiclass)multiclass;
        zoo_fill(&z, PARTAN_STORAGE_DENSE, 9);
        partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false);
        s.class_weights = list;
        s.class_weight_count = 2;
        partan_model *by_class = train(*state, data, &s, NULL, PARTAN_OK);
        for (size_t i = 0; i < ROWS; i++)
            weights[i] = z.class[i] == 3 ? 2 : z.class[i] == 1 ? 0.5 : 1;
        s.class_weight_count = 0;
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        partan_model *by_row = train(*state, data, &s, NULL, PARTAN_OK);
        assert_same_predictions(*state, data, by_class, by_row, 0);
        weights[5] = weights[7] = 0;
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        partan_model *fewer = train(*state, data, &s, NULL, PARTAN_OK);
        for (size_t i = 0; i < fewer->count; i++)
            assert_true(fewer->origin[i] != 5 && fewer->origin[i] != 7);
        s.class_weights = none;
        s.class_weight_count = 1;
        partan_model *model = NULL;
        assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_DATA);
        assert_string_equal(partan_error(*state), "data: found a weight for class '5', expected one of the 4 classes");
        partan_model_free(fewer);
        partan_model_free(by_class);
        partan_model_free(by_row);
        partan_data_free(data);
    }
}

/* A class that weighs nothing is none: two are left, or three. */
static void a_class_of_weight_0_is_left_out(void **state)
{
    static zoo z;
    for (int gone = 1; gone <= 2; gone++) {
        double weights[ROWS];
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        zoo_fill(&z, PARTAN_STORAGE_DENSE, 9);
        partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, true);
        for (size_t i = 0; i < ROWS; i++)
            weights[i] = z.class[i] >= gone;
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_int_equal(partan_model_class_count(model), CLASSES - gone);
        assert_int_equal(model->machine_count, gone == 1 ? 3 : 0);
        assert_string_equal(partan_model_label_text(model, 0), zoo_words[gone]);
        partan_model_free(model);
        partan_data_free(data);
    }
}

/* ---- Cross-validation ---- */

typedef struct held_rows {
    double decision[ROWS * CLASSES * CLASSES];
    size_t rows;
} held_rows;

static void take_held(void *user, const partan_model *model, const size_t *rows, size_t count, const double *decision)
{
    held_rows *found = user;
    size_t outputs = partan_model_outputs(model);
    for (size_t i = 0; i < count * outputs; i++)
        found->decision[rows[i / outputs] * outputs + i % outputs] = decision[i];
    found->rows += count;
}

static void cross_validation_has_the_values_of_all_machines(void **state)
{
    static zoo z;
    for (int multiclass = 0; multiclass < 2; multiclass++) {
        double decision[ROWS * CLASSES * CLASSES], weights[ROWS];
        size_t outputs = multiclass ? CLASSES : CLASSES * (CLASSES - 1) / 2;
        held_rows found = {.rows = 0};
        partan_evaluation evaluation;
        partan_evaluation_init(&evaluation);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.multiclass = (partan_multiclass)multiclass;
        zoo_fill(&z, PARTAN_STORAGE_DENSE, 9);
        partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false);
        assert_int_equal(partan_cross_validate(*state, data, &s, 3, 1, NULL, NULL, decision, &evaluation), PARTAN_OK);
        assert_int_equal(partan_cross_predict(*state, data, &s, 3, 1, NULL, take_held, &found, &evaluation), PARTAN_OK);
        assert_int_equal(found.rows, ROWS);
        assert_memory_equal(decision, found.decision, ROWS * outputs * sizeof *decision);
        /* A class without weight has no machines. */
        for (size_t i = 0; i < ROWS; i++)
            weights[i] = z.class[i] > 0;
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        assert_int_equal(partan_cross_validate(*state, data, &s, 3, 1, NULL, NULL, decision, &evaluation),
                         PARTAN_ERROR_DATA);
        assert_string_equal(
            partan_error(*state),
            "data: the rows to train on for fold 1 have other classes with weight than all rows have classes");
        partan_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(machines_are_models_of_two_classes),
        SERIAL_TEST(files_keep_everything),
        SERIAL_TEST(false_claims_of_a_machine_are_found),
        SERIAL_TEST(rows_and_classes_have_weights),
        SERIAL_TEST(cross_validation_has_the_values_of_all_machines),
        SERIAL_TEST(a_class_of_weight_0_is_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
