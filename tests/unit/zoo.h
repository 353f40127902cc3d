/* Four clouds of rows, one a class, for the tests of more than two classes. */
#ifndef ZOO_H
#define ZOO_H

#include "training.h"

enum { ROWS = 60, FEATURES = 6, CLASSES = 4 };

/* Labels are numbers with gaps, or words. */
static const double zoo_numbers[CLASSES] = {-3, 0, 2, 7.0};
static const char *const zoo_words[CLASSES] = {"ape", "bee", "cat", "dog"};

typedef struct zoo {
    toy t;
    int class[ROWS];
    const char *word[ROWS];
} zoo;

static inline void zoo_fill(zoo *z, partan_storage storage, uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    toy_fill_for(&z->t, ROWS, FEATURES, storage, seed);
    for (size_t i = 0; i < ROWS; i++) {
        z->class[i] = i < CLASSES ? (int)(CLASSES - 1 - i) : (int)pt_random_below(&random, CLASSES);
        z->t.labels[i] = zoo_numbers[z->class[i]];
        z->word[i] = zoo_words[z->class[i]];
        z->t.values[i][z->class[i]] = storable(storage, 1);
        z->t.values[i][(z->class[i] + 1) % CLASSES] = 0;
    }
}

static inline partan_data *zoo_data(partan_context *context, const zoo *z, const partan_settings *s,
                                    partan_storage storage, bool by_word)
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

static inline partan_model *through_memory(partan_context *context, const partan_model *model,
                                           partan_model_format format)
{
    char *bytes = NULL;
    size_t size = 0;
    partan_model *read = NULL;
    assert_int_equal(partan_model_to_memory(context, model, format, &bytes, &size), PARTAN_OK);
    assert_int_equal(partan_model_from_memory(context, bytes, size, &read), PARTAN_OK);
    partan_free(context, bytes);
    return read;
}

#endif
