/* Training through the public interface in few words: settings, data, a model whose claims are checked. */
#ifndef TRAINING_H
#define TRAINING_H

#include "toy.h"

static inline partan_settings defaults(partan_solver solver)
{
    partan_settings s;
    partan_settings_init(&s);
    s.solver = solver;
    s.gamma_rule = PARTAN_GAMMA_VALUE;
    s.gamma = 0.1;
    s.cost = 10;
    return s;
}

/* Of regressions on "friedman". */
static inline partan_settings friedman_settings(void)
{
    partan_settings s = defaults(PARTAN_SOLVER_AUTO);
    s.problem = PARTAN_REGRESSION;
    s.gamma = 0.3;
    return s;
}

static inline partan_data *generate(partan_context *context, const char *kind, uint64_t rows)
{
    partan_generator_options make;
    partan_generator_options_init(&make);
    make.kind = kind;
    make.rows = rows;
    partan_data *data = NULL;
    assert_int_equal(partan_generate(context, &make, PARTAN_STORAGE_AUTO, &data), PARTAN_OK);
    return data;
}

static inline void check_verified(partan_context *context, const partan_model *model, const partan_data *data)
{
    partan_verification found;
    partan_verification_init(&found);
    assert_non_null(model);
    assert_int_equal(partan_verify(context, model, data, &found), PARTAN_OK);
    if (!found.matches)
        fail_msg("verify: %s", found.reason);
}

/* Trains, checks the model, and returns it. */
static inline partan_model *train(partan_context *context, const partan_data *data, const partan_settings *s,
                                  const partan_model *start, partan_status expected)
{
    partan_model *model = NULL;
    partan_status status = partan_train(context, data, s, start, &model);
    if (status != expected)
        fail_msg("status %s: %s", partan_status_name(status), partan_error(context));
    check_verified(context, model, data);
    const partan_result *result = partan_model_result(model);
    assert_int_equal(result->status, status);
    assert_int_equal(result->converged, status == PARTAN_OK);
    return model;
}

static inline void assert_same_model(const partan_model *a, const partan_model *b)
{
    assert_int_equal(a->count, b->count);
    assert_memory_equal(a->weights, b->weights, a->count * sizeof *a->weights);
    assert_memory_equal(a->origin, b->origin, a->count * sizeof *a->origin);
    assert_int_equal(a->result.iterations, b->result.iterations);
}

#endif
