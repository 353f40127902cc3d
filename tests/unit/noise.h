/* Labels that are noise, and wide rows: nearly all of them become support vectors, and kernel values are dear. */
#ifndef NOISE_H
#define NOISE_H

#include "core/random.h"
#include "testing.h"

enum { ROWS = 900, FEATURES = 160 };

static inline partan_data *noise(partan_context *context, partan_storage storage)
{
    static float values[ROWS * FEATURES];
    static double labels[ROWS];
    pt_random random;
    pt_random_seed(&random, 3);
    partan_data *data = NULL;
    for (size_t i = 0; i < ROWS; i++) {
        for (size_t f = 0; f < FEATURES; f++)
            values[i * FEATURES + f] = storage == PARTAN_STORAGE_SPARSE && pt_random_below(&random, 2)
                                           ? 0
                                           : (float)pt_random_below(&random, 200);
        labels[i] = pt_random_below(&random, 2) ? 1 : -1;
    }
    return dense_data(context, values, ROWS, FEATURES, FEATURES, labels, storage, &data) ? NULL : data;
}

static inline partan_settings settings_of(int64_t cache)
{
    partan_settings s;
    partan_settings_init(&s);
    s.gamma = 4e-7;
    s.cost = 10;
    s.tol = 1e-3;
    s.cache_bytes = cache;
    return s;
}

#endif
