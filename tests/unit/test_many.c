/* More than two classes: every machine is the model of two classes that it would be alone; votes, files of both
 * formats, verification, weights, and what goes wrong. */
#include <unistd.h>

#include "failing.h"
#include "svm/many/many.h"
#include "training.h"

enum { ROWS = 60, FEATURES = 6, CLASSES = 4 };

/* Four clouds. Labels are numbers with gaps, or words. */
static const double numbers[CLASSES] = {-3, 0, 2, 7.0};
static const char *const words[CLASSES] = {"ape", "bee", "cat", "dog"};

typedef struct zoo {
    toy t;
    int class[ROWS];
    const char *word[ROWS];
} zoo;

static void fill(zoo *z, partan_storage storage, uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    toy_fill_for(&z->t, ROWS, FEATURES, storage, seed);
    for (size_t i = 0; i < ROWS; i++) {
        z->class[i] = i < CLASSES ? (int)(CLASSES - 1 - i) : (int)pt_random_below(&random, CLASSES);
        z->t.labels[i] = numbers[z->class[i]];
        z->word[i] = words[z->class[i]];
        z->t.values[i][z->class[i]] = storable(storage, 1);
        z->t.values[i][(z->class[i] + 1) % CLASSES] = 0;
    }
}

static partan_data *zoo_data(partan_context *context, const zoo *z, const partan_settings *s, partan_storage storage,
                             bool by_word)
{
    if (!by_word)
        return toy_data(context, &z->t, s, storage);
    partan_dense array;
    partan_array_options options;
    partan_data *data = NULL;
    partan_dense_init(&array);
    partan_array_options_init(&options);
    array.values = z->t.values[0];
    array.rows = ROWS;
    array.features = FEATURES;
    array.row_stride = TOY_FEATURES;
    options.words = z->word;
    options.storage = storage;
    assert_int_equal(partan_data_from_dense(context, &array, &options, &data), PARTAN_OK);
    return data;
}

/* The rows of a machine alone, with labels -1 and 1. */
static partan_data *rows_of(partan_context *context, const zoo *z, const partan_data *data, int negative, int positive,
                            int64_t *rows)
{
    partan_data *out = NULL;
    size_t count = 0;
    (void)context;
    for (size_t i = 0; i < ROWS; i++)
        if (negative < 0 || z->class[i] == negative || z->class[i] == positive)
            rows[count++] = (int64_t)i;
    assert_int_equal(pt_data_gather(data, rows, count, &out), PARTAN_OK);
    for (size_t i = 0; i < out->word_count; i++)
        pt_free(out->context, out->words[i]);
    pt_free(out->context, out->words);
    out->words = NULL;
    out->word_count = 0;
    for (size_t i = 0; i < count; i++)
        out->labels[i] = z->class[rows[i]] == positive ? 1 : -1;
    return out;
}

static void check_machine(partan_context *context, const zoo *z, const partan_data *data, const partan_settings *s,
                          const partan_model *model, size_t i)
{
    int64_t rows[ROWS];
    partan_machine one;
    partan_machine_init(&one);
    assert_int_equal(partan_model_machine(model, i, &one), PARTAN_OK);
    partan_data *some = rows_of(context, z, data, one.negative, one.positive, rows);
    partan_model *alone = train(context, some, s, NULL, PARTAN_OK), *part = NULL;
    assert_int_equal(pt_machine_alone(model, i, &part), PARTAN_OK);
    assert_int_equal(alone->count, part->count);
    for (size_t k = 0; k < alone->count; k++) { /* in other orders */
        size_t j = 0;
        while (j < part->count && part->origin[j] != rows[alone->origin[k]])
            j++;
        assert_true(j < part->count && part->weights[j] == alone->weights[k] && part->signs[j] == alone->signs[k]);
    }
    assert_true(one.result.objective == alone->result.objective && one.result.gap == alone->result.gap);
    assert_true(one.bias == alone->bias);
    partan_model_free(alone);
    partan_model_free(part);
    partan_data_free(some);
}

static void machines_are_models_of_two_classes(void **state)
{
    static zoo z;
    FOR_EVERY_SOLVER(solver)
        for (size_t i = 0; i < STORAGES; i++)
            for (int multiclass = 0; multiclass < 2; multiclass++) {
                partan_settings s = defaults((partan_solver)solver);
                s.multiclass = (partan_multiclass)multiclass;
                fill(&z, every_storage(i), 3 + i);
                partan_data *data = zoo_data(*state, &z, &s, every_storage(i), i % 2);
                partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
                size_t machines = multiclass ? CLASSES : CLASSES * (CLASSES - 1) / 2;
                assert_int_equal(partan_model_class_count(model), CLASSES);
                assert_int_equal(partan_model_outputs(model), machines);
                assert_int_equal(partan_model_has_words(model), i % 2);
                for (int class = 0; class < CLASSES; class ++) {
                    assert_string_equal(partan_model_label_text(model, class),
                                        i % 2 ? words[class] : ((const char *[]){"-3", "0", "2", "7"})[class]);
                    assert_true(i % 2 || partan_model_label(model, class) == numbers[class]);
                }
                for (size_t m = 0; m < machines; m++)
                    check_machine(*state, &z, data, &s, model, m);
                partan_model_free(model);
                partan_data_free(data);
            }
}

/* ---- Prediction ---- */

/* Decision values by the formula. */
static void decide(const zoo *z, const partan_settings *s, const partan_model *model, size_t row, double *decision)
{
    for (size_t m = 0; m < model->machine_count; m++) {
        const partan_model *part = model->machines[m];
        decision[m] = part->bias;
        for (size_t k = 0; k < part->count; k++) {
            int64_t origin = model->origin[part->members[k]];
            decision[m] += part->scale * part->weights[k] * (double)part->signs[k]
                           * formula(s, z->t.values[row], z->t.values[origin], FEATURES);
        }
    }
}

/* Most votes; of several classes, the greatest sum of values. */
static int vote(const partan_model *model, const double *decision)
{
    double best = -INFINITY;
    int class = -1;
    for (int c = 0; c < CLASSES; c++) {
        double score = 0;
        for (size_t m = 0; m < model->machine_count; m++) {
            int64_t positive = model->machines[m]->sides[1], negative = model->machines[m]->sides[0];
            if (negative < 0)
                score += positive == c ? decision[m] : 0;
            else if (positive == c || negative == c) {
                double value = positive == c ? decision[m] : -decision[m];
                score += (value > 0 ? 1e6 : 0) + value;
            }
        }
        if (score > best) {
            best = score;
            class = c;
        }
    }
    return class;
}

/* A row's score for a class: its votes, and the sum of values that tells those of equal votes apart. */
static void score_class(const partan_model *model, const double *decision, int class, double score[2])
{
    score[0] = score[1] = 0;
    for (size_t m = 0; m < model->machine_count; m++) {
        int64_t positive = model->machines[m]->sides[1], negative = model->machines[m]->sides[0];
        double value = positive == class ? decision[m] : -decision[m];
        if (positive != class && negative != class)
            continue;
        score[0] += negative >= 0 && (positive == class ? value > 0 : value >= 0);
        score[1] += value;
    }
}

/* The share of pairs of a row of the class and one of the rest in which the first has the larger score, ties half; the
 * mean over the classes. */
static double area_by_pairs(const zoo *z, const partan_model *model, const double *decision)
{
    size_t outputs = partan_model_outputs(model);
    double sum = 0;
    for (int class = 0; class < CLASSES; class ++) {
        double won = 0, pairs = 0;
        for (size_t i = 0; i < ROWS; i++)
            for (size_t j = 0; j < ROWS; j++) {
                double a[2], b[2];
                if (z->class[i] != class || z->class[j] == class)
                    continue;
                score_class(model, decision + i * outputs, class, a);
                score_class(model, decision + j * outputs, class, b);
                int k = a[0] == b[0];
                won += a[k] > b[k] ? 1 : a[k] == b[k] ? 0.5 : 0;
                pairs++;
            }
        sum += won / pairs;
    }
    return sum / CLASSES;
}

static void check_predictions(partan_context *context, const zoo *z, const partan_data *data, const partan_settings *s,
                              const partan_model *model)
{
    size_t outputs = partan_model_outputs(model);
    double found[ROWS * CLASSES * CLASSES], expected[CLASSES * CLASSES];
    uint64_t confusion[CLASSES * CLASSES], correct = 0, sum = 0;
    partan_class_evaluation each[CLASSES];
    partan_evaluation all;
    partan_evaluation_init(&all);
    assert_int_equal(partan_predict(context, model, data, found), PARTAN_OK);
    for (size_t row = 0; row < ROWS; row++) {
        decide(z, s, model, row, expected);
        for (size_t m = 0; m < outputs; m++)
            assert_true(fabs(found[row * outputs + m] - expected[m]) <= 1e-4);
        int class = partan_model_decide(model, found + row * outputs);
        assert_int_equal(class, vote(model, found + row * outputs));
        correct += class == z->class[row];
    }
    assert_int_equal(partan_evaluate(context, model, data, found, NULL, NULL, &all), PARTAN_OK);
    assert_int_equal(partan_evaluate_classes(context, model, data, found, confusion, each), PARTAN_OK);
    assert_int_equal(all.correct, correct);
    assert_true(fabs(all.auc - area_by_pairs(z, model, found)) < 1e-12);
    for (int c = 0; c < CLASSES; c++) {
        sum += confusion[c * CLASSES + c];
        assert_true(each[c].recall == (double)confusion[c * CLASSES + c] / (double)each[c].rows);
    }
    assert_int_equal(sum, correct);
    assert_true(all.balanced_accuracy == (each[0].recall + each[1].recall + each[2].recall + each[3].recall) / CLASSES);
}

static void votes_follow_from_decision_values(void **state)
{
    static zoo z;
    FOR_EVERY_KERNEL(kernel)
        for (size_t i = 0; i < 2 * STORAGES; i++) {
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            s.kernel = (partan_kernel)kernel;
            s.multiclass = (partan_multiclass)(i % 2);
            s.coef0 = kernel == PARTAN_KERNEL_POLYNOMIAL;
            s.gamma = kernel == PARTAN_KERNEL_SIGMOID ? 0.01 : 0.2;
            if (kernel == PARTAN_KERNEL_PRECOMPUTED && i > 1)
                continue;
            fill(&z, every_storage(i / 2), 5 + i);
            partan_data *data = zoo_data(*state, &z, &s, every_storage(i / 2), false);
            partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
            check_predictions(*state, &z, data, &s, model);
            partan_model_free(model);
            partan_data_free(data);
        }
}

/* ---- Files ---- */

static void assert_same_predictions(partan_context *context, const partan_data *data, const partan_model *a,
                                    const partan_model *b, double tolerance)
{
    double x[ROWS * CLASSES * CLASSES], y[ROWS * CLASSES * CLASSES];
    size_t outputs = partan_model_outputs(a);
    assert_int_equal(outputs, partan_model_outputs(b));
    assert_int_equal(partan_predict(context, a, data, x), PARTAN_OK);
    assert_int_equal(partan_predict(context, b, data, y), PARTAN_OK);
    for (size_t i = 0; i < ROWS * outputs; i++)
        if (!(fabs(fabs(x[i]) - fabs(y[i])) <= tolerance))
            fail_msg("%.17g and %.17g", x[i], y[i]);
}

static partan_model *through_memory(partan_context *context, const partan_model *model, partan_model_format format)
{
    char *bytes = NULL;
    size_t size = 0;
    partan_model *read = NULL;
    assert_int_equal(partan_model_to_memory(context, model, format, &bytes, &size), PARTAN_OK);
    assert_int_equal(partan_model_from_memory(context, bytes, size, &read), PARTAN_OK);
    partan_free(context, bytes);
    return read;
}

static void files_keep_everything(void **state)
{
    static zoo z;
    for (size_t i = 0; i < 2 * STORAGES; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.multiclass = (partan_multiclass)(i % 2);
        s.scale = i % 3 == 1 ? PARTAN_SCALE_STANDARD : PARTAN_SCALE_NONE;
        s.balanced = i % 2;
        fill(&z, every_storage(i / 2), 5 + i);
        partan_data *data = zoo_data(*state, &z, &s, every_storage(i / 2), i % 2);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        partan_model *read = through_memory(*state, model, PARTAN_MODEL_NATIVE);
        check_verified(*state, read, data);
        assert_same_predictions(*state, data, model, read, 0);
        assert_true(read->result.iterations == model->result.iterations && read->result.gap == model->result.gap);
        for (int class = 0; class < CLASSES; class ++) {
            assert_true(partan_model_class_weight(read, class) == partan_model_class_weight(model, class));
            assert_true(i % 2 || partan_model_class_weight(read, class) == 1);
        }
        partan_model_free(read);
        if (i % 2 == 0 && s.scale == PARTAN_SCALE_NONE) {
            read = through_memory(*state, model, PARTAN_MODEL_LIBSVM);
            assert_same_predictions(*state, data, model, read, 1e-6);
            partan_model *again = through_memory(*state, read, PARTAN_MODEL_LIBSVM);
            assert_same_predictions(*state, data, read, again, 1e-6);
            partan_model_free(again);
            partan_model_free(read);
        }
        partan_model_free(model);
        partan_data_free(data);
    }
}

/* ---- Claims ---- */

static void false_claims_of_a_machine_are_found(void **state)
{
    static zoo z;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.max_iter = 3; /* a solved machine's gap may be 0, and half of that as well */
    fill(&z, PARTAN_STORAGE_DENSE, 8);
    partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, true);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
    assert_true(model->machines[4]->result.relative_gap > 0.01 && !model->machines[4]->result.gap_is_bound);
    check_verified(*state, model, data);
    for (int lie = 0; lie < 5; lie++) {
        partan_model *read = through_memory(*state, model, PARTAN_MODEL_NATIVE);
        partan_model *part = read->machines[4];
        partan_verification found;
        partan_verification_init(&found);
        part->result.gap /= lie == 0 ? 2 : 1;
        part->bias += lie == 1 ? 0.01 : 0;
        part->weights[0] *= lie == 2 ? 1.5 : 1;
        read->origin[part->members[0]] += lie == 3 ? 1 : 0;
        read->fingerprint += lie == 4;
        assert_int_equal(partan_verify(*state, read, data, &found), PARTAN_OK);
        assert_false(found.matches);
        assert_true(lie == 3 || lie == 4 || strstr(found.reason, "machine 5 ('dog' against 'bee'): ") == found.reason);
        partan_model_free(read);
    }
    /* The whole has the worst machine's numbers. */
    double worst = 0;
    for (size_t m = 0; m < model->machine_count; m++)
        worst = fmax(worst, model->machines[m]->result.relative_gap);
    assert_true(worst == partan_model_result(model)->relative_gap);
    partan_model_free(model);
    partan_data_free(data);
}

static void rows_and_classes_have_weights(void **state)
{
    static zoo z;
    static const partan_class_weight list[] = {{"7", 2}, {"0.0", 0.5}}, none[] = {{"5", 2}};
    for (int multiclass = 0; multiclass < 2; multiclass++) {
        double weights[ROWS];
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.multiclass = (partan_multiclass)multiclass;
        fill(&z, PARTAN_STORAGE_DENSE, 9);
        partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false);
        s.class_weights = list;
        s.class_weight_count = 2;
        partan_model *by_class = train(*state, data, &s, NULL, PARTAN_OK);
        for (size_t i = 0; i < ROWS; i++)
            weights[i] = z.class[i] == 3 ? 2 : z.class[i] == 1 ? 0.5 : 1;
        s.class_weight_count = 0;
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        partan_model *by_row = train(*state, data, &s, NULL, PARTAN_OK);
        assert_same_predictions(*state, data, by_class, by_row, 0);
        weights[5] = weights[7] = 0;
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        partan_model *fewer = train(*state, data, &s, NULL, PARTAN_OK);
        for (size_t i = 0; i < fewer->count; i++)
            assert_true(fewer->origin[i] != 5 && fewer->origin[i] != 7);
        s.class_weights = none;
        s.class_weight_count = 1;
        partan_model *model = NULL;
        assert_int_equal(partan_train(*state, data, &s, NULL, &model), PARTAN_ERROR_DATA);
        assert_string_equal(partan_error(*state), "data: found a weight for class '5', expected one of the 4 classes");
        partan_model_free(fewer);
        partan_model_free(by_class);
        partan_model_free(by_row);
        partan_data_free(data);
    }
}

/* A class that weighs nothing is none: two are left, or three. */
static void a_class_of_weight_0_is_left_out(void **state)
{
    static zoo z;
    for (int gone = 1; gone <= 2; gone++) {
        double weights[ROWS];
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        fill(&z, PARTAN_STORAGE_DENSE, 9);
        partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, true);
        for (size_t i = 0; i < ROWS; i++)
            weights[i] = z.class[i] >= gone;
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_int_equal(partan_model_class_count(model), CLASSES - gone);
        assert_int_equal(model->machine_count, gone == 1 ? 3 : 0);
        assert_string_equal(partan_model_label_text(model, 0), words[gone]);
        partan_model_free(model);
        partan_data_free(data);
    }
}

/* ---- Cross-validation ---- */

typedef struct held_rows {
    double decision[ROWS * CLASSES * CLASSES];
    size_t rows;
} held_rows;

static void take_held(void *user, const partan_model *model, const size_t *rows, size_t count, const double *decision)
{
    held_rows *found = user;
    size_t outputs = partan_model_outputs(model);
    for (size_t i = 0; i < count * outputs; i++)
        found->decision[rows[i / outputs] * outputs + i % outputs] = decision[i];
    found->rows += count;
}

static void cross_validation_has_the_values_of_all_machines(void **state)
{
    static zoo z;
    for (int multiclass = 0; multiclass < 2; multiclass++) {
        double decision[ROWS * CLASSES * CLASSES], weights[ROWS];
        size_t outputs = multiclass ? CLASSES : CLASSES * (CLASSES - 1) / 2;
        held_rows found = {.rows = 0};
        partan_evaluation evaluation;
        partan_evaluation_init(&evaluation);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        s.multiclass = (partan_multiclass)multiclass;
        fill(&z, PARTAN_STORAGE_DENSE, 9);
        partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false);
        assert_int_equal(partan_cross_validate(*state, data, &s, 3, 1, NULL, NULL, decision, &evaluation), PARTAN_OK);
        assert_int_equal(partan_cross_predict(*state, data, &s, 3, 1, NULL, take_held, &found, &evaluation), PARTAN_OK);
        assert_int_equal(found.rows, ROWS);
        assert_memory_equal(decision, found.decision, ROWS * outputs * sizeof *decision);
        /* A class without weight has no machines. */
        for (size_t i = 0; i < ROWS; i++)
            weights[i] = z.class[i] > 0;
        assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        assert_int_equal(partan_cross_validate(*state, data, &s, 3, 1, NULL, NULL, decision, &evaluation),
                         PARTAN_ERROR_DATA);
        assert_string_equal(
            partan_error(*state),
            "data: the rows to train on for fold 1 have other classes with weight than all rows have classes");
        partan_data_free(data);
    }
}

/* ---- Initial models ---- */

/* From a model that is solved, nothing is left to do: for every machine, its own start was found. */
static void assert_done_at_once(partan_context *context, const partan_data *data, const partan_settings *s,
                                const partan_model *start)
{
    partan_settings loose = *s;
    loose.tol = 0.01; /* the start was trained to less */
    partan_model *model = train(context, data, &loose, start, PARTAN_OK);
    if (model->result.iterations != 0)
        fail_msg("%lld iterations", (long long)model->result.iterations);
    partan_model_free(model);
}

static void machines_start_from_those_of_the_same_classes(void **state)
{
    static zoo z;
    for (size_t i = 0; i < 2 * STORAGES + 2; i++) {
        partan_settings s = defaults(PARTAN_SOLVER_FW);
        partan_storage storage = every_storage(i / 2 % STORAGES);
        double weights[ROWS];
        s.multiclass = (partan_multiclass)(i % 2);
        s.kernel = i < 2 * STORAGES ? PARTAN_KERNEL_RBF : PARTAN_KERNEL_PRECOMPUTED;
        s.tol = 1e-3;
        fill(&z, storage, 5 + i);
        partan_data *data = zoo_data(*state, &z, &s, storage, false);
        for (size_t row = 0; row < ROWS; row++)
            weights[row] = row % 7 == 1 ? 0 : 1 + (double)(row % 2);
        if (i % 4 >= 2)
            assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
        partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
        assert_true(model->result.iterations > 0);
        assert_done_at_once(*state, data, &s, model);
        model->fingerprint++; /* not known by numbers any more */
        if (s.kernel != PARTAN_KERNEL_PRECOMPUTED)
            assert_done_at_once(*state, data, &s, model);
        if (i % 2 == 0 && s.kernel != PARTAN_KERNEL_PRECOMPUTED) {
            partan_model *read = through_memory(*state, model, PARTAN_MODEL_LIBSVM);
            assert_done_at_once(*state, data, &s, read);
            partan_model_free(read);
        }
        partan_model_free(model);
        partan_data_free(data);
    }
}

static void assert_refused(partan_context *context, const partan_data *data, const partan_settings *s,
                           const partan_model *start, const char *sentence)
{
    partan_model *model = NULL;
    assert_int_equal(partan_train(context, data, s, start, &model), PARTAN_ERROR_DATA);
    assert_null(model);
    assert_string_equal(partan_error(context), sentence);
}

static void initial_models_of_other_classes_are_refused(void **state)
{
    static zoo z;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO), other = s;
    fill(&z, PARTAN_STORAGE_DENSE, 8);
    partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, true);
    partan_data *apart = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK), *two = NULL;
    assert_refused(*state, apart, &s, model, "class '-3' of the data is none of the initial model's 4 classes");
    other.multiclass = PARTAN_ONE_VS_REST;
    assert_refused(*state, data, &other, model,
                   "the initial model has a machine for each pair of classes, expected multiclass ovr as in this "
                   "training");
    for (size_t row = 0; row < ROWS; row++)
        apart->labels[row] = (double)(row % 2);
    two = train(*state, apart, &s, NULL, PARTAN_OK);
    assert_refused(*state, data, &s, two, "the initial model has 2 classes, the data 4");
    assert_refused(*state, apart, &s, model, "the initial model has 4 classes, the data two");
    /* None of its rows, or rows of other classes, whatever the file says. */
    for (size_t i = 0; i < model->count; i++)
        model->origin[i] = i % 2 ? 1 << 20 : (model->origin[i] + 1) % ROWS;
    partan_model *from = NULL;
    partan_status status = partan_train(*state, data, &s, model, &from);
    assert_true(status == PARTAN_OK || status == PARTAN_ERROR_DATA);
    partan_model_free(from);
    model->fingerprint++;
    for (size_t i = 0; i < model->count; i++)
        model->class_of[i] = (model->class_of[i] + 1) % CLASSES;
    assert_refused(*state, data, &s, model, "data: no row is a support vector of the initial model");
    partan_model_free(model);
    partan_model_free(two);
    partan_data_free(data);
    partan_data_free(apart);
}

typedef struct costs {
    partan_context *context;
    const partan_data *data;
    int64_t iterations[3];
} costs;

static int take_cost(void *user, size_t i, partan_model *model)
{
    costs *at = user;
    check_verified(at->context, model, at->data);
    at->iterations[i] = model->result.iterations;
    partan_model_free(model);
    return 0;
}

static void points_of_a_path_start_from_the_last(void **state)
{
    static zoo z;
    static const double values[] = {1, 1, 1.05};
    for (int multiclass = 0; multiclass < 2; multiclass++) {
        partan_settings s = defaults(PARTAN_SOLVER_FW);
        s.multiclass = (partan_multiclass)multiclass;
        s.tol = 1e-3;
        fill(&z, PARTAN_STORAGE_DENSE, 8);
        partan_data *data = zoo_data(*state, &z, &s, PARTAN_STORAGE_DENSE, false);
        costs at = {.context = *state, .data = data};
        assert_int_equal(partan_path(*state, data, &s, values, 3, take_cost, &at), PARTAN_OK);
        assert_true(at.iterations[0] > 0 && at.iterations[1] == 0 && at.iterations[2] < at.iterations[0]);
        partan_data_free(data);
    }
}

/* ---- Limits ---- */

static void limits_leave_every_machine(void **state)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_data *data = generate(*state, "ringnorm", 4000);
    for (size_t i = 0; i < 4000; i++)
        data->labels[i] = (double)(i % 5); /* nothing to learn, and so much to do */
    s.tol = 1e-9;
    s.time_limit = 0.2;
    partan_model *model = train(*state, data, &s, NULL, PARTAN_TIME_LIMIT);
    assert_int_equal(partan_model_outputs(model), 10);
    partan_model_free(model);
    partan_interrupt(*state);
    s.time_limit = 0;
    model = train(*state, data, &s, NULL, PARTAN_INTERRUPTED);
    assert_int_equal(partan_model_outputs(model), 10);
    assert_int_equal(model->machines[9]->count, 2);
    assert_int_equal(model->machines[9]->result.status, PARTAN_INTERRUPTED);
    partan_model_free(model);
    s.max_iter = 3;
    model = train(*state, data, &s, NULL, PARTAN_ITERATION_LIMIT);
    assert_int_equal(partan_model_result(model)->iterations, 30);
    partan_model_free(model);
    partan_data_free(data);
}

/* What is left when a run is to end is made of two rows, and its gap is bounded: verify recomputes that. */
static void machines_that_are_not_trained_are_certified(void **state)
{
    static zoo z;
    FOR_EVERY_KERNEL(kernel)
        for (size_t i = 0; i < 2 * STORAGES; i++) {
            partan_settings s = defaults(PARTAN_SOLVER_AUTO);
            double weights[ROWS];
            s.kernel = (partan_kernel)kernel;
            s.multiclass = (partan_multiclass)(i % 2);
            s.coef0 = kernel == PARTAN_KERNEL_POLYNOMIAL;
            s.gamma = kernel == PARTAN_KERNEL_SIGMOID ? 0.01 : 0.2;
            if (kernel == PARTAN_KERNEL_PRECOMPUTED && i > 1)
                continue;
            fill(&z, every_storage(i / 2), 5 + i);
            partan_data *data = zoo_data(*state, &z, &s, every_storage(i / 2), false);
            for (size_t row = 0; row < ROWS; row++)
                weights[row] = 0.5 + (double)(row % 3);
            assert_int_equal(partan_data_set_weights(*state, data, weights), PARTAN_OK);
            s.balanced = 1;
            s.time_limit = 1e-9;
            partan_model *model = train(*state, data, &s, NULL, PARTAN_TIME_LIMIT);
            for (size_t m = 0; m < model->machine_count; m++) {
                const partan_model *one = model->machines[m];
                assert_int_equal(one->count, 2);
                assert_int_equal(one->result.status, PARTAN_TIME_LIMIT);
                assert_true(one->result.gap_is_bound && !one->result.converged);
                assert_int_equal(one->result.iterations, 0);
            }
            partan_model_free(model);
            partan_data_free(data);
        }
}

/* Side by side on several threads, or one after the other: the same bits. */
static void threads_do_not_matter(void **state)
{
    partan_model *model[2] = {NULL, NULL};
    double *decision[2];
    (void)state;
    for (int i = 0; i < 2; i++) {
        partan_context_options options;
        partan_context_options_init(&options);
        options.threads = i ? 3 : 1;
        partan_context *context = partan_create(&options);
        partan_settings s = defaults(PARTAN_SOLVER_AUTO);
        partan_data *data = generate(context, "ringnorm", 600);
        for (size_t row = 0; row < 600; row++)
            data->labels[row] += (double)(10 * (row % 4)); /* eight classes */
        model[i] = train(context, data, &s, NULL, PARTAN_OK);
        decision[i] = malloc(600 * 28 * sizeof(double));
        assert_int_equal(partan_model_outputs(model[i]), 28);
        assert_int_equal(partan_predict(context, model[i], data, decision[i]), PARTAN_OK);
        if (i)
            assert_memory_equal(decision[0], decision[1], 600 * 28 * sizeof(double));
        /* A failure of one machine has its sentence. */
        s.kernel = PARTAN_KERNEL_POLYNOMIAL;
        s.gamma = 1e30;
        partan_model *none = NULL;
        assert_int_equal(partan_train(context, data, &s, NULL, &none), PARTAN_ERROR_NUMERIC);
        assert_true(*partan_error(context));
        partan_model_free(model[i]);
        partan_data_free(data);
        partan_destroy(context);
    }
    free(decision[0]);
    free(decision[1]);
}

static int stop_at_once(void *user, const partan_progress *progress)
{
    (void)user, (void)progress;
    return 1;
}

static void a_callback_stops_all_machines(void **state)
{
    partan_context_options options;
    (void)state;
    partan_context_options_init(&options);
    options.threads = 2;
    options.progress = stop_at_once;
    partan_context *context = partan_create(&options);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_data *data = generate(context, "ringnorm", 3000);
    for (size_t row = 0; row < 3000; row++)
        data->labels[row] = (double)(row % 10);
    s.tol = 1e-9;
    s.cost = 1000;
    partan_model *model = NULL;
    assert_int_equal(partan_train(context, data, &s, NULL, &model), PARTAN_INTERRUPTED);
    assert_int_equal(partan_model_outputs(model), 45);
    context->options.progress = NULL;
    check_verified(context, model, data);
    partan_model_free(model);
    partan_data_free(data);
    partan_destroy(context);
}

static partan_status train_and_ask(partan_context *context)
{
    static zoo z;
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    double decision[ROWS * CLASSES * CLASSES];
    partan_model *model = NULL, *read = NULL, *again = NULL;
    char *bytes = NULL;
    size_t size;
    partan_verification found;
    partan_verification_init(&found);
    fill(&z, PARTAN_STORAGE_DENSE, 8);
    partan_data *data = NULL;
    partan_status status =
        dense_data(context, z.t.values[0], ROWS, FEATURES, TOY_FEATURES, z.t.labels, PARTAN_STORAGE_DENSE, &data);
    if (!status)
        status = partan_train(context, data, &s, NULL, &model);
    if (!status)
        status = partan_train(context, data, &s, model, &again);
    if (!status)
        status = partan_predict(context, model, data, decision);
    if (!status)
        status = partan_verify(context, model, data, &found);
    if (!status)
        status = partan_model_to_memory(context, model, PARTAN_MODEL_NATIVE, &bytes, &size);
    if (!status)
        status = partan_model_from_memory(context, bytes, size, &read);
    partan_free(context, bytes);
    partan_model_free(read);
    partan_model_free(again);
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

static void without_memory_it_fails_cleanly(void **state)
{
    (void)state;
    check_every_allocation(train_and_ask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(machines_are_models_of_two_classes),
        SERIAL_TEST(votes_follow_from_decision_values),
        SERIAL_TEST(files_keep_everything),
        SERIAL_TEST(false_claims_of_a_machine_are_found),
        SERIAL_TEST(rows_and_classes_have_weights),
        SERIAL_TEST(cross_validation_has_the_values_of_all_machines),
        SERIAL_TEST(machines_start_from_those_of_the_same_classes),
        SERIAL_TEST(initial_models_of_other_classes_are_refused),
        SERIAL_TEST(points_of_a_path_start_from_the_last),
        CONTEXT_TEST(limits_leave_every_machine),
        SERIAL_TEST(machines_that_are_not_trained_are_certified),
        SERIAL_TEST(a_class_of_weight_0_is_left_out),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(a_callback_stops_all_machines),
        cmocka_unit_test(without_memory_it_fails_cleanly),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
