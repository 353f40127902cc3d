/* Fuzzes data sets and predictions from arrays. Layouts that the input decides on must give the values of a plain
 * matrix, and predictions the bits of a data set; sparse arrays of any offsets and indices are refused with a sentence
 * or make a sound data set, and nothing beyond them is read. */
#include "../unit/layouts.h"
#include "fuzzing.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

/* ---- Layouts ---- */

static const char model_text[] = "svm_type c_svc\nkernel_type rbf\ngamma 0.25\nnr_class 2\ntotal_sv 3\nrho 0.125\n"
                                 "label 1 -1\nnr_sv 1 2\nSV\n1 1:1 3:-2\n-0.5 2:3\n-0.5 1:0.5 2:255 5:1\n";

static void check_prediction(partan_context *context, const plain_matrix *m, byte_source *source)
{
    partan_model *model;
    require(partan_model_from_memory(context, model_text, sizeof model_text - 1, &model) == PARTAN_OK);
    double expected[MOST_ROWS], found[MOST_ROWS];
    partan_array_options options;
    partan_data *data = NULL;
    laid_out all = {0};
    bool zeros;
    partan_array_options_init(&options);
    if (draw(source, 2)) {
        partan_sparse array = lay_sparse(m, source, &all, &zeros);
        options.storage = PARTAN_STORAGE_SPARSE;
        require(partan_data_from_sparse(context, &array, &options, &data) == PARTAN_OK);
        require(partan_predict_sparse(context, model, &array, found) == PARTAN_OK);
    } else {
        partan_dense array = lay_dense(m, source, &all);
        options.storage = PARTAN_STORAGE_DENSE;
        require(partan_data_from_dense(context, &array, &options, &data) == PARTAN_OK);
        require(partan_predict_dense(context, model, &array, found) == PARTAN_OK);
    }
    require(partan_predict(context, model, data, expected) == PARTAN_OK);
    require(memcmp(expected, found, m->rows * sizeof *found) == 0);
    partan_data_free(data);
    partan_model_free(model);
    discard(&all);
}

static void check_layouts(partan_context *context, byte_source *source)
{
    plain_matrix m = draw_matrix(source);
    laid_out all = {0};
    bool is_right = false;
    partan_data *data = make_of_layout(context, &m, source, &all, &is_right);
    require(is_right);
    if (data)
        check_prediction(context, &m, source);
    partan_data_free(data);
    discard(&all);
}

/* ---- Anything ---- */

/* A number that is mostly near what it should be. */
static size_t draw_near(byte_source *source, size_t expected)
{
    size_t choice = draw(source, 16);
    return choice < 12 ? expected : choice == 12 ? expected + 1 : choice == 13 ? SIZE_MAX : draw(source, 256);
}

static void check_anything(partan_context *context, byte_source *source)
{
    partan_sparse array;
    partan_array_options options;
    partan_data *data = NULL;
    laid_out all = {0};
    partan_sparse_init(&array);
    partan_array_options_init(&options);
    array.order = (partan_compression_order)draw(source, 2);
    array.rows = draw(source, 6);
    array.features = draw(source, 6);
    array.count = draw(source, 20);
    array.offset_type = draw(source, 2) ? PARTAN_INT64 : PARTAN_INT32;
    array.index_type = draw(source, 2) ? PARTAN_INT64 : PARTAN_INT32;
    options.borrow = (int)draw(source, 2);
    options.storage = (partan_storage)draw(source, 6);
    size_t lists = array.order == PARTAN_CSR ? array.rows : array.features;
    size_t range = array.order == PARTAN_CSR ? array.features : array.rows;
    void *offsets = lay(&all, 0, (lists + 1) * size_of_type(array.offset_type));
    void *indices = lay(&all, 1, array.count * size_of_type(array.index_type));
    float *values = lay(&all, 2, array.count * sizeof *values);
    for (size_t i = 0; i <= lists; i++)
        put_integer(offsets, array.offset_type, i, draw_near(source, lists > 0 ? i * array.count / lists : 0));
    for (size_t k = 0; k < array.count; k++) {
        put_integer(indices, array.index_type, k, draw_near(source, range > 0 ? k % range : 0));
        values[k] = (float)draw(source, 5) / 2;
    }
    array.offsets = offsets;
    array.indices = indices;
    array.values = values;
    partan_status status = partan_data_from_sparse(context, &array, &options, &data);
    require(status == PARTAN_OK ? data != NULL : !data && *partan_error(context));
    if (data)
        check_data(data);
    partan_data_free(data);
    discard(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *context = partan_create(&options);
    byte_source source = {bytes, bytes + size};
    if (draw(&source, 2))
        check_anything(context, &source);
    else
        check_layouts(context, &source);
    partan_destroy(context);
    return 0;
}
