/* A data file in two, line by line: each part has lines of the file as they are, in their order. What stands before the
 * first row (a header, comments) goes to both parts; blank lines and comments after it are left out. */
#include <string.h>

#include "core/require.h"
#include "core/sized.h"
#include "data/data.h"
#include "data/read/input.h"
#include "data/read/read.h"

typedef struct file_split {
    partan_context *context;
    const char *name;
    char *text;
    size_t size, capacity;
    partan_data *data;
    unsigned char *marks; /* of each row: 1 is in the second part */
    size_t rows, second;
} file_split;

static partan_status read_text(file_split *s, const char *path)
{
    enum { CHUNK = 1 << 20 };
    partan_progress unknown = {.done = -1, .seconds_left = -1};
    pt_input input;
    partan_status status = pt_input_open(s->context, path, s->name, &input);
    if (status)
        return status;
    size_t got = CHUNK;
    while (!status && got == CHUNK) {
        if (pt_reserve(s->context, (void **)&s->text, &s->capacity, s->size, s->size + CHUNK, 1)) {
            status = pt_out_of_memory(s->context, "the text of a data file");
            break;
        }
        status = pt_input_read(&input, s->text + s->size, CHUNK, &got);
        s->size += status ? 0 : got;
        if (!status)
            status = pt_progress_report(s->context, &unknown);
    }
    pt_input_close(&input);
    return status;
}

/* ---- Lines ---- */

static bool is_data(const char *line, const char *end)
{
    while (line < end && (*line == ' ' || *line == '\t' || *line == '\r' || *line == '\n'))
        line++;
    return line < end && *line != '#';
}

static const char *end_of_line(const char *line, const char *end)
{
    const char *feed = memchr(line, '\n', (size_t)(end - line));
    return feed ? feed + 1 : end;
}

static const char *first_line(const file_split *s)
{
    bool mark = s->size >= 3 && memcmp(s->text, "\xef\xbb\xbf", 3) == 0; /* a byte order mark */
    return s->text + (mark ? 3 : 0);
}

/* Lines of data before the first row: 1 where there is a header. */
static partan_status count_headers(const file_split *s, size_t *headers)
{
    size_t lines = 0;
    const char *end = s->text + s->size;
    for (const char *line = first_line(s); line < end; line = end_of_line(line, end))
        lines += is_data(line, end_of_line(line, end));
    *headers = lines - s->rows;
    if (lines >= s->rows && *headers <= 1)
        return PARTAN_OK;
    return pt_fail(s->context, PARTAN_ERROR_FORMAT, "%s: found %zu lines for %zu rows, expected one line per row",
                   s->name, lines, s->rows);
}

/* A last line may lack its line feed, which other lines may come after now. */
static void put_line(FILE *file, const char *line, const char *end)
{
    fwrite(line, 1, (size_t)(end - line), file);
    if (end[-1] != '\n')
        fputc('\n', file);
}

static partan_status write_lines(const file_split *s, size_t headers, FILE *const files[2])
{
    const char *end = s->text + s->size, *next;
    size_t row = 0;
    partan_status status = PARTAN_OK;
    fwrite(s->text, 1, (size_t)(first_line(s) - s->text), files[0]);
    fwrite(s->text, 1, (size_t)(first_line(s) - s->text), files[1]);
    for (const char *line = first_line(s); line < end && !status; line = next) {
        next = end_of_line(line, end);
        bool data = is_data(line, next), header = data && headers > 0;
        if (header || (!data && row == 0)) {
            put_line(files[0], line, next);
            put_line(files[1], line, next);
            headers -= header;
        } else if (data) {
            put_line(files[s->marks[row++]], line, next);
            if (row % 4096 == 0)
                status = pt_progress_share(s->context, (double)row / (double)s->rows);
        }
    }
    return status;
}

/* ---- All ---- */

static partan_status check_output(partan_context *context, const char *path)
{
    const char *compression = partan_compression(path);
    if (!compression)
        return partan_output_check(context, path);
    return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: lines are written as plain text; expected a name without %s",
                   path, compression);
}

static partan_status draw(file_split *s, const partan_split_options *options)
{
    s->rows = partan_data_rows(s->data);
    s->marks = pt_alloc_zero(s->context, s->rows, 1);
    if (!s->marks)
        return pt_out_of_memory(s->context, "a split");
    return pt_data_draw(s->data, options->share, options->seed, options->stratify != 0, s->marks, &s->second);
}

static partan_status write_parts(file_split *s, const char *first, const char *second)
{
    size_t headers = 0;
    partan_output outputs[2] = {{0}, {0}};
    partan_status status = count_headers(s, &headers);
    pt_progress_begin(s->context, "write");
    if (!status)
        status = partan_output_open(s->context, first, &outputs[0]);
    if (!status)
        status = partan_output_open(s->context, second, &outputs[1]);
    if (!status)
        status = write_lines(s, headers, (FILE *const[2]){outputs[0].file, outputs[1].file});
    if (!status)
        status = partan_output_commit(&outputs[0]);
    if (!status)
        status = partan_output_commit(&outputs[1]);
    partan_output_abandon(&outputs[0]);
    partan_output_abandon(&outputs[1]);
    return status;
}

static partan_status split_text(file_split *s, const partan_read_options *reading, const partan_split_options *options,
                                const char *first, const char *second)
{
    partan_status status = pt_data_parse(s->context, s->name, s->text, s->size, reading, &s->data);
    if (!status)
        status = draw(s, options);
    if (!status)
        status = write_parts(s, first, second);
    return status;
}

PT_STRUCT_INIT(partan_split_options, .share = 0.25, .seed = 1, .stratify = 1)

partan_status partan_split_file(partan_context *context, const char *path, const partan_read_options *reading,
                                const partan_split_options *options, const char *first, const char *second,
                                uint64_t rows[2])
{
    PT_REQUIRE(context, context && path && options && first && second);
    PT_TAKE(context, partan_read_options, reading);
    PT_TAKE(context, partan_split_options, options);
    file_split s = {.context = context, .name = strcmp(path, "-") == 0 ? "standard input" : path};
    partan_status status = check_output(context, first);
    if (!status)
        status = check_output(context, second);
    pt_progress_begin(context, "read");
    if (!status)
        status = read_text(&s, path);
    if (!status)
        status = split_text(&s, reading, options, first, second);
    if (!status && rows) {
        rows[0] = s.rows - s.second;
        rows[1] = s.second;
    }
    if (status == PARTAN_INTERRUPTED)
        pt_interrupt_clear(context);
    partan_data_free(s.data);
    pt_free(context, s.text);
    pt_free(context, s.marks);
    return status;
}
