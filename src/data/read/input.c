#include "data/read/input.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    PATIENCE = 50,  /* milliseconds between two looks whether the caller wants to stop */
    PART = 1 << 20, /* bytes between two such looks */
};

static partan_status cannot_read(const pt_input *input, int error)
{
    return pt_fail(input->context, PARTAN_ERROR_IO, "%s: cannot be read: %s", input->name, strerror(error));
}

static partan_status interrupted(const pt_input *input)
{
    pt_interrupt_clear(input->context);
    return pt_fail(input->context, PARTAN_INTERRUPTED, "%s: reading was interrupted", input->name);
}

/* ---- From the system ---- */

/* Waits until there is something to read. Not by read(2) itself: a signal wakes one thread only, and it need not be the
 * one that waits. */
static partan_status wait_for_bytes(const pt_input *input)
{
    struct pollfd wanted = {.fd = input->descriptor, .events = POLLIN};
    int found = 0;
    while (found == 0) {
        if (pt_interrupted(input->context))
            return interrupted(input);
        found = poll(&wanted, 1, PATIENCE);
        if (found < 0 && errno == EINTR)
            found = 0;
    }
    return found < 0 ? cannot_read(input, errno) : PARTAN_OK;
}

/* read(2) without its short counts. */
static partan_status read_fully(const pt_input *input, char *buffer, size_t size, size_t *got)
{
    while (*got < size) {
        partan_status status = input->waits ? wait_for_bytes(input) : PARTAN_OK;
        if (status)
            return status;
        ssize_t count = read(input->descriptor, buffer + *got, size - *got);
        if (count < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (count < 0)
            return cannot_read(input, errno);
        if (count == 0)
            break;
        *got += (size_t)count;
    }
    return PARTAN_OK;
}

/* The file as it is on disk: first what was read ahead, then the rest. */
static partan_status read_raw(void *user, char *buffer, size_t size, size_t *got)
{
    pt_input *input = user;
    size_t ahead = input->head_size - input->head_done;
    if (ahead > size)
        ahead = size;
    memcpy(buffer, input->head + input->head_done, ahead);
    input->head_done += ahead;
    *got = ahead;
    return read_fully(input, buffer, size, got);
}

/* ---- All ---- */

static partan_status open_codec(pt_input *input, const pt_codec *codec)
{
    input->codec = pt_alloc_zero(input->context, 1, sizeof *input->codec);
    if (!input->codec)
        return pt_out_of_memory(input->context, "decompression");
    return pt_decompressor_open(input->context, input->name, codec, read_raw, input, input->codec);
}

/* To open a pipe with a name would wait for somebody to write to it, out of an interruption's reach: it is opened
 * without waiting, and the first read waits. */
static int open_path(const char *path)
{
    struct stat status;
    bool fifo = stat(path, &status) == 0 && S_ISFIFO(status.st_mode);
    return open(path, O_RDONLY | O_CLOEXEC | (fifo ? O_NONBLOCK : 0));
}

static partan_status open_file(pt_input *input, const char *path)
{
    input->descriptor = strcmp(path, "-") == 0 ? STDIN_FILENO : open_path(path);
    struct stat file;
    if (input->descriptor < 0 || fstat(input->descriptor, &file) != 0)
        return cannot_read(input, errno);
    if (S_ISDIR(file.st_mode))
        return cannot_read(input, EISDIR);
    input->waits = !S_ISREG(file.st_mode);
    partan_status status = read_fully(input, input->head, sizeof input->head, &input->head_size);
    if (status)
        return status;
    const pt_codec *codec = pt_codec_find(input->head, input->head_size);
    if (codec)
        return open_codec(input, codec);
    if (S_ISREG(file.st_mode) && file.st_size > 0)
        input->size = (uint64_t)file.st_size;
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
    if (input->codec)
        pt_decompressor_close(input->codec);
    if (input->descriptor > STDIN_FILENO)
        close(input->descriptor);
    pt_free(input->context, input->codec);
    input->codec = NULL;
    input->descriptor = -1;
}

static partan_status read_part(pt_input *input, char *buffer, size_t size, size_t *got)
{
    if (input->codec)
        return pt_decompressor_read(input->codec, buffer, size, got);
    if (!input->memory)
        return read_raw(input, buffer, size, got);
    *got = input->size - input->done < size ? (size_t)(input->size - input->done) : size;
    memcpy(buffer, input->memory + input->done, *got);
    return PARTAN_OK;
}

partan_status pt_input_read(pt_input *input, char *buffer, size_t size, size_t *got)
{
    *got = 0;
    while (*got < size) {
        size_t part = size - *got < PART ? size - *got : PART, found = 0;
        if (pt_interrupted(input->context))
            return interrupted(input);
        partan_status status = read_part(input, buffer + *got, part, &found);
        if (status)
            return status;
        *got += found;
        input->done += found;
        if (found < part)
            break;
    }
    return PARTAN_OK;
}

double pt_input_share(const pt_input *input)
{
    if (input->size == 0)
        return -1;
    return input->done < input->size ? (double)input->done / (double)input->size : 1;
}
