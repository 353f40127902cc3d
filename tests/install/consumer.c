/* What a user of the installed library would write first: generate a little data, train on it, verify and predict. The
 * library must be of the header's version, and right about what it trained. */
#include <partan/partan.h>
#include <stdio.h>
#include <string.h>

/* A program may use names that the library uses inside. */
int pt_alloc(void);
int pt_alloc(void)
{
    return 0;
}

static partan_status train_and_check(partan_context *context)
{
    partan_data *data = NULL;
    partan_model *model = NULL;
    partan_verification found;
    partan_verification_init(&found);
    partan_generator_options rows;
    partan_settings settings;
    partan_generator_options_init(&rows);
    rows.kind = "twonorm";
    rows.rows = 300;
    partan_settings_init(&settings);

    partan_status status = partan_generate(context, &rows, PARTAN_STORAGE_AUTO, &data);
    if (status == PARTAN_OK)
        status = partan_train(context, data, &settings, NULL, &model);
    if (status == PARTAN_OK)
        status = partan_verify(context, model, data, &found);
    if (status == PARTAN_OK)
        printf("relative gap %.3g, verified: %s\n", found.relative_gap, found.matches ? "yes" : "no");
    if (status == PARTAN_OK && !found.matches)
        status = PARTAN_ERROR_NUMERIC;
    partan_model_free(model);
    partan_data_free(data);
    return status;
}

int main(void)
{
    if (strcmp(partan_version(), PARTAN_VERSION) != 0) {
        fprintf(stderr, "header %s, library %s\n", PARTAN_VERSION, partan_version());
        return 1;
    }
    partan_context *context = partan_create(NULL);
    if (!context || pt_alloc() != 0)
        return 1;
    printf("partan %s, %d threads, %s kernels: ", partan_version(), partan_threads(context), partan_isa(context));
    partan_status status = train_and_check(context);
    if (status != PARTAN_OK)
        fprintf(stderr, "%s: %s\n", partan_status_name(status), partan_error(context));
    partan_destroy(context);
    return status != PARTAN_OK;
}
