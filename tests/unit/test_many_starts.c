/* More than two classes from where an initial model, or the last point of a path, ends. */
#include "zoo.h"

/* From a model that is solved, nothing is left to do: for every machine, its own start was found. */
static void assert_done_at_once(partan_context *context, const partan_data *data, const partan_settings *s,
                                const partan_model *start)
{
    partan_settings loose = *s;
    loose.tol = 0.01; /* the start was trained to less */
    partan_model *model = train(context, data, &loose, start, PARTAN_OK);
    if (model->result.iterations != 0)
        fail_msg("%lld iterations", (long long)model->result.iterations);
    partan_model_free(model);
}

static void machines_start_from_those_of_the_same_classes(void **state)
{
    static zoo z;
    for (size_t i = 0; i < 2 * STORAGES + 2; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_FW);
        partan_storage storage = every_storage(i / 2 % STORAGES);
        double weights[ROWS];
        s.multiclass = (partan_multiclass)(i % 2);
        s.kernel = i < 2 * STORAGES ? PARTAN_KERNEL_RBF : PARTAN_KERNEL_PRECOMPUTED;
        s.tol = 1e-3;
        zoo_fill(&z, storage, 5 + i);
        partan_data *data = zoo_data(*state, &z, &s, storage, false);
        for (size_t row = 0; row < ROWS; row++)
            weights[row] = row % 7 == 1 ? 0 : 1 + (double)(row % 2);
        if (i % 4 >= 2)
            assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(model->result.iterations > 0);
        assert_done_at_once(*state, data, &s, model);
        model->fingerprint++; /* not known by numbers any more */
        if (s.kernel != PARTAN_KERNEL_PRECOMPUTED)
            assert_done_at_once(*state, data, &s, model);
        if (i % 2 == 0 && s.kernel != PARTAN_KERNEL_PRECOMPUTED) {
            partan_model *read = through_memory(*state, model, PARTAN_MODEL_LIBSVM);
            assert_done_at_once(*state, data, &s, read);
            partan_model_free(read);
        }
        partan_model_free(model);
        partan_data_free(data);
    }
}

static void assert_refused(partan_context *context, const partan_data *data, const partan_settings *s,
                           const partan_model *start, const char *sentence)
{
    partan_model *model = NULL;
    assert_int_equal(partan_train(context, data, s, start, &model), PARTAN_ERROR_DATA);
    assert_null(model);
    assert_string_equal(partan_error(context), sentence);
}

static void initial_models_of_other_classes_are_refused(void **state)
{
    static zoo z;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO), other = s;
    zoo_fill(&z, PARTAN_STORAGE_DENSE, 8);
    partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, true);
    partan_data *apart = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *two = NULL;
    assert_refused(*state, apart, &s, model, "class '-3' of the data is none of the initial model's 4 classes");
    other.multiclass = PARTAN_ONE_VS_REST;
    assert_refused(*state, data, &other, model,
                   "the initial model has a machine for each pair of classes, expected multiclass ovr as in this "
                   "training");
    for (size_t row = 0; row < ROWS; row++)
        apart->labels[row] = (double)(row % 2);
    two = train(*state, apart, &s, NULL, PARTAN_OK);
    assert_refused(*state, data, &s, two, "the initial model has 2 classes, the data 4");
    assert_refused(*state, apart, &s, model, "the initial model has 4 classes, the data two");
    /* None of its rows, or rows of other classes, whatever the file says. */
    for (size_t i = 0; i < model->count; i++)
        model->origin[i] = i % 2 ? 1 << 20 : (model->origin[i] + 1) % ROWS;
    partan_model *from = NULL;
    partan_status status = partan_train(*state, data, &s, model, &from);
    assert_true(status == PARTAN_OK || status == PARTAN_ERROR_DATA);
    partan_model_free(from);
    model->fingerprint++;
    for (size_t i = 0; i < model->count; i++)
        model->class_of[i] = (model->class_of[i] + 1) % CLASSES;
    assert_refused(*state, data, &s, model, "data: no row is a support vector of the initial model");
    partan_model_free(model);
    partan_model_free(two);
    partan_data_free(data);
    partan_data_free(apart);
}

typedef struct costs {
    partan_context *context;
    const partan_data *data;
    int64_t iterations[3];
} costs;

static int take_cost(void *user, size_t i, partan_model *model)
{
    costs *at = user;
    check_verified(at->context, model, at->data);
    at->iterations[i] = model->result.iterations;
    partan_model_free(model);
    return 0;
}

static void points_of_a_path_start_from_the_last(void **state)
{
    static zoo z;
    static const double values[] = {1, 1, 1.05};
    for (int multiclass = 0; multiclass < 2; multiclass++) {
        partan_settings s = defaults(PARTAN_SOLVER_FW);
        s.multiclass = (partan_multiclass)multiclass;
        s.tol = 1e-3;
        zoo_fill(&z, PARTAN_STORAGE_DENSE, 8);
        partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false);
        costs at = {.context = *state, .data = data};
        assert_int_equal(partan_path(*state, data, &s, values, 3, take_cost, &at), PARTAN_OK);
        assert_true(at.iterations[0] > 0 && at.iterations[1] == 0 && at.iterations[2] < at.iterations[0]);
        partan_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(machines_start_from_those_of_the_same_classes),
        SERIAL_TEST(initial_models_of_other_classes_are_refused),
        SERIAL_TEST(points_of_a_path_start_from_the_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
