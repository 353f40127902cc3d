/* bzip2, by its own library, which compares the checksums of every block and of the whole. */
#include <bzlib.h>

#include "data/codec/codec.h"

struct bzip2 {
    partan_context *context;
    bz_stream stream;
    bool open;
};

static bool begins(const unsigned char *head, size_t size)
{
    return size >= 4 && head[0] == 'B' && head[1] == 'Z' && head[2] == 'h' && head[3] >= '1' && head[3] <= '9';
}

static void *take(void *context, int count, int size)
{
    return pt_alloc(context, (size_t)count, (size_t)size);
}

static void give(void *context, void *pointer)
{
    pt_free(context, pointer);
}

static bool begin(struct bzip2 *bzip2)
{
    bzip2->stream = (bz_stream){.bzalloc = take, .bzfree = give, .opaque = bzip2->context};
    bzip2->open = BZ2_bzDecompressInit(&bzip2->stream, 0, 0) == BZ_OK;
    return bzip2->open;
}

static void *open_bzip2(partan_context *context)
{
    struct bzip2 *bzip2 = pt_alloc_zero(context, 1, sizeof *bzip2);
    if (!bzip2)
        return NULL;
    bzip2->context = context;
    if (begin(bzip2))
        return bzip2;
    pt_free(context, bzip2);
    return NULL;
}

static bool restart(void *state)
{
    struct bzip2 *bzip2 = state;
    BZ2_bzDecompressEnd(&bzip2->stream);
    return begin(bzip2);
}

static unsigned at_most(size_t size)
{
    return size < 1u << 30 ? (unsigned)size : 1u << 30;
}

static pt_codec_step step(void *state, pt_codec_io *io)
{
    bz_stream *stream = &((struct bzip2 *)state)->stream;
    unsigned in = at_most(io->in_size), out = at_most(io->out_size);
    stream->next_in = (char *)(uintptr_t)io->in; /* only read */
    stream->avail_in = in;
    stream->next_out = (char *)io->out;
    stream->avail_out = out;
    int found = BZ2_bzDecompress(stream);
    io->in += in - stream->avail_in;
    io->in_size -= in - stream->avail_in;
    io->out += out - stream->avail_out;
    io->out_size -= out - stream->avail_out;
    if (found == BZ_STREAM_END)
        return PT_CODEC_END;
    if (found == BZ_OK)
        return PT_CODEC_MORE;
    io->reason = found == BZ_DATA_ERROR ? "a checksum differs, it is damaged" : "it is damaged";
    return found == BZ_MEM_ERROR ? PT_CODEC_MEMORY : PT_CODEC_BROKEN;
}

static void close_bzip2(void *state)
{
    struct bzip2 *bzip2 = state;
    if (bzip2->open)
        BZ2_bzDecompressEnd(&bzip2->stream);
    pt_free(bzip2->context, bzip2);
}

const pt_codec pt_codec_bzip2 = {"bzip2", begins, open_bzip2, restart, step, close_bzip2};
