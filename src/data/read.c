/* Reading data sets: options, chunks of text, pieces of chunks. */
#include "data/read.h"

#include <string.h>

#include "data/input.h"
#include "data/reader.h"

void partan_read_options_init(partan_read_options *options)
{
    *options = (partan_read_options){.label_column = 1, .header = -1};
}

/* A chunk of text: `size` bytes in the buffer, of which the first `whole` are whole lines. */
struct chunk {
    partan_context *context;
    char *buffer;
    size_t capacity, size, whole;
    bool last;
};

struct reading {
    pt_reader reader;
    const char *path;
    pt_input input;
    pt_cuts cuts;
    struct chunk chunk;
    pt_piece *pieces;
    size_t piece_count;
    size_t lines; /* before the chunk */
    pt_gathered gathered;
};

/* ---- Chunks ---- */

/* The end of the last whole line, or 0. */
static size_t last_line_end(const char *text, size_t from, size_t size)
{
    while (size > from && text[size - 1] != '\n')
        size--;
    return size > from ? size : 0;
}

/* Drops the whole lines and reads on, until there is at least one more, or the end. One byte of the buffer is kept for
 * the line feed that the last line may lack. */
static partan_status next_chunk(struct chunk *chunk, pt_input *input, size_t least)
{
    chunk->size -= chunk->whole;
    if (chunk->whole > 0)
        memmove(chunk->buffer, chunk->buffer + chunk->whole, chunk->size);
    chunk->whole = 0;
    size_t searched = 0;
    while (chunk->whole == 0 && !chunk->last) {
        size_t want = chunk->size < least ? least : chunk->size * 2; /* a line longer than a chunk */
        if (pt_reserve(chunk->context, (void **)&chunk->buffer, &chunk->capacity, chunk->size, want + 1, 1))
            return pt_out_of_memory(chunk->context, "a chunk of text");
        size_t got;
        partan_status status = pt_input_read(input, chunk->buffer + chunk->size, want - chunk->size, &got);
        if (status)
            return status;
        chunk->last = got < want - chunk->size;
        chunk->size += got;
        if (chunk->last && chunk->size > 0 && chunk->buffer[chunk->size - 1] != '\n')
            chunk->buffer[chunk->size++] = '\n';
        chunk->whole = last_line_end(chunk->buffer, searched, chunk->size);
        searched = chunk->size;
    }
    return PARTAN_OK;
}

/* ---- Pieces ---- */

/* Cuts [text, end) into pieces at line ends. Returns how many. */
static size_t cut(struct reading *reading, const char *text, const char *end)
{
    size_t count = (size_t)(end - text) / reading->cuts.piece + 1;
    if (count > reading->piece_count)
        count = reading->piece_count;
    size_t used = 0;
    for (size_t i = 0; i < count && text < end; i++) {
        const char *stop = end;
        if (i + 1 < count) {
            const char *aim = text + (size_t)(end - text) / (count - i);
            stop = memchr(aim, '\n', (size_t)(end - aim));
            stop++; /* there is one: the text ends with it */
        }
        pt_piece *piece = &reading->pieces[used++];
        pt_piece_clear(piece);
        piece->text = text;
        piece->end = stop;
        text = stop;
    }
    return used;
}

static partan_status report(const struct reading *reading, size_t count)
{
    partan_context *context = reading->reader.context;
    size_t line = reading->lines;
    for (size_t i = 0; i < count; i++) {
        const pt_trouble *trouble = &reading->pieces[i].trouble;
        if (trouble->status == PARTAN_ERROR_MEMORY)
            return pt_out_of_memory(context, "rows of data");
        if (trouble->status)
            return pt_fail(context, trouble->status, "%s:%zu:%zu: %s", reading->reader.name, line + trouble->line + 1,
                           trouble->column, trouble->what);
        line += reading->pieces[i].lines;
    }
    return PARTAN_OK;
}

static partan_status parse(struct reading *reading, const char *text, const char *end)
{
    size_t count = cut(reading, text, end);
    const pt_grammar *grammar = reading->reader.grammar;
#pragma omp parallel for num_threads(reading->reader.context->threads) if (count > 1) schedule(dynamic)
    for (size_t i = 0; i < count; i++)
        grammar->parse(&reading->pieces[i]);
    partan_status status = report(reading, count);
    if (!status)
        status = pt_gathered_append(&reading->gathered, reading->pieces, count);
    for (size_t i = 0; i < count; i++)
        reading->lines += reading->pieces[i].lines;
    return status;
}

/* ---- The first line ---- */

static bool is_data(const char *line, const char *end)
{
    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r'))
        line++;
    return line < end && *line != '#';
}

/* Skips what comes before the first line of data, then settles format and shape by that line. */
static partan_status begin(struct reading *reading, const char **text, const char *end)
{
    pt_reader *reader = &reading->reader;
    while (*text < end && !reader->grammar) {
        const char *line = *text, *line_end = memchr(line, '\n', (size_t)(end - line)), *next = line_end + 1;
        if (line_end > line && line_end[-1] == '\r')
            line_end--;
        bool taken = true;
        if (is_data(line, line_end)) {
            pt_reader_choose(reader, reading->path, line, line_end);
            partan_status status = reader->grammar->begin(reader, line, line_end, reading->lines + 1, &taken);
            if (status)
                return status;
        }
        if (taken) {
            reading->lines++;
            *text = next;
        }
    }
    return PARTAN_OK;
}

/* ---- All ---- */

static partan_status go_on(const struct reading *reading)
{
    partan_context *context = reading->reader.context;
    double share = pt_input_share(&reading->input);
    partan_progress unknown = {.done = -1, .seconds_left = -1};
    partan_status status = share < 0 ? pt_progress_report(context, &unknown) : pt_progress_share(context, share);
    if (status) {
        pt_interrupt_clear(context);
        pt_fail(context, status, "%s: reading was interrupted", reading->reader.name);
    }
    return status;
}

static partan_status read_chunks(struct reading *reading)
{
    bool first = true;
    do {
        partan_status status = next_chunk(&reading->chunk, &reading->input, reading->cuts.chunk);
        if (status)
            return status;
        const char *text = reading->chunk.buffer, *end = text + reading->chunk.whole;
        if (first && reading->chunk.whole >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
            text += 3; /* a byte order mark */
        first = false;
        if (!reading->reader.grammar)
            status = begin(reading, &text, end);
        if (!status && text < end)
            status = parse(reading, text, end);
        if (!status)
            status = go_on(reading);
        if (status)
            return status;
    } while (!reading->chunk.last);
    return PARTAN_OK;
}

static partan_status make_pieces(struct reading *reading)
{
    partan_context *context = reading->reader.context;
    size_t count = context->threads > 1 ? 2 * (size_t)context->threads : 1; /* some to even out */
    reading->pieces = pt_alloc(context, count, sizeof *reading->pieces);
    if (!reading->pieces)
        return pt_out_of_memory(context, "pieces of text");
    for (; reading->piece_count < count; reading->piece_count++)
        pt_piece_init(&reading->pieces[reading->piece_count], &reading->reader);
    return PARTAN_OK;
}

static void drop_text(struct reading *reading)
{
    partan_context *context = reading->reader.context;
    for (size_t i = 0; i < reading->piece_count; i++)
        pt_piece_free(&reading->pieces[i]);
    pt_free(context, reading->pieces);
    pt_free(context, reading->chunk.buffer);
    reading->pieces = NULL;
    reading->piece_count = 0;
    reading->chunk.buffer = NULL;
}

/* Reads everything from the open input, and closes it. */
static partan_status read_data(struct reading *reading, const partan_read_options *options, partan_data **data)
{
    partan_context *context = reading->reader.context;
    partan_read_options_init(&reading->reader.options);
    if (options)
        reading->reader.options = *options;
    reading->chunk.context = context;
    if (reading->input.size > 0 && reading->input.size < reading->cuts.chunk)
        reading->cuts.chunk = (size_t)reading->input.size + 1; /* one more shows that it is the end */
    pt_gathered_init(&reading->gathered, context);
    pt_progress_begin(context, "read");

    partan_status status = PARTAN_OK;
    if (reading->reader.options.min_features > INT32_MAX)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT, "min_features is %llu, at most 2147483647 are possible",
                         (unsigned long long)reading->reader.options.min_features);
    if (!status)
        status = make_pieces(reading);
    if (!status)
        status = read_chunks(reading);
    if (!status && reading->gathered.rows == 0)
        status = pt_fail(context, PARTAN_ERROR_FORMAT, "%s: found no rows, expected at least one line of data",
                         reading->reader.name);
    pt_input_close(&reading->input);
    drop_text(reading); /* before the rows are laid out anew */
    if (!status)
        status = pt_gathered_finish(&reading->gathered, &reading->reader, data);
    pt_gathered_free(&reading->gathered);
    return status;
}

partan_status partan_data_read(partan_context *context, const char *path, const partan_read_options *options,
                               partan_data **data)
{
    enum { CHUNK = 8 << 20, PIECE = 1 << 16 };
    *data = NULL;
    struct reading reading = {.reader = {.context = context, .name = strcmp(path, "-") == 0 ? "standard input" : path},
                              .path = path,
                              .cuts = {CHUNK, PIECE}};
    size_t share = (size_t)context->threads << 19; /* half a megabyte a thread */
    if (share > reading.cuts.chunk)
        reading.cuts.chunk = share;
    partan_status status = pt_input_open(context, path, reading.reader.name, &reading.input);
    return status ? status : read_data(&reading, options, data);
}

partan_status pt_data_parse_cut(partan_context *context, const char *name, const char *text, size_t size,
                                const partan_read_options *options, pt_cuts cuts, partan_data **data)
{
    *data = NULL;
    struct reading reading = {.reader = {.context = context, .name = name}, .path = name, .cuts = cuts};
    pt_input_from_memory(context, name, text, size, &reading.input);
    return read_data(&reading, options, data);
}

partan_status pt_data_parse(partan_context *context, const char *name, const char *text, size_t size,
                            const partan_read_options *options, partan_data **data)
{
    return pt_data_parse_cut(context, name, text, size, options, (pt_cuts){1 << 20, 1 << 16}, data);
}
