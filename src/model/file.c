/* Model files in memory. */
#include "model/file.h"

#include <string.h>

#include "core/available.h"
#include "core/require.h"
#include "data/read/input.h"

static partan_status read_text(partan_model_file *file, const char *path)
{
    enum { CHUNK = 1 << 16 };
    pt_input input;
    partan_status status = pt_input_open(file->context, path, file->name, &input);
    if (status)
        return status;
    size_t got = CHUNK;
    uint64_t available = pt_memory_available("");
    /* Room for all of a plain file, so that its text is not copied while it grows. */
    if (input.size < available / 2
        && pt_reserve(file->context, (void **)&file->text, &file->capacity, 0, (size_t)input.size + CHUNK + 1, 1))
        status = pt_out_of_memory(file->context, "the text of a model");
    while (status == PARTAN_OK && got == CHUNK) {
        if (pt_reserve(file->context, (void **)&file->text, &file->capacity, file->size, file->size + CHUNK + 1, 1)) {
            status = pt_out_of_memory(file->context, "the text of a model");
            break;
        }
        status = pt_input_read(&input, file->text + file->size, CHUNK, &got);
        file->size += got;
        if (status == PARTAN_OK)
            status = pt_memory_check(file->context, file->name, 2 * (uint64_t)file->size, available);
    }
    if (status == PARTAN_OK)
        file->text[file->size] = 0;
    pt_input_close(&input);
    return status;
}

partan_status partan_model_file_read(partan_context *context, const char *path, partan_model_file **file)
{
    PT_REQUIRE(context, context && path && file);
    *file = NULL;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    partan_model_file *made = pt_alloc_zero(context, 1, sizeof *made);
    if (!made)
        return pt_out_of_memory(context, "a model file");
    made->context = context;
    made->name = pt_copy(context, name, strlen(name) + 1, 1);
    partan_status status = made->name ? read_text(made, path) : pt_out_of_memory(context, "a model file");
    if (status)
        partan_model_file_free(made);
    else
        *file = made;
    return status;
}

void partan_model_file_free(partan_model_file *file)
{
    if (!file)
        return;
    pt_free(file->context, file->name);
    pt_free(file->context, file->text);
    pt_free(file->context, file);
}
