#include "core/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char suffix[] = ".XXXXXX.part";
enum { SUFFIX_TAIL = 5 }; /* ".part" */

/* mkstemp makes files for the owner only; give the file the rights it would have had from fopen. */
static void usual_rights(int descriptor)
{
    mode_t mask = umask(0);
    umask(mask);
    (void)!fchmod(descriptor, 0666 & ~mask);
}

static partan_status open_aside(pt_output *output)
{
    partan_context *context = output->context;
    size_t length = strlen(output->path);
    output->temporary = pt_alloc(context, length + sizeof suffix, 1);
    if (!output->temporary)
        return pt_out_of_memory(context, "a file name");
    memcpy(output->temporary, output->path, length);
    memcpy(output->temporary + length, suffix, sizeof suffix);

    int descriptor = mkstemps(output->temporary, SUFFIX_TAIL);
    if (descriptor < 0) {
        pt_free(context, output->temporary);
        output->temporary = NULL;
        return pt_fail(context, PARTAN_ERROR_IO, "%s: cannot be written: %s", output->path, strerror(errno));
    }
    usual_rights(descriptor);
    output->file = fdopen(descriptor, "w");
    if (!output->file) {
        close(descriptor);
        return pt_fail(context, PARTAN_ERROR_IO, "%s: cannot be written: %s", output->path, strerror(errno));
    }
    return PARTAN_OK;
}

static partan_status open_output(pt_output *output)
{
    if (strcmp(output->path, "-") == 0) {
        output->file = stdout;
        return PARTAN_OK;
    }
    struct stat status;
    if (stat(output->path, &status) == 0 && !S_ISREG(status.st_mode)) {
        output->file = fopen(output->path, "w");
        if (!output->file)
            return pt_fail(output->context, PARTAN_ERROR_IO, "%s: cannot be written: %s", output->path,
                           strerror(errno));
        return PARTAN_OK;
    }
    return open_aside(output);
}

partan_status pt_output_open(partan_context *context, const char *path, pt_output *output)
{
    *output = (pt_output){.context = context};
    output->path = pt_copy(context, path, strlen(path) + 1, 1);
    if (!output->path)
        return pt_out_of_memory(context, "a file name");
    partan_status status = open_output(output);
    if (status)
        pt_output_abandon(output);
    return status;
}

static void end(pt_output *output)
{
    pt_free(output->context, output->path);
    pt_free(output->context, output->temporary);
    *output = (pt_output){0};
}

partan_status pt_output_commit(pt_output *output)
{
    partan_context *context = output->context;
    bool failed = fflush(output->file) != 0 || ferror(output->file);
    int error = errno;
    if (output->file != stdout && fclose(output->file) != 0 && !failed) {
        failed = true;
        error = errno;
    }
    output->file = NULL;
    if (!failed && output->temporary && rename(output->temporary, output->path) != 0) {
        failed = true;
        error = errno;
    }
    if (failed) {
        pt_fail(context, PARTAN_ERROR_IO, "%s: cannot be written: %s", output->path, strerror(error));
        pt_output_abandon(output);
        return PARTAN_ERROR_IO;
    }
    end(output);
    return PARTAN_OK;
}

void pt_output_abandon(pt_output *output)
{
    if (!output->context)
        return;
    if (output->file && output->file != stdout)
        fclose(output->file);
    if (output->temporary)
        unlink(output->temporary);
    end(output);
}
