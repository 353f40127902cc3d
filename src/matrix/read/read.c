/* Reading ratings: lines out of an input, the choice of the format, and what is wrong with a file as a whole. */
#include <math.h>
#include <string.h>

#include "core/require.h"
#include "core/sized.h"
#include "data/read/lines.h"
#include "matrix/read/reader.h"

enum { BLOCK = 1 << 20 }; /* bytes of text at a time */

PT_STRUCT_INIT(partan_ratings_options, .missing = NAN, .header = -1)

/* ---- The first line ---- */

static char find_separator(const char *line, const char *end)
{
    for (const char *p = line; p + 1 < end; p++)
        if (p[0] == ':' && p[1] == ':')
            return ':';
    static const char separators[] = {'\t', ',', ';'};
    for (size_t i = 0; i < sizeof separators; i++)
        if (memchr(line, separators[i], (size_t)(end - line)))
            return separators[i];
    return ' ';
}

static bool begins_with(const char *line, const char *end, const char *text)
{
    return (size_t)(end - line) >= strlen(text) && memcmp(line, text, strlen(text)) == 0;
}

/* Up to four fields are a list of entries; a fourth is the time that many such lists have. */
static void choose_grammar(pt_ratings_reader *reader, const char *line, const char *end)
{
    static const pt_ratings_grammar *const grammars[] = {NULL, &pt_ratings_triplets, &pt_ratings_market,
                                                         &pt_ratings_table};
    reader->grammar = grammars[reader->options.format];
    if (!reader->grammar && begins_with(line, end, "%%MatrixMarket"))
        reader->grammar = &pt_ratings_market;
    reader->separator = find_separator(line, end);
    reader->fields = pt_ratings_fields(line, end, reader->separator);
    if (!reader->grammar)
        reader->grammar = reader->fields <= 4 ? &pt_ratings_triplets : &pt_ratings_table;
}

/* ---- Lines ---- */

static bool is_data(const pt_ratings_reader *reader, const char *line, const char *end)
{
    char comment = reader->grammar ? reader->grammar->comment : '#';
    bool tabs = reader->grammar == &pt_ratings_table && reader->separator == '\t'; /* they make empty cells */
    while (line < end && (*line == ' ' || (*line == '\t' && !tabs)))
        line++;
    return line < end && *line != comment;
}

static partan_status take_line(pt_ratings_reader *reader, const char *line, const char *end)
{
    bool taken = false;
    partan_status status = PARTAN_OK;
    reader->line = line;
    if (!is_data(reader, line, end))
        return PARTAN_OK;
    if (!reader->grammar) {
        choose_grammar(reader, line, end);
        status = reader->grammar->begin(reader, line, end, &taken);
    }
    return status || taken ? status : reader->grammar->parse(reader, line, end);
}

static partan_status take_text(pt_ratings_reader *reader, const pt_text *text)
{
    const char *p = pt_text_begin(text), *end = p + text->size;
    partan_status status = PARTAN_OK;
    if (reader->number == 0 && text->size >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3; /* a byte order mark */
    while (p < end && !status) {
        const char *next = memchr(p, '\n', (size_t)(end - p)), *line_end = next;
        if (line_end > p && line_end[-1] == '\r')
            line_end--;
        reader->number++;
        status = take_line(reader, p, line_end);
        p = next + 1;
    }
    return status;
}

static partan_status go_on(const pt_ratings_reader *reader, const pt_input *input)
{
    double share = pt_input_share(input);
    partan_progress unknown = {.done = -1, .seconds_left = -1};
    partan_status status =
        share < 0 ? pt_progress_report(reader->context, &unknown) : pt_progress_share(reader->context, share);
    if (status) {
        pt_interrupt_clear(reader->context);
        pt_fail(reader->context, status, "%s: reading was interrupted", reader->name);
    }
    return status;
}

static partan_status read_lines(pt_ratings_reader *reader, pt_input *input, size_t block)
{
    pt_lines lines;
    pt_text text = {0};
    partan_status status = PARTAN_OK;
    pt_lines_init(&lines, reader->context, input, block);
    do {
        status = go_on(reader, input);
        if (!status)
            status = pt_lines_take(&lines, &text);
        if (!status)
            status = take_text(reader, &text);
    } while (!status && text.size > 0);
    pt_lines_free(&lines);
    pt_free(reader->context, text.buffer);
    return status;
}

/* ---- The whole ---- */

static size_t line_of(const pt_ratings_reader *reader, size_t entry)
{
    size_t i = reader->run_count;
    while (i > 0 && reader->runs[i - 1].entry > entry)
        i--;
    return i > 0 ? reader->runs[i - 1].line + (entry - reader->runs[i - 1].entry) : 0;
}

static partan_status found_twice(const pt_ratings_reader *reader, size_t twice)
{
    const partan_ratings *ratings = reader->ratings;
    const pt_triplets *t = &reader->triplets;
    char quotes[2][PT_QUOTE_SIZE], buffers[2][PT_NUMBER_SIZE];
    const char *row = pt_names_text(&ratings->rows, (size_t)t->row[twice], buffers[0]);
    const char *column = pt_names_text(&ratings->columns, (size_t)t->column[twice], buffers[1]);
    size_t first = 0;
    while (t->row[first] != t->row[twice] || t->column[first] != t->column[twice])
        first++;
    return pt_fail(reader->context, PARTAN_ERROR_FORMAT,
                   "%s:%zu: found another value for row %s and column %s, the first is in line %zu", reader->name,
                   line_of(reader, twice), pt_quote(quotes[0], row, row + strlen(row)),
                   pt_quote(quotes[1], column, column + strlen(column)), line_of(reader, first));
}

static partan_status read_ratings(pt_ratings_reader *reader, pt_input *input, size_t block)
{
    size_t twice = SIZE_MAX;
    partan_status status = pt_ratings_create(reader->context, reader->name, &reader->ratings);
    if (!status)
        status = read_lines(reader, input, block);
    if (!status && reader->grammar && reader->grammar->finish)
        status = reader->grammar->finish(reader);
    if (!status && reader->triplets.count == 0)
        status =
            pt_fail(reader->context, PARTAN_ERROR_FORMAT, "%s: found no ratings, expected at least one", reader->name);
    if (!status)
        status = pt_ratings_fill(reader->ratings, &reader->triplets, &twice);
    if (!status && twice < SIZE_MAX)
        status = found_twice(reader, twice);
    return status;
}

static partan_status check_options(partan_context *context, const partan_ratings_options *options)
{
    if ((int)options->format < 0 || options->format > PARTAN_RATINGS_TABLE || (int)options->first_column < 0
        || options->first_column > PARTAN_FIRST_NAMES || options->header < -1 || options->header > 1)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT,
                       "options for reading ratings: format %d, first_column %d or header %d is out of range",
                       (int)options->format, (int)options->first_column, options->header);
    return PARTAN_OK;
}

/* From an open input, which is closed. */
static partan_status read_input(partan_context *context, const char *name, pt_input *input,
                                const partan_ratings_options *options, size_t block, partan_ratings **ratings)
{
    pt_ratings_reader reader = {.context = context, .name = name};
    partan_ratings_options_init(&reader.options);
    if (options)
        reader.options = *options;
    pt_progress_begin(context, "read");
    partan_status status = check_options(context, &reader.options);
    if (!status)
        status = read_ratings(&reader, input, block);
    pt_input_close(input);
    pt_triplets_free(context, &reader.triplets);
    pt_free(context, reader.runs);
    pt_free(context, reader.unquoted);
    if (status)
        partan_ratings_free(reader.ratings);
    else
        *ratings = reader.ratings;
    return status;
}

partan_status partan_ratings_read(partan_context *context, const char *path, const partan_ratings_options *options,
                                  partan_ratings **ratings)
{
    PT_REQUIRE(context, context && path && ratings);
    PT_TAKE(context, partan_ratings_options, options);
    pt_input input;
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    *ratings = NULL;
    partan_status status = pt_input_open(context, path, name, &input);
    return status ? status : read_input(context, name, &input, options, BLOCK, ratings);
}

partan_status pt_ratings_parse(partan_context *context, const char *name, const char *text, size_t size,
                               const partan_ratings_options *options, size_t block, partan_ratings **ratings)
{
    pt_input input;
    *ratings = NULL;
    pt_input_from_memory(context, name, text, size, &input);
    return read_input(context, name, &input, options, block, ratings);
}
