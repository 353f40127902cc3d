/* gzip, by zlib, which compares the checksum and the length at the end of each member. */
#include <string.h>
#include <zlib.h>

#include "data/codec/codec.h"

enum { WINDOW_BITS = 15, GZIP_ONLY = 16 };

struct gzip {
    partan_context *context;
    z_stream stream;
};

static bool begins(const unsigned char *head, size_t size)
{
    return size >= 2 && head[0] == 0x1f && head[1] == 0x8b;
}

static voidpf take(voidpf context, uInt count, uInt size)
{
    return pt_alloc(context, count, size);
}

static void give(voidpf context, voidpf pointer)
{
    pt_free(context, pointer);
}

static void *open_gzip(partan_context *context)
{
    struct gzip *gzip = pt_alloc_zero(context, 1, sizeof *gzip);
    if (!gzip)
        return NULL;
    gzip->context = context;
    gzip->stream.zalloc = take;
    gzip->stream.zfree = give;
    gzip->stream.opaque = context;
    if (inflateInit2(&gzip->stream, WINDOW_BITS + GZIP_ONLY) == Z_OK)
        return gzip;
    pt_free(context, gzip);
    return NULL;
}

static bool restart(void *state)
{
    struct gzip *gzip = state;
    return inflateReset(&gzip->stream) == Z_OK;
}

static uInt at_most(size_t size)
{
    return size < 1u << 30 ? (uInt)size : 1u << 30;
}

static pt_codec_step step(void *state, pt_codec_io *io)
{
    z_stream *stream = &((struct gzip *)state)->stream;
    uInt in = at_most(io->in_size), out = at_most(io->out_size);
    stream->next_in = (z_const Bytef *)io->in;
    stream->avail_in = in;
    stream->next_out = io->out;
    stream->avail_out = out;
    int found = inflate(stream, Z_NO_FLUSH);
    io->in += in - stream->avail_in;
    io->in_size -= in - stream->avail_in;
    io->out += out - stream->avail_out;
    io->out_size -= out - stream->avail_out;
    if (found == Z_STREAM_END)
        return PT_CODEC_END;
    if (found == Z_OK || found == Z_BUF_ERROR)
        return PT_CODEC_MORE;
    io->reason = stream->msg ? stream->msg : "it is damaged";
    return found == Z_MEM_ERROR ? PT_CODEC_MEMORY : PT_CODEC_BROKEN;
}

static void close_gzip(void *state)
{
    struct gzip *gzip = state;
    inflateEnd(&gzip->stream);
    pt_free(gzip->context, gzip);
}

const pt_codec pt_codec_gzip = {"gzip", begins, open_gzip, restart, step, close_gzip};
