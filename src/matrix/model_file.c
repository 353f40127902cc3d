#include "matrix/model_file.h"

#include <math.h>

#include "core/names.h"
#include "core/number.h"
#include "core/require.h"
#include "matrix/settings.h"
#include "model/file.h"
#include "model/header.h"
#include "model/memory.h"
#include "settings/settings.h"

static const char *const yes_no_names[] = {"no", "yes", NULL};

#define AT(member) offsetof(struct partan_matrix, member)
#define OWN        PT_KEY_SETTING, AT(matrix_settings), .of = &pt_matrix_settings
#define SETTING    PT_KEY_SETTING, AT(settings), .of = &pt_settings
#define SIZE       PT_KEY_RANGE(1, INT32_MAX)

static const pt_key keys[] = {
    {"version", PT_KEY_VERSION, AT(version), PT_KEY_ANY},
    {"radius", OWN},
    {"centre", OWN},
    {"max_rank", OWN},
    {"solver", SETTING},
    {"step", SETTING},
    {"tol", SETTING},
    {"eps", SETTING},
    {"seed", SETTING},
    {"max_iter", SETTING},
    {"time_limit", SETTING},
    {"fingerprint", PT_KEY_FINGERPRINT, AT(fingerprint), PT_KEY_ANY},
    {"entries", PT_KEY_UNSIGNED, AT(entries), PT_KEY_RANGE(1, (double)INT64_MAX)},
    {"status", PT_KEY_CHOICE, AT(result.status), PT_KEY_ANY, .names = pt_success_names},
    {"converged", PT_KEY_CHOICE, AT(result.converged), PT_KEY_ANY, .names = yes_no_names},
    {"iterations", PT_KEY_INTEGER, AT(result.iterations), PT_KEY_COUNT},
    {"objective", PT_KEY_REAL, AT(result.objective), PT_KEY_RANGE(0, DBL_MAX)},
    {"gap", PT_KEY_REAL, AT(result.gap), PT_KEY_RANGE(0, DBL_MAX)},
    {"relative_gap", PT_KEY_REAL, AT(result.relative_gap), PT_KEY_RANGE(0, DBL_MAX)},
    {"nuclear_norm", PT_KEY_REAL, AT(result.nuclear_norm), PT_KEY_RANGE(0, DBL_MAX)},
    {"rmse", PT_KEY_REAL, AT(result.rmse), PT_KEY_RANGE(0, DBL_MAX)},
    {"mae", PT_KEY_REAL, AT(result.mae), PT_KEY_RANGE(0, DBL_MAX)},
    {"products", PT_KEY_UNSIGNED, AT(result.products), PT_KEY_COUNT},
    {"seconds", PT_KEY_REAL, AT(result.seconds), PT_KEY_RANGE(0, DBL_MAX)},
    {"mean", PT_KEY_REAL, AT(offsets.mean), PT_KEY_ANY},
    {"rows", PT_KEY_UNSIGNED, AT(rows.count), SIZE},
    {"row_names", PT_KEY_BOOL, AT(rows.worded), PT_KEY_ANY, .names = yes_no_names},
    {"columns", PT_KEY_UNSIGNED, AT(columns.count), SIZE},
    {"column_names", PT_KEY_BOOL, AT(columns.worded), PT_KEY_ANY, .names = yes_no_names},
    {"rank", PT_KEY_UNSIGNED, AT(result.rank), PT_KEY_RANGE(0, INT32_MAX)},
};

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "numbers of rows and columns are read as 64 bits");

static const pt_header header = {
    .kind = &pt_model_kinds[PARTAN_KIND_MATRIX], .keys = keys, .count = sizeof keys / sizeof keys[0]};

enum { SHORTEST_NUMBER = 2 }; /* a digit and what separates it from the next */

/* ---- Reading ---- */

/* Whether the text can hold as many numbers as the header announces, so that no file makes the reader ask for more
 * memory than a few times its own size. */
static partan_status check_size(const pt_scan *scan, partan_matrix *matrix)
{
    uint64_t lines = matrix->rows.count + matrix->columns.count, rank = matrix->result.rank;
    uint64_t left = pt_scan_left(scan) / SHORTEST_NUMBER;
    bool possible = rank <= matrix->rows.count && rank <= matrix->columns.count;
    if (possible && lines <= left && lines * (rank + 1) <= left && matrix->matrix_settings.radius > 0)
        return PARTAN_OK;
    matrix->rows.worded = matrix->columns.worded = false; /* of which there are none yet */
    return pt_fail(
        matrix->context, PARTAN_ERROR_FORMAT,
        "%s:%ju: found %zu rows, %zu columns, rank %ju and radius %g in the header, expected no more than the "
        "rest of the file can hold, a rank that such a matrix can have, and a radius above 0",
        scan->name, (uintmax_t)scan->line, matrix->rows.count, matrix->columns.count, (uintmax_t)rank,
        matrix->matrix_settings.radius);
}

static partan_status read_numbers(pt_scan *scan, double *out, size_t count, const char *what)
{
    for (size_t k = 0; k < count; k++) {
        pt_word word = pt_scan_word(scan);
        if (!pt_word_real(word, &out[k]))
            return pt_scan_fail(scan, word, what);
    }
    return PARTAN_OK;
}

static partan_status read_name(pt_scan *scan, pt_names *names)
{
    char *text = NULL;
    size_t before = names->words.count, length = 0;
    pt_word word = pt_scan_word(scan);
    partan_status status = pt_label_read(scan, word, &text);
    if (status)
        return status;
    while (text[length])
        length++;
    bool added = pt_words_number(&names->words, text, length) >= 0;
    pt_free(scan->context, text);
    if (!added)
        return pt_out_of_memory(scan->context, "the names of rows and columns");
    return names->words.count > before ? PARTAN_OK : pt_scan_fail(scan, word, "a name that no other line has");
}

/* "[name] offset factor factor ..." for all of `names`. */
static partan_status read_lines(pt_scan *scan, pt_names *names, double *offsets, double *factors, size_t rank)
{
    for (size_t i = 0; i < names->count; i++) {
        if (!pt_scan_line(scan))
            return pt_scan_fail_end(scan, "the line of a row or a column");
        partan_status status = names->worded ? read_name(scan, names) : PARTAN_OK;
        if (!status)
            status = read_numbers(scan, &offsets[i], 1, "an offset, a number");
        if (!status)
            status = read_numbers(scan, factors + i * rank, rank, "a factor, a number");
        if (!status)
            status = pt_scan_line_done(scan);
        if (status)
            return status;
    }
    return PARTAN_OK;
}

static partan_status read_singular(pt_scan *scan, partan_matrix *matrix)
{
    if (!pt_scan_line(scan))
        return pt_scan_fail_end(scan, "the singular values");
    pt_word word = pt_scan_word(scan);
    if (!pt_word_is(word, "singular"))
        return pt_scan_fail(scan, word, "'singular' and the singular values");
    partan_status status =
        read_numbers(scan, matrix->singular, (size_t)matrix->result.rank, "a singular value, a number");
    return status ? status : pt_scan_line_done(scan);
}

static partan_status make_room(partan_matrix *matrix)
{
    size_t rank = (size_t)matrix->result.rank;
    double mean = matrix->offsets.mean;
    partan_status status =
        pt_offsets_make(matrix->context, &matrix->offsets, matrix->rows.count, matrix->columns.count);
    matrix->offsets.mean = mean;
    matrix->singular = pt_alloc(matrix->context, rank, sizeof(double));
    matrix->left = pt_alloc(matrix->context, matrix->rows.count * rank, sizeof(double));
    matrix->right = pt_alloc(matrix->context, matrix->columns.count * rank, sizeof(double));
    if (!status && (!matrix->singular || !matrix->left || !matrix->right))
        status = pt_out_of_memory(matrix->context, "a matrix");
    return status;
}

partan_status pt_matrix_parse(partan_context *context, const char *name, const char *text, size_t size,
                              partan_matrix *matrix)
{
    pt_scan scan;
    pt_scan_init(&scan, context, name, text, size);
    partan_status status = pt_header_read(&scan, &header, matrix);
    if (!status)
        status = check_size(&scan, matrix);
    if (!status)
        status = make_room(matrix);
    size_t rank = (size_t)matrix->result.rank;
    if (!status)
        status = read_singular(&scan, matrix);
    if (!status)
        status = read_lines(&scan, &matrix->rows, matrix->offsets.row, matrix->left, rank);
    if (!status)
        status = read_lines(&scan, &matrix->columns, matrix->offsets.column, matrix->right, rank);
    return status ? status : pt_end_read(&scan, "column");
}

partan_status partan_matrix_from_file(partan_context *context, const partan_model_file *file, partan_matrix **matrix)
{
    PT_REQUIRE(context, context && file && matrix);
    partan_matrix *made = NULL;
    *matrix = NULL;
    partan_status status = pt_matrix_create(context, &made);
    if (!status)
        status = pt_matrix_parse(context, file->name, file->text, file->size, made);
    if (status)
        partan_matrix_free(made);
    else
        *matrix = made;
    return status;
}

partan_status partan_matrix_read(partan_context *context, const char *path, partan_matrix **matrix)
{
    PT_REQUIRE(context, context && path && matrix);
    partan_model_file *file;
    *matrix = NULL;
    partan_status status = partan_model_file_read(context, path, &file);
    if (!status)
        status = partan_matrix_from_file(context, file, matrix);
    partan_model_file_free(file);
    return status;
}

/* ---- Writing ---- */

static void write_number(FILE *file, double value)
{
    char text[PT_NUMBER_SIZE];
    pt_format_real(text, value);
    fputc(' ', file);
    fputs(text, file);
}

static void write_lines(FILE *file, const pt_names *names, const double *offsets, const double *factors, size_t rank)
{
    for (size_t i = 0; i < names->count; i++) {
        char text[PT_NUMBER_SIZE];
        if (names->worded) {
            pt_label_write(file, names->words.texts[i]);
            fputc(' ', file);
        }
        pt_format_real(text, offsets[i]);
        fputs(text, file);
        for (size_t k = 0; k < rank; k++)
            write_number(file, factors[i * rank + k]);
        fputc('\n', file);
    }
}

partan_status pt_matrix_write(const partan_matrix *matrix, FILE *file)
{
    size_t rank = (size_t)matrix->result.rank;
    partan_status status = pt_header_write(matrix->context, &header, matrix, file);
    if (status)
        return status;
    fputs("singular", file);
    for (size_t k = 0; k < rank; k++)
        write_number(file, matrix->singular[k]);
    fputc('\n', file);
    write_lines(file, &matrix->rows, matrix->offsets.row, matrix->left, rank);
    write_lines(file, &matrix->columns, matrix->offsets.column, matrix->right, rank);
    pt_end_write(file);
    return PARTAN_OK;
}

static partan_status write_matrix(const void *model, FILE *file)
{
    return pt_matrix_write(model, file);
}

partan_status partan_matrix_write(partan_context *context, const partan_matrix *matrix, const char *path)
{
    PT_REQUIRE(context, context && matrix && path);
    return pt_model_to_path(context, matrix->context, write_matrix, matrix, path);
}

partan_status partan_matrix_to_memory(partan_context *context, const partan_matrix *matrix, char **bytes, size_t *size)
{
    PT_REQUIRE(context, context && matrix && bytes && size);
    return pt_model_to_memory(context, matrix->context, write_matrix, matrix, bytes, size);
}

partan_status partan_matrix_from_memory(partan_context *context, const void *bytes, size_t size, partan_matrix **matrix)
{
    PT_REQUIRE(context, context && matrix && (bytes || size == 0));
    partan_model_file *file;
    *matrix = NULL;
    partan_status status = partan_model_file_from_memory(context, bytes, size, &file);
    if (!status)
        status = partan_matrix_from_file(context, file, matrix);
    partan_model_file_free(file);
    return status;
}
