#include "outfile.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"

static const char suffix[] = ".XXXXXX.part";
enum { SUFFIX_TAIL = 5 }; /* ".part" */

static bool is_special(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && !S_ISREG(status.st_mode);
}

static FILE *open_aside(outfile *out)
{
    size_t length = strlen(out->path);
    out->temporary = malloc(length + sizeof suffix);
    if (!out->temporary)
        return NULL;
    memcpy(out->temporary, out->path, length);
    memcpy(out->temporary + length, suffix, sizeof suffix);
    int descriptor = mkstemps(out->temporary, SUFFIX_TAIL);
    if (descriptor < 0) {
        free(out->temporary);
        out->temporary = NULL;
        return NULL;
    }
    mode_t mask = umask(0); /* mkstemps makes files for the owner only */
    umask(mask);
    (void)!fchmod(descriptor, 0666 & ~mask);
    return fdopen(descriptor, "w");
}

int outfile_open(invocation *run, const char *path, outfile *out)
{
    *out = (outfile){.path = path};
    if (strcmp(path, "-") == 0)
        out->file = stdout;
    else
        out->file = is_special(path) ? fopen(path, "w") : open_aside(out);
    if (out->file)
        return EXIT_DONE;
    int code = failure(run, "%s: cannot be written: %s", path, strerror(errno));
    outfile_abandon(out);
    return code;
}

int outfile_commit(invocation *run, outfile *out)
{
    bool well = fflush(out->file) == 0 && !ferror(out->file);
    int error = errno;
    if (out->file != stdout && fclose(out->file) != 0 && well) {
        well = false;
        error = errno;
    }
    out->file = NULL;
    if (well && out->temporary && rename(out->temporary, out->path) != 0) {
        well = false;
        error = errno;
    }
    int code = well ? EXIT_DONE : failure(run, "%s: cannot be written: %s", out->path, strerror(error));
    if (well) {
        free(out->temporary);
        out->temporary = NULL;
    }
    outfile_abandon(out);
    return code;
}

void outfile_abandon(outfile *out)
{
    if (out->file && out->file != stdout)
        fclose(out->file);
    if (out->temporary)
        unlink(out->temporary);
    free(out->temporary);
    *out = (outfile){0};
}

int outfile_check(invocation *run, const char *path)
{
    outfile out;
    if (strcmp(path, "-") == 0 || is_special(path))
        return EXIT_DONE;
    int code = outfile_open(run, path, &out);
    outfile_abandon(&out);
    return code;
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
