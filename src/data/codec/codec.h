/* Compressed text, decompressed as it is read. A codec is one format: a thin layer over the library that its tools are
 * made of, so that checksums, lengths and ends are verified as those tools do. */
#ifndef PT_CODEC_H
#define PT_CODEC_H

#include "core/context.h"

/* Bytes that come and room for those that go, moved on by a step. */
typedef struct pt_codec_io {
    const unsigned char *in;
    size_t in_size;
    unsigned char *out;
    size_t out_size;
    bool last;          /* nothing comes after `in` */
    const char *reason; /* of PT_CODEC_BROKEN, in words; a literal or the codec's own */
} pt_codec_io;

typedef enum pt_codec_step {
    PT_CODEC_MORE, /* wants more to read, or more room */
    PT_CODEC_END,  /* a stream is complete, and its checks hold; another may follow */
    PT_CODEC_BROKEN /* it is not what it should be */,
    PT_CODEC_MEMORY /* memory is out */
} pt_codec_step;

typedef struct pt_codec {
    const char *name;
    bool (*begins)(const unsigned char *head, size_t size); /* whether a stream begins so */
    void *(*open)(partan_context *context);                 /* NULL: memory is out */
    bool (*restart)(void *state);                           /* for the next stream; false: memory is out */
    pt_codec_step (*step)(void *state, pt_codec_io *io);
    void (*close)(void *state);
} pt_codec;

enum { PT_CODEC_HEAD = 6 }; /* bytes that tell how a stream begins */

extern const pt_codec pt_codec_gzip, pt_codec_bzip2, pt_codec_xz, pt_codec_zstd;

/* NULL: none of them, which is to say plain text. */
const pt_codec *pt_codec_find(const char *head, size_t size);

/* Reads up to `size` bytes of the compressed file, fewer only at its end. */
typedef partan_status (*pt_codec_source)(void *user, char *buffer, size_t size, size_t *got);

typedef struct pt_decompressor {
    partan_context *context;
    const char *name; /* of the file, for messages; the caller's */
    const pt_codec *codec;
    void *state;
    pt_codec_source source;
    void *user;
    unsigned char *block; /* what was read and not yet used: in_size bytes at `in` */
    const unsigned char *in;
    size_t in_size;
    bool last;    /* the source has no more */
    bool between; /* a stream has ended, the next one has not begun */
    bool ended;
    bool begun; /* some text was given out */
} pt_decompressor;

partan_status pt_decompressor_open(partan_context *context, const char *name, const pt_codec *codec,
                                   pt_codec_source source, void *user, pt_decompressor *made);
void pt_decompressor_close(pt_decompressor *at);

/* Fills the buffer; *got is less than `size` only at the end, when all checks have been made. */
partan_status pt_decompressor_read(pt_decompressor *at, char *buffer, size_t size, size_t *got);

#endif
