#include "outfile.h"

#include <stdlib.h>
#include <string.h>

#include "guard.h"
#include "message.h"

/* Of a file that is or is not there, an interruption changes nothing: the sentence is printed in any case. */
static int result(invocation *run, partan_status status)
{
    return status == PARTAN_OK ? EXIT_DONE : failure(run, "%s", partan_error(run->context));
}

int outfile_open(invocation *run, const char *path, partan_output *out)
{
    int code = guard_file(run, path, FILE_OUTPUT);
    return code != EXIT_DONE ? code : result(run, partan_output_open(run->context, path, out));
}

int outfile_commit(invocation *run, partan_output *out)
{
    return result(run, partan_output_commit(out));
}

static int check(invocation *run, const char *path, file_use use)
{
    if (is_silent(run))
        return EXIT_DONE;
    int code = path ? guard_file(run, path, use) : EXIT_DONE;
    return path && code == EXIT_DONE ? result(run, partan_output_check(run->context, path)) : code;
}

int outfile_check(invocation *run, const char *path)
{
    return check(run, path, FILE_OUTPUT);
}

int outfile_check_model(invocation *run, const char *path)
{
    return check(run, path, FILE_MODEL);
}

int outfile_check_checkpoint(invocation *run, const char *path)
{
    return check(run, path, FILE_CHECKPOINT);
}

int outfile_check_all(invocation *run, const char *const *paths, size_t count, const char *input)
{
    int code = guard_file(run, input, FILE_INPUT);
    for (size_t i = 0; i < count && code == EXIT_DONE; i++)
        code = outfile_check(run, paths[i]);
    return code;
}

bool ends_in(const char *path, const char *ending)
{
    size_t length = strlen(path), tail = strlen(ending);
    return length > tail && strcmp(path + length - tail, ending) == 0;
}

bool is_standard_output(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

static char *model_path(const char *data_path)
{
    static const char ending[] = ".model";
    const char *slash = strrchr(data_path, '/');
    const char *base = slash ? slash + 1 : data_path;
    const char *compression = partan_compression(base);
    size_t length = compression && compression > base ? (size_t)(compression - base) : strlen(base);
    char *path = malloc(length + sizeof ending);
    if (path) {
        memcpy(path, base, length);
        memcpy(path + length, ending, sizeof ending);
    }
    return path;
}

int outfile_choose_model(invocation *run, const char *data_path, const char **path, char **own)
{
    *own = NULL;
    int code = guard_file(run, data_path, FILE_INPUT);
    if (code != EXIT_DONE)
        return code;
    if (run->argument_count > 1) {
        *path = run->arguments[1];
        return EXIT_DONE;
    }
    if (is_standard_output(data_path))
        return usage_error(run, "MODEL is required when data is read from standard input");
    *path = *own = model_path(data_path);
    return *own ? EXIT_DONE : failure(run, "out of memory");
}
