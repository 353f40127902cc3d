/* The classes of rows against the definition: all different labels in ascending order, whether they are few, which are
 * found by comparing, or many, which are sorted; and each row's place among them. */
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "data/data.h"
#include "generating.h"

enum { ROWS = 3000 };

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void check(partan_context *context, const double *labels, size_t classes)
{
    static const float values[ROWS];
    double sorted[ROWS];
    size_t count = 0;
    partan_data *data = NULL;
    pt_labels found;
    int32_t *class_of;
    memcpy(sorted, labels, sizeof sorted);
    qsort(sorted, ROWS, sizeof *sorted, ascending);
    for (size_t i = 0; i < ROWS; i++)
        if (i == 0 || sorted[i] != sorted[i - 1])
            sorted[count++] = sorted[i];
    assert_int_equal(count, classes);
    assert_int_equal(dense_data(context, values, ROWS, 1, 1, labels, PARTAN_STORAGE_DENSE, &data), PARTAN_OK);
    assert_int_equal(pt_data_labels(data, &found, &class_of), PARTAN_OK);
    assert_int_equal(found.count, classes);
    for (size_t i = 0; i < classes; i++)
        assert_true(found.label[i] == sorted[i] && strtod(found.text[i], NULL) == sorted[i]);
    for (size_t row = 0; row < ROWS; row++)
        assert_true(found.label[class_of[row]] == labels[row]);
    pt_free(context, class_of);
    pt_labels_free(context, &found);
    partan_data_free(data);
}

static void labels_are_numbered_in_order_however_many(void **state)
{
    static const size_t counts[] = {2, 3, 5, 63, 64, 65, 66, 200};
    double labels[ROWS];
    pt_random random;
    pt_random_seed(&random, 3);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        for (size_t row = 0; row < ROWS; row++) { /* each appears, the last one late */
            size_t class = row < counts[k] - 1 ? counts[k] - 2 - row : pt_random_below(&random, counts[k] - 1);
            labels[row] = (double)(row == ROWS - 7 ? counts[k] - 1 : class) * 3 - 50;
        }
        check(*state, labels, counts[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {CONTEXT_TEST(labels_are_numbered_in_order_however_many)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
