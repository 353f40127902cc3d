/* .npz: a zip archive of arrays, from which features and labels are chosen. */
#include <archive.h>
#include <archive_entry.h>
#include <string.h>

#include "data/read/numpy.h"

enum { MOST_ARRAYS = 32 };

typedef struct bundle {
    partan_context *context;
    const char *path;
    struct archive *archive;
    pt_array arrays[MOST_ARRAYS];
    size_t count;
} bundle;

static partan_status cannot_read(const bundle *b)
{
    const char *reason = b->archive ? archive_error_string(b->archive) : NULL;
    return pt_fail(b->context, PARTAN_ERROR_IO, "%s: cannot be read: %s", b->path, reason ? reason : "unknown error");
}

static partan_status read_member(bundle *b, unsigned char **text, size_t *size)
{
    enum { CHUNK = 1 << 20 };
    size_t capacity = 0;
    for (;;) {
        if (pt_reserve(b->context, (void **)text, &capacity, *size, *size + CHUNK, 1))
            return pt_out_of_memory(b->context, "an array");
        la_ssize_t got = archive_read_data(b->archive, *text + *size, CHUNK);
        if (got < 0)
            return cannot_read(b);
        if (got == 0)
            return PARTAN_OK;
        *size += (size_t)got;
        partan_status status = pt_progress_share(b->context, 0);
        if (status)
            return status;
    }
}

static partan_status take_member(bundle *b, const char *name)
{
    unsigned char *text = NULL;
    size_t size = 0, length = strlen(name);
    if (b->count == MOST_ARRAYS)
        return pt_fail(b->context, PARTAN_ERROR_FORMAT, "%s: found more than %d arrays", b->path, MOST_ARRAYS);
    partan_status status = read_member(b, &text, &size);
    if (status) {
        pt_free(b->context, text);
        return status;
    }
    pt_array *array = &b->arrays[b->count];
    status = pt_array_parse(b->context, b->path, text, size, array);
    b->count++;
    array->name = pt_alloc_zero(b->context, length + 1, 1);
    if (!array->name)
        return status ? status : pt_out_of_memory(b->context, "the name of an array");
    memcpy(array->name, name, length - 4); /* without ".npy" */
    return status;
}

static partan_status take_members(bundle *b)
{
    struct archive_entry *entry;
    int found;
    partan_status status = PARTAN_OK;
    while (!status && (found = archive_read_next_header(b->archive, &entry)) != ARCHIVE_EOF) {
        if (found < ARCHIVE_WARN)
            return cannot_read(b);
        const char *name = archive_entry_pathname(entry);
        size_t length = name ? strlen(name) : 0;
        if (length > 4 && strcmp(name + length - 4, ".npy") == 0)
            status = take_member(b, name);
    }
    return status;
}

static partan_status open_bundle(bundle *b)
{
    b->archive = archive_read_new();
    if (!b->archive)
        return pt_out_of_memory(b->context, "an archive");
    archive_read_support_format_zip(b->archive);
    if (archive_read_open_filename(b->archive, b->path, 1 << 18) != ARCHIVE_OK)
        return cannot_read(b);
    return take_members(b);
}

/* The array of this name or, where only one has so many dimensions, that one; NULL: neither. */
static const pt_array *choose(const bundle *b, size_t dimensions, const char *name, bool *several)
{
    const pt_array *only = NULL;
    *several = false;
    for (size_t i = 0; i < b->count; i++) {
        const pt_array *one = &b->arrays[i];
        if (one->dimensions != dimensions)
            continue;
        if (strcmp(one->name, name) == 0)
            return one;
        *several = *several || only;
        only = one;
    }
    return *several ? NULL : only;
}

/* What scipy.sparse.save_npz writes, which has no place for labels. */
static bool is_sparse_matrix(const bundle *b)
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->arrays[i].name, "indptr") == 0)
            return true;
    return false;
}

static partan_status make_data(const bundle *b, const partan_read_options *options, partan_data **data)
{
    bool several, many;
    const pt_array *features = choose(b, 2, "X", &several), *labels = choose(b, 1, "y", &many);
    if (!features && is_sparse_matrix(b))
        return pt_fail(b->context, PARTAN_ERROR_FORMAT,
                       "%s: found a sparse matrix of SciPy, which partan does not read; expected dense arrays X and y: "
                       "write LIBSVM text by sklearn.datasets.dump_svmlight_file(X, y, \"data.svm\", zero_based=False)",
                       b->path);
    if (features && !(many && !labels))
        return pt_numpy_data(b->context, b->path, options, features, labels, SIZE_MAX, data);
    return pt_fail(b->context, PARTAN_ERROR_FORMAT,
                   "%s: found an archive of %zu arrays, %s; expected features X of two dimensions and labels y of one",
                   b->path, b->count,
                   several        ? "several of them with two dimensions and none named X"
                   : features     ? "several of them with one dimension and none named y"
                   : b->count > 0 ? "none of them with two dimensions"
                                  : "which is none");
}

partan_status pt_numpy_read_npz(partan_context *context, const char *path, const partan_read_options *options,
                                partan_data **data)
{
    bundle *b = pt_alloc_zero(context, 1, sizeof *b);
    if (!b)
        return pt_out_of_memory(context, "an archive");
    b->context = context;
    b->path = path;
    partan_status status = open_bundle(b);
    if (!status)
        status = make_data(b, options, data);
    for (size_t i = 0; i < b->count; i++)
        pt_array_free(context, &b->arrays[i]);
    if (b->archive)
        archive_read_free(b->archive);
    pt_free(context, b);
    return status;
}
