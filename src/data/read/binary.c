#include "data/read/binary.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "data/read/numpy.h"

static const struct {
    const char *magic;
    size_t size;
    pt_binary kind;
    const char *name;
} kinds[] = {
    {"\x93NUMPY", 6, PT_BINARY_NPY, NULL},
    {"PK\x03\x04", 4, PT_BINARY_NPZ, NULL},
    {"PAR1", 4, PT_BINARY_FOREIGN, "a Parquet file"},
    {"ARROW1", 6, PT_BINARY_FOREIGN, "an Arrow file"},
    {"\x89HDF\r\n", 6, PT_BINARY_FOREIGN, "an HDF5 file"},
    {"SQLite format 3", 15, PT_BINARY_FOREIGN, "an SQLite database"},
};

pt_binary pt_binary_recognise(const char *path, const char **foreign)
{
    char head[16] = {0};
    struct stat status;
    if (strcmp(path, "-") == 0 || stat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return PT_BINARY_NONE;
    FILE *file = fopen(path, "rb");
    size_t got = file ? fread(head, 1, sizeof head, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (got >= kinds[i].size && memcmp(head, kinds[i].magic, kinds[i].size) == 0) {
            *foreign = kinds[i].name;
            return kinds[i].kind;
        }
    return PT_BINARY_NONE;
}

partan_status pt_binary_read(partan_context *context, const char *path, const partan_read_options *options,
                             partan_data **data)
{
    const char *foreign = "";
    partan_read_options how;
    partan_read_options_init(&how);
    if (options)
        how = *options;
    *data = NULL;
    pt_progress_begin(context, "read");
    pt_binary kind = pt_binary_recognise(path, &foreign);
    if (kind == PT_BINARY_FOREIGN)
        return pt_fail(
            context, PARTAN_ERROR_FORMAT,
            "%s: found %s, which partan does not read; expected text or NumPy arrays: write it as CSV, or as "
            ".npz by numpy.savez(\"data.npz\", X=X, y=y)",
            path, foreign);
    partan_status status = kind == PT_BINARY_NPY ? pt_numpy_read_npy(context, path, &how, data)
                                                 : pt_numpy_read_npz(context, path, &how, data);
    if (status == PARTAN_INTERRUPTED) {
        pt_interrupt_clear(context);
        pt_fail(context, status, "%s: reading was interrupted", path);
    }
    return status;
}
