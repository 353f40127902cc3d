/* Checkpoints of any bytes, for a training of three machines on 50 rows. What is accepted has vertices that may be
 * there, and each machine once. */
#include <stdint.h>
#include <stdlib.h>

#include "svm/checkpoint/checkpoint.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void require(int condition)
{
    if (!condition)
        abort();
}

static void check(const pt_checkpoint *c)
{
    require(c->seconds >= 0);
    for (size_t i = 0; i < c->about.machines; i++) {
        const pt_saved *saved = &c->machines[i];
        require(saved->number == 0 || (saved->number == i + 1 && saved->count > 0));
        for (size_t k = 0; k < saved->count; k++)
            require(saved->ids[k] >= 0 && saved->ids[k] <= 100 && saved->weights[k] > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *context = partan_create(&options);
    require(context != NULL);
    partan_train_options none;
    partan_train_options_init(&none);
    pt_checkpoint_about about = {.version = "0.1.0", .rows = 50, .features = 2, .machines = 3};
    partan_settings_init(&about.settings);
    about.settings.gamma = 0.5;
    pt_checkpoint c;
    require(pt_checkpoint_open(&c, context, &none, &about) == PARTAN_OK);
    partan_status status = pt_checkpoint_parse(&c, "fuzz", (const char *)bytes, size);
    require(status == PARTAN_OK || *partan_error(context));
    if (status == PARTAN_OK)
        check(&c);
    pt_checkpoint_close(&c);
    partan_destroy(context);
    return 0;
}
