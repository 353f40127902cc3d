/* Files of completed matrices: everything comes back as it was, and broken files are refused with their place. */
#include "completing.h"

#include <stdio.h>

#include "failing.h"
#include "files.h"
#include "matrix/model_file.h"

static char *written(const partan_matrix *matrix)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);
    assert_int_equal(pt_matrix_write(matrix, file), PARTAN_OK);
    fclose(file);
    return text;
}

static partan_status parse(partan_context *context, const char *text, partan_matrix **matrix)
{
    partan_status status = pt_matrix_create(context, matrix);
    return status ? status : pt_matrix_parse(context, "it", text, strlen(text), *matrix);
}

/* Names that are words, one of them with a blank. */
static partan_matrix *small(partan_context *context)
{
    static const char *const words[] = {"ann lee", "bob", "x", "y"};
    static const int64_t row[] = {0, 0, 1}, column[] = {0, 1, 1};
    static const double value[] = {1, 2, 4};
    partan_ratings *ratings = NULL;
    partan_matrix *matrix = NULL;
    assert_int_equal(partan_ratings_from_triplets(context, 2, 2, row, column, value, 3, &ratings), PARTAN_OK);
    ratings->rows.worded = ratings->columns.worded = true;
    for (size_t i = 0; i < 4; i++)
        pt_words_number(i < 2 ? &ratings->rows.words : &ratings->columns.words, words[i], strlen(words[i]));
    partan_matrix_settings m = within(0.5, PARTAN_CENTRE_ROWS);
    partan_settings s = solving(PARTAN_SOLVER_AUTO, 1e-3);
    assert_int_equal(partan_matrix_fit(context, ratings, &s, &m, NULL, &matrix), PARTAN_OK);
    partan_ratings_free(ratings);
    return matrix;
}

static void everything_comes_back(void **state)
{
    sketch s = sketch_make(30, 20, 3, 0.5, 0.3, 1);
    partan_ratings *ratings = sketch_ratings(*state, &s);
    FOR_EVERY_SOLVER(solver) {
        partan_settings settings = solving(solver, 1e-2);
        partan_matrix_settings m = within(20, PARTAN_CENTRE_BOTH);
        partan_matrix *matrix = complete(*state, ratings, &settings, &m, PARTAN_OK), *again = NULL;
        char *text = written(matrix), *twice;
        assert_int_equal(parse(*state, text, &again), PARTAN_OK);
        twice = written(again);
        assert_string_equal(text, twice);
        partan_matrix_verification found;
        partan_matrix_verification_init(&found);
        assert_int_equal(partan_matrix_verify(*state, again, ratings, &found), PARTAN_OK);
        assert_true(found.matches);
        double values[2] = {pt_matrix_value(matrix, 3, 4), pt_matrix_value(again, 3, 4)};
        assert_true(values[0] == values[1]);
        free(text);
        free(twice);
        partan_matrix_free(matrix);
        partan_matrix_free(again);
    }
    partan_ratings_free(ratings);
    sketch_free(&s);
}

static void names_come_back(void **state)
{
    char path[256], buffer[8];
    partan_matrix *matrix = small(*state), *again = NULL;
    temporary_path(path, sizeof path, ".model");
    assert_int_equal(partan_matrix_write(*state, matrix, path), PARTAN_OK);
    assert_int_equal(partan_matrix_read(*state, path, &again), PARTAN_OK);
    assert_string_equal(partan_matrix_row_name(again, 0, buffer, sizeof buffer), "ann lee");
    assert_int_equal(partan_matrix_find_column(again, "y"), 1);
    assert_int_equal(partan_matrix_find_column(again, "z"), -1);
    unlink(path);
    assert_int_equal(partan_matrix_write(*state, matrix, "/nowhere/at/all"), PARTAN_ERROR_IO);
    partan_matrix_free(matrix);
    partan_matrix_free(again);
}

/* Where a line with this beginning begins. */
static size_t beginning_of(const char *text, const char *line)
{
    size_t at = 0;
    while (strncmp(text + at, line, strlen(line)) != 0) {
        at += strcspn(text + at, "\n") + 1;
        assert_true(at < strlen(text));
    }
    return at;
}

/* One line of a file replaced, and what the reader says then. */
static void broken_files_are_refused(void **state)
{
    static const struct {
        const char *line, *with, *message;
    } cases[] = {
        {"partan-matrix 1", "partan-matrix 2", "it:1: found '2', expected format 1"},
        {"centre rows", "centre middle",
         "it:4: found 'middle', expected the centre, one of none mean rows columns both"},
        {"rows 2", "rows 0", "it:27: found '0', expected the rows, a whole number of at least 1"},
        {"rank 1", "rank 1000000",
         "it:31: found 2 rows, 2 columns, rank 1000000 and radius 0.5 in the header, expected"},
        {"radius 0.5", "radius 0", "it:31: found 2 rows, 2 columns, rank 1 and radius 0 in the header, expected"},
        {"singular 0.5", "singular", "it:32: found the end of the line, expected a singular value"},
        {"singular 0.5", "values 0.5", "it:32: found 'values', expected 'singular' and the singular values"},
        {"bob ", "ann\\x20lee ", "it:34: found 'ann\\x20lee', expected a name that no other line has"},
        {"end\n", "", "it:37: found the end of the file, expected the line 'end' after the last column"},
    };
    partan_matrix *matrix = small(*state), *none = NULL;
    char *text = written(matrix);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t before = beginning_of(text, cases[i].line);
        char *changed = calloc(strlen(text) + strlen(cases[i].with) + 1, 1);
        memcpy(changed, text, before);
        strcpy(changed + before, cases[i].with);
        strcat(changed, text + before + strlen(cases[i].line));
        partan_status status = parse(*state, changed, &none);
        if (status != PARTAN_ERROR_FORMAT || strncmp(partan_error(*state), cases[i].message, strlen(cases[i].message)))
            fail_msg("%s -> %s: %s", cases[i].line, cases[i].with, status ? partan_error(*state) : "accepted");
        partan_matrix_free(none);
        free(changed);
    }
    /* Cut anywhere, it is refused. */
    for (size_t size = 0; size + 1 < strlen(text); size += 7) {
        char *cut = strndup(text, size);
        assert_int_equal(parse(*state, cut, &none), PARTAN_ERROR_FORMAT);
        partan_matrix_free(none);
        free(cut);
    }
    free(text);
    partan_matrix_free(matrix);
}

static char *file_text;

static partan_status read_it(partan_context *context)
{
    partan_matrix *matrix = NULL;
    partan_status status = parse(context, file_text, &matrix);
    partan_matrix_free(matrix);
    return status;
}

static void memory_may_run_out(void **state)
{
    partan_matrix *matrix = small(*state);
    file_text = written(matrix);
    check_every_allocation(read_it);
    free(file_text);
    partan_matrix_free(matrix);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(everything_comes_back),
        SERIAL_TEST(names_come_back),
        SERIAL_TEST(broken_files_are_refused),
        SERIAL_TEST(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
