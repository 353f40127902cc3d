/* Members of zip archives, stored or deflated, as NumPy writes them (zip64 included). The directory at the end counts;
 * sizes and checksums are compared. */
#ifndef PT_ZIP_H
#define PT_ZIP_H

#include <stdio.h>

#include "core/context.h"

typedef struct pt_zip {
    partan_context *context;
    const char *path;
    FILE *file;
    uint64_t size;            /* of the file */
    unsigned char *directory; /* what the archive says of its members */
    size_t length, next;      /* and where the next one is told of */
} pt_zip;

typedef struct pt_zip_member {
    const unsigned char *name; /* in the directory, not NUL-terminated */
    size_t name_length;
    unsigned method;
    uint32_t checksum;
    uint64_t packed, size, offset;
} pt_zip_member;

/* The caller closes it, also on failure. */
partan_status pt_zip_open(pt_zip *zip, partan_context *context, const char *path);
void pt_zip_close(pt_zip *zip);

/* *found: whether there was another member. */
partan_status pt_zip_next(pt_zip *zip, pt_zip_member *member, bool *found);

/* Its contents, which are the caller's to free with pt_free. */
partan_status pt_zip_read(pt_zip *zip, const pt_zip_member *member, unsigned char **text);

#endif
