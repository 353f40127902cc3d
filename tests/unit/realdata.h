/* Real data sets, looked for in the folder PARTAN_DATA, by default beside the source tree. */
#ifndef REALDATA_H
#define REALDATA_H

#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

/* folder/set/file or folder/file, plain or compressed; NULL when there is none. */
static inline const char *find_data(const char *set, const char *file, char *path, size_t size)
{
    const char *folder = getenv("PARTAN_DATA"), *endings[] = {"", ".xz", ".gz", ".bz2", ".zst"};
    for (int i = 0; i < 10; i++) {
        const char *ending = endings[i / 2];
        const char *base = folder ? folder : PT_SOURCE_DIR "/../shared/data";
        if (i % 2)
            snprintf(path, size, "%s/%s%s", base, file, ending);
        else
            snprintf(path, size, "%s/%s/%s%s", base, set, file, ending);
        FILE *stream = fopen(path, "rb"); /* a folder opens too, but cannot be read */
        bool found = stream && fgetc(stream) != EOF;
        if (stream)
            fclose(stream);
        if (found)
            return path;
    }
    return NULL;
}

/* Skips the test where there is no such data. */
static inline partan_data *read_real_data(partan_context *context, const char *set, const char *file, uint64_t features)
{
    char path[4096];
    partan_data *data = NULL;
    if (!find_data(set, file, path, sizeof path)) {
        print_message("skipped: there is no %s in the data folder (PARTAN_DATA)\n", file);
        skip();
    }
    partan_read_options options;
    partan_read_options_init(&options);
    options.min_features = features;
    if (partan_data_read(context, path, &options, &data))
        fail_msg("%s", partan_error(context));
    return data;
}

#endif
