/* Where bytes come from: a file, standard input, or memory; decompressed on the way when need be. */
#ifndef PT_INPUT_H
#define PT_INPUT_H

#include "data/codec/codec.h"

typedef struct pt_input {
    partan_context *context;
    const char *name;         /* for messages; the caller's */
    int descriptor;           /* -1: none */
    bool waits;               /* a pipe or a terminal: its bytes may be long in coming */
    pt_decompressor *codec;   /* NULL: not compressed */
    const char *memory;       /* NULL: not from memory */
    uint64_t size, done;      /* bytes of a plain file or of memory; 0 when not known */
    char head[PT_CODEC_HEAD]; /* read ahead, to recognise compression */
    size_t head_size, head_done;
} pt_input;

/* Opens a path ("-" is standard input). gzip, bzip2, xz and zstd are recognised by their first bytes. While it waits
 * for bytes, here and in pt_input_read, an interruption ends it with PARTAN_INTERRUPTED. */
partan_status pt_input_open(partan_context *context, const char *path, const char *name, pt_input *input);
void pt_input_from_memory(partan_context *context, const char *name, const char *text, size_t size, pt_input *input);
void pt_input_close(pt_input *input);

/* Fills the buffer; *got is less than `size` only at the end. */
partan_status pt_input_read(pt_input *input, char *buffer, size_t size, size_t *got);

double pt_input_share(const pt_input *input); /* read so far, in [0, 1]; negative when not known */

#endif
