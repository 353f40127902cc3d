#include "outfile.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "message.h"

/* Of a file that is or is not there, an interruption changes nothing: the sentence is printed in any case. */
static int result(invocation *run, partan_status status)
{
    return status == PARTAN_OK ? EXIT_DONE : failure(run, "%s", partan_error(run->context));
}

int outfile_open(invocation *run, const char *path, partan_output *out)
{
    return result(run, partan_output_open(run->context, path, out));
}

int outfile_commit(invocation *run, partan_output *out)
{
    return result(run, partan_output_commit(out));
}

int outfile_check(invocation *run, const char *path)
{
    return result(run, partan_output_check(run->context, path));
}

int outfile_protect(invocation *run, const char *path, const char *input)
{
    struct stat out, in;
    if (stat(path, &out) != 0 || stat(input, &in) != 0 || !S_ISREG(out.st_mode))
        return EXIT_DONE;
    if (out.st_dev != in.st_dev || out.st_ino != in.st_ino)
        return EXIT_DONE;
    return usage_error(run, "%s is an input: it would be replaced by the output", path);
}

int outfile_check_all(invocation *run, const char *const *paths, size_t count, const char *input)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < count && code == EXIT_DONE; i++) {
        if (!paths[i])
            continue;
        code = outfile_protect(run, paths[i], input);
        if (code == EXIT_DONE)
            code = outfile_check(run, paths[i]);
    }
    return code;
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
    if (run->argument_count > 1) {
        *path = run->arguments[1];
        return EXIT_DONE;
    }
    if (is_standard_output(data_path))
        return usage_error(run, "data from standard input needs the name of a MODEL to write");
    *path = *own = model_path(data_path);
    return *own ? EXIT_DONE : failure(run, "out of memory");
}
