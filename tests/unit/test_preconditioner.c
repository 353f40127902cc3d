/* The preconditioner solves the systems of the matrix that low-rank factors, their bias and the costs make, whichever
 * rows are in them, for any number of threads. */
#include "lowrank/preconditioner.h"

#include "failing.h"
#include "toy.h"

enum { ROWS = 700, RANK = 45 };

#define BIAS 1.5

typedef struct fixture {
    partan_data *data;
    pt_lowrank lowrank;
    pt_preconditioner preconditioner;
    uint64_t kernel_values;
} fixture;

static partan_status open_fixture(fixture *f, partan_context *context)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "twonorm";
    make.rows = ROWS;
    *f = (fixture){.data = NULL};
    partan_status status = partan_generate(context, &make, PARTAN_STORAGE_DENSE, &f->data);
    pt_kernel kernel = {.kind = PARTAN_KERNEL_RBF, .gamma = 0.05};
    int64_t ids[ROWS];
    for (int64_t i = 0; i < ROWS; i++)
        ids[i] = i;
    if (!status)
        status =
            pt_lowrank_make_coarse(&f->lowrank, context, &kernel, (pt_lowrank_points){{&f->data->matrix, NULL}, NULL},
                                   &f->kernel_values, 0, RANK, ids, ROWS);
    return status ? status : pt_preconditioner_make(&f->preconditioner, &f->lowrank, &f->data->matrix, BIAS);
}

static void close_fixture(fixture *f)
{
    pt_preconditioner_free(&f->preconditioner);
    pt_lowrank_free(&f->lowrank);
    partan_data_free(f->data);
}

/* Every `of`-th row is in no system; costs differ. */
static void set_costs(size_t of, double cost, double *costs)
{
    for (size_t i = 0; i < ROWS; i++)
        costs[i] = i % of == 0 ? 0 : cost * (1 + (double)(i % 5));
}

static void check_solution(const fixture *f, const double *factors, const double *costs, const double *v,
                           const double *out)
{
    double sums[RANK] = {0}, bias = 0, size = 0;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t k = 0; k < f->lowrank.rank; k++)
            sums[k] += factors[i * RANK + k] * out[i];
        bias += BIAS * out[i];
        size += (1 + BIAS) * fabs(out[i]);
    }
    for (size_t i = 0; i < ROWS; i++) {
        double left = v[i] - bias;
        for (size_t k = 0; k < f->lowrank.rank; k++)
            left -= factors[i * RANK + k] * sums[k];
        assert_true(costs[i] > 0 || out[i] == 0);
        assert_true(costs[i] == 0 || fabs(left - out[i] / costs[i]) <= 1e-7 * size);
    }
}

static void solves_the_system_of_its_factors(void **state)
{
    static fixture f;
    static double factors[ROWS * RANK], costs[ROWS], v[ROWS], out[ROWS], again[ROWS];
    partan_context *context = *state;
    int threads = context->threads;
    assert_int_equal(open_fixture(&f, context), PARTAN_OK);
    assert_int_equal(f.lowrank.rank, RANK);
    assert_int_equal(pt_lowrank_factors(&f.lowrank, &f.data->matrix, NULL, factors, RANK, NULL), PARTAN_OK);
    for (size_t i = 0; i < ROWS; i++)
        v[i] = sin((double)i);
    for (size_t of = ROWS + 1; of > 1; of /= 3) /* fewer and fewer rows: changes, and anew */
        for (double cost = 0.1; cost <= 1000; cost *= 100) {
            set_costs(of, cost, costs);
            assert_int_equal(pt_preconditioner_set(&f.preconditioner, costs), PARTAN_OK);
            assert_int_equal(pt_preconditioner_apply(&f.preconditioner, v, out), PARTAN_OK);
            check_solution(&f, factors, costs, v, out);
            context->threads = 1;
            assert_int_equal(pt_preconditioner_apply(&f.preconditioner, v, again), PARTAN_OK);
            context->threads = threads;
            assert_memory_equal(out, again, sizeof out);
        }
    close_fixture(&f);
}

static partan_status make_and_apply(partan_context *context)
{
    static fixture f;
    static double costs[ROWS], v[ROWS];
    set_costs(3, 1, costs);
    partan_status status = open_fixture(&f, context);
    if (!status)
        status = pt_preconditioner_set(&f.preconditioner, costs);
    if (!status)
        status = pt_preconditioner_apply(&f.preconditioner, costs, v);
    close_fixture(&f);
    return status;
}

static void out_of_memory_is_reported(void **state)
{
    (void)state;
    check_every_allocation(make_and_apply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(solves_the_system_of_its_factors),
        cmocka_unit_test(out_of_memory_is_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
