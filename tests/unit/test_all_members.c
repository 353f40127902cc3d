/* All rows as members of the working set, where nearly all of them get weight and memory has room for every kernel
 * value: each is computed once, for one C and for a path, and the run can be interrupted, or run out of memory, at any
 * time. */
#include "interrupting.h"
#include "noise.h"
#include "training.h"

/* Half of the cache is for columns: no room for those of all rows, and some to spare. */
static const int64_t small = 2 * 900 * ROWS * 4, large = 2 * 1000 * ROWS * 4;

/* Half of the values of all pairs of rows, a first working set, and what it takes to see that nearly all of it has
 * weight. */
static const uint64_t once = ROWS * (ROWS + 64) / 2 + 600 * 600;

static void values_are_computed_once(void **state)
{
    static const partan_storage storages[] = {PARTAN_STORAGE_DENSE, PARTAN_STORAGE_SPARSE, PARTAN_STORAGE_BYTES};
    for (size_t k = 0; k < 3; k++) {
        partan_data *data = noise(*state, storages[k]);
        assert_non_null(data);
        partan_settings some = settings_of(small), all = settings_of(large);
        partan_model *before = train(*state, data, &some, NULL, PARTAN_OK);
        partan_model *model = train(*state, data, &all, NULL, PARTAN_OK);
        if (storages[k] == PARTAN_STORAGE_DENSE) {
            assert_true(before->result.kernel_values > once);
            assert_true(model->result.kernel_values <= once);
        }
        double ratio = model->result.objective / before->result.objective;
        assert_true(ratio < 1.003 && ratio > 0.997);
        partan_model_free(before);
        partan_model_free(model);
        partan_data_free(data);
    }
}

typedef struct points {
    const partan_data *data;
    partan_context *context;
    uint64_t values;
    size_t count;
} points;

static int check_point(void *user, size_t index, partan_model *model)
{
    points *p = user;
    assert_int_equal(index, p->count++);
    assert_true(model->result.converged);
    check_verified(p->context, model, p->data);
    p->values += model->result.kernel_values;
    partan_model_free(model);
    return 0;
}

static void a_path_needs_no_more_values(void **state)
{
    static const double costs[] = {1, 3, 10, 30};
    partan_data *data = noise(*state, PARTAN_STORAGE_DENSE);
    partan_settings s = settings_of(large);
    points p = {.data = data, .context = *state};
    assert_int_equal(partan_path(*state, data, &s, costs, 4, check_point, &p), PARTAN_OK);
    assert_int_equal(p.count, 4);
    assert_true(p.values <= once);
    partan_data_free(data);
}

static void an_interruption_at_any_time_leaves_a_true_gap(void **state)
{
    (void)state;
    long interrupted = 0;
    for (long k = 1, reached = true; reached; k += 97) {
        interrupting i;
        interrupting_begin(&i);
        partan_data *data = noise(i.context, PARTAN_STORAGE_DENSE);
        partan_settings s = settings_of(large);
        partan_model *model = NULL;
        i.at = i.allocator.count + k;
        partan_status status = partan_train(i.context, data, &s, NULL, &model);
        reached = i.allocator.count >= i.at;
        i.at = 0;
        assert_true(status == PARTAN_OK || (reached && status == PARTAN_INTERRUPTED));
        interrupted += status == PARTAN_INTERRUPTED;
        pt_interrupt_clear(i.context); /* one may have come after the end */
        check_verified(i.context, model, data);
        partan_model_free(model);
        partan_data_free(data);
        interrupting_end(&i);
    }
    assert_true(interrupted > 5);
}

static partan_status train_all(partan_context *context)
{
    partan_data *data = noise(context, PARTAN_STORAGE_DENSE);
    partan_model *model = NULL;
    partan_settings s = settings_of(large);
    partan_status status = data ? partan_train(context, data, &s, NULL, &model) : PARTAN_ERROR_MEMORY;
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

/* A column without memory is not an error, where it can take the place of another. */
static void memory_may_run_out(void **state)
{
    (void)state;
    for (long k = 1, reached = true; reached; k += 211) {
        failing allocator = {0};
        partan_context *context = failing_context(&allocator);
        allocator.fail_at = allocator.count + k;
        partan_status status = train_all(context);
        reached = allocator.count >= allocator.fail_at;
        assert_true(status == PARTAN_OK || (status == PARTAN_ERROR_MEMORY && reached && *partan_error(context)));
        partan_destroy(context);
        assert_int_equal(allocator.alive, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(values_are_computed_once),
        CONTEXT_TEST(a_path_needs_no_more_values),
        cmocka_unit_test(an_interruption_at_any_time_leaves_a_true_gap),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
