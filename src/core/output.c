/* Output files: written aside and renamed into place when complete, so that nothing half-written is left behind. What
 * is written aside has no name until it is complete, where the file system can do that: then nothing is left of it
 * whatever ends the process. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/aside.h"
#include "core/output.h"
#include "core/require.h"

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

/* Where a signal's handler finds it. */
static void note_aside(partan_context *context, char *before, char *name)
{
    for (size_t i = 0; i < PT_ASIDES; i++) {
        char *expected = before;
        if (atomic_compare_exchange_strong(&context->asides[i], &expected, name))
            return;
    }
}

static int create_aside(pt_output *output)
{
    if (!output->target)
        return -1;
    output->temporary = pt_aside_name(output->context, output->target);
    errno = ENOMEM;
    if (!output->temporary)
        return -1;
    int descriptor = output->context->named_asides ? -1 : pt_aside_unnamed(output->temporary);
    output->unnamed = descriptor >= 0;
    if (output->unnamed)
        return descriptor;
    descriptor = pt_aside_create(output->temporary);
    if (descriptor >= 0)
        note_aside(output->context, NULL, output->temporary);
    return descriptor;
}

static FILE *open_aside(pt_output *output)
{
    output->target = pt_follow_links(output->context, output->path);
    int descriptor = create_aside(output);
    if (descriptor < 0) {
        int error = errno;
        pt_free(output->context, output->temporary);
        output->temporary = NULL;
        errno = error;
        return NULL;
    }
    FILE *file = pt_keep_rights(output->target, descriptor) == 0 ? fdopen(descriptor, "w") : NULL;
    int error = errno;
    if (!file)
        close(descriptor);
    errno = error;
    return file;
}

/* ---- All ---- */

static partan_status fail(partan_context *context, const char *path, int error)
{
    if (error == ENOMEM)
        return pt_out_of_memory(context, "an output file");
    return pt_fail(context, PARTAN_ERROR_IO, "%s: cannot be written: %s", path, strerror(error));
}

partan_status partan_output_open(partan_context *context, const char *path, partan_output *output)
{
    PT_REQUIRE(context, context && path && output);
    pt_output *in = pt_alloc_zero(context, 1, sizeof *in);
    *output = (partan_output){.inside = in};
    if (in) {
        in->context = context;
        in->path = pt_copy(context, path, strlen(path) + 1, 1);
    }
    errno = ENOMEM;
    if (in && in->path)
        output->file = strcmp(path, "-") == 0 ? stdout : is_direct(path) ? fopen(path, "w") : open_aside(in);
    if (output->file)
        return PARTAN_OK;
    partan_status status = fail(context, path, errno);
    partan_output_abandon(output);
    return status;
}

/* Everything is on the disk before the name leads to it: a crash leaves the old file or the new one. */
static int settle(pt_output *output, FILE *file)
{
    int descriptor = fileno(file);
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        return errno;
    if (!output->unnamed)
        return 0;
    if (pt_aside_link(descriptor, output->temporary) != 0)
        return errno;
    output->unnamed = false;
    note_aside(output->context, NULL, output->temporary);
    return 0;
}

/* 0, or the error number of what failed first. An error that an earlier write left in the stream may have none. */
static int finish(partan_output *output)
{
    pt_output *in = output->inside;
    int error = 0;
    errno = 0;
    if (fflush(output->file) != 0 || ferror(output->file))
        error = errno ? errno : EIO;
    if (!error && in->temporary)
        error = settle(in, output->file);
    if (output->file != stdout && fclose(output->file) != 0 && !error)
        error = errno;
    output->file = NULL;
    if (error || !in->temporary)
        return error;
    if (rename(in->temporary, in->target) != 0)
        return errno;
    note_aside(in->context, in->temporary, NULL);
    pt_free(in->context, in->temporary);
    in->temporary = NULL;
    return 0;
}

partan_status partan_output_commit(partan_output *output)
{
    PT_REQUIRE(NULL, output && output->inside);
    int error = finish(output);
    const pt_output *in = output->inside;
    partan_status status = error ? fail(in->context, in->path, error) : PARTAN_OK;
    partan_output_abandon(output);
    return status;
}

void partan_output_abandon(partan_output *output)
{
    pt_output *in = output->inside;
    if (!in)
        return;
    if (output->file && output->file != stdout)
        fclose(output->file);
    if (in->temporary && !in->unnamed) {
        unlink(in->temporary);
        note_aside(in->context, in->temporary, NULL);
    }
    pt_free(in->context, in->path);
    pt_free(in->context, in->target);
    pt_free(in->context, in->temporary);
    pt_free(in->context, in);
    *output = (partan_output){0};
}

void partan_outputs_drop(partan_context *context)
{
    for (size_t i = 0; i < PT_ASIDES; i++) {
        const char *name = atomic_load(&context->asides[i]);
        if (name)
            unlink(name);
    }
}

partan_status partan_output_check(partan_context *context, const char *path)
{
    PT_REQUIRE(context, context && path);
    partan_output output;
    if (strcmp(path, "-") == 0 || is_direct(path)) /* to open a pipe would wait for its reader */
        return PARTAN_OK;
    partan_status status = partan_output_open(context, path, &output);
    partan_output_abandon(&output);
    return status;
}
