/* Files beside the one that they will replace. */
#if defined(__linux__)
#define _GNU_SOURCE /* O_TMPFILE */
#endif
#include "core/aside.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/clock.h"
#include "core/hash.h"

static const char suffix[] = ".XXXXXX.part";
enum { LETTERS = 6, TRIES = 100, NAME_SIZE = 255, MOST_LINKS = 40 };

/* ---- Names ---- */

static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

char *pt_follow_links(partan_context *context, const char *path)
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

char *pt_aside_name(partan_context *context, const char *target)
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
static int make_aside(char *name, int (*make)(int, const char *), int argument)
{
    static const char alphabet[] = "0123456789abcdefghijklmnopqrstuv"; /* 32 of them: five bits a letter */
    uint64_t bits = (uint64_t)(1e9 * pt_clock()) ^ (uint64_t)getpid() << 40;
    char *letters = name + strlen(name) - (sizeof suffix - 1) + 1;
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
static bool can_be_named(char *temporary)
{
    int descriptor = open_unnamed(temporary);
    bool named = descriptor >= 0 && make_aside(temporary, link_unnamed, descriptor) == 0;
    if (named)
        unlink(temporary);
    if (descriptor >= 0)
        close(descriptor);
    return named;
}

int pt_aside_unnamed(char *temporary)
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

int pt_aside_unnamed(char *temporary)
{
    (void)temporary;
    return -1;
}
#endif

int pt_keep_rights(const char *target, int descriptor)
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

int pt_aside_create(char *temporary)
{
    return make_aside(temporary, create_named, 0);
}

int pt_aside_link(int descriptor, char *temporary)
{
    return make_aside(temporary, link_unnamed, descriptor);
}
