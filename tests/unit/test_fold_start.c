/* Where the training on a fold's rows starts, when there is a model of all rows: at that model's weights of the rows
 * that are trained on, and of no others. */
#include "failing.h"
#include "svm/fold_start.h"
#include "zoo.h"

enum { FOLDS = 4, MANY = 600 };

/* The model's weight of each row of the folds' data, by the rows' numbers; `rows` as in pt_folds. */
static void weigh(const partan_model *model, const partan_model *one, const int64_t *rows, size_t count,
                  double *weights)
{
    for (size_t row = 0; row < count; row++)
        weights[row] = 0;
    for (size_t k = 0; k < one->count; k++) {
        int64_t origin = one == model ? model->origin[k] : model->origin[one->members[k]];
        for (size_t row = 0; row < count; row++)
            if ((rows ? rows[row] : (int64_t)row) == origin)
                weights[row] = one->weights[k];
    }
}

/* Rows that are held out leave no gaps in the numbers of the others. */
static void check_start(const pt_folds *folds, size_t round, const partan_model *model, const partan_model *start)
{
    double before[MANY], after[MANY];
    size_t rows = partan_data_rows(folds->data), machines = model->machine_count, kept = 0;
    for (size_t m = 0; m < (machines ? machines : 1); m++) {
        size_t next = 0;
        weigh(model, machines ? model->machines[m] : model, folds->whole_rows, rows, before);
        weigh(start, machines ? start->machines[m] : start, NULL, rows, after);
        for (size_t row = 0; row < rows; row++)
            if (folds->round[row] != (int32_t)round) {
                kept += before[row] > 0;
                assert_true(after[next++] == before[row]);
            }
        for (; next < rows; next++)
            assert_true(after[next] == 0);
    }
    assert_true(kept > 10);
}

static void check_folds(partan_context *context, const partan_data *data, const partan_data *weighty,
                        const int64_t *rows, const partan_settings *s)
{
    pt_folds folds;
    partan_model *model = train(context, data, s, NULL, PARTAN_OK);
    assert_int_equal(pt_folds_deal(&folds, context, NULL, weighty, FOLDS, 2, 1), PARTAN_OK);
    folds.whole = model;
    folds.whole_rows = rows;
    for (size_t k = 0; k < FOLDS; k++) {
        partan_data *part, *held;
        pt_fold_start start;
        assert_int_equal(pt_folds_take(&folds, k, &part, &held), PARTAN_OK);
        assert_int_equal(pt_fold_start_open(&start, &folds, k, part), PARTAN_OK);
        check_start(&folds, k, model, &start.model);
        partan_model *cold = train(context, part, s, NULL, PARTAN_OK);
        partan_model *warm = train(context, part, s, &start.model, PARTAN_OK);
        if (model->machine_count == 0) /* of many rows; 60 say nothing */
            assert_true(warm->result.iterations < cold->result.iterations);
        pt_fold_start_close(&start);
        partan_model_free(cold);
        partan_model_free(warm);
        partan_data_free(part);
        partan_data_free(held);
    }
    pt_folds_free(&folds);
    partan_model_free(model);
}

static void starts_have_the_weights_of_the_rows_that_are_there(void **state)
{
    static zoo z;
    for (int how = 0; how < 6; how++) {
        partan_settings s = defaults(PARTAN_SOLVER_FW);
        s.multiclass = (partan_multiclass)(how % 3 == 2);
        s.scale = how < 3 ? PARTAN_SCALE_NONE : PARTAN_SCALE_STANDARD; /* of other rows: features differ */
        s.tol = 1e-3;
        zoo_fill(&z, PARTAN_STORAGE_DENSE, 5);
        partan_data *data =
            how % 3 ? zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false) : generate(*state, "ringnorm", MANY);
        check_folds(*state, data, data, NULL, &s);
        partan_data_free(data);
    }
}

static void rows_without_weight_have_no_number(void **state)
{
    double weights[MANY];
    int64_t rows[MANY];
    size_t count = 0;
    partan_settings s = defaults(PARTAN_SOLVER_FW);
    partan_data *data = generate(*state, "ringnorm", MANY), *weighty;
    for (size_t i = 0; i < MANY; i++) {
        weights[i] = i % 3 ? 1 : 0;
        if (i % 3)
            rows[count++] = (int64_t)i;
    }
    s.tol = 1e-3;
    assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
    assert_int_equal(pt_data_gather(data, rows, count, &weighty), PARTAN_OK);
    check_folds(*state, data, weighty, rows, &s);
    partan_data_free(weighty);
    partan_data_free(data);
}

/* Two features, and a kernel that is smooth: factors of low rank solve it. */
static void starts_pay_where_pair_steps_have_solved_the_problem(void **state)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    for (int smooth = 0; smooth < 2; smooth++) {
        partan_data *data = generate(*state, smooth ? "checkerboard" : "ringnorm", smooth ? 4000 : MANY);
        s.gamma = smooth ? 0.5 : 0.05;
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_int_equal(pt_fold_start_pays(model), !smooth);
        model->result.status = PARTAN_STALLED;
        assert_false(pt_fold_start_pays(model));
        partan_model_free(model);
        partan_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(starts_have_the_weights_of_the_rows_that_are_there),
        CONTEXT_TEST(rows_without_weight_have_no_number),
        CONTEXT_TEST(starts_pay_where_pair_steps_have_solved_the_problem),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
