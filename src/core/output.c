/* Output files: written aside and renamed into place when complete, so that nothing half-written is left behind. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/context.h"
#include "core/hash.h"

static const char suffix[] = ".XXXXXX.part";
enum { LETTERS = 6, TRIES = 100 };

/* Devices and pipes are written as they are, and so are the links of /dev and /proc that stand for open files
 * (/dev/stdout), wherever they lead: a rename would put a file in their place. */
static bool is_direct(const char *path)
{
    struct stat status;
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        return true;
    bool system = strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
    return system && lstat(path, &status) == 0 && S_ISLNK(status.st_mode);
}

/* A new file beside the target, under a name that nobody else has. Created with the rights that any new file gets: the
 * kernel applies the process's mask, which a library cannot ask for without changing it. */
static int create_aside(char *letters, const char *name)
{
    static const char alphabet[] = "0123456789abcdefghijklmnopqrstuv"; /* 32 of them: five bits a letter */
    uint64_t bits = (uint64_t)(1e9 * pt_clock()) ^ (uint64_t)getpid() << 40;
    int descriptor = -1;
    for (int i = 0; i < TRIES && descriptor < 0; i++) {
        bits = pt_hash_mix(bits);
        for (int k = 0; k < LETTERS; k++)
            letters[k] = alphabet[bits >> 5 * k & 31];
        descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor < 0 && errno != EEXIST)
            break;
    }
    return descriptor;
}

static FILE *open_aside(partan_output *output)
{
    size_t length = strlen(output->path);
    output->temporary = pt_alloc(output->context, length + sizeof suffix, 1);
    if (!output->temporary) {
        errno = ENOMEM;
        return NULL;
    }
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, suffix, sizeof suffix);
    int descriptor = create_aside(output->temporary + length + 1, output->temporary);
    if (descriptor < 0) {
        pt_free(output->context, output->temporary);
        output->temporary = NULL;
        return NULL;
    }
    FILE *file = fdopen(descriptor, "w");
    if (!file)
        close(descriptor);
    return file;
}

static partan_status fail(partan_context *context, const char *path, int error)
{
    if (error == ENOMEM)
        return pt_out_of_memory(context, "an output file");
    return pt_fail(context, PARTAN_ERROR_IO, "%s: cannot be written: %s", path, strerror(error));
}

partan_status partan_output_open(partan_context *context, const char *path, partan_output *output)
{
    *output = (partan_output){.context = context, .path = pt_copy(context, path, strlen(path) + 1, 1)};
    errno = ENOMEM;
    if (output->path)
        output->file = strcmp(path, "-") == 0 ? stdout : is_direct(path) ? fopen(path, "w") : open_aside(output);
    if (output->file)
        return PARTAN_OK;
    partan_status status = fail(context, path, errno);
    partan_output_abandon(output);
    return status;
}

/* 0, or the error number of what failed first. An error that an earlier write left in the stream may have none. */
static int finish(partan_output *output)
{
    int error = 0;
    if (fflush(output->file) != 0 || ferror(output->file))
        error = errno ? errno : EIO;
    if (output->file != stdout && fclose(output->file) != 0 && !error)
        error = errno;
    output->file = NULL;
    if (!error && output->temporary) {
        if (rename(output->temporary, output->path) != 0)
            return errno;
        pt_free(output->context, output->temporary);
        output->temporary = NULL;
    }
    return error;
}

partan_status partan_output_commit(partan_output *output)
{
    int error = finish(output);
    partan_status status = error ? fail(output->context, output->path, error) : PARTAN_OK;
    partan_output_abandon(output);
    return status;
}

void partan_output_abandon(partan_output *output)
{
    if (!output->context)
        return;
    if (output->file && output->file != stdout)
        fclose(output->file);
    if (output->temporary)
        unlink(output->temporary);
    pt_free(output->context, output->path);
    pt_free(output->context, output->temporary);
    *output = (partan_output){0};
}

partan_status partan_output_check(partan_context *context, const char *path)
{
    partan_output output;
    if (strcmp(path, "-") == 0 || is_direct(path)) /* to open a pipe would wait for its reader */
        return PARTAN_OK;
    partan_status status = partan_output_open(context, path, &output);
    partan_output_abandon(&output);
    return status;
}
