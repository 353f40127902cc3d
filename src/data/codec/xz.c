/* xz, by liblzma, which compares checksums, sizes and the index of every stream. It also knows the padding that may
 * stand between streams, so here all of them are one. */
#include <lzma.h>
#include <string.h>

#include "data/codec/codec.h"

struct xz {
    partan_context *context;
    lzma_allocator allocator;
    lzma_stream stream;
};

static bool begins(const unsigned char *head, size_t size)
{
    return size >= 6 && memcmp(head, "\xfd\x37zXZ", 6) == 0;
}

static void *take(void *context, size_t count, size_t size)
{
    return pt_alloc(context, count, size);
}

static void give(void *context, void *pointer)
{
    pt_free(context, pointer);
}

static void *open_xz(partan_context *context)
{
    struct xz *xz = pt_alloc_zero(context, 1, sizeof *xz);
    if (!xz)
        return NULL;
    xz->context = context;
    xz->allocator = (lzma_allocator){.alloc = take, .free = give, .opaque = context};
    xz->stream = (lzma_stream)LZMA_STREAM_INIT;
    xz->stream.allocator = &xz->allocator;
    if (lzma_stream_decoder(&xz->stream, UINT64_MAX, LZMA_CONCATENATED | LZMA_TELL_UNSUPPORTED_CHECK) == LZMA_OK)
        return xz;
    pt_free(context, xz);
    return NULL;
}

static bool restart(void *state)
{
    (void)state;
    return true; /* never asked for: the end of the last stream is that of the file */
}

static const char *reason_of(lzma_ret found)
{
    switch (found) {
    case LZMA_DATA_ERROR:
        return "a checksum differs, it is damaged, or there is unexpected data after its end";
    case LZMA_UNSUPPORTED_CHECK:
    case LZMA_OPTIONS_ERROR:
        return "it uses a check or an option that liblzma does not support";
    default:
        return "it is damaged";
    }
}

static pt_codec_step step(void *state, pt_codec_io *io)
{
    lzma_stream *stream = &((struct xz *)state)->stream;
    stream->next_in = io->in;
    stream->avail_in = io->in_size;
    stream->next_out = io->out;
    stream->avail_out = io->out_size;
    lzma_ret found = lzma_code(stream, io->last ? LZMA_FINISH : LZMA_RUN);
    io->in = stream->next_in;
    io->in_size = stream->avail_in;
    io->out = stream->next_out;
    io->out_size = stream->avail_out;
    if (found == LZMA_STREAM_END)
        return PT_CODEC_END;
    if (found == LZMA_OK || found == LZMA_BUF_ERROR)
        return PT_CODEC_MORE;
    io->reason = reason_of(found);
    return found == LZMA_MEM_ERROR || found == LZMA_MEMLIMIT_ERROR ? PT_CODEC_MEMORY : PT_CODEC_BROKEN;
}

static void close_xz(void *state)
{
    struct xz *xz = state;
    lzma_end(&xz->stream);
    pt_free(xz->context, xz);
}

const pt_codec pt_codec_xz = {"xz", begins, open_xz, restart, step, close_xz};
