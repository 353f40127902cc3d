/* The table of kinds of models. */
#include "kinds.h"

#include "guard.h"
#include "hints.h"
#include "message.h"
#include "runtime.h"

extern const model_kind svm_kind, lasso_kind, matrix_kind;

static const model_kind *const kinds[] = {
    [PARTAN_KIND_SVM] = &svm_kind,
    [PARTAN_KIND_LASSO] = &lasso_kind,
    [PARTAN_KIND_MATRIX] = &matrix_kind,
};

static int read_here(invocation *run, const char *path, partan_model_file **file, const model_kind **kind)
{
    partan_kind found;
    int code = guard_file(run, path, FILE_INPUT);
    *file = NULL;
    if (code != EXIT_DONE)
        return code;
    partan_status status = partan_model_file_read(run->context, path, file);
    if (status == PARTAN_OK)
        status = partan_model_file_kind(run->context, *file, &found);
    if (status == PARTAN_OK) {
        *kind = kinds[found];
        return !run->together || (*kind)->shared
                   ? EXIT_DONE
                   : failure(run, "%s: several processes can work with models of partan train only", path);
    }
    code = library_failure(run, status);
    if (status == PARTAN_ERROR_FORMAT && is_regular_file(path) && !looks_like_model(run, path))
        note(run, "%s looks like data, not a model; usage: partan %s %s", path, run->command->name,
             run->command->arguments);
    return code;
}

int read_any_model(invocation *run, const char *path, partan_model_file **file, const model_kind **kind)
{
    int code = agree_on(run, read_here(run, path, file, kind));
    if (code != EXIT_DONE) {
        partan_model_file_free(*file);
        *file = NULL;
    }
    return code;
}
