/* What the codecs have in common: streams one after the other, nothing but streams, and all of them whole. */
#include <string.h>

#include "data/codec/codec.h"

enum { BLOCK_SIZE = 1 << 18 };

static const pt_codec *const codecs[] = {&pt_codec_gzip, &pt_codec_bzip2, &pt_codec_xz, &pt_codec_zstd};

const pt_codec *pt_codec_find(const char *head, size_t size)
{
    for (size_t i = 0; i < sizeof codecs / sizeof codecs[0]; i++)
        if (codecs[i]->begins((const unsigned char *)head, size))
            return codecs[i];
    return NULL;
}

partan_status pt_decompressor_open(partan_context *context, const char *name, const pt_codec *codec,
                                   pt_codec_source source, void *user, pt_decompressor *made)
{
    *made = (pt_decompressor){.context = context, .name = name, .codec = codec, .source = source, .user = user};
    made->block = pt_alloc(context, BLOCK_SIZE, 1);
    made->state = made->block ? codec->open(context) : NULL;
    made->in = made->block;
    if (made->state)
        return PARTAN_OK;
    pt_decompressor_close(made);
    return pt_out_of_memory(context, "decompression");
}

void pt_decompressor_close(pt_decompressor *at)
{
    if (at->state)
        at->codec->close(at->state);
    pt_free(at->context, at->block);
    at->state = NULL;
    at->block = NULL;
}

static partan_status broken(const pt_decompressor *at, const char *reason)
{
    return pt_fail(at->context, PARTAN_ERROR_IO, "%s: cannot be decompressed as %s: %s", at->name, at->codec->name,
                   reason);
}

static partan_status refill(pt_decompressor *at)
{
    size_t got;
    memmove(at->block, at->in, at->in_size);
    at->in = at->block;
    partan_status status = at->source(at->user, (char *)at->block + at->in_size, BLOCK_SIZE - at->in_size, &got);
    if (status)
        return status;
    at->last = got < BLOCK_SIZE - at->in_size;
    at->in_size += got;
    return PARTAN_OK;
}

/* After a stream: the end of the file, or another stream, but nothing else. */
static partan_status go_between(pt_decompressor *at)
{
    at->ended = at->in_size == 0;
    if (at->ended)
        return PARTAN_OK;
    if (!at->codec->begins(at->in, at->in_size))
        return broken(at, "there is unexpected data after its end");
    if (!at->codec->restart(at->state))
        return pt_out_of_memory(at->context, "decompression");
    at->between = false;
    return PARTAN_OK;
}

static partan_status step(pt_decompressor *at, pt_codec_io *io)
{
    size_t in_size = at->in_size, out_size = io->out_size;
    io->in = at->in;
    io->in_size = at->in_size;
    io->last = at->last;
    pt_codec_step found = at->codec->step(at->state, io);
    at->in = io->in;
    at->in_size = io->in_size;
    if (found == PT_CODEC_BROKEN)
        return broken(at, io->reason);
    if (found == PT_CODEC_MEMORY)
        return pt_out_of_memory(at->context, "decompression");
    at->between = found == PT_CODEC_END;
    if (!at->between && io->in_size == in_size && io->out_size == out_size)
        return broken(at, "it ends too early: the file is truncated");
    return PARTAN_OK;
}

/* What was compressed twice is not what it says it is, and nobody asked for it. */
static partan_status check_head(pt_decompressor *at, const char *text, size_t size)
{
    const pt_codec *inner = at->begun ? NULL : pt_codec_find(text, size);
    at->begun = true;
    if (!inner)
        return PARTAN_OK;
    return pt_fail(at->context, PARTAN_ERROR_FORMAT,
                   "%s: is compressed twice, with %s and then with %s: decompress it once", at->name, inner->name,
                   at->codec->name);
}

partan_status pt_decompressor_read(pt_decompressor *at, char *buffer, size_t size, size_t *got)
{
    pt_codec_io io = {.out = (unsigned char *)buffer, .out_size = size};
    partan_status status = PARTAN_OK;
    *got = 0;
    while (io.out_size > 0 && !at->ended && !status) {
        if (!at->last && at->in_size < PT_CODEC_HEAD)
            status = refill(at);
        if (!status && at->between)
            status = go_between(at);
        if (!status && !at->ended)
            status = step(at, &io);
    }
    if (status)
        return status;
    *got = size - io.out_size;
    return check_head(at, buffer, *got);
}
