/* Reading data sets: options, and the threads that take pieces of text and parse them. */
#include "data/read/read.h"

#include <string.h>

#include "core/available.h"
#include "core/require.h"
#include "core/sized.h"
#include "core/team.h"
#include "data/read/binary.h"
#include "data/read/input.h"
#include "data/read/lines.h"
#include "data/read/reader.h"

enum {
    BLOCK = 1 << 17,      /* bytes of text in a piece: what is made of it should stay in the cache as well */
    SMALL_SLAB = 1 << 16, /* for inputs of unknown size, to begin with */
    LARGE_TEXT = 1 << 20  /* worth huge pages */
};

PT_STRUCT_INIT(partan_read_options, .label_column = 1, .header = -1)

struct reading {
    pt_reader reader;
    const char *path;
    pt_input input;
    pt_lines lines;
    size_t skipped; /* lines before the first row */
    size_t slab;    /* bytes of memory to begin with */

    /* The rest belongs to the thread that holds the lock, and so does the input. */
    pt_lock lock;
    pt_batch *batches; /* one a piece taken so far */
    size_t batch_count, batch_capacity;
    uint64_t bytes;       /* of memory that they take */
    bool begun;           /* some text was read */
    bool stopped;         /* no more pieces: the end, or a failure */
    partan_status status; /* of input and callbacks */
    size_t troubled;      /* the first piece with trouble; SIZE_MAX: none */
    pt_trouble trouble;
};

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
            partan_status status = reader->grammar->begin(reader, line, line_end, reading->skipped + 1, &taken);
            if (status)
                return status;
        }
        if (taken) {
            reading->skipped++;
            *text = next;
        }
    }
    return PARTAN_OK;
}

/* ---- Pieces ---- */

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

/* A piece of text in the hands of a thread. */
struct turn {
    pt_piece piece;
    pt_text text;
    const char *begin; /* of what is to be parsed of the text */
    size_t number;     /* of the piece, SIZE_MAX: none */
};

/* Pieces are taken in order, so all before the first one with trouble get parsed, and it is the first of the file. */
static void deliver(struct reading *reading, struct turn *turn)
{
    if (turn->piece.trouble.status && turn->number < reading->troubled) {
        reading->troubled = turn->number;
        reading->trouble = turn->piece.trouble;
    }
    reading->stopped = reading->stopped || turn->piece.trouble.status;
    reading->batches[turn->number] = turn->piece.batch;
    reading->bytes += turn->piece.batch.bytes;
    turn->number = SIZE_MAX;
}

/* The next lines that are to be parsed: [turn->begin, the end of the text), nothing at the end. */
static partan_status take_text(struct reading *reading, struct turn *turn)
{
    const char *text, *end;
    do {
        partan_status status = pt_lines_take(&reading->lines, &turn->text);
        if (status)
            return status;
        text = pt_text_begin(&turn->text);
        end = text + turn->text.size;
        if (!reading->begun && turn->text.size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
            text += 3; /* a byte order mark */
        reading->begun = true;
        if (!reading->reader.grammar)
            status = begin(reading, &text, end);
        if (status)
            return status;
    } while (text == end && turn->text.size > 0);
    turn->begin = text;
    return PARTAN_OK;
}

static partan_status take(struct reading *reading, struct turn *turn)
{
    partan_context *context = reading->reader.context;
    partan_status status = take_text(reading, turn);
    if (status)
        return status;
    reading->stopped = turn->text.size == 0;
    if (reading->stopped)
        return PARTAN_OK;
    if (pt_reserve(context, (void **)&reading->batches, &reading->batch_capacity, reading->batch_count,
                   reading->batch_count + 1, sizeof *reading->batches))
        return pt_out_of_memory(context, "rows of data");
    turn->number = reading->batch_count++;
    return PARTAN_OK;
}

/* Hands in the piece that is done and takes another; false when there is none. The caller's callbacks are called by the
 * caller's thread. */
static bool next(struct reading *reading, struct turn *turn, size_t thread)
{
    pt_lock_take(&reading->lock);
    if (turn->number < SIZE_MAX)
        deliver(reading, turn);
    partan_status status = PARTAN_OK;
    if (thread == 0 && !reading->status)
        status = go_on(reading);
    if (!status && !reading->status)
        status =
            pt_memory_check(reading->reader.context, reading->reader.name, reading->bytes, reading->lines.available);
    if (!status && !reading->stopped)
        status = take(reading, turn);
    if (status) {
        reading->status = status;
        reading->stopped = true;
    }
    pt_lock_give(&reading->lock);
    return turn->number < SIZE_MAX;
}

/* A thread's part: pieces, until there are no more. */
static void work(void *user, size_t part, size_t thread)
{
    struct reading *reading = user;
    struct turn turn = {.number = SIZE_MAX};
    (void)part;
    pt_piece_init(&turn.piece, &reading->reader, reading->slab);
    while (next(reading, &turn, thread))
        pt_piece_parse(&turn.piece, turn.begin, pt_text_begin(&turn.text) + turn.text.size);
    pt_piece_free(&turn.piece);
    pt_free(reading->reader.context, turn.text.buffer);
}

/* ---- All ---- */

/* The first thing that is wrong, if anything is: input is only given up after all that was read before. */
static partan_status report(const struct reading *reading)
{
    partan_context *context = reading->reader.context;
    const pt_trouble *trouble = &reading->trouble;
    if (reading->troubled == SIZE_MAX)
        return reading->status;
    if (trouble->status == PARTAN_ERROR_MEMORY)
        return pt_out_of_memory(context, "rows of data");
    size_t line = reading->skipped + trouble->line + 1;
    for (size_t i = 0; i < reading->troubled; i++)
        line += reading->batches[i].lines;
    return pt_fail(context, trouble->status, "%s:%zu:%zu: %s", reading->reader.name, line, trouble->column,
                   trouble->what);
}

static partan_status read_pieces(struct reading *reading)
{
    uint64_t size = reading->input.size, pieces = size / reading->lines.block + 1;
    int threads = reading->reader.context->threads;
    if (size > 0 && pieces < (uint64_t)threads)
        threads = (int)pieces;
    reading->slab = size == 0 ? SMALL_SLAB : size < LARGE_TEXT ? (size_t)size : SIZE_MAX;
    pt_lock_init(&reading->lock);
    pt_team_run(reading->reader.context, threads, (size_t)threads, work, reading);
    pt_lock_end(&reading->lock);
    return report(reading);
}

static bool has_rows(const struct reading *reading)
{
    for (size_t i = 0; i < reading->batch_count; i++)
        if (reading->batches[i].rows.count > 0)
            return true;
    return false;
}

/* Reads everything from the open input, and closes it. */
static partan_status read_data(struct reading *reading, const partan_read_options *options, size_t block,
                               partan_data **data)
{
    partan_context *context = reading->reader.context;
    partan_read_options_init(&reading->reader.options);
    if (options)
        reading->reader.options = *options;
    reading->troubled = SIZE_MAX;
    pt_lines_init(&reading->lines, context, &reading->input, block);
    pt_progress_begin(context, "read");

    partan_status status = PARTAN_OK;
    if (reading->reader.options.min_features > INT32_MAX)
        status = pt_fail(context, PARTAN_ERROR_ARGUMENT, "min_features is %llu, at most 2147483647 are possible",
                         (unsigned long long)reading->reader.options.min_features);
    if (!status)
        status = read_pieces(reading);
    if (!status && !reading->reader.part && !has_rows(reading))
        status = pt_fail(context, PARTAN_ERROR_FORMAT, "%s: found no rows, expected at least one line of data",
                         reading->reader.name);
    pt_lines_free(&reading->lines);
    pt_input_close(&reading->input);
    if (!status)
        status = pt_gather(&reading->reader, reading->batches, reading->batch_count, data);
    if (!status)
        (*data)->source = reading->reader.source;
    else
        pt_source_free(context, &reading->reader.source);
    for (size_t i = 0; i < reading->batch_count; i++)
        pt_batch_release(&reading->batches[i]);
    pt_free(context, reading->batches);
    return status;
}

partan_status partan_data_read(partan_context *context, const char *path, const partan_read_options *options,
                               partan_data **data)
{
    PT_REQUIRE(context, context && path && data);
    return pt_data_read_like(context, path, options, NULL, 0, data);
}

partan_status pt_data_read_like(partan_context *context, const char *path, const partan_read_options *options,
                                const pt_source *like, uint64_t features, partan_data **data)
{
    *data = NULL;
    PT_TAKE(context, partan_read_options, options);
    if (pt_binary_recognise(path, &(const char *){NULL}) != PT_BINARY_NONE)
        return pt_binary_read(context, path, options, data);
    struct reading reading = {.reader = {.context = context,
                                         .name = strcmp(path, "-") == 0 ? "standard input" : path,
                                         .like = like,
                                         .like_features = features},
                              .path = path};
    partan_status status = pt_input_open(context, path, reading.reader.name, &reading.input);
    return status ? status : read_data(&reading, options, BLOCK, data);
}

static partan_status parse(struct reading *reading, const char *text, size_t size, const partan_read_options *options,
                           size_t block, partan_data **data)
{
    *data = NULL;
    reading->path = reading->reader.name;
    pt_input_from_memory(reading->reader.context, reading->reader.name, text, size, &reading->input);
    return read_data(reading, options, block, data);
}

partan_status pt_data_parse_cut(partan_context *context, const char *name, const char *text, size_t size,
                                const partan_read_options *options, size_t block, partan_data **data)
{
    struct reading reading = {.reader = {.context = context, .name = name}};
    return parse(&reading, text, size, options, block, data);
}

partan_status pt_data_parse(partan_context *context, const char *name, const char *text, size_t size,
                            const partan_read_options *options, partan_data **data)
{
    return pt_data_parse_cut(context, name, text, size, options, BLOCK, data);
}

partan_status pt_data_parse_part(partan_context *context, const char *name, const char *text, size_t size,
                                 const partan_read_options *options, const pt_source *like, uint64_t features,
                                 partan_data **data)
{
    struct reading reading = {
        .reader = {.context = context, .name = name, .like = like, .like_features = features, .part = true}};
    return parse(&reading, text, size, options, BLOCK, data);
}
