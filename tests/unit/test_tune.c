/* Splitting data, and choosing C and gamma by one split: every point is what training and predicting on the parts
 * give, and the best is the best. */
#include "failing.h"
#include "training.h"

enum { MOST_POINTS = 16 };

/* ---- The split ---- */

static size_t count_label(const partan_data *data, double label)
{
    size_t count = 0;
    for (size_t i = 0; i < partan_data_rows(data); i++)
        count += partan_data_label(data, i) == label;
    return count;
}

/* Rows carry their number as their only value; labels are 0, 1, 2 in the shares 1/10, 3/10, 6/10. */
static partan_data *numbered(partan_context *context, size_t rows)
{
    static float values[1000];
    static double labels[1000];
    partan_data *data = NULL;
    for (size_t i = 0; i < rows; i++) {
        values[i] = (float)(i + 1);
        labels[i] = i % 10 == 0 ? 0 : i % 10 < 4 ? 1 : 2;
    }
    assert_int_equal(dense_data(context, values, rows, 1, 1, labels, PARTAN_STORAGE_DENSE, &data), 0);
    return data;
}

static int64_t row_number(const partan_data *data, size_t row)
{
    int32_t index;
    float value;
    assert_int_equal(pt_matrix_row(&data->matrix, row, &index, &value), 1);
    return (int64_t)value - 1;
}

static void parts_are_a_partition_in_order_with_the_labels_in_their_shares(void **state)
{
    partan_data *data = numbered(*state, 1000), *parts[2];
    unsigned char seen[1000] = {0};
    assert_int_equal(partan_data_split(*state, data, 0.3, 7, &parts[0], &parts[1]), PARTAN_OK);
    assert_int_equal(partan_data_rows(parts[1]), 300);
    for (int p = 0; p < 2; p++) {
        int64_t last = -1;
        for (size_t i = 0; i < partan_data_rows(parts[p]); i++) {
            int64_t row = row_number(parts[p], i);
            assert_true(row > last);
            assert_false(seen[row]++);
            assert_true(partan_data_label(parts[p], i) == partan_data_label(data, (size_t)row));
            last = row;
        }
    }
    assert_int_equal(count_label(parts[1], 0), 30);
    assert_int_equal(count_label(parts[1], 1), 90);
    assert_int_equal(count_label(parts[1], 2), 180);
    for (int p = 0; p < 2; p++)
        partan_data_free(parts[p]);
    partan_data_free(data);
}

static uint64_t second_fingerprint(partan_context *context, const partan_data *data, uint64_t seed)
{
    partan_data *first, *second;
    assert_int_equal(partan_data_split(context, data, 0.3, seed, &first, &second), PARTAN_OK);
    uint64_t found = partan_data_fingerprint(second);
    partan_data_free(first);
    partan_data_free(second);
    return found;
}

static void the_seed_decides_the_split(void **state)
{
    partan_data *data = numbered(*state, 500);
    assert_true(second_fingerprint(*state, data, 1) == second_fingerprint(*state, data, 1));
    assert_true(second_fingerprint(*state, data, 1) != second_fingerprint(*state, data, 2));
    partan_data_free(data);
}

/* Every storage keeps its rows. */
static void parts_have_the_storage_of_the_whole(void **state)
{
    static toy t;
    toy_fill(&t, 60, 12, true, 5);
    FOR_EVERY_STORAGE(storage) {
        partan_data *data = NULL, *first, *second;
        dense_data(*state, t.values[0], t.rows, t.features, TOY_FEATURES, t.labels, (partan_storage)storage, &data);
        assert_int_equal(partan_data_split(*state, data, 0.5, 1, &first, &second), PARTAN_OK);
        assert_int_equal(partan_data_storage(second), storage);
        assert_int_equal(partan_data_nonzeros(first) + partan_data_nonzeros(second), partan_data_nonzeros(data));
        for (size_t i = 0, at = 0; i < partan_data_rows(first); i++, at++) {
            while (at < t.rows && !pt_matrix_rows_equal(&first->matrix, i, &data->matrix, at))
                at++;
            assert_true(at < t.rows);
        }
        partan_data_free(first);
        partan_data_free(second);
        partan_data_free(data);
    }
}

static void shares_and_sizes_that_cannot_be_are_refused(void **state)
{
    const double shares[] = {0, 1, -0.5, NAN};
    partan_data *data = numbered(*state, 10), *one = numbered(*state, 1), *first, *second;
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(partan_data_split(*state, data, shares[i], 1, &first, &second), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_data_split(*state, one, 0.3, 1, &first, &second), PARTAN_ERROR_DATA);
    assert_null(first);
    assert_null(second);
    partan_data_free(data);
    partan_data_free(one);
}

/* ---- The choice ---- */

typedef struct record {
    partan_tune_point points[MOST_POINTS];
    size_t count, stop_after;
} record;

static int keep(void *user, const partan_tune_point *point)
{
    record *r = user;
    r->points[r->count++] = *point;
    return r->count == r->stop_after;
}

static const double costs[] = {0.1, 1, 10, 100};
static const double gammas[] = {0.02, 0.5};

static partan_tune_options grid(void)
{
    partan_tune_options options;
    partan_tune_options_init(&options);
    options.costs = costs;
    options.cost_count = 4;
    options.gammas = gammas;
    options.gamma_count = 2;
    return options;
}

/* Training on the first part and predicting the second, by hand. */
static uint64_t correct_by_hand(partan_context *context, partan_data *const parts[2], const partan_settings *s)
{
    double decision[600];
    uint64_t correct = 0;
    partan_model *model = train(context, parts[0], s, NULL, PARTAN_OK);
    assert_int_equal(partan_predict(context, model, parts[1], decision), PARTAN_OK);
    for (size_t i = 0; i < partan_data_rows(parts[1]); i++)
        correct += partan_data_label(parts[1], i) == partan_model_label(model, decision[i] > 0);
    partan_model_free(model);
    return correct;
}

static void points_are_what_training_and_predicting_give(void **state)
{
    partan_data *data = generate(*state, "twonorm", 600), *parts[2];
    partan_tune_options options = grid();
    partan_tune_point best;
    partan_tune_point_init(&best);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    record r = {0};
    s.tol = 1e-3;
    assert_int_equal(partan_tune(*state, data, &s, &options, keep, &r, &best), PARTAN_OK);
    assert_int_equal(r.count, 8);
    assert_int_equal(partan_data_split(*state, data, 0.3, 1, &parts[0], &parts[1]), PARTAN_OK);
    uint64_t most = 0;
    for (size_t i = 0; i < r.count; i++) {
        s.cost = costs[i % 4];
        s.gamma = gammas[i / 4];
        assert_true(r.points[i].cost == s.cost && r.points[i].gamma == s.gamma);
        assert_int_equal(r.points[i].rows, 180);
        assert_true(r.points[i].result.converged);
        int64_t off = (int64_t)r.points[i].correct - (int64_t)correct_by_hand(*state, parts, &s);
        assert_true(off >= -1 && off <= 1); /* a path ends elsewhere within the tolerance */
        most = r.points[i].correct > most ? r.points[i].correct : most;
    }
    assert_int_equal(best.correct, most);
    for (int p = 0; p < 2; p++)
        partan_data_free(parts[p]);
    partan_data_free(data);
}

static void variants_start_each_cost_anew(void **state)
{
    partan_data *data = generate(*state, "twonorm", 200), *parts[2];
    partan_settings s = defaults(PARTAN_SOLVER_FW);
    partan_tune_options options = grid();
    record r = {0};
    assert_int_equal(partan_tune(*state, data, &s, &options, keep, &r, NULL), PARTAN_OK);
    assert_int_equal(partan_data_split(*state, data, 0.3, 1, &parts[0], &parts[1]), PARTAN_OK);
    assert_int_equal(r.count, 8);
    for (size_t i = 0; i < r.count; i++) {
        s.cost = costs[i % 4];
        s.gamma = gammas[i / 4];
        partan_model *model = train(*state, parts[0], &s, NULL, PARTAN_OK);
        assert_true(r.points[i].cost == s.cost);
        assert_int_equal(r.points[i].result.iterations, model->result.iterations);
        assert_true(r.points[i].result.objective == model->result.objective);
        partan_model_free(model);
    }
    for (int p = 0; p < 2; p++)
        partan_data_free(parts[p]);
    partan_data_free(data);
}

/* Two clouds far apart: every cost classifies all rows correctly. */
static partan_data *apart(partan_context *context)
{
    float values[40];
    double labels[40];
    partan_data *data = NULL;
    for (int i = 0; i < 40; i++) {
        labels[i] = i % 2 ? 1 : -1;
        values[i] = (float)(5 * labels[i] + 0.01 * i);
    }
    assert_int_equal(dense_data(context, values, 40, 1, 1, labels, PARTAN_STORAGE_DENSE, &data), 0);
    return data;
}

static void of_equal_points_the_least_cost_is_the_best(void **state)
{
    static const double unordered[] = {10, 1, 100, 3};
    partan_data *data = apart(*state);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_tune_options options = grid();
    partan_tune_point best;
    partan_tune_point_init(&best);
    record r = {0};
    options.costs = unordered;
    assert_int_equal(partan_tune(*state, data, &s, &options, keep, &r, &best), PARTAN_OK);
    for (size_t i = 0; i < r.count; i++)
        assert_int_equal(r.points[i].correct, r.points[i].rows);
    assert_true(best.cost == 1 && best.gamma == gammas[0]);
    partan_data_free(data);
}

static void gamma_rules_look_at_all_rows(void **state)
{
    partan_data *data = generate(*state, "ringnorm", 200);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_tune_options options = grid();
    partan_tune_point best;
    partan_tune_point_init(&best);
    options.gamma_count = 0;
    s.gamma_rule = PARTAN_GAMMA_AUTO;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, &best), PARTAN_OK);
    assert_true(best.gamma == pt_gamma_of(PARTAN_GAMMA_AUTO, &data->matrix, data->matrix.features));
    partan_data_free(data);
}

static void precomputed_kernels_are_tuned_like_the_rows_they_stand_for(void **state)
{
    static toy t;
    toy_fill(&t, 60, 4, false, 11);
    record r[2] = {{.count = 0}, {.count = 0}};
    for (int i = 0; i < 2; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        partan_tune_options options = grid();
        s.kernel = i ? PARTAN_KERNEL_PRECOMPUTED : PARTAN_KERNEL_RBF;
        s.tol = 1e-4;
        options.gamma_count = 0;
        partan_data *data = toy_data(*state, &t, &s, PARTAN_STORAGE_DENSE);
        assert_int_equal(partan_tune(*state, data, &s, &options, keep, &r[i], NULL), PARTAN_OK);
        partan_data_free(data);
    }
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(r[0].points[i].correct, r[1].points[i].correct);
}

/* ---- Ends ---- */

static void the_callback_and_the_time_limit_end_it(void **state)
{
    partan_data *data = generate(*state, "twonorm", 300);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_tune_options options = grid();
    partan_tune_point best;
    partan_tune_point_init(&best);
    record r = {.stop_after = 3};
    assert_int_equal(partan_tune(*state, data, &s, &options, keep, &r, &best), PARTAN_INTERRUPTED);
    assert_int_equal(r.count, 3);
    assert_true(best.rows == 90);
    r = (record){0};
    s.tol = 1e-13;
    s.time_limit = 1e-6;
    assert_int_equal(partan_tune(*state, data, &s, &options, keep, &r, &best), PARTAN_TIME_LIMIT);
    assert_int_equal(r.count, 0); /* a point that is cut short says nothing */
    partan_data_free(data);
}

static void wrong_options_are_refused(void **state)
{
    const double wrong[] = {1, -1};
    partan_data *data = generate(*state, "twonorm", 50);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_tune_options options = grid();
    options.gammas = wrong;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, NULL), PARTAN_ERROR_ARGUMENT);
    options = grid();
    options.costs = wrong;
    options.cost_count = 2;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, NULL), PARTAN_ERROR_ARGUMENT);
    options.cost_count = 0;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, NULL), PARTAN_ERROR_ARGUMENT);
    options = grid();
    options.validation = 1;
    assert_int_equal(partan_tune(*state, data, &s, &options, NULL, NULL, NULL), PARTAN_ERROR_ARGUMENT);
    partan_data_free(data);
}

static partan_status small_tuning(partan_context *context)
{
    static toy t;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_tune_options options = grid();
    partan_data *data = NULL;
    toy_fill(&t, 40, 3, true, 3);
    partan_status status =
        dense_data(context, t.values[0], t.rows, t.features, TOY_FEATURES, t.labels, PARTAN_STORAGE_AUTO, &data);
    if (!status)
        status = partan_tune(context, data, &s, &options, NULL, NULL, NULL);
    partan_data_free(data);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    check_every_allocation(small_tuning);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(parts_are_a_partition_in_order_with_the_labels_in_their_shares),
        SERIAL_TEST(the_seed_decides_the_split),
        SERIAL_TEST(parts_have_the_storage_of_the_whole),
        SERIAL_TEST(shares_and_sizes_that_cannot_be_are_refused),
        CONTEXT_TEST(points_are_what_training_and_predicting_give),
        SERIAL_TEST(variants_start_each_cost_anew),
        SERIAL_TEST(of_equal_points_the_least_cost_is_the_best),
        SERIAL_TEST(gamma_rules_look_at_all_rows),
        SERIAL_TEST(precomputed_kernels_are_tuned_like_the_rows_they_stand_for),
        SERIAL_TEST(the_callback_and_the_time_limit_end_it),
        SERIAL_TEST(wrong_options_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
