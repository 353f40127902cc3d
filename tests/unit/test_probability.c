/* Sigmoids and coupling, against plain optimisers and systems of equations; and what models make of them: sums of one,
 * the most probable class, log-loss, Brier score and reliability, files of both formats. */
#include <math.h>
#include <string.h>

#include "svm/probability/fit.h"
#include "training.h"

/* ---- The fit of a sigmoid ---- */

enum { VALUES = 36 };

/* Platt's objective as it is in the paper, in long double: -sum of target log p + (1 - target) log(1 - p). */
static long double likelihood(const pt_held *values, size_t count, long double slope, long double offset)
{
    long double sum = 0, n[2] = {0, 0};
    for (size_t i = 0; i < count; i++)
        n[values[i].positive] += (long double)values[i].weight;
    for (size_t i = 0; i < count; i++) {
        long double target = values[i].positive ? (n[1] + 1) / (n[1] + 2) : 1 / (n[0] + 2);
        long double p = 1 / (1 + expl(slope * (long double)values[i].decision + offset));
        sum -= (long double)values[i].weight * (target * logl(p) + (1 - target) * logl(1 - p));
    }
    return sum;
}

/* The least of a convex function between two ends, by thirds. */
static long double least_offset(const pt_held *values, size_t count, long double slope, long double *offset)
{
    long double low = -20, high = 20;
    for (int i = 0; i < 52; i++) {
        long double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (likelihood(values, count, slope, a) < likelihood(values, count, slope, b))
            high = b;
        else
            low = a;
    }
    *offset = (low + high) / 2;
    return likelihood(values, count, slope, *offset);
}

static long double least_of_all(const pt_held *values, size_t count, long double reach, long double *slope,
                                long double *offset)
{
    long double low = -reach, high = reach;
    for (int i = 0; i < 52; i++) {
        long double a = low + (high - low) / 3, b = high - (high - low) / 3;
        if (least_offset(values, count, a, offset) < least_offset(values, count, b, offset))
            high = b;
        else
            low = a;
    }
    *slope = (low + high) / 2;
    return least_offset(values, count, *slope, offset);
}

static void draw_values(pt_held *values, size_t count, double distance, double unit, bool weighted, uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < count; i++) {
        bool positive = i % 3 == 0;
        values[i] = (pt_held){.decision = unit * ((positive ? distance : -distance) + pt_random_normal(&random)),
                              .weight = weighted ? 0.1 + 3 * pt_random_uniform(&random) : 1,
                              .positive = positive};
    }
}

static void the_fit_is_the_least_of_platts_objective(void **state)
{
    static const struct {
        double distance, unit;
        size_t count;
        bool weighted;
    } cases[] = {{0.5, 1, VALUES, false}, {1, 1, VALUES, true},   {0, 1, VALUES, false}, {5, 1, VALUES, false},
                 {1, 1e6, 30, true},      {1, 1e-6, 30, false},   {-1, 1, 30, false},    {2, 1, 2, false},
                 {0.3, 1, 7, true},       {0.8, 1, VALUES, true}, {1, 1, 1, false}};
    (void)state;
    for (size_t k = 0; k < SOME_OF(sizeof cases / sizeof cases[0]); k++) {
        pt_held values[VALUES];
        long double slope, offset;
        draw_values(values, cases[k].count, cases[k].distance, cases[k].unit, cases[k].weighted, 7 + k);
        long double best = least_of_all(values, cases[k].count, 40 / (long double)cases[k].unit, &slope, &offset);
        pt_sigmoid found = pt_sigmoid_fit(NULL, values, cases[k].count);
        long double reached = likelihood(values, cases[k].count, (long double)found.slope, (long double)found.offset);
        assert_true(reached <= best + 1e-9L * fabsl(best));
        for (size_t i = 0; i < cases[k].count && cases[k].count > 2; i++) {
            long double p = 1 / (1 + expl(slope * (long double)values[i].decision + offset));
            assert_true(fabsl((long double)pt_sigmoid_at(found, values[i].decision) - p) < 1e-6L);
        }
    }
}

/* A weight of 3 is three rows. */
static void weights_count_as_repeated_values(void **state)
{
    pt_held values[40], repeated[120];
    size_t count = 0;
    (void)state;
    draw_values(values, 40, 0.7, 1, false, 3);
    for (size_t i = 0; i < 40; i++) {
        values[i].weight = (double)(1 + i % 3);
        for (size_t k = 0; k <= i % 3; k++) {
            repeated[count] = values[i];
            repeated[count++].weight = 1;
        }
    }
    pt_sigmoid a = pt_sigmoid_fit(NULL, values, 40), b = pt_sigmoid_fit(NULL, repeated, count);
    assert_true(fabs(a.slope - b.slope) < 1e-7 && fabs(a.offset - b.offset) < 1e-7);
}

static void sigmoids_are_finite_everywhere(void **state)
{
    (void)state;
    pt_sigmoid s = {-1, 0};
    assert_true(pt_sigmoid_at(s, 1e308) == 1 && pt_sigmoid_at(s, -1e308) == 0);
    assert_true(pt_sigmoid_at(s, 0) == 0.5);
    assert_true(fabs(pt_sigmoid_at(s, -700) / exp(-700) - 1) < 1e-12);
    pt_held all_equal[4] = {{2, 1, true}, {2, 1, false}, {2, 1, true}, {2, 1, true}}; /* nothing to tell them apart */
    double p = pt_sigmoid_at(pt_sigmoid_fit(NULL, all_equal, 4), 2);
    assert_true(fabs(p - (3 * 0.8 + 1 / 3.0) / 4) < 1e-6); /* the mean of the targets */
}

/* ---- Coupling ---- */

enum { MOST = 12 };

/* The least p'Qp with sum 1 from its conditions, Qp + b = 0 and sum p = 1, by elimination with pivots. */
static void solve_dense(size_t n, const double *pairs, double *p)
{
    long double m[MOST + 1][MOST + 2] = {{0}};
    for (size_t t = 0; t < n; t++) {
        for (size_t j = 0; j < n; j++)
            if (j != t) {
                long double loses = (long double)pairs[j * n + t], wins = (long double)pairs[t * n + j];
                m[t][t] += loses * loses;
                m[t][j] = -loses * wins;
            }
        m[t][n] = m[n][t] = 1;
    }
    m[n][n + 1] = 1;
    for (size_t c = 0; c <= n; c++) {
        size_t pivot = c;
        for (size_t r = c; r <= n; r++)
            pivot = fabsl(m[r][c]) > fabsl(m[pivot][c]) ? r : pivot;
        for (size_t k = 0; k <= n + 1; k++) {
            long double swap = m[c][k];
            m[c][k] = m[pivot][k];
            m[pivot][k] = swap;
        }
        for (size_t r = 0; r <= n; r++)
            for (long double factor = m[r][c] / m[c][c], k = 0; r != c && (size_t)k <= n + 1; k++)
                m[r][(size_t)k] -= factor * m[c][(size_t)k];
    }
    for (size_t t = 0; t < n; t++)
        p[t] = (double)(m[t][n + 1] / m[t][t]);
}

static void draw_pairs(size_t n, double reach, pt_random *random, double *pairs)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++) {
            double p = 1 / (1 + exp(reach * pt_random_normal(random)));
            pairs[i * n + j] = fmin(fmax(p, 1e-7), 1 - 1e-7);
            pairs[j * n + i] = 1 - pairs[i * n + j];
        }
}

static void coupling_solves_its_equations(void **state)
{
    (void)state;
    pt_random random;
    pt_random_seed(&random, 5);
    for (size_t k = 0; k < SOME_OF(300); k++) {
        size_t n = 2 + k % (MOST - 1);
        double pairs[MOST * MOST] = {0}, copy[MOST * MOST], p[MOST], exact[MOST], room[MOST], sum = 0;
        draw_pairs(n, k % 2 ? 1 : 6, &random, pairs);
        memcpy(copy, pairs, sizeof copy);
        solve_dense(n, pairs, exact);
        pt_couple(n, copy, room, 1e-10, 1000, p);
        for (size_t i = 0; i < n; i++) {
            sum += p[i];
            assert_true(p[i] >= 0);
            assert_true(fabs(p[i] - exact[i]) < (k % 2 ? 1e-8 : 1e-4)); /* wide ones are badly conditioned */
        }
        assert_true(fabs(sum - 1) < 1e-12);
    }
}

/* r_ij = p_i / (p_i + p_j) has p as its answer. */
static void consistent_pairs_give_their_probabilities_back(void **state)
{
    (void)state;
    double truth[5] = {0.4, 0.3, 0.2, 0.07, 0.03}, pairs[25] = {0}, room[5], p[5];
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 5; j++)
            pairs[i * 5 + j] = i == j ? 0 : truth[i] / (truth[i] + truth[j]);
    pt_couple(5, pairs, room, 1e-10, 1000, p);
    for (size_t i = 0; i < 5; i++)
        assert_true(fabs(p[i] - truth[i]) < 1e-8);
}

/* ---- Models ---- */

enum { ROWS = 240, FEATURES = 2 };

/* Clouds around points of a circle; labels count from 0. */
static partan_data *clouds(partan_context *context, size_t classes, size_t rows, double spread, uint64_t seed)
{
    float *values = malloc(rows * FEATURES * sizeof *values);
    double *labels = malloc(rows * sizeof *labels);
    pt_random random;
    partan_data *data = NULL;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < rows; i++) {
        labels[i] = (double)(i % classes);
        double angle = 6.283185307179586 * labels[i] / (double)classes;
        values[2 * i] = (float)(cos(angle) + spread * pt_random_normal(&random));
        values[2 * i + 1] = (float)(sin(angle) + spread * pt_random_normal(&random));
    }
    partan_dense array;
    partan_array_options options;
    partan_dense_init(&array);
    partan_array_options_init(&options);
    array.values = values;
    array.rows = rows;
    array.features = FEATURES;
    options.labels = labels;
    assert_int_equal(partan_data_from_dense(context, &array, &options, &data), PARTAN_OK);
    free(values);
    free(labels);
    return data;
}

static partan_model *calibrated(partan_context *context, const partan_data *data, partan_multiclass how)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.gamma = 1;
    s.cost = 1;
    s.multiclass = how;
    s.probability = 1;
    partan_model *model = train(context, data, &s, NULL, PARTAN_OK);
    assert_true(partan_model_has_probability(model));
    assert_int_equal(partan_model_probability_folds(model), 5);
    assert_int_equal(partan_model_settings(model)->probability, 1);
    return model;
}

/* Decision values and probabilities of all rows; to be freed. */
typedef struct predicted {
    size_t rows, classes, outputs;
    double *decision, *p;
} predicted;

static predicted predict(partan_context *context, const partan_model *model, const partan_data *data)
{
    predicted at = {partan_data_rows(data), partan_model_class_count(model), partan_model_outputs(model), NULL, NULL};
    at.decision = malloc(at.rows * at.outputs * sizeof *at.decision);
    at.p = malloc(at.rows * at.classes * sizeof *at.p);
    assert_int_equal(partan_predict(context, model, data, at.decision), PARTAN_OK);
    assert_int_equal(partan_probabilities(context, model, at.decision, at.rows, at.p), PARTAN_OK);
    return at;
}

static void forget(predicted *at)
{
    free(at->decision);
    free(at->p);
}

static int greatest(const double *p, size_t count)
{
    int best = 0;
    for (size_t i = 1; i < count; i++)
        best = p[i] > p[best] ? (int)i : best;
    return best;
}

static const struct {
    size_t classes;
    partan_multiclass how;
} shapes[] = {{2, PARTAN_ONE_VS_ONE}, {3, PARTAN_ONE_VS_ONE}, {5, PARTAN_ONE_VS_REST}, {7, PARTAN_ONE_VS_ONE}};

enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static void the_most_probable_class_is_the_prediction(void **state)
{
    size_t other = 0;
    for (size_t k = 0; k < SHAPES; k++) {
        partan_data *data = clouds(*state, shapes[k].classes, ROWS, 0.8, 1);
        partan_model *model = calibrated(*state, data, shapes[k].how);
        predicted at = predict(*state, model, data);
        for (size_t row = 0; row < at.rows; row++) {
            double sum = 0;
            for (size_t i = 0; i < at.classes; i++) {
                sum += at.p[row * at.classes + i];
                assert_true(at.p[row * at.classes + i] > 0 && at.p[row * at.classes + i] < 1);
            }
            assert_true(fabs(sum - 1) < 1e-12);
            int class = partan_model_decide(model, at.decision + row * at.outputs);
            assert_int_equal(class, greatest(at.p + row * at.classes, at.classes));
            assert_int_equal(partan_model_use_probability(model, 0), PARTAN_OK);
            other += partan_model_decide(model, at.decision + row * at.outputs) != class;
            assert_int_equal(partan_model_use_probability(model, 1), PARTAN_OK);
        }
        forget(&at);
        partan_model_free(model);
        partan_data_free(data);
    }
    assert_true(other > 0); /* votes are another rule */
}

/* One against the rest: the machines' own probabilities, divided by their sum. */
static void one_against_the_rest_is_normalised(void **state)
{
    partan_data *data = clouds(*state, 4, ROWS, 0.7, 2);
    partan_model *model = calibrated(*state, data, PARTAN_ONE_VS_REST);
    predicted at = predict(*state, model, data);
    for (size_t row = 0; row < at.rows; row++) {
        double own[4], sum = 0;
        for (size_t i = 0; i < 4; i++) {
            double slope, offset;
            assert_int_equal(partan_model_sigmoid(model, i, &slope, &offset), PARTAN_OK);
            own[i] = 1 / (1 + exp(slope * at.decision[row * 4 + i] + offset));
            sum += own[i];
        }
        for (size_t i = 0; i < 4; i++)
            assert_true(fabs(at.p[row * 4 + i] - own[i] / sum) < 1e-6);
    }
    forget(&at);
    partan_model_free(model);
    partan_data_free(data);
}

/* More classes than are decided between without memory of their own. */
static void many_classes_are_decided_in_the_same_way(void **state)
{
    partan_data *data = clouds(*state, 66, 132, 0.1, 3);
    partan_model *model = calibrated(*state, data, PARTAN_ONE_VS_ONE);
    predicted at = predict(*state, model, data);
    for (size_t row = 0; row < at.rows; row += 7)
        assert_int_equal(partan_model_decide(model, at.decision + row * at.outputs),
                         greatest(at.p + row * at.classes, at.classes));
    forget(&at);
    partan_model_free(model);
    partan_data_free(data);
}

static void scores_are_those_of_their_formulas(void **state)
{
    for (size_t k = 0; k < SHAPES; k++) {
        partan_data *data = clouds(*state, shapes[k].classes, ROWS, 0.8, 1),
                    *test = clouds(*state, shapes[k].classes, ROWS, 0.8, 2);
        partan_model *model = calibrated(*state, data, shapes[k].how);
        predicted at = predict(*state, model, test);
        double loss = 0, brier = 0;
        uint64_t correct = 0, rows[4] = {0}, hits[4] = {0};
        for (size_t row = 0; row < at.rows; row++) {
            size_t class = row % at.classes;
            const double *p = at.p + row * at.classes;
            int best = greatest(p, at.classes);
            loss -= log(p[class]);
            for (size_t i = 0; i < at.classes; i++)
                brier += pow(p[i] - (i == class), 2) / (at.classes == 2 ? 2 : 1);
            correct += best == (int)class;
            int about = at.classes == 2 ? 1 : best;
            size_t bin = p[about] < 0.25 ? 0 : p[about] < 0.5 ? 1 : p[about] < 0.75 ? 2 : 3;
            rows[bin]++;
            hits[bin] += about == (int)class;
        }
        partan_evaluation found;
        partan_evaluation_init(&found);
        assert_int_equal(partan_evaluate(*state, model, test, at.decision, NULL, NULL, &found), PARTAN_OK);
        assert_true(fabs(found.log_loss - loss / ROWS) < 1e-12);
        assert_true(fabs(found.brier - brier / ROWS) < 1e-12);
        assert_int_equal(found.correct, correct);
        partan_reliability_bin bins[4];
        assert_int_equal(partan_reliability(*state, model, test, at.decision, 4, bins), PARTAN_OK);
        for (size_t i = 0; i < 4; i++) {
            assert_true(bins[i].least == 0.25 * (double)i);
            assert_int_equal(bins[i].rows, rows[i]);
            assert_int_equal(bins[i].hits, hits[i]);
            assert_true(rows[i] == 0
                            ? isnan(bins[i].probability)
                            : bins[i].probability >= bins[i].least && bins[i].probability <= bins[i].least + 0.25);
        }
        assert_int_equal(partan_model_use_probability(model, 0), PARTAN_OK);
        assert_int_equal(partan_evaluate(*state, model, test, at.decision, NULL, NULL, &found), PARTAN_OK);
        assert_true(isnan(found.log_loss) && isnan(found.brier));
        forget(&at);
        partan_model_free(model);
        partan_data_free(data);
        partan_data_free(test);
    }
}

static partan_model *again(partan_context *context, const partan_model *model, partan_model_format format)
{
    char *bytes;
    size_t size;
    partan_model *copy = NULL;
    assert_int_equal(partan_model_to_memory(context, model, format, &bytes, &size), PARTAN_OK);
    assert_int_equal(partan_model_from_memory(context, bytes, size, &copy), PARTAN_OK);
    partan_free(context, bytes);
    return copy;
}

/* Native files to the last bit. LIBSVM's pairs are the other way round, its coupling ends earlier, and its labels are
 * by votes until probabilities are asked for. */
static void files_keep_probabilities(void **state)
{
    size_t by_votes = 0;
    for (size_t k = 0; k < SHAPES; k++) {
        partan_data *data = clouds(*state, shapes[k].classes, ROWS, 0.8, 4);
        partan_model *model = calibrated(*state, data, shapes[k].how);
        predicted at = predict(*state, model, data);
        partan_model *native = again(*state, model, PARTAN_MODEL_NATIVE);
        predicted same = predict(*state, native, data);
        assert_int_equal(partan_model_probability_folds(native), 5);
        assert_memory_equal(at.p, same.p, at.rows * at.classes * sizeof *at.p);
        assert_int_equal(partan_model_decide(native, same.decision), greatest(same.p, same.classes));
        forget(&same);
        partan_model_free(native);
        if (shapes[k].how == PARTAN_ONE_VS_ONE) {
            partan_model *libsvm = again(*state, model, PARTAN_MODEL_LIBSVM);
            assert_true(partan_model_has_probability(libsvm) && partan_model_probability_folds(libsvm) == 0);
            same = predict(*state, libsvm, data);
            for (size_t i = 0; i < at.rows * at.classes; i++)
                assert_true(fabs(at.p[i] - same.p[i]) < (at.classes == 2 ? 1e-6 : 0.02));
            for (size_t row = 0; row < at.rows; row++)
                by_votes += partan_model_decide(libsvm, same.decision + row * same.outputs)
                            != greatest(same.p + row * same.classes, same.classes);
            assert_int_equal(partan_model_use_probability(libsvm, 1), PARTAN_OK);
            for (size_t row = 0; row < at.rows; row++)
                assert_int_equal(partan_model_decide(libsvm, same.decision + row * same.outputs),
                                 greatest(same.p + row * same.classes, same.classes));
            forget(&same);
            partan_model_free(libsvm);
        }
        forget(&at);
        partan_model_free(model);
        partan_data_free(data);
    }
    assert_true(by_votes > 0);
}

static void models_without_probabilities_say_so(void **state)
{
    partan_data *data = clouds(*state, 2, ROWS, 0.8, 5);
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    partan_model *model = train(*state, data, &s, NULL, PARTAN_OK);
    double value[ROWS] = {0}, p[2 * ROWS], slope, offset;
    partan_reliability_bin bins[2];
    assert_false(partan_model_has_probability(model));
    assert_int_equal(partan_model_probability_folds(model), 0);
    assert_int_equal(partan_probabilities(*state, model, value, 1, p), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "has no probabilities"));
    assert_int_equal(partan_model_sigmoid(model, 0, &slope, &offset), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_model_use_probability(model, 1), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_model_use_probability(model, 0), PARTAN_OK);
    assert_int_equal(partan_reliability(*state, model, data, value, 2, bins), PARTAN_ERROR_ARGUMENT);
    partan_model_free(model);
    model = calibrated(*state, data, PARTAN_ONE_VS_ONE);
    assert_int_equal(partan_model_sigmoid(model, 1, &slope, &offset), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_reliability(*state, model, data, value, 0, bins), PARTAN_ERROR_ARGUMENT);
    partan_model_free(model);
    s.problem = PARTAN_REGRESSION;
    s.probability = 1;
    assert_int_equal(partan_settings_check(*state, &s), PARTAN_ERROR_ARGUMENT);
    assert_non_null(strstr(partan_error(*state), "probability is for classification"));
    partan_data_free(data);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(the_fit_is_the_least_of_platts_objective),
        CONTEXT_TEST(weights_count_as_repeated_values),
        CONTEXT_TEST(sigmoids_are_finite_everywhere),
        CONTEXT_TEST(coupling_solves_its_equations),
        CONTEXT_TEST(consistent_pairs_give_their_probabilities_back),
        CONTEXT_TEST(the_most_probable_class_is_the_prediction),
        CONTEXT_TEST(one_against_the_rest_is_normalised),
        CONTEXT_TEST(many_classes_are_decided_in_the_same_way),
        CONTEXT_TEST(scores_are_those_of_their_formulas),
        CONTEXT_TEST(files_keep_probabilities),
        CONTEXT_TEST(models_without_probabilities_say_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
