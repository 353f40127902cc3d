/* Prediction of one row in an array: what a call costs, beside the kernel values of its support vectors. */
#include "micro.h"

typedef struct one_row {
    partan_context *context;
    partan_model *model;
    partan_dense array;
    float values[64];
    double decision;
} one_row;

static void predict_row(void *state)
{
    one_row *s = state;
    require(s->context, partan_predict_dense(s->context, s->model, &s->array, &s->decision));
}

static void make(one_row *s, partan_kernel kernel, uint64_t rows)
{
    partan_generator_options make;
    partan_settings settings;
    partan_data *data;
    partan_generator_options_init(&make);
    partan_settings_init(&settings);
    make.kind = "twonorm";
    make.rows = rows;
    settings.kernel = kernel;
    require(s->context, partan_generate(s->context, &make, PARTAN_STORAGE_AUTO, &data));
    require(s->context, partan_train(s->context, data, &settings, NULL, &s->model));
    partan_dense_init(&s->array);
    s->array.values = s->values;
    s->array.rows = 1;
    s->array.features = partan_data_features(data);
    partan_data_row(data, 0, s->values);
    partan_data_free(data);
}

void run_predict(const micro *m)
{
    static const partan_kernel kernels[] = {PARTAN_KERNEL_LINEAR, PARTAN_KERNEL_RBF};
    static const uint64_t rows[] = {12, 60, 4000};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < 3; i++) {
            one_row s = {.context = make_context(pt_isa_best(), 1)};
            make(&s, kernels[k], rows[i]);
            timing time = measure(m->seconds, predict_row, &s);
            emit_begin("predict");
            emit_text("kernel", partan_kernel_name(kernels[k]));
            emit_integer("features", s.array.features);
            emit_integer("support_vectors", partan_model_support_count(s.model));
            emit_real("best", time.best);
            emit_real("median", time.median);
            emit_end();
            partan_model_free(s.model);
            partan_destroy(s.context);
        }
}
