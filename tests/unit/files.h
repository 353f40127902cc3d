/* Temporary files of a test, and their contents. */
#ifndef FILES_H
#define FILES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "testing.h"

/* A name in the temporary folder that nothing else uses, ending in `extension`. */
static inline const char *temporary_path(char *buffer, size_t size, const char *extension)
{
    const char *folder = getenv("TMPDIR");
    snprintf(buffer, size, "%s/partan-test-%ld%s", folder ? folder : "/tmp", (long)getpid(), extension);
    return buffer;
}

/* The whole file, NUL-terminated; the caller frees it. NULL when there is none. */
static inline char *file_contents(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    size_t used = 0, room = 1 << 16;
    char *text = malloc(room);
    for (size_t got = 1; got > 0; used += got) {
        if (room - used < 2)
            text = realloc(text, room *= 2);
        got = fread(text + used, 1, room - used - 1, file);
    }
    fclose(file);
    text[used] = '\0';
    if (size)
        *size = used;
    return text;
}

static inline void make_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    fclose(file);
}

#endif
