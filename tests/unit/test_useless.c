/* Members of no use leave the working set as soon as pair steps on them have cost more than pricing the other rows. */
#include "sight.h"

enum { ROWS = 2600 };

typedef struct watch {
    sight sight;
    int64_t steps;
    size_t checked;    /* rounds after which they had to leave */
    size_t count;      /* members that had to, in the last one, */
    int64_t ids[ROWS]; /* by their numbers */
} watch;

static bool is_useless(const pt_active_set *set, size_t i, double unit)
{
    return set->working.weights[i] == 0 && set->working.scores[i] >= 1.3 * unit;
}

static void check_left(const watch *w)
{
    for (size_t k = 0; k < w->count; k++)
        for (size_t i = 0; i < w->sight.set->working.count; i++)
            assert_true(w->sight.set->working.ids[i] != w->ids[k]);
}

/* After a round. */
static void look(void *user, const partan_trace_row *row)
{
    watch *w = user;
    const pt_active_set *set = w->sight.set;
    if (!set)
        return;
    int64_t steps = row->iteration - w->steps;
    double unit = 2 * row->objective;
    check_left(w);
    w->steps = row->iteration;
    w->count = 0;
    for (size_t i = 0; i < set->working.count; i++)
        if (is_useless(set, i, unit))
            w->ids[w->count++] = set->working.ids[i];
    assert_int_equal(w->count, pt_active_set_useless(set));
    double wasted = 2 * (double)steps * (double)w->count * set->working.cost;
    double pricing = (double)set->outside.far.total * (double)set->support * set->working.value_cost;
    /* Twice: scores change between the decision and here. */
    if (row->iteration == 0 || pricing == 0 || wasted < 2 * pricing || row->relative_gap >= 1)
        w->count = 0;
    w->checked += w->count > 0;
}

static void they_leave_when_they_have_cost_more_than_pricing(void **state)
{
    static const double costs[] = {1, 1000};
    watch w = {.sight = {.unaudited = true}};
    partan_context_options options;
    partan_context_options_init(&options);
    options.trace = look;
    options.user = &w;
    options.threads = 1;
    partan_context *context = partan_create(&options);
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = "checkerboard";
    make.rows = ROWS;
    make.features = 20;
    make.noise = 0.2;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma = 0.2;
    s.tol = 0.001;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        w.steps = 0;
        w.count = 0;
        (void)sight_solve(&w.sight, context, data, &s, &costs[i], 1);
    }
    assert_true(w.checked >= 1);
    partan_data_free(data);
    partan_destroy(context);
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(they_leave_when_they_have_cost_more_than_pricing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
