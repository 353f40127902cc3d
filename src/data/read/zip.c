/* The format: PKWARE's APPNOTE, sections 4.3.7 (local header), 4.3.12 (directory), 4.3.14 to 4.3.16 (its end), 4.5.3
 * (zip64). */
#include "data/read/zip.h"

#include <errno.h>
#include <string.h>
#include <zlib.h>

#include "core/available.h"

enum {
    END = 22,        /* bytes of the directory's end, without its comment, */
    COMMENT = 65535, /* and of that at most */
    LOCATOR = 20,    /* of the place of the zip64 end */
    END64 = 56,      /* of that */
    ENTRY = 46,      /* of a member in the directory, without name and extras */
    LOCAL = 30,      /* and before its contents */
    ZIP64 = 1,       /* the extra with longer numbers */
    STORED = 0,      /* methods */
    DEFLATED = 8,
    ENCRYPTED = 1,     /* flag */
    MOST_RATIO = 1032, /* by which deflate can make contents shorter */
    STEP = 1 << 20,    /* bytes between looks for interruptions */
};

/* ---- Numbers ---- */

static uint64_t little(const unsigned char *at, size_t bytes)
{
    uint64_t value = 0;
    for (size_t i = bytes; i-- > 0;)
        value = value << 8 | at[i];
    return value;
}

static bool begins(const unsigned char *at, const char *signature)
{
    return memcmp(at, signature, 4) == 0;
}

static partan_status damaged(const pt_zip *zip, const char *how)
{
    return pt_fail(zip->context, PARTAN_ERROR_FORMAT, "%s: found a damaged zip archive: %s", zip->path, how);
}

static partan_status read_at(pt_zip *zip, uint64_t offset, unsigned char *out, size_t size)
{
    if (offset > zip->size || size > zip->size - offset)
        return damaged(zip, "it is truncated");
    if (fseeko(zip->file, (off_t)offset, SEEK_SET) != 0 || fread(out, 1, size, zip->file) != size)
        return pt_fail(zip->context, PARTAN_ERROR_IO, "%s: cannot be read: %s", zip->path, strerror(errno));
    return PARTAN_OK;
}

/* ---- The directory ---- */

/* Where it is and how long, by what stands at `end`; numbers that are all ones are in the zip64 end. */
static partan_status find_directory(pt_zip *zip, const unsigned char *end, uint64_t end_at, uint64_t *at,
                                    uint64_t *length)
{
    unsigned char locator[LOCATOR], end64[END64];
    *length = little(end + 12, 4);
    *at = little(end + 16, 4);
    if (*length != UINT32_MAX && *at != UINT32_MAX)
        return PARTAN_OK;
    if (end_at < LOCATOR)
        return damaged(zip, "its directory is missing");
    partan_status status = read_at(zip, end_at - LOCATOR, locator, LOCATOR);
    if (status)
        return status;
    if (!begins(locator, "PK\6\7"))
        return damaged(zip, "its directory is missing");
    status = read_at(zip, little(locator + 8, 8), end64, END64);
    if (status)
        return status;
    if (!begins(end64, "PK\6\6"))
        return damaged(zip, "its directory is missing");
    *length = little(end64 + 40, 8);
    *at = little(end64 + 48, 8);
    return PARTAN_OK;
}

static partan_status read_directory(pt_zip *zip, uint64_t at, uint64_t length)
{
    if (at > zip->size || length > zip->size - at)
        return damaged(zip, "its directory is missing");
    zip->directory = pt_alloc(zip->context, (size_t)length, 1);
    if (!zip->directory)
        return pt_out_of_memory(zip->context, "the directory of an archive");
    zip->length = (size_t)length;
    return read_at(zip, at, zip->directory, zip->length);
}

/* The end of the directory is the last thing in the file, but for a comment. */
static partan_status find_end(pt_zip *zip)
{
    size_t tail = zip->size < END + COMMENT ? (size_t)zip->size : END + COMMENT;
    unsigned char *text = pt_alloc(zip->context, tail, 1);
    if (!text)
        return pt_out_of_memory(zip->context, "the directory of an archive");
    uint64_t start = zip->size - tail, at = 0, length = 0;
    partan_status status = read_at(zip, start, text, tail);
    bool found = false;
    for (size_t i = tail >= END ? tail - END + 1 : 0; !status && !found && i-- > 0;)
        if (begins(text + i, "PK\5\6") && little(text + i + 20, 2) == tail - i - END) {
            found = true;
            status = find_directory(zip, text + i, start + i, &at, &length);
        }
    pt_free(zip->context, text);
    if (status)
        return status;
    return found ? read_directory(zip, at, length) : damaged(zip, "its end is missing");
}

partan_status pt_zip_open(pt_zip *zip, partan_context *context, const char *path)
{
    *zip = (pt_zip){.context = context, .path = path, .file = fopen(path, "rb")};
    off_t size = -1;
    if (zip->file && fseeko(zip->file, 0, SEEK_END) == 0)
        size = ftello(zip->file);
    if (size < 0)
        return pt_fail(context, PARTAN_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    zip->size = (uint64_t)size;
    return find_end(zip);
}

void pt_zip_close(pt_zip *zip)
{
    if (zip->file)
        fclose(zip->file);
    pt_free(zip->context, zip->directory);
    *zip = (pt_zip){0};
}

/* ---- Members ---- */

/* The next number of the zip64 extra takes the place of one that is all ones. */
static bool widen(uint64_t *value, const unsigned char **extra, const unsigned char *end)
{
    if (*value != UINT32_MAX)
        return true;
    if (end - *extra < 8)
        return false;
    *value = little(*extra, 8);
    *extra += 8;
    return true;
}

static bool read_extras(pt_zip_member *member, const unsigned char *extra, size_t length)
{
    const unsigned char *end = extra + length;
    while (end - extra >= 4) {
        size_t size = (size_t)little(extra + 2, 2);
        const unsigned char *body = extra + 4, *next = body + size;
        if (size > (size_t)(end - body))
            return false;
        if (little(extra, 2) == ZIP64)
            return widen(&member->size, &body, next) && widen(&member->packed, &body, next)
                   && widen(&member->offset, &body, next);
        extra = next;
    }
    return true;
}

partan_status pt_zip_next(pt_zip *zip, pt_zip_member *member, bool *found)
{
    const unsigned char *at = zip->directory + zip->next;
    size_t left = zip->length - zip->next;
    *found = left > 0;
    if (!*found)
        return PARTAN_OK;
    if (left < ENTRY || !begins(at, "PK\1\2"))
        return damaged(zip, "its directory cannot be read");
    size_t name = (size_t)little(at + 28, 2), extra = (size_t)little(at + 30, 2), comment = (size_t)little(at + 32, 2);
    if (name + extra + comment > left - ENTRY)
        return damaged(zip, "its directory cannot be read");
    *member = (pt_zip_member){.name = at + ENTRY,
                              .name_length = name,
                              .method = (unsigned)little(at + 10, 2),
                              .checksum = (uint32_t)little(at + 16, 4),
                              .packed = little(at + 20, 4),
                              .size = little(at + 24, 4),
                              .offset = little(at + 42, 4)};
    zip->next += ENTRY + name + extra + comment;
    if (little(at + 8, 2) & ENCRYPTED)
        return pt_fail(zip->context, PARTAN_ERROR_FORMAT, "%s: found an encrypted zip archive, which cannot be read",
                       zip->path);
    return read_extras(member, at + ENTRY + name, extra) ? PARTAN_OK : damaged(zip, "its directory cannot be read");
}

/* ---- Contents ---- */

/* Contents are made only as far as what is packed could fill them. */
static partan_status check_sizes(const pt_zip *zip, const pt_zip_member *member)
{
    if (member->method != STORED && member->method != DEFLATED)
        return pt_fail(zip->context, PARTAN_ERROR_FORMAT,
                       "%s: found an archive packed by method %u, expected one that is stored or deflated", zip->path,
                       member->method);
    bool fits = member->packed <= zip->size
                && (member->method == STORED ? member->size == member->packed
                                             : member->size / MOST_RATIO <= member->packed + 1);
    if (!fits)
        return damaged(zip, "its sizes contradict each other");
    return pt_memory_check(zip->context, zip->path, member->size, pt_memory_available(""));
}

static partan_status read_packed(pt_zip *zip, const pt_zip_member *member, unsigned char *out)
{
    unsigned char local[LOCAL];
    partan_status status = read_at(zip, member->offset, local, LOCAL);
    if (status)
        return status;
    if (!begins(local, "PK\3\4"))
        return damaged(zip, "a member is not where it should be");
    uint64_t at = member->offset + LOCAL + little(local + 26, 2) + little(local + 28, 2);
    for (uint64_t done = 0; done < member->packed && !status; done += STEP) {
        size_t some = member->packed - done < STEP ? (size_t)(member->packed - done) : STEP;
        status = read_at(zip, at + done, out + done, some);
        if (!status)
            status = pt_progress_share(zip->context, (double)done / (double)member->packed);
    }
    return status;
}

static voidpf take(voidpf context, uInt count, uInt size)
{
    return pt_alloc(context, count, size);
}

static void give(voidpf context, voidpf pointer)
{
    pt_free(context, pointer);
}

/* From `packed` to all of `out`, no more and no less. */
static partan_status inflate_all(pt_zip *zip, const pt_zip_member *member, const unsigned char *packed,
                                 unsigned char *out)
{
    z_stream stream = {.zalloc = take, .zfree = give, .opaque = zip->context};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return pt_out_of_memory(zip->context, "an array");
    uint64_t in = 0, made = 0;
    int found = Z_OK;
    partan_status status = PARTAN_OK;
    while (!status && found == Z_OK) {
        uint64_t some_in = member->packed - in < STEP ? member->packed - in : STEP;
        uint64_t some_out = member->size - made < STEP ? member->size - made : STEP;
        stream.next_in = (z_const Bytef *)(packed + in);
        stream.next_out = out + made;
        stream.avail_in = (uInt)some_in;
        stream.avail_out = (uInt)some_out;
        found = inflate(&stream, Z_NO_FLUSH);
        in += some_in - stream.avail_in;
        made += some_out - stream.avail_out;
        status = pt_progress_share(zip->context, (double)made / (double)(member->size + 1));
    }
    inflateEnd(&stream);
    if (!status && (found != Z_STREAM_END || made != member->size || in != member->packed))
        status = found == Z_MEM_ERROR ? pt_out_of_memory(zip->context, "an array")
                                      : damaged(zip, "a member cannot be unpacked");
    return status;
}

static uint32_t checksum_of(const unsigned char *text, uint64_t size)
{
    uLong sum = crc32(0, NULL, 0);
    for (uint64_t done = 0; done < size; done += STEP)
        sum = crc32(sum, text + done, (uInt)(size - done < STEP ? size - done : STEP));
    return (uint32_t)sum;
}

partan_status pt_zip_read(pt_zip *zip, const pt_zip_member *member, unsigned char **text)
{
    partan_context *context = zip->context;
    unsigned char *packed = NULL;
    *text = NULL;
    partan_status status = check_sizes(zip, member);
    if (status)
        return status;
    *text = pt_alloc(context, (size_t)member->size, 1);
    if (member->method == DEFLATED)
        packed = pt_alloc(context, (size_t)member->packed, 1);
    if (!*text || (member->method == DEFLATED && !packed))
        status = pt_out_of_memory(context, "an array");
    if (!status)
        status = read_packed(zip, member, packed ? packed : *text);
    if (!status && packed)
        status = inflate_all(zip, member, packed, *text);
    if (!status && checksum_of(*text, member->size) != member->checksum)
        status = damaged(zip, "a checksum is wrong");
    pt_free(context, packed);
    return status;
}
