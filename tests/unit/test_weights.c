/* Weights of rows and classes: a weighted row is a repeated one, a row of weight 0 is none, and the weights of classes
 * are those of their rows. */
#include "training.h"

enum { ROWS = 40 };

/* Row i weighs i % 4 + 1, or as many copies of it stand one after the other. */
static size_t weight_of(size_t row)
{
    return row % 4 + 1;
}

static partan_data *weighted(partan_context *context, const toy *t, const partan_settings *s, partan_storage storage)
{
    double weights[TOY_ROWS];
    partan_data *data = toy_data(context, t, s, storage);
    for (size_t i = 0; i < t->rows; i++)
        weights[i] = (double)weight_of(i);
    assert_int_equal(partan_data_set_weights(context, data, weights), PARTAN_OK);
    return data;
}

static partan_data *repeated(partan_context *context, const partan_data *data)
{
    int64_t rows[4 * TOY_ROWS];
    size_t count = 0;
    partan_data *out = NULL;
    for (size_t i = 0; i < partan_data_rows(data); i++)
        for (size_t k = 0; k < weight_of(i); k++)
            rows[count++] = (int64_t)i;
    assert_int_equal(pt_data_gather(data, rows, count, &out), PARTAN_OK);
    assert_int_equal(partan_data_set_weights(context, out, NULL), PARTAN_OK);
    return out;
}

/* Two proofs of the minimum of one problem. */
static void assert_same_objective(const partan_model *a, const partan_model *b, double tol)
{
    double f = a->result.objective, g = b->result.objective;
    assert_true(fabs(f - g) <= 2.1 * tol * fmax(f, g));
}

static void a_weighted_row_is_a_repeated_one(void **state)
{
    static toy t;
    FOR_EVERY_SOLVER(solver)
        for (size_t i = 0; i < STORAGES; i++)
            for (int merge = 0; merge < 2; merge++) {
                partan_settings s = defaults((partan_solver)solver);
                s.tol = reachable(solver, 0.02, 0.002, 1e-6);
                s.merge = merge;
                s.kernel = i % 2 ? PARTAN_KERNEL_LINEAR : PARTAN_KERNEL_RBF;
                toy_fill_for(&t, ROWS, 6, every_storage(i), 4 + i);
                partan_data *data = weighted(*state, &t, &s, every_storage(i)), *copies = repeated(*state, data);
                partan_model *one = train(*state, data, &s, NULL, PARTAN_OK);
                partan_model *other = train(*state, copies, &s, NULL, PARTAN_OK);
                assert_same_objective(one, other, s.tol);
                partan_model_free(one);
                partan_model_free(other);
                partan_data_free(copies);
                partan_data_free(data);
            }
}

/* To the bits, wherever the rows are merged: the merged problem is the same. */
static void merging_adds_weights_up(void **state)
{
    static toy t;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    toy_fill_for(&t, ROWS, 6, PARTAN_STORAGE_DENSE, 4);
    partan_data *data = weighted(*state, &t, &s, PARTAN_STORAGE_DENSE), *copies = repeated(*state, data);
    partan_model *one = train(*state, data, &s, NULL, PARTAN_OK), *other = train(*state, copies, &s, NULL, PARTAN_OK);
    assert_true(one->result.objective == other->result.objective);
    assert_true(one->result.gap == other->result.gap);
    /* Weights that are not whole, of copies. */
    double halves[4 * TOY_ROWS];
    for (size_t i = 0; i < partan_data_rows(copies); i++)
        halves[i] = 0.5;
    s.cost *= 2;
    assert_int_equal(partan_data_set_weights(*state, copies, halves), PARTAN_OK);
    partan_model *half = train(*state, copies, &s, NULL, PARTAN_OK);
    assert_true(half->result.objective == one->result.objective);
    partan_model_free(half);
    partan_model_free(one);
    partan_model_free(other);
    partan_data_free(copies);
    partan_data_free(data);
}

/* Rows of weight 0 do not count, for the gap neither; the model still knows the rows by their numbers. */
static void a_row_of_weight_0_is_left_out(void **state)
{
    static toy t;
    FOR_EVERY_SOLVER(solver)
        for (int scale = PARTAN_SCALE_NONE; scale <= PARTAN_SCALE_STANDARD; scale++) {
            double weights[TOY_ROWS];
            int64_t kept[TOY_ROWS];
            size_t count = 0;
            partan_settings s = defaults((partan_solver)solver);
            s.scale = (partan_scale)scale;
            toy_fill_for(&t, ROWS, 6, PARTAN_STORAGE_DENSE, 8);
            for (size_t i = 0; i < ROWS; i++) {
                weights[i] = i % 3 > 0;
                if (weights[i] > 0)
                    kept[count++] = (int64_t)i;
            }
            partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE), *others = NULL;
            assert_int_equal(pt_data_gather(data, kept, count, &others), PARTAN_OK);
            assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
            partan_model *one = train(*state, data, &s, NULL, PARTAN_OK);
            partan_model *other = train(*state, others, &s, NULL, PARTAN_OK);
            assert_int_equal(one->count, other->count);
            assert_int_equal(one->rows, ROWS);
            assert_memory_equal(one->weights, other->weights, one->count * sizeof *one->weights);
            for (size_t i = 0; i < one->count; i++)
                assert_int_equal(one->origin[i], kept[other->origin[i]]);
            s.tol = reachable(solver, 0.02, 0.005, 1e-3);
            partan_model *on = train(*state, data, &s, one, PARTAN_OK); /* continues from its rows */
            partan_model_free(on);
            partan_model_free(one);
            partan_model_free(other);
            partan_data_free(others);
            partan_data_free(data);
        }
}

/* Nor for the rules of gamma. */
static void gamma_is_that_of_the_rows_with_weight(void **state)
{
    static toy t;
    double weights[TOY_ROWS], gamma, of_all;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    toy_fill_for(&t, ROWS, 6, PARTAN_STORAGE_DENSE, 8);
    partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = i % 3 > 0;
    for (int scale = PARTAN_SCALE_NONE; scale <= PARTAN_SCALE_STANDARD; scale++) {
        s.scale = (partan_scale)scale;
        assert_int_equal(partan_data_set_weights(*state, data, NULL), PARTAN_OK);
        assert_int_equal(partan_gamma_value(*state, &s, data, &of_all), PARTAN_OK);
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        assert_int_equal(partan_gamma_value(*state, &s, data, &gamma), PARTAN_OK);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(partan_model_settings(model)->gamma == gamma
                    && (gamma != of_all || scale == PARTAN_SCALE_STANDARD));
        partan_model_free(model);
    }
    partan_data_free(data);
}

static void weights_of_classes_are_those_of_their_rows(void **state)
{
    static toy t;
    static const partan_class_weight list[] = {{"+1.0", 3.5}, {"-1", 0.25}};
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    double weights[TOY_ROWS];
    toy_fill_for(&t, ROWS, 6, PARTAN_STORAGE_DENSE, 9);
    partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
    s.class_weights = list;
    s.class_weight_count = 2;
    partan_model *by_class = train(*state, data, &s, NULL, PARTAN_OK);
    assert_true(partan_model_class_weight(by_class, 1) == 3.5 && partan_model_class_weight(by_class, 0) == 0.25);
    assert_null(partan_model_settings(by_class)->class_weights);
    for (size_t i = 0; i < ROWS; i++)
        weights[i] = t.labels[i] > 0 ? 3.5 : 0.25;
    s.class_weight_count = 0;
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    partan_model *by_row = train(*state, data, &s, NULL, PARTAN_OK);
    assert_same_model(by_class, by_row);
    assert_true(partan_model_class_weight(by_row, 1) == 1);
    /* A model with other weights than the data's is found out, and a file keeps those of the classes. */
    partan_verification found;
    partan_verification_init(&found);
    assert_int_equal(partan_verify(*state, by_class, data, &found), PARTAN_OK);
    assert_false(found.matches);
    assert_int_equal(partan_data_set_weights(*state, data, NULL), PARTAN_OK);
    assert_int_equal(partan_verify(*state, by_row, data, &found), PARTAN_OK);
    assert_false(found.matches);
    char *bytes = NULL;
    size_t size = 0;
    partan_model *read = NULL;
    assert_int_equal(partan_model_to_memory(*state, by_class, PARTAN_MODEL_NATIVE, &bytes, &size), PARTAN_OK);
    assert_int_equal(partan_model_from_memory(*state, bytes, size, &read), PARTAN_OK);
    check_verified(*state, read, data);
    assert_true(partan_model_class_weight(read, 1) == 3.5 && partan_model_class_weight(read, 0) == 0.25);
    partan_free(*state, bytes);
    partan_model_free(read);
    partan_model_free(by_class);
    partan_model_free(by_row);
    partan_data_free(data);
}

/* The sums of weights are equal, and together what they were. */
static void balanced_classes_weigh_the_same(void **state)
{
    static toy t;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    toy_fill_for(&t, ROWS, 6, PARTAN_STORAGE_DENSE, 10);
    partan_data *data = weighted(*state, &t, &s, PARTAN_STORAGE_DENSE);
    s.balanced = 1;
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    double sum[2] = {0}, all = 0;
    for (size_t i = 0; i < ROWS; i++) {
        int positive = t.labels[i] > 0;
        sum[positive] += (double)weight_of(i) * partan_model_class_weight(model, positive);
        all += (double)weight_of(i);
    }
    assert_true(fabs(sum[0] - all / 2) <= 1e-12 * all && fabs(sum[1] - all / 2) <= 1e-12 * all);
    partan_model_free(model);
    partan_data_free(data);
}

static void wrong_weights_are_refused(void **state)
{
    static toy t;
    static const partan_class_weight other[] = {{"7", 2}}, negative[] = {{"1", -2}};
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_model *model = NULL;
    double weights[TOY_ROWS] = {0};
    toy_fill_for(&t, ROWS, 6, PARTAN_STORAGE_DENSE, 9);
    partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state), "data: all rows have weight 0, expected one above 0");
    weights[3] = -1;
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state), "data: row 4 has weight -1, expected a number that is 0 or more");
    weights[3] = (double)NAN;
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_ERROR_DATA);
    assert_true(partan_data_weight(data, 3) == 1);
    weights[3] = 1; /* one row, and so one class */
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_DATA);
    assert_int_equal(partan_data_set_weights(*state, data, NULL), PARTAN_OK);
    s.class_weight_count = 1;
    s.class_weights = other;
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state),
                        "data: found a weight for class '7', expected one of the classes '-1' and '1'");
    s.class_weights = negative;
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_ARGUMENT);
    s.balanced = 1;
    assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_ARGUMENT);
    assert_null(model);
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(a_weighted_row_is_a_repeated_one),      SERIAL_TEST(merging_adds_weights_up),
        SERIAL_TEST(a_row_of_weight_0_is_left_out),         SERIAL_TEST(weights_of_classes_are_those_of_their_rows),
        SERIAL_TEST(balanced_classes_weigh_the_same),       SERIAL_TEST(wrong_weights_are_refused),
        SERIAL_TEST(gamma_is_that_of_the_rows_with_weight),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
