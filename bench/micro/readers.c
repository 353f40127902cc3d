/* Readers: megabytes a second of the file, beside a pass over the same bytes that only looks for line ends. The file is
 * in the system's cache after the first reading. */
#include <stdlib.h>
#include <string.h>

#include "micro.h"

enum { CHUNK = 1 << 20 };

typedef struct file_state {
    partan_context *context;
    const char *path;
    size_t rows, features;
    partan_storage storage;
    uint64_t bytes, lines;
} file_state;

static void run_read(void *state)
{
    file_state *s = state;
    partan_data *data;
    partan_read_options options;
    partan_read_options_init(&options);
    require(s->context, partan_data_read(s->context, s->path, &options, &data));
    s->rows = partan_data_rows(data);
    s->features = partan_data_features(data);
    s->storage = partan_data_storage(data);
    partan_data_free(data);
}

static void run_scan(void *state)
{
    static char chunk[CHUNK];
    file_state *s = state;
    s->bytes = s->lines = 0;
    FILE *file = fopen(s->path, "rb");
    if (!file) {
        fprintf(stderr, "bench_micro: %s cannot be opened\n", s->path);
        exit(1);
    }
    for (size_t count; (count = fread(chunk, 1, CHUNK, file)) > 0; s->bytes += count)
        for (const char *at = chunk, *end = chunk + count; (at = memchr(at, '\n', (size_t)(end - at))); at++)
            s->lines++;
    fclose(file);
}

void run_readers(const micro *m, char *const *paths, int count)
{
    for (int i = 0; i < count; i++)
        for (int team = 0; team < m->teams; team++) {
            file_state s = {.context = make_context(pt_isa_best(), m->team[team]), .path = paths[i]};
            timing scan = measure(m->seconds, run_scan, &s), read = measure(m->seconds, run_read, &s);
            emit_begin("reader");
            emit_text("file", s.path);
            emit_integer("threads", (uint64_t)m->team[team]);
            emit_integer("bytes", s.bytes);
            emit_integer("rows", s.rows);
            emit_integer("features", s.features);
            emit_text("storage", partan_storage_name(s.storage));
            emit_real("bytes_per_second", (double)s.bytes / read.best);
            emit_real("bytes_per_second_median", (double)s.bytes / read.median);
            emit_real("scan_bytes_per_second", (double)s.bytes / scan.best);
            emit_end();
            partan_destroy(s.context);
        }
}
