/* .npz: a zip archive of arrays, from which features and labels are chosen. */
#include <string.h>

#include "data/read/numpy.h"
#include "data/read/zip.h"

#define SUFFIX  ".npy"
#define WEIGHTS "weights"

enum { MOST_ARRAYS = 32 };

typedef struct bundle {
    partan_context *context;
    const char *path;
    pt_zip zip;
    pt_array arrays[MOST_ARRAYS];
    size_t count;
} bundle;

static partan_status take_member(bundle *b, const pt_zip_member *member)
{
    unsigned char *text = NULL;
    size_t length = member->name_length - (sizeof SUFFIX - 1);
    if (b->count == MOST_ARRAYS)
        return pt_fail(b->context, PARTAN_ERROR_FORMAT, "%s: found more than %d arrays", b->path, MOST_ARRAYS);
    partan_status status = pt_zip_read(&b->zip, member, &text);
    if (status) {
        pt_free(b->context, text);
        return status;
    }
    pt_array *array = &b->arrays[b->count];
    status = pt_array_parse(b->context, b->path, text, (size_t)member->size, array);
    b->count++;
    array->name = pt_alloc_zero(b->context, length + 1, 1);
    if (!array->name)
        return status ? status : pt_out_of_memory(b->context, "the name of an array");
    memcpy(array->name, member->name, length);
    return status;
}

static bool is_array(const pt_zip_member *member)
{
    size_t suffix = sizeof SUFFIX - 1;
    return member->name_length > suffix && memcmp(member->name + member->name_length - suffix, SUFFIX, suffix) == 0;
}

static partan_status open_bundle(bundle *b)
{
    pt_zip_member member;
    bool found = true;
    partan_status status = pt_zip_open(&b->zip, b->context, b->path);
    while (!status && found) {
        status = pt_zip_next(&b->zip, &member, &found);
        if (!status && found && is_array(&member))
            status = take_member(b, &member);
    }
    return status;
}

/* The array of this name; NULL: there is none. */
static const pt_array *find(const bundle *b, const char *name)
{
    for (size_t i = 0; i < b->count; i++)
        if (strcmp(b->arrays[i].name, name) == 0)
            return &b->arrays[i];
    return NULL;
}

/* The array of this name or, where only one other than the weights has so many dimensions, that one; NULL: neither. */
static const pt_array *choose(const bundle *b, size_t dimensions, const char *name, bool *several)
{
    const pt_array *only = NULL;
    *several = false;
    for (size_t i = 0; i < b->count; i++) {
        const pt_array *one = &b->arrays[i];
        if (one->dimensions != dimensions || strcmp(one->name, WEIGHTS) == 0)
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
    return find(b, "indptr") != NULL;
}

static partan_status use(const bundle *b, const partan_read_options *options, pt_numpy_parts parts, partan_data **data)
{
    if (options->weight_column != 0 || options->weight_name)
        return pt_fail(b->context, PARTAN_ERROR_ARGUMENT,
                       "%s: found an archive of arrays, expected a table for a weight column: weights in an archive "
                       "are an array named weights",
                       b->path);
    if (parts.weights && parts.weights->dimensions != 1)
        return pt_fail(b->context, PARTAN_ERROR_FORMAT, "%s: found weights of %zu dimensions, expected one", b->path,
                       parts.weights->dimensions);
    return pt_numpy_data(b->context, b->path, options, parts, data);
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
        return use(b, options, (pt_numpy_parts){features, labels, find(b, WEIGHTS), SIZE_MAX, SIZE_MAX}, data);
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
    pt_zip_close(&b->zip);
    pt_free(context, b);
    return status;
}
