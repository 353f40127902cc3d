/* Real data: on three known sets PARTAN takes the known numbers of iterations and support vectors, and verify confirms
 * the models. The sets are looked for in the folder PARTAN_DATA, by default beside the source tree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "testing.h"

/* folder/set/set, plain or compressed; NULL when there is none. */
static const char *find(const char *set, char *path, size_t size)
{
    const char *folder = getenv("PARTAN_DATA"), *endings[] = {"", ".xz", ".gz", ".bz2", ".zst"};
    for (int i = 0; i < 10; i++) {
        const char *ending = endings[i / 2];
        const char *base = folder ? folder : PT_SOURCE_DIR "/../shared/data";
        if (i % 2)
            snprintf(path, size, "%s/%s%s", base, set, ending);
        else
            snprintf(path, size, "%s/%s/%s%s", base, set, set, ending);
        FILE *file = fopen(path, "rb"); /* a folder opens too, but cannot be read */
        bool found = file && fgetc(file) != EOF;
        if (file)
            fclose(file);
        if (found)
            return path;
    }
    return NULL;
}

static void check_set(partan_context *context, const char *set, double cost, double gamma, double iterations,
                      double vectors)
{
    char path[4096];
    if (!find(set, path, sizeof path)) {
        print_message("skipped: there is no %s in the data folder (PARTAN_DATA)\n", set);
        skip();
    }
    partan_read_options options;
    partan_read_options_init(&options);
    partan_data *data = NULL;
    if (partan_data_read(context, path, &options, &data))
        fail_msg("%s", partan_error(context));
    partan_settings s;
    partan_settings_init(&s);
    s.solver = PARTAN_SOLVER_PARTAN;
    s.gamma_rule = PARTAN_GAMMA_VALUE;
    s.gamma = gamma;
    s.cost = cost;
    s.tol = 0;
    s.eps = 5e-5;
    partan_model *model = NULL;
    assert_int_equal(partan_train(context, data, &s, NULL, &model), PARTAN_OK);
    const partan_result *result = partan_model_result(model);
    assert_true(result->converged && result->gap <= s.eps);
    assert_true(fabs((double)result->iterations / iterations - 1) <= 0.15);
    assert_true(fabs((double)result->support_vectors / vectors - 1) <= 0.15);
    partan_verification found;
    partan_verification_init(&found);
    assert_int_equal(partan_verify(context, model, data, &found), PARTAN_OK);
    if (!found.matches)
        fail_msg("verify: %s", found.reason);
    partan_model_free(model);
    partan_data_free(data);
}

static void a9a(void **state)
{
    check_set(*state, "a9a", 1, 0.0652, 16800, 13700);
}

static void w8a(void **state)
{
    check_set(*state, "w8a", 10, 0.0485, 4700, 2800);
}

static void ijcnn1(void **state)
{
    check_set(*state, "ijcnn1", 10, 2, 5000, 3500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(a9a), CONTEXT_TEST(w8a), CONTEXT_TEST(ijcnn1)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
