/* Zstandard, by its own library, which compares the checksum and the size of every frame that has them. Its memory is
 * the C library's: the interface for another allocator is not one that the library promises to keep. */
#include <zstd.h>
#include <zstd_errors.h>

#include "data/codec/codec.h"

struct zstd {
    partan_context *context;
    ZSTD_DCtx *stream;
};

/* A frame, or one to be skipped, with which the files of pzstd begin. */
static bool begins(const unsigned char *head, size_t size)
{
    if (size < 4)
        return false;
    bool frame = head[0] == 0x28 && head[1] == 0xb5 && head[2] == 0x2f && head[3] == 0xfd;
    bool skipped = head[0] >> 4 == 5 && head[1] == 0x2a && head[2] == 0x4d && head[3] == 0x18;
    return frame || skipped;
}

static void *open_zstd(partan_context *context)
{
    struct zstd *zstd = pt_alloc_zero(context, 1, sizeof *zstd);
    if (!zstd)
        return NULL;
    *zstd = (struct zstd){.context = context, .stream = ZSTD_createDCtx()};
    if (zstd->stream)
        return zstd;
    pt_free(context, zstd);
    return NULL;
}

static bool restart(void *state)
{
    (void)state;
    return true; /* the next step begins the next frame */
}

static pt_codec_step step(void *state, pt_codec_io *io)
{
    struct zstd *zstd = state;
    ZSTD_inBuffer in = {io->in, io->in_size, 0};
    ZSTD_outBuffer out = {io->out, io->out_size, 0};
    size_t found = ZSTD_decompressStream(zstd->stream, &out, &in);
    io->in += in.pos;
    io->in_size -= in.pos;
    io->out += out.pos;
    io->out_size -= out.pos;
    if (found == 0)
        return PT_CODEC_END;
    if (!ZSTD_isError(found))
        return PT_CODEC_MORE;
    io->reason = ZSTD_getErrorName(found);
    return ZSTD_getErrorCode(found) == ZSTD_error_memory_allocation ? PT_CODEC_MEMORY : PT_CODEC_BROKEN;
}

static void close_zstd(void *state)
{
    struct zstd *zstd = state;
    ZSTD_freeDCtx(zstd->stream);
    pt_free(zstd->context, zstd);
}

const pt_codec pt_codec_zstd = {"zstd", begins, open_zstd, restart, step, close_zstd};
