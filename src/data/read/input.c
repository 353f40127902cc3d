#include "data/read/input.h"

#include <archive.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK_SIZE = 1 << 18 };

static partan_status cannot_read(const pt_input *input, int error)
{
    return pt_fail(input->context, PARTAN_ERROR_IO, "%s: cannot be read: %s", input->name, strerror(error));
}

/* read(2) without its short counts; -1 with errno on failure. */
static ssize_t read_fully(int descriptor, char *buffer, size_t size)
{
    size_t got = 0;
    while (got < size) {
        ssize_t count = read(descriptor, buffer + got, size - got);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return -1;
        if (count == 0)
            break;
        got += (size_t)count;
    }
    return (ssize_t)got;
}

/* The file as it is on disk: first what was read ahead, then the rest. */
static ssize_t read_raw(pt_input *input, char *buffer, size_t size)
{
    size_t ahead = input->head_size - input->head_done;
    if (ahead > size)
        ahead = size;
    memcpy(buffer, input->head + input->head_done, ahead);
    input->head_done += ahead;
    ssize_t rest = read_fully(input->descriptor, buffer + ahead, size - ahead);
    return rest < 0 ? -1 : rest + (ssize_t)ahead;
}

/* ---- Compressed ---- */

static bool is_compressed(const char *head, size_t size)
{
    static const struct {
        const char *magic;
        size_t size;
    } kinds[] = {{"\x1f\x8b", 2},
                 {"BZh", 3},
                 {"\xfd"
                  "7zXZ",
                  6},
                 {"\x28\xb5\x2f\xfd", 4}};
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (size >= kinds[i].size && memcmp(head, kinds[i].magic, kinds[i].size) == 0)
            return true;
    return false;
}

static la_ssize_t read_block(struct archive *archive, void *user, const void **block)
{
    pt_input *input = user;
    ssize_t count = read_raw(input, input->block, BLOCK_SIZE);
    if (count < 0) {
        input->error = errno;
        archive_set_error(archive, errno, "%s", strerror(errno));
    }
    *block = input->block;
    return count;
}

static partan_status cannot_decompress(const pt_input *input)
{
    if (input->error)
        return cannot_read(input, input->error);
    const char *reason = archive_error_string(input->archive);
    return pt_fail(input->context, PARTAN_ERROR_IO, "%s: cannot be decompressed: %s", input->name,
                   reason ? reason : "unknown error");
}

static partan_status open_archive(pt_input *input)
{
    input->block = pt_alloc(input->context, BLOCK_SIZE, 1);
    input->archive = archive_read_new();
    if (!input->block || !input->archive)
        return pt_out_of_memory(input->context, "decompression");
    struct archive *archive = input->archive;
    archive_read_support_filter_gzip(archive);
    archive_read_support_filter_bzip2(archive);
    archive_read_support_filter_xz(archive);
    archive_read_support_filter_zstd(archive);
    archive_read_support_format_raw(archive);
    archive_read_support_format_empty(archive);
    if (archive_read_open(archive, input, NULL, read_block, NULL) != ARCHIVE_OK)
        return cannot_decompress(input);
    struct archive_entry *entry;
    int found = archive_read_next_header(archive, &entry);
    if (found != ARCHIVE_EOF && found < ARCHIVE_WARN)
        return cannot_decompress(input);
    input->ended = found == ARCHIVE_EOF; /* nothing was compressed */
    return PARTAN_OK;
}

static partan_status read_archive(pt_input *input, char *buffer, size_t size, size_t *got)
{
    while (*got < size && !input->ended) {
        la_ssize_t count = archive_read_data(input->archive, buffer + *got, size - *got);
        if (count == ARCHIVE_RETRY)
            continue;
        if (count < 0)
            return cannot_decompress(input);
        input->ended = count == 0;
        *got += (size_t)count;
    }
    return PARTAN_OK;
}

/* ---- All ---- */

static partan_status open_file(pt_input *input, const char *path)
{
    bool standard = strcmp(path, "-") == 0;
    input->descriptor = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    struct stat status;
    if (input->descriptor < 0 || fstat(input->descriptor, &status) != 0)
        return cannot_read(input, errno);
    if (S_ISDIR(status.st_mode))
        return cannot_read(input, EISDIR);
    ssize_t head = read_fully(input->descriptor, input->head, sizeof input->head);
    if (head < 0)
        return cannot_read(input, errno);
    input->head_size = (size_t)head;
    if (is_compressed(input->head, input->head_size))
        return open_archive(input);
    if (S_ISREG(status.st_mode) && status.st_size > 0)
        input->size = (uint64_t)status.st_size;
    return PARTAN_OK;
}

partan_status pt_input_open(partan_context *context, const char *path, const char *name, pt_input *input)
{
    *input = (pt_input){.context = context, .name = name, .descriptor = -1};
    partan_status status = open_file(input, path);
    if (status)
        pt_input_close(input);
    return status;
}

void pt_input_from_memory(partan_context *context, const char *name, const char *text, size_t size, pt_input *input)
{
    *input = (pt_input){.context = context, .name = name, .descriptor = -1, .memory = size ? text : "", .size = size};
}

void pt_input_close(pt_input *input)
{
    if (input->archive)
        archive_read_free(input->archive);
    if (input->descriptor > STDIN_FILENO)
        close(input->descriptor);
    pt_free(input->context, input->block);
    input->archive = NULL;
    input->block = NULL;
    input->descriptor = -1;
}

partan_status pt_input_read(pt_input *input, char *buffer, size_t size, size_t *got)
{
    *got = 0;
    if (input->archive)
        return read_archive(input, buffer, size, got);
    if (input->memory) {
        *got = input->size - input->done < size ? (size_t)(input->size - input->done) : size;
        memcpy(buffer, input->memory + input->done, *got);
    } else {
        ssize_t count = read_raw(input, buffer, size);
        if (count < 0)
            return cannot_read(input, errno);
        *got = (size_t)count;
    }
    input->done += *got;
    return PARTAN_OK;
}

double pt_input_share(const pt_input *input)
{
    if (input->size == 0)
        return -1;
    return input->done < input->size ? (double)input->done / (double)input->size : 1;
}
