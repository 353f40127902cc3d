/* Compressed files to read, made by the libraries that the tools are made of. */
#ifndef COMPRESSING_H
#define COMPRESSING_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <bzlib.h>
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

/* Fuzz targets, which have no cmocka, compress too. */
static inline void compress_require(int condition)
{
    if (!condition)
        abort();
}

static const char *const compressions[] = {"gzip", "bzip2", "xz", "zstd"};
enum { COMPRESSIONS = 4 };

static inline size_t compress_gzip(const char *text, size_t size, char *out, size_t room)
{
    z_stream stream = {.next_in = (z_const Bytef *)(uintptr_t)text,
                       .avail_in = (uInt)size,
                       .next_out = (Bytef *)out,
                       .avail_out = (uInt)room};
    compress_require(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    compress_require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
    deflateEnd(&stream);
    return room - stream.avail_out;
}

static inline size_t compress_bzip2(const char *text, size_t size, char *out, size_t room)
{
    unsigned length = (unsigned)room;
    compress_require(BZ2_bzBuffToBuffCompress(out, &length, (char *)(uintptr_t)text, (unsigned)size, 1, 0, 0) == BZ_OK);
    return length;
}

static inline size_t compress_xz(const char *text, size_t size, char *out, size_t room)
{
    size_t length = 0;
    lzma_ret status =
        lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text, size, (uint8_t *)out, &length, room);
    compress_require(status == LZMA_OK);
    return length;
}

static inline size_t compress_zstd(const char *text, size_t size, char *out, size_t room)
{
    ZSTD_CCtx *context = ZSTD_createCCtx();
    ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1); /* as the program zstd does */
    size_t length = ZSTD_compress2(context, out, room, text, size);
    compress_require(!ZSTD_isError(length));
    ZSTD_freeCCtx(context);
    return length;
}

/* The text as a program of that name compresses it, to be freed. */
static inline char *compress_text(const char *name, const char *text, size_t size, size_t *length)
{
    static size_t (*const functions[])(const char *, size_t, char *, size_t) = {compress_gzip, compress_bzip2,
                                                                                compress_xz, compress_zstd};
    size_t room = size + size / 2 + 4096;
    char *out = malloc(room);
    compress_require(out != NULL);
    for (size_t i = 0; i < COMPRESSIONS; i++)
        if (strcmp(compressions[i], name) == 0)
            *length = functions[i](text, size, out, room);
    return out;
}

static inline void put_bytes(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    compress_require(file != NULL);
    compress_require(fwrite(bytes, 1, size, file) == size);
    compress_require(fclose(file) == 0);
}

static inline void compress_file(const char *path, const char *name, const char *text, size_t size)
{
    size_t length = 0;
    char *bytes = compress_text(name, text, size, &length);
    put_bytes(path, bytes, length);
    free(bytes);
}

#endif
