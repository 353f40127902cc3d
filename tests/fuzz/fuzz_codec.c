/* Compressed input. What begins like a compressed file is decompressed or refused with a sentence, and it does not
 * matter how much is read at a time. Other bytes are a text that is compressed here, as its first byte says: the file
 * gives it back when it is whole, and is refused when it is cut off or goes on behind its end. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../unit/compressing.h"
#include "data/codec/codec.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { MOST = 1 << 17, HEAD = 64 }; /* bytes that are looked at of what a bomb makes; of the first read */

typedef struct bytes_left {
    const char *at;
    size_t size;
} bytes_left;

static partan_status take(void *user, char *buffer, size_t size, size_t *got)
{
    bytes_left *left = user;
    *got = size < left->size ? size : left->size;
    memcpy(buffer, left->at, *got);
    left->at += *got;
    left->size -= *got;
    return PARTAN_OK;
}

typedef struct outcome {
    partan_status status;
    char *text;
    size_t size;
    char sentence[256];
} outcome;

/* Reads `room` bytes at a time, but for the first ones, by which nested compression is recognised. */
static outcome decompress(const char *bytes, size_t size, size_t room)
{
    outcome found = {.text = malloc(MOST)};
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    options.isa = "reference";
    partan_context *context = partan_create(&options);
    pt_decompressor codec;
    bytes_left left = {bytes, size};
    compress_require(found.text && context);
    found.status = pt_decompressor_open(context, "fuzz", pt_codec_find(bytes, size), take, &left, &codec);
    compress_require(found.status == PARTAN_OK);
    for (size_t wanted = HEAD, got = HEAD; !found.status && got == wanted && found.size < MOST;) {
        wanted = found.size == 0 ? HEAD : room < MOST - found.size ? room : MOST - found.size;
        found.status = pt_decompressor_read(&codec, found.text + found.size, wanted, &got);
        if (!found.status)
            found.size += got;
    }
    compress_require(found.status == PARTAN_OK || *partan_error(context));
    snprintf(found.sentence, sizeof found.sentence, "%s", partan_error(context));
    pt_decompressor_close(&codec);
    partan_destroy(context);
    return found;
}

static void try_bytes(const char *bytes, size_t size)
{
    outcome whole = decompress(bytes, size, 1 << 14), pieces = decompress(bytes, size, 7);
    compress_require(whole.status == pieces.status && strcmp(whole.sentence, pieces.sentence) == 0);
    size_t size_of_both = whole.size < pieces.size ? whole.size : pieces.size; /* less after a failure */
    compress_require(memcmp(whole.text, pieces.text, size_of_both) == 0);
    free(whole.text);
    free(pieces.text);
}

/* `text` in one stream or, cut in two, in two of them. */
static char *make_file(const char *name, const char *text, size_t size, size_t cut, size_t *length)
{
    size_t second = 0;
    char *file = compress_text(name, text, cut, length);
    if (cut == size)
        return file;
    char *more = compress_text(name, text + cut, size - cut, &second);
    file = realloc(file, *length + second);
    compress_require(file != NULL);
    memcpy(file + *length, more, second);
    *length += second;
    free(more);
    return file;
}

/* `choice`: the format in two bits, one for two streams, one for a truncation, one for bytes behind the end. */
static void try_text(unsigned choice, const char *text, size_t size)
{
    size_t length = 0, cut = choice & 4 ? size / 2 : size;
    char *file = make_file(compressions[choice & 3], text, size, cut, &length);
    bool truncated = (choice & 8) != 0, followed = !truncated && (choice & 16) != 0;
    if (followed) {
        file = realloc(file, length + 4);
        compress_require(file != NULL);
        memcpy(file + length, "tail", 4);
        length += 4;
    }
    if (truncated)
        length -= 1 + (size > 0 ? (size_t)text[0] & 3 : 0);
    outcome found = decompress(file, length, 1 << 14);
    bool nested = pt_codec_find(text, size < HEAD ? size : HEAD) != NULL;
    compress_require((found.status == PARTAN_OK) == !(truncated || followed || nested));
    if (found.status == PARTAN_OK)
        compress_require(found.size == size && memcmp(found.text, text, size) == 0);
    free(found.text);
    free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    if (size == 0)
        return 0;
    const char *text = (const char *)bytes;
    if (pt_codec_find(text, size))
        try_bytes(text, size);
    else
        try_text(bytes[0], text + 1, size - 1);
    return 0;
}
