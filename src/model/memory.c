#include "model/memory.h"

#include <stdlib.h>
#include <string.h>

#include "core/require.h"
#include "model/file.h"

static partan_status pass_on(partan_context *context, const partan_context *of_model, partan_status status)
{
    return context == of_model ? status : pt_fail(context, status, "%s", partan_error(of_model));
}

partan_status pt_model_to_memory(partan_context *context, partan_context *of_model, pt_model_writer *write,
                                 const void *model, char **bytes, size_t *size)
{
    *bytes = NULL;
    *size = 0;
    char *text = NULL;
    size_t length = 0;
    FILE *file = open_memstream(&text, &length);
    if (!file)
        return pt_out_of_memory(context, "a model in memory");
    partan_status status = write(model, file);
    bool failed = ferror(file) != 0;
    failed = fclose(file) != 0 || failed;
    if (status)
        status = pass_on(context, of_model, status);
    else if (failed || !(*bytes = pt_copy(context, text, length, 1)))
        status = pt_out_of_memory(context, "a model in memory");
    else
        *size = length;
    free(text);
    return status;
}

partan_status pt_model_to_path(partan_context *context, partan_context *of_model, pt_model_writer *write,
                               const void *model, const char *path)
{
    partan_output output;
    partan_status status = partan_output_open(context, path, &output);
    if (status)
        return status;
    status = write(model, output.file);
    if (!status)
        return partan_output_commit(&output);
    partan_output_abandon(&output);
    return pass_on(context, of_model, status);
}

partan_status partan_model_file_from_memory(partan_context *context, const void *bytes, size_t size,
                                            partan_model_file **file)
{
    PT_REQUIRE(context, context && file && (bytes || size == 0));
    static const char name[] = "memory";
    *file = NULL;
    partan_model_file *made = pt_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pt_out_of_memory(context, "a model file");
    made->context = context;
    made->name = pt_copy(context, name, sizeof name, 1);
    made->text = size < SIZE_MAX ? pt_alloc(context, size + 1, 1) : NULL;
    if (!made->name || !made->text) {
        partan_model_file_free(made);
        return pt_out_of_memory(context, "the text of a model");
    }
    if (size > 0)
        memcpy(made->text, bytes, size);
    made->text[size] = 0;
    made->size = size;
    made->capacity = size + 1;
    *file = made;
    return PARTAN_OK;
}

void partan_free(partan_context *context, void *pointer)
{
    pt_free(context, pointer);
}
