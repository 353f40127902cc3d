/* Things that processes have, shown in the order of all; and what is made of them, the threshold of outliers. Threads
 * stand for the processes (hall.h). */
#include "core/ranked.h"
#include "hall.h"
#include "svm/threshold.h"

enum { MANY = 30000, SHOWN = 13000 };

static const size_t cuts[][MOST + 1] = {
    {0, MANY}, {0, 100, MANY}, {0, 20000, 20000, MANY}, {0, 0, 10000, 10000, 29000, MANY}};
static const int sizes[] = {1, 2, 3, 5};

typedef struct process process;
typedef void task(process *p);

struct process {
    thread_comm comm;
    partan_context *context;
    size_t begin, end;
    task *task;
    const void *what;
    partan_data *part;
    pthread_t thread;
    double *shown;
    size_t count, most;
    double radius;
    int64_t *rows;
};

static void *work(void *user)
{
    process *p = user;
    p->task(p);
    return NULL;
}

static process processes[MOST];

static void all_do(task *act, const void *what, const partan_data *data, int size, const size_t *begins, size_t most,
                   double *shown)
{
    static hall h;
    hall_open(&h, size);
    for (int i = 0; i < size; i++) {
        void *context;
        assert_int_equal(make_serial_context(&context), 0);
        processes[i] = (process){.context = context,
                                 .comm = hall_comm(&h, i),
                                 .begin = begins[i],
                                 .end = begins[i + 1],
                                 .task = act,
                                 .what = what,
                                 .part = data ? part_of(context, data, begins[i], begins[i + 1]) : NULL,
                                 .shown = i == 0 ? shown : NULL,
                                 .most = most};
    }
    for (int i = 0; i < size; i++)
        assert_int_equal(pthread_create(&processes[i].thread, NULL, work, &processes[i]), 0);
    for (int i = 0; i < size; i++)
        pthread_join(processes[i].thread, NULL);
    hall_close(&h);
}

static void all_leave(int size)
{
    for (int i = 0; i < size; i++) {
        pt_free(processes[i].context, processes[i].rows);
        partan_data_free(processes[i].part);
        partan_destroy(processes[i].context);
    }
}

/* ---- The order of all ---- */

static int lesser_first(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts no more than is asked for. */
static void sort_some(pt_ranked *ranked, size_t wanted)
{
    double *list = ranked->things;
    assert_true(wanted <= ranked->count);
    qsort(list, ranked->count, sizeof *list, lesser_first);
    for (size_t i = wanted; i + 1 < ranked->count; i += 2) {
        double other = list[i];
        list[i] = list[i + 1];
        list[i + 1] = other;
    }
}

static bool show(void *user, const void *thing)
{
    process *p = user;
    assert_int_equal(p->comm.comm.rank, 0);
    p->shown[p->count++] = *(const double *)thing;
    return p->count < p->most;
}

static void rank_numbers(process *p)
{
    size_t count = p->end - p->begin;
    double *mine = malloc((count + 1) * sizeof *mine);
    assert_non_null(mine);
    memcpy(mine, (const double *)p->what + p->begin, count * sizeof *mine);
    pt_ranked ranked = {
        .things = mine, .count = count, .size = sizeof *mine, .compare = lesser_first, .sort = sort_some};
    assert_int_equal(pt_ranked_show(p->context, &p->comm.comm, &ranked, show, p), PARTAN_OK);
    free(mine);
}

static void the_first_process_is_shown_what_all_have_in_order(void **state)
{
    static double numbers[MANY], sorted[MANY], shown[MANY];
    pt_random random;
    pt_random_seed(&random, 3);
    for (size_t i = 0; i < MANY; i++)
        sorted[i] = numbers[i] = floor(10000 * pt_random_uniform(&random));
    qsort(sorted, MANY, sizeof *sorted, lesser_first);
    for (int all = 0; all < 2; all++)
        for (size_t k = 0; k < 4; k++) {
            size_t most = all ? MANY : SHOWN;
            all_do(rank_numbers, numbers, NULL, sizes[k], cuts[k], most, shown);
            assert_int_equal(processes[0].count, most);
            assert_memory_equal(shown, sorted, most * sizeof *shown);
            all_leave(sizes[k]);
        }
    (void)state;
}

/* ---- The threshold ---- */

typedef struct outliers {
    partan_data *data;
    const double *distances;
    partan_settings settings;
    partan_status status;
} outliers;

static void find_threshold(process *p)
{
    const outliers *o = p->what;
    pt_comm *comm = p->comm.comm.size > 1 ? &p->comm.comm : NULL;
    partan_model model = {.context = p->context, .count = 200000, .features = 20, .result.status = o->status};
    assert_int_equal(pt_threshold_rows(p->context, comm, &model, p->part, &p->rows, &p->count), PARTAN_OK);
    double *distances = pt_alloc(p->context, p->count, sizeof *distances);
    for (size_t i = 0; i < p->count; i++)
        distances[i] = o->distances[p->begin + (size_t)p->rows[i]];
    assert_int_equal(pt_threshold(p->context, comm, p->part, &o->settings, p->rows, p->count, distances, &p->radius),
                     PARTAN_OK);
    pt_free(p->context, distances);
}

static void assert_same_threshold(const outliers *o)
{
    static int64_t rows[MANY];
    all_do(find_threshold, o, o->data, 1, cuts[0], 0, NULL);
    size_t count = processes[0].count, at = 0;
    double radius = processes[0].radius;
    assert_true(o->status == PARTAN_OK ? count > MANY / 2 : count < MANY / 2);
    memcpy(rows, processes[0].rows, count * sizeof *rows);
    all_leave(1);
    for (size_t k = 1; k < 4; k++, at = 0) {
        all_do(find_threshold, o, o->data, sizes[k], cuts[k], 0, NULL);
        for (int i = 0; i < sizes[k]; i++) {
            assert_true(processes[i].radius == radius);
            for (size_t row = 0; row < processes[i].count; row++)
                assert_int_equal(processes[i].rows[row] + (int64_t)processes[i].begin, rows[at++]);
        }
        assert_int_equal(at, count);
        all_leave(sizes[k]);
    }
}

/* Of all rows, or of fewer where a training was stopped; of rows with weights, some of them 0. */
static void thresholds_are_those_of_one_process(void **state)
{
    static double distances[MANY], weights[MANY];
    static const double shares[] = {0, 0.003, 0.5};
    outliers o = {.data = generate(*state, "ringnorm", MANY), .distances = distances};
    pt_random random;
    pt_random_seed(&random, 4);
    for (size_t i = 0; i < MANY; i++) {
        distances[i] = i % 7 ? pt_random_uniform(&random) : 0.999;
        weights[i] = i % 5 == 0 || i < 200 ? 0 : 0.5 + pt_random_uniform(&random);
    }
    for (int weighted = 0; weighted < 2; weighted++) {
        for (size_t k = 0; k < 3; k++)
            for (int stopped = 0; stopped < 2; stopped++) {
                o.settings = defaults(PARTAN_SOLVER_AUTO);
                o.settings.outliers = shares[k];
                o.settings.cost = 1e-3;
                o.status = stopped ? PARTAN_TIME_LIMIT : PARTAN_OK;
                assert_same_threshold(&o);
            }
        assert_int_equal(partan_data_set_weights(*state, o.data, weights), PARTAN_OK);
    }
    partan_data_free(o.data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_first_process_is_shown_what_all_have_in_order),
        CONTEXT_TEST(thresholds_are_those_of_one_process),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
