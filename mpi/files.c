#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 16 };

static partan_status fail(const mpi_files *files, const char *path)
{
    return pt_fail(files->context, PARTAN_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
}

/* ---- Which files ---- */

static partan_status add(mpi_files *files, const char *path)
{
    struct stat status;
    char **place = &files->paths[files->count];
    *place = pt_copy(files->context, path, strlen(path) + 1, 1);
    if (!*place)
        return pt_out_of_memory(files->context, "the names of files");
    files->count++;
    if (stat(path, &status) != 0)
        return fail(files, path);
    if (!S_ISREG(status.st_mode))
        return pt_fail(files->context, PARTAN_ERROR_IO, "%s: only regular files can be read by several processes",
                       path);
    files->sizes[files->count - 1] = (uint64_t)status.st_size;
    files->size += (uint64_t)status.st_size;
    return PARTAN_OK;
}

static partan_status add_all(mpi_files *files, char *const *paths, size_t count)
{
    files->paths = pt_alloc_zero(files->context, count, sizeof *files->paths);
    files->sizes = pt_alloc_zero(files->context, count, sizeof *files->sizes);
    partan_status status =
        files->paths && files->sizes ? PARTAN_OK : pt_out_of_memory(files->context, "the names of files");
    for (size_t i = 0; i < count && !status; i++)
        status = add(files, paths[i]);
    return status;
}

partan_status mpi_files_open(mpi_files *files, partan_context *context, const char *path)
{
    *files = (mpi_files){.context = context};
    if (!strpbrk(path, "*?["))
        return add_all(files, (char *[]){(char *)(uintptr_t)path}, 1);
    glob_t found = {0};
    int code = glob(path, 0, NULL, &found);
    partan_status status = code == GLOB_NOSPACE ? pt_out_of_memory(context, "the names of files")
                           : code != 0 ? pt_fail(context, PARTAN_ERROR_IO, "%s: no file matches this pattern", path)
                                       : add_all(files, found.gl_pathv, found.gl_pathc);
    if (code == 0)
        globfree(&found);
    return status;
}

void mpi_files_close(mpi_files *files)
{
    for (size_t i = 0; i < files->count; i++)
        pt_free(files->context, files->paths[i]);
    pt_free(files->context, files->paths);
    pt_free(files->context, files->sizes);
    *files = (mpi_files){0};
}

/* ---- Their text ---- */

/* A growing text. */
typedef struct text {
    partan_context *context;
    char *bytes;
    size_t size, capacity;
} text;

static partan_status reserve(text *t, size_t more)
{
    bool failed = pt_reserve(t->context, (void **)&t->bytes, &t->capacity, t->size, t->size + more, 1);
    return failed ? pt_out_of_memory(t->context, "a part of the data") : PARTAN_OK;
}

/* Bytes begin .. end-1, fewer where the file has become shorter. */
static partan_status read_bytes(const mpi_files *files, const char *path, int file, uint64_t begin, uint64_t end,
                                text *t)
{
    while (begin < end) {
        size_t wanted = end - begin < BLOCK ? (size_t)(end - begin) : BLOCK;
        partan_status status = reserve(t, wanted + 1);
        if (status)
            return status;
        ssize_t got = pread(file, t->bytes + t->size, wanted, (off_t)begin);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail(files, path);
        if (got == 0)
            return PARTAN_OK;
        t->size += (size_t)got;
        begin += (uint64_t)got;
    }
    return PARTAN_OK;
}

/* Reads on up to the end of the line; at the end of the file the line gets one. */
static partan_status end_line(const mpi_files *files, const char *path, int file, uint64_t at, text *t)
{
    size_t line = t->size;
    for (;;) {
        partan_status status = read_bytes(files, path, file, at + (t->size - line), at + (t->size - line) + BLOCK, t);
        if (status)
            return status;
        char *feed = t->size > line ? memchr(t->bytes + line, '\n', t->size - line) : NULL;
        if (feed) {
            t->size = (size_t)(feed + 1 - t->bytes);
            return PARTAN_OK;
        }
        if ((t->size - line) % BLOCK != 0 || t->size == line)
            break;
    }
    partan_status status = reserve(t, 1);
    if (!status)
        t->bytes[t->size++] = '\n';
    return status;
}

/* The lines of one file that begin at bytes begin .. end-1 of it. A byte is read before them: whether a line begins
 * with the first one is for the one before to say. */
static partan_status read_lines(const mpi_files *files, const char *path, uint64_t begin, uint64_t end, text *t)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return fail(files, path);
    size_t start = t->size, skipped = 0;
    partan_status status = read_bytes(files, path, file, begin > 0 ? begin - 1 : 0, end, t);
    if (!status && begin > 0) {
        const char *feed = t->size > start ? memchr(t->bytes + start, '\n', t->size - start) : NULL;
        skipped = feed ? (size_t)(feed + 1 - t->bytes) - start : t->size - start;
        memmove(t->bytes + start, t->bytes + start + skipped, t->size - start - skipped);
        t->size -= skipped;
    }
    if (!status && t->size > start && t->bytes[t->size - 1] != '\n')
        status = end_line(files, path, file, end, t);
    close(file);
    return status;
}

partan_status mpi_files_read(const mpi_files *files, uint64_t begin, uint64_t end, char **bytes, size_t *size)
{
    text t = {.context = files->context};
    partan_status status = PARTAN_OK;
    uint64_t first = 0;
    for (size_t i = 0; i < files->count && !status; first += files->sizes[i++]) {
        uint64_t last = first + files->sizes[i];
        uint64_t from = begin > first ? begin : first, to = end < last ? end : last;
        if (from < to)
            status = read_lines(files, files->paths[i], from - first, to - first, &t);
    }
    *bytes = t.bytes;
    *size = t.size;
    return status;
}

static bool is_data(const char *line, const char *end)
{
    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r' || *line == '\n'))
        line++;
    return line < end && *line != '#';
}

partan_status mpi_files_first_line(const mpi_files *files, char **lines, size_t *size, size_t *first)
{
    text t = {.context = files->context};
    const char *path = files->paths[0];
    int file = open(path, O_RDONLY | O_CLOEXEC);
    partan_status status = file < 0 ? fail(files, path) : PARTAN_OK;
    do {
        *first = t.size;
        if (!status)
            status = end_line(files, path, file, t.size, &t);
    } while (!status && !is_data(t.bytes + *first, t.bytes + t.size) && t.size < files->sizes[0]);
    if (file >= 0)
        close(file);
    *lines = t.bytes;
    *size = t.size;
    return status;
}
