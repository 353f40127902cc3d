/* Output files: written aside and renamed into place when complete, so that nothing half-written is left behind. What
 * is written aside has no name until it is complete, where the file system can do that: then nothing is left of it
 * whatever ends the process. */
#if defined(__linux__)
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/context.h"
#include "core/hash.h"
#include "core/require.h"

static const char suffix[] = ".XXXXXX.part";
enum { LETTERS = 6, TRIES = 100, NAME_SIZE = 255, MOST_LINKS = 40 };

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

/* ---- Names ---- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* The file that a chain of links leads to, there or not: links stay what they are. NULL with errno. */
static char *follow_links(partan_context *context, const char *path)
{
    char link[PATH_MAX];
    char *target = pt_copy(context, path, strlen(path) + 1, 1);
    errno = ENOMEM;
    for (int i = 0; i < MOST_LINKS && target; i++) {
        ssize_t length = readlink(target, link, sizeof link);
        if (length < 0)
            return target;
        size_t folder = link[0] == '/' ? 0 : folder_length(target);
        char *next = pt_alloc(context, folder + (size_t)length + 1, 1);
        if (next) {
            memcpy(next, target, folder);
            memcpy(next + folder, link, (size_t)length);
            next[folder + (size_t)length] = '\0';
        }
        pt_free(context, target);
        target = next;
    }
    if (target)
        errno = ELOOP;
    pt_free(context, target);
    return NULL;
}

/* A name beside the target, cut where it would be longer than names may be; its letters are still to be drawn. */
static char *name_aside(partan_context *context, const char *target)
{
    size_t folder = folder_length(target), base = strlen(target) - folder;
    if (base > NAME_SIZE - (sizeof suffix - 1))
        base = NAME_SIZE - (sizeof suffix - 1);
    while (base > 0 && folder + base + sizeof suffix > PATH_MAX)
        base--;
    char *name = pt_alloc(context, folder + base + sizeof suffix, 1);
    if (name) {
        memcpy(name, target, folder + base);
        memcpy(name + folder + base, suffix, sizeof suffix);
    }
    return name;
}

/* Calls `make` with names that nobody else has, until one can be made. Returns what it does; -1 with errno. */
static int make_aside(const char *name, int (*make)(int, const char *), int argument)
{
    static const char alphabet[] = "0123456789abcdefghijklmnopqrstuv"; /* 32 of them: five bits a letter */
    uint64_t bits = (uint64_t)(1e9 * pt_clock()) ^ (uint64_t)getpid() << 40;
    char *letters = (char *)(uintptr_t)name + strlen(name) - (sizeof suffix - 1) + 1;
    for (int i = 0; i < TRIES; i++) {
        bits = pt_hash_mix(bits);
        for (int k = 0; k < LETTERS; k++)
            letters[k] = alphabet[bits >> 5 * k & 31];
        int made = make(argument, name);
        if (made >= 0 || errno != EEXIST)
            return made;
    }
    return -1;
}

/* ---- Files aside ---- */

/* With the rights that any new file gets: the system applies the process's mask, which a library cannot ask for without
 * changing it. */
static int create_named(int unused, const char *name)
{
    (void)unused;
    return open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
}

#ifdef O_TMPFILE
static int link_unnamed(int descriptor, const char *name)
{
    char source[64];
    snprintf(source, sizeof source, "/proc/self/fd/%d", descriptor);
    return linkat(AT_FDCWD, source, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
}

static int open_unnamed(const char *temporary)
{
    char folder[PATH_MAX];
    size_t length = folder_length(temporary);
    if (length >= sizeof folder)
        return -1;
    memcpy(folder, length ? temporary : ".", length ? length : 1);
    folder[length ? length : 1] = '\0';
    return open(folder, O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
}

/* Whether a file without a name can get one later, tried with another one: not where there is no /proc, nor on every
 * file system. */
static bool can_be_named(const char *temporary)
{
    int descriptor = open_unnamed(temporary);
    bool named = descriptor >= 0 && make_aside(temporary, link_unnamed, descriptor) == 0;
    if (named)
        unlink(temporary);
    if (descriptor >= 0)
        close(descriptor);
    return named;
}

/* -1 where the file system has no files without names, or where they could get none later. */
static int create_unnamed(const char *temporary)
{
    return can_be_named(temporary) ? open_unnamed(temporary) : -1;
}
#else
static int link_unnamed(int descriptor, const char *name)
{
    (void)descriptor;
    (void)name;
    errno = ENOTSUP;
    return -1;
}

static int create_unnamed(const char *temporary)
{
    (void)temporary;
    return -1;
}
#endif

/* A file that takes another's place has its rights and, where the process may give them, its owner and group. One that
 * must not be written is not replaced either. */
static int keep_rights(const char *target, int descriptor)
{
    struct stat old, now;
    if (stat(target, &old) != 0)
        return 0;
    if (faccessat(AT_FDCWD, target, W_OK, AT_EACCESS) != 0)
        return -1;
    if (fstat(descriptor, &now) != 0)
        return -1;
    mode_t mode = old.st_mode & 0777;
    bool others = old.st_uid != now.st_uid || old.st_gid != now.st_gid;
    if (others && fchown(descriptor, old.st_uid, old.st_gid) != 0 && fchown(descriptor, (uid_t)-1, old.st_gid) != 0)
        mode &= (mode_t)~070; /* they were another group's */
    return fchmod(descriptor, mode);
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

static int create_aside(partan_output *output)
{
    if (!output->target)
        return -1;
    output->temporary = name_aside(output->context, output->target);
    errno = ENOMEM;
    if (!output->temporary)
        return -1;
    int descriptor = output->context->named_asides ? -1 : create_unnamed(output->temporary);
    output->unnamed = descriptor >= 0;
    if (output->unnamed)
        return descriptor;
    descriptor = make_aside(output->temporary, create_named, 0);
    if (descriptor >= 0)
        note_aside(output->context, NULL, output->temporary);
    return descriptor;
}

static FILE *open_aside(partan_output *output)
{
    output->target = follow_links(output->context, output->path);
    int descriptor = create_aside(output);
    if (descriptor < 0) {
        int error = errno;
        pt_free(output->context, output->temporary);
        output->temporary = NULL;
        errno = error;
        return NULL;
    }
    FILE *file = keep_rights(output->target, descriptor) == 0 ? fdopen(descriptor, "w") : NULL;
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

/* Everything is on the disk before the name leads to it: a crash leaves the old file or the new one. */
static int settle(partan_output *output)
{
    int descriptor = fileno(output->file);
    if (fsync(descriptor) != 0 && errno != EINVAL && errno != ENOTSUP)
        return errno;
    if (!output->unnamed)
        return 0;
    if (make_aside(output->temporary, link_unnamed, descriptor) != 0)
        return errno;
    output->unnamed = false;
    note_aside(output->context, NULL, output->temporary);
    return 0;
}

/* 0, or the error number of what failed first. An error that an earlier write left in the stream may have none. */
static int finish(partan_output *output)
{
    int error = 0;
    errno = 0;
    if (fflush(output->file) != 0 || ferror(output->file))
        error = errno ? errno : EIO;
    if (!error && output->temporary)
        error = settle(output);
    if (output->file != stdout && fclose(output->file) != 0 && !error)
        error = errno;
    output->file = NULL;
    if (error || !output->temporary)
        return error;
    if (rename(output->temporary, output->target) != 0)
        return errno;
    note_aside(output->context, output->temporary, NULL);
    pt_free(output->context, output->temporary);
    output->temporary = NULL;
    return 0;
}

partan_status partan_output_commit(partan_output *output)
{
    PT_REQUIRE(NULL, output);
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
    if (output->temporary && !output->unnamed) {
        unlink(output->temporary);
        note_aside(output->context, output->temporary, NULL);
    }
    pt_free(output->context, output->path);
    pt_free(output->context, output->target);
    pt_free(output->context, output->temporary);
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
