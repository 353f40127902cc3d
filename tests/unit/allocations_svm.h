/* Works on SVMs: training and what follows, model files. */
#ifndef ALLOCATIONS_SVM_H
#define ALLOCATIONS_SVM_H

#include "allocations_data.h"

static inline void keep_point(void *user, double threshold, uint64_t true_positives, uint64_t false_positives)
{
    (void)user, (void)threshold, (void)true_positives, (void)false_positives;
}

static inline partan_status work_on_training(partan_context *context)
{
    partan_data *data = NULL;
    partan_model *model = NULL, *again = NULL, *few = NULL;
    partan_settings settings;
    partan_train_options training;
    partan_evaluation evaluation;
    partan_verification verification;
    partan_compress_options compress;
    partan_compress_result result;
    double gamma, decision[20], weights[20];
    uint64_t labelled, unknown;
    CALL(partan_settings_init)(&settings);
    CALL(partan_train_options_init)(&training);
    training.checkpoint = work_path(".checkpoint");
    training.checkpoint_every = 0;
    CALL(partan_evaluation_init)(&evaluation);
    CALL(partan_verification_init)(&verification);
    CALL(partan_compress_options_init)(&compress);
    CALL(partan_compress_result_init)(&result);
    settings.balanced = 1;
    settings.scale = PARTAN_SCALE_STANDARD;
    for (size_t i = 0; i < 20; i++)
        weights[i] = i == 3 ? 0 : 1 + 0.1 * (double)i;
    partan_status status = some_rows(context, 20, &data);
    NEXT(partan_data_set_weights(context, data, weights));
    NEXT(CALL(partan_gamma_value)(context, &settings, data, &gamma));
    NEXT(CALL(partan_train)(context, data, &settings, NULL, &model));
    NEXT(CALL(partan_train_with)(context, data, &settings, &training, &again));
    partan_model_free(again);
    again = NULL;
    training.resume = status ? NULL : training.checkpoint;
    NEXT(partan_train_with(context, data, &settings, &training, &again));
    NEXT(CALL(partan_predict)(context, model, data, decision));
    NEXT(CALL(partan_evaluate)(context, model, data, decision, keep_point, NULL, &evaluation));
    NEXT(CALL(partan_evaluate_classes)(context, model, data, decision, NULL, NULL, NULL, &evaluation));
    NEXT(CALL(partan_model_check_labels)(context, model, data, &labelled, &unknown));
    NEXT(CALL(partan_verify)(context, model, data, &verification));
    compress.max_sv = 6;
    NEXT(CALL(partan_compress)(context, model, data, &compress, &few, &result));
    partan_model_free(few);
    CALL(partan_model_free)(model);
    partan_model_free(again);
    partan_data_free(data);
    return status;
}

/* Three classes, whose probabilities are coupled. */
static inline partan_status work_on_coupling(partan_context *context)
{
    static const char text[] = "svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 3\nrho 0.1 -0.2 0\n"
                               "label 1 2 3\nprobA -1.5 -2 -1\nprobB 0.1 0 0.3\nnr_sv 1 1 1\nSV\n1 0.5 1:0.5 \n"
                               "-1 0.25 2:1 \n-0.5 -0.25 3:2 \n";
    static const double decision[2][3] = {{1, 0.5, -1}, {0, -2, 1}};
    double probabilities[2][3], slope, offset;
    partan_model *model = NULL;
    partan_status status = partan_model_from_memory(context, text, sizeof text - 1, &model);
    NEXT(CALL(partan_probabilities)(context, model, decision[0], 2, probabilities[0]));
    NEXT(CALL(partan_model_sigmoid)(model, 0, &slope, &offset));
    NEXT(CALL(partan_model_use_probability)(model, 1));
    partan_model_free(model);
    return status;
}

static inline partan_status work_on_probabilities(partan_context *context)
{
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_settings settings;
    partan_evaluation evaluation;
    partan_reliability_bin bins[3];
    double decision[8];
    char *bytes = NULL;
    size_t size;
    partan_settings_init(&settings);
    partan_evaluation_init(&evaluation);
    settings.probability = 1;
    settings.probability_folds = 2;
    partan_status status = partan_data_read(context, work_path(".csv"), NULL, &data);
    NEXT(partan_train(context, data, &settings, NULL, &model));
    NEXT(partan_predict(context, model, data, decision));
    NEXT(partan_evaluate(context, model, data, decision, NULL, NULL, &evaluation));
    NEXT(CALL(partan_reliability)(context, model, data, decision, 3, bins));
    NEXT(partan_model_to_memory(context, model, PARTAN_MODEL_NATIVE, &bytes, &size));
    partan_free(context, bytes);
    partan_model_free(model);
    partan_data_free(data);
    return status ? status : work_on_coupling(context);
}

static inline int drop_model(void *user, size_t index, partan_model *model)
{
    (void)user, (void)index;
    partan_model_free(model);
    return 0;
}

static inline void take_held(void *user, const partan_model *model, const size_t *rows, size_t count,
                             const double *decision)
{
    (void)user, (void)model, (void)rows, (void)count, (void)decision;
}

static inline partan_status work_on_choices(partan_context *context)
{
    static const double costs[] = {1, 10};
    partan_data *data = NULL;
    partan_settings settings;
    partan_evaluation evaluation;
    partan_tune_options tuning;
    partan_tune_point best;
    partan_settings_init(&settings);
    partan_evaluation_init(&evaluation);
    CALL(partan_tune_options_init)(&tuning);
    CALL(partan_tune_point_init)(&best);
    tuning.costs = costs;
    tuning.cost_count = 2;
    partan_status status = some_rows(context, 20, &data);
    NEXT(CALL(partan_path)(context, data, &settings, costs, 2, drop_model, NULL));
    NEXT(CALL(partan_cross_validate)(context, data, &settings, 2, 1, NULL, NULL, NULL, &evaluation));
    NEXT(CALL(partan_cross_predict)(context, data, &settings, 2, 1, NULL, take_held, NULL, &evaluation));
    NEXT(CALL(partan_tune)(context, data, &settings, &tuning, NULL, NULL, &best));
    partan_data_free(data);
    return status;
}

/* The model of the table of works is written, and read in all ways. */
static inline partan_status read_model(partan_context *context, const char *path)
{
    partan_model *model = NULL, *again = NULL;
    partan_model_file *file = NULL;
    partan_data *data = NULL;
    partan_kind kind;
    int is_model;
    partan_status status = CALL(partan_model_recognise)(context, path, &is_model);
    NEXT(CALL(partan_model_kind_of)(context, path, &kind));
    NEXT(CALL(partan_model_file_read)(context, path, &file));
    NEXT(CALL(partan_model_file_kind)(context, file, &kind));
    NEXT(CALL(partan_model_from_file)(context, file, &model));
    NEXT(CALL(partan_model_read)(context, path, &again));
    NEXT(CALL(partan_data_read_for)(context, again, work_path(".csv"), NULL, &data));
    CALL(partan_model_file_free)(file);
    partan_model_free(model);
    partan_model_free(again);
    partan_data_free(data);
    return status;
}

static inline partan_status work_on_model_bytes(partan_context *context)
{
    partan_data *data = NULL;
    partan_model *model = NULL, *again = NULL, *third = NULL;
    partan_model_file *file = NULL;
    partan_settings settings;
    char *bytes = NULL;
    size_t size = 0;
    partan_settings_init(&settings);
    partan_status status = partan_data_read(context, work_path(".csv"), NULL, &data);
    NEXT(partan_train(context, data, &settings, NULL, &model));
    NEXT(CALL(partan_model_to_memory)(context, model, PARTAN_MODEL_NATIVE, &bytes, &size));
    NEXT(CALL(partan_model_from_memory)(context, bytes, size, &again));
    NEXT(CALL(partan_model_file_from_memory)(context, bytes, size, &file));
    NEXT(partan_model_from_file(context, file, &third));
    CALL(partan_free)(context, bytes);
    partan_model_file_free(file);
    partan_model_free(model);
    partan_model_free(again);
    partan_model_free(third);
    partan_data_free(data);
    return status;
}

/* The table of works has two features, as the arrays have. */
static inline partan_status work_on_array_predictions(partan_context *context)
{
    partan_dense dense = some_dense();
    partan_sparse sparse = some_sparse();
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_settings settings;
    double decision[3];
    partan_settings_init(&settings);
    settings.scale = PARTAN_SCALE_MINMAX;
    partan_status status = partan_data_read(context, work_path(".csv"), NULL, &data);
    NEXT(partan_train(context, data, &settings, NULL, &model));
    NEXT(CALL(partan_predict_dense)(context, model, &dense, decision));
    NEXT(CALL(partan_predict_sparse)(context, model, &sparse, decision));
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static inline partan_status work_on_models(partan_context *context)
{
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_settings settings;
    partan_settings_init(&settings);
    const char *path = work_path(".model");
    partan_status status = partan_data_read(context, work_path(".csv"), NULL, &data);
    NEXT(partan_train(context, data, &settings, NULL, &model));
    NEXT(CALL(partan_model_write)(context, model, path, PARTAN_MODEL_NATIVE));
    NEXT(read_model(context, path));
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

#endif
