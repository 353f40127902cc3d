#include "guard.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "message.h"
#include "options.h"

/* Which file a path leads to: one that is there by its own numbers, one that is not by those of its folder and its
 * name in it. */
typedef struct identity {
    bool regular; /* or to be made; pipes and devices are nobody's loss */
    bool exists;
    dev_t device;
    ino_t inode;
    const char *name; /* part of guarded.target */
} identity;

struct guarded {
    const char *path;
    file_use use;
    char *target; /* where the path's last link leads */
    identity file;
};

static bool is_read(file_use use)
{
    return use == FILE_INPUT || use == FILE_START;
}

/* ---- Which file it is ---- */

/* The place that a chain of links ends at, there or not, to be freed; NULL when memory is out. */
static char *follow_links(const char *path)
{
    enum { MOST_LINKS = 40 };
    char link[PATH_MAX];
    char *target = strdup(path);
    for (int i = 0; i < MOST_LINKS && target; i++) {
        ssize_t length = readlink(target, link, sizeof link - 1);
        if (length < 0)
            break;
        link[length] = '\0';
        const char *slash = strrchr(target, '/');
        size_t folder = link[0] == '/' || !slash ? 0 : (size_t)(slash + 1 - target);
        char *next = malloc(folder + (size_t)length + 1);
        if (next) {
            memcpy(next, target, folder);
            memcpy(next + folder, link, (size_t)length + 1);
        }
        free(target);
        target = next;
    }
    return target;
}

static void identify_missing(char *target, identity *file)
{
    struct stat status;
    char *slash = strrchr(target, '/');
    file->name = slash ? slash + 1 : target;
    char first = file->name[0];
    if (slash)
        slash[1] = '\0'; /* the folder alone, for a moment */
    bool found = stat(slash ? target : ".", &status) == 0;
    if (slash)
        slash[1] = first;
    file->regular = found;
    file->device = status.st_dev;
    file->inode = status.st_ino;
}

static void identify(struct guarded *entry)
{
    struct stat status;
    identity *file = &entry->file;
    bool standard = strcmp(entry->path, "-") == 0;
    if (standard && (!is_read(entry->use) || fstat(STDIN_FILENO, &status) != 0))
        return;
    file->exists = standard || stat(entry->path, &status) == 0;
    if (!file->exists) {
        identify_missing(entry->target, file);
        return;
    }
    file->regular = S_ISREG(status.st_mode);
    file->device = status.st_dev;
    file->inode = status.st_ino;
}

static bool is_same(const identity *a, const identity *b)
{
    if (!a->regular || !b->regular || a->exists != b->exists || a->device != b->device || a->inode != b->inode)
        return false;
    return a->exists || strcmp(a->name, b->name) == 0;
}

/* ---- What it may be used for ---- */

/* Two uses of one file. */
static int check_pair(invocation *run, const struct guarded *earlier, const struct guarded *entry)
{
    const struct guarded *in = is_read(earlier->use) ? earlier : entry, *out = in == earlier ? entry : earlier;
    if (is_read(earlier->use) && is_read(entry->use))
        return EXIT_DONE;
    if (!is_read(in->use))
        return usage_error(run, "%s and %s are the same file, given for two outputs", earlier->path, entry->path);
    if (in->use == FILE_START && (out->use == FILE_MODEL || out->use == FILE_CHECKPOINT))
        return EXIT_DONE;
    return usage_error(run, "%s is an input and would be overwritten by the output", out->path);
}

static bool is_checkpoint(const char *path)
{
    static const char first[] = "partan-checkpoint ";
    char text[sizeof first] = "";
    FILE *file = fopen(path, "r");
    bool is = file && fread(text, 1, sizeof first - 1, file) == sizeof first - 1 && strcmp(text, first) == 0;
    if (file)
        fclose(file);
    return is;
}

/* Nothing is lost with an empty file; --force says that the rest may be, too. */
static int check_replaced(invocation *run, const struct guarded *entry)
{
    struct stat status;
    partan_kind kind;
    bool checkpoint = entry->use == FILE_CHECKPOINT;
    if ((entry->use != FILE_MODEL && !checkpoint) || !entry->file.exists || !entry->file.regular
        || option_flag(run, "force", false))
        return EXIT_DONE;
    if (stat(entry->path, &status) == 0 && status.st_size == 0)
        return EXIT_DONE;
    if (checkpoint ? is_checkpoint(entry->path) : partan_model_kind_of(run->context, entry->path, &kind) == PARTAN_OK)
        return EXIT_DONE;
    return usage_error(run, "%s exists and is not a %s; use --force to overwrite it", entry->path,
                       checkpoint ? "checkpoint" : "model");
}

static int check(invocation *run, const struct guarded *entry)
{
    int code = EXIT_DONE;
    for (size_t i = 0; i < run->guarded_count && code == EXIT_DONE; i++)
        if (is_same(&run->guarded[i].file, &entry->file))
            code = check_pair(run, &run->guarded[i], entry);
    return code == EXIT_DONE ? check_replaced(run, entry) : code;
}

/* ---- The list ---- */

/* Two outputs may have the same name by mistake, but then it stands in two places. */
static bool is_known(const invocation *run, const char *path, file_use use)
{
    for (size_t i = 0; i < run->guarded_count; i++)
        if (run->guarded[i].path == path && is_read(run->guarded[i].use) == is_read(use))
            return true;
    return false;
}

static bool make_room(invocation *run)
{
    size_t count = run->guarded_count;
    if (count & (count - 1)) /* room is for powers of two */
        return true;
    struct guarded *larger = realloc(run->guarded, (count ? 2 * count : 1) * sizeof *larger);
    if (larger)
        run->guarded = larger;
    return larger != NULL;
}

int guard_file(invocation *run, const char *path, file_use use)
{
    if (is_known(run, path, use))
        return EXIT_DONE;
    struct guarded entry = {.path = path, .use = use, .target = follow_links(path)};
    if (!entry.target || !make_room(run)) {
        free(entry.target);
        return failure(run, "out of memory");
    }
    identify(&entry);
    int code = check(run, &entry);
    if (code == EXIT_DONE)
        run->guarded[run->guarded_count++] = entry;
    else
        free(entry.target);
    return code;
}

void guard_end(invocation *run)
{
    for (size_t i = 0; i < run->guarded_count; i++)
        free(run->guarded[i].target);
    free(run->guarded);
    run->guarded = NULL;
    run->guarded_count = 0;
}
