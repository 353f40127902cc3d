/* Ratings: reading lists of entries, Matrix Market and tables; arrays, splits, names, fingerprints. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/number.h"
#include "failing.h"
#include "files.h"
#include "matrix/read/reader.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* A text, and what comes of it: "rows x columns: row column value; ..." in the order of the file, or the message after
 * the name. */
typedef struct sample {
    const char *text;
    const char *result;
} sample;

static void render(const partan_ratings *ratings, char *out, size_t size)
{
    size_t at = (size_t)snprintf(out, size, "%zux%zu:", partan_ratings_rows(ratings), partan_ratings_columns(ratings));
    for (size_t k = 0; k < partan_ratings_count(ratings); k++) {
        char names[2][64], number[PT_NUMBER_SIZE];
        size_t row, column;
        double value;
        assert_int_equal(partan_ratings_entry(ratings, k, &row, &column, &value), PARTAN_OK);
        pt_format_real(number, value);
        at += (size_t)snprintf(out + at, size - at, " %s %s %s;",
                               partan_ratings_row_name(ratings, row, names[0], sizeof names[0]),
                               partan_ratings_column_name(ratings, column, names[1], sizeof names[1]), number);
        assert_true(at < size);
    }
}

static void accept(partan_context *context, const sample *samples, size_t count, const partan_ratings_options *options)
{
    for (size_t i = 0; i < count; i++)
        for (size_t block = 1; block <= 1 << 12; block *= 7) { /* whatever is read at a time */
            partan_ratings *ratings;
            char found[1024];
            if (pt_ratings_parse(context, "it", samples[i].text, strlen(samples[i].text), options, block, &ratings))
                fail_msg("\"%s\" was refused: %s", samples[i].text, partan_error(context));
            render(ratings, found, sizeof found);
            if (strcmp(found, samples[i].result) != 0)
                fail_msg("\"%s\" was read as \"%s\"", samples[i].text, found);
            partan_ratings_free(ratings);
        }
}

static void refuse(partan_context *context, const sample *samples, size_t count, const partan_ratings_options *options)
{
    for (size_t i = 0; i < count; i++) {
        partan_ratings *ratings;
        char expected[512];
        partan_status status =
            pt_ratings_parse(context, "it", samples[i].text, strlen(samples[i].text), options, 64, &ratings);
        if (!status)
            fail_msg("\"%s\" was accepted, expected: %s", samples[i].text, samples[i].result);
        assert_int_equal(status, PARTAN_ERROR_FORMAT);
        assert_null(ratings);
        snprintf(expected, sizeof expected, "it:%s", samples[i].result);
        if (strcmp(partan_error(context), expected) != 0)
            fail_msg("\"%s\":\n  found    %s\n  expected %s", samples[i].text, partan_error(context), expected);
    }
}

/* ---- Formats ---- */

static void lists_of_entries_are_read(void **state)
{
    static const sample samples[] = {
        {"a x 1\nb y 2.5\na y -3e1\n", "2x2: a x 1; b y 2.5; a y -30;"},
        {"1\t10\t5\t881250949\n2\t10\t3\t881250950\n", "2x1: 1 10 5; 2 10 3;"},       /* MovieLens, 100k */
        {"1::1193::5::978300760\n1::661::3::978302109", "1x2: 1 1193 5; 1 661 3;"},   /* MovieLens, 1M */
        {"userId,movieId,rating,timestamp\n7,31,2.5,1260759144\n", "1x1: 7 31 2.5;"}, /* MovieLens, later */
        {"\"Smith, J\",\"the \"\"best\"\"\",4\n", "1x1: Smith, J the \"best\" 4;"},
        {"# a comment\n\n  u   i  1\r\n\n", "1x1: u i 1;"},
        {"\xef\xbb\xbfu;i;1\n", "1x1: u i 1;"},
        {"user item rating\n1 1 1\n", "1x1: 1 1 1;"},
        {"01 1 1\n1 1 2\n", "2x1: 01 1 1; 1 1 2;"}, /* names are texts */
        {"a:b x 1\n", "1x1: a:b x 1;"},
    };
    accept(*state, samples, COUNT(samples), NULL);
}

static void lists_with_errors_are_refused(void **state)
{
    static const sample samples[] = {
        {"a x 1\na y\n", "2:4: found 2 fields, expected a row, a column and a rating"},
        {"a x 1\n\n# more\nb x five\n", "4:5: found 'five', expected a rating, a finite number"},
        {"a,x,1\na,y,\n", "2:5: found '', expected a rating, a finite number"},
        {"a x 1\na y nan\n", "2:5: found 'nan', expected a rating, a finite number"},
        {"a x 1\na y 1e999\n", "2:5: found '1e999', expected a rating, a finite number"},
        {"a x 1\nb y 2\n\na x 3\n", "4: found another value for row 'a' and column 'x', the first is in line 1"},
        {"a,x,1\n,x,2\n", "2:1: found an empty field, expected a name"},
        {"a,x,1\n\"b,x,2\n",
         "2:7: found a field whose quotes do not close, expected a separator or the end of the line "
         "after a closing quote"},
        {"1 1 five\n1 2 3\n", "1:5: found 'five', expected a rating, a finite number"}, /* no header */
        {"a x nan\nb x 3\n", "1:5: found 'nan', expected a rating, a finite number"},
        {"a x -inf\nb x 3\n", "1:5: found '-inf', expected a rating, a finite number"},
        {"", " found no ratings, expected at least one"},
        {"# nothing\n\n", " found no ratings, expected at least one"},
        {"user item rating\n", " found no ratings, expected at least one"},
    };
    refuse(*state, samples, COUNT(samples), NULL);
    partan_ratings_options options;
    partan_ratings_options_init(&options);
    options.header = 0; /* then a first line of words is none */
    static const sample named[] = {{"user item rating\n", "1:11: found 'rating', expected a rating, a finite number"}};
    refuse(*state, named, COUNT(named), &options);
}

static void entries_to_predict_may_lack_values(void **state)
{
    partan_ratings_options options;
    partan_ratings_options_init(&options);
    options.unvalued = 1;
    static const sample samples[] = {{"a x\nb y\n", "2x2: a x nan; b y nan;"},
                                     {"a,x,\nb,y,2\n", "2x2: a x nan; b y 2;"}};
    accept(*state, samples, COUNT(samples), &options);
    static const sample wrong[] = {{"a x\nb\n", "2:2: found 1 field, expected a row and a column"}};
    refuse(*state, wrong, COUNT(wrong), &options);
}

static void matrix_market_is_read(void **state)
{
    static const sample samples[] = {
        {"%%MatrixMarket matrix coordinate real general\n% a comment\n3 4 2\n1 4 1.5\n3 1 -2\n",
         "3x4: 1 4 1.5; 3 1 -2;"},
        {"%%MatrixMarket MATRIX Coordinate integer General\n1 1 1\n1 1 7\n", "1x1: 1 1 7;"},
    };
    accept(*state, samples, COUNT(samples), NULL);
}

static void matrix_market_with_errors_is_refused(void **state)
{
#define BANNER "%%MatrixMarket matrix coordinate real general\n"
    static const sample samples[] = {
        {"%%MatrixMarket matrix coordinate pattern general\n1 1 1\n1 1\n",
         "1:34: a pattern file says which entries there are but not their values: there is nothing to fit"},
        {"%%MatrixMarket matrix array real general\n1 1\n1\n", "1:23: found 'array', expected 'coordinate'"},
        {"%%MatrixMarket matrix coordinate real symmetric\n", "1:39: found 'symmetric', expected 'general'"},
        {"%%MatrixMarket matrix coordinate complex general\n", "1:34: found 'complex', expected 'real' or 'integer'"},
        {"%%MatrixMarket\n", "1:1: found '%%MatrixMarket', expected '%%MatrixMarket matrix coordinate real general' or "
                             "integer"},
        {BANNER "2 2\n", "2:4: found 2 fields, expected the numbers of rows, columns and entries"},
        {BANNER "0 2 1\n", "2:1: found '0', expected a whole number from 1 to 2147483647"},
        {BANNER "2 x 1\n", "2:3: found 'x', expected a whole number from 1 to 2147483647"},
        {BANNER "2 2 1\n3 1 1\n", "3:1: found '3', expected a whole number from 1 to 2"},
        {BANNER "2 2 1\n1 0 1\n", "3:3: found '0', expected a whole number from 1 to 2"},
        {BANNER "2 2 1\n1 1\n", "3:4: found 2 fields, expected a row, a column and a value"},
        {BANNER "2 2 1\n1 1 one\n", "3:5: found 'one', expected a rating, a finite number"},
        {BANNER "2 2 1\n1 1 1\n1 2 1\n", "4:1: found one entry more than the 1 announced"},
        {BANNER "2 2 3\n1 1 1\n", " found 1 entries, the size line announces 3"},
        {BANNER "2 2 2\n1 1 1\n1 1 2\n", "4: found another value for row '1' and column '1', the first is in line 3"},
    };
    refuse(*state, samples, COUNT(samples), NULL);
}

static void tables_are_read(void **state)
{
    partan_ratings_options options;
    partan_ratings_options_init(&options);
    static const sample plain[] = {
        {"1,,3,4,5\n,2,,NA,nan\n", "2x5: 1 1 1; 1 3 3; 1 4 4; 1 5 5; 2 2 2;"},
        {"a,b,c,d,e\n1,2,,,\n", "1x5: 1 a 1; 1 b 2;"},
        {"1\t\t3\t4\t5\n\t\t\t\t\n1\t\t\t\t\n", "3x5: 1 1 1; 1 3 3; 1 4 4; 1 5 5; 3 1 1;"}, /* a row without values */
        {"1;2;3;4;5\n", "1x5: 1 1 1; 1 2 2; 1 3 3; 1 4 4; 1 5 5;"},
    };
    accept(*state, plain, COUNT(plain), &options);
    options.missing = 99;
    options.first_column = PARTAN_FIRST_SKIP;
    static const sample jester[] = {
        {"74,-7.82,99,8.79,99.00\n2,99,99,1,2\n", "2x4: 1 1 -7.82; 1 3 8.79; 2 3 1; 2 4 2;"}};
    options.format = PARTAN_RATINGS_TABLE;
    accept(*state, jester, COUNT(jester), &options);
    options.first_column = PARTAN_FIRST_NAMES;
    static const sample named[] = {{"who,x,y\nann,1,\nbob,,2\n", "2x2: ann x 1; bob y 2;"}};
    accept(*state, named, COUNT(named), &options);
    static const sample wrong[] = {
        {"who,x,y\nann,1,2\nann,1,2\n", "3:1: found a second row named 'ann'"},
        {"who,x,x\nann,1,2\n", "1:7: found a second column named 'x'"},
        {"who,x,y\nann,1,2,3\n", "2:1: found 4 fields, expected 3 as in the first line"},
        {"who,x,y\nann,1,good\n", "2:7: found 'good', expected a rating, a finite number"},
        {"who,x,y\nann,1,inf\n", "2:7: found 'inf', expected a rating, a finite number"},
        {"who,x,y\nann,,99\n", " found no ratings, expected at least one"},
        {"who\nann\n", "1:1: found no column of ratings beside the first one"},
    };
    refuse(*state, wrong, COUNT(wrong), &options);
}

static void files_are_read(void **state)
{
    char path[256];
    partan_ratings *ratings = NULL;
    make_file(temporary_path(path, sizeof path, ".txt"), "u i 1\nv i 2\n");
    assert_int_equal(partan_ratings_read(*state, path, NULL, &ratings), PARTAN_OK);
    assert_int_equal(partan_ratings_count(ratings), 2);
    partan_ratings_free(ratings);
    unlink(path);
    assert_int_equal(partan_ratings_read(*state, path, NULL, &ratings), PARTAN_ERROR_IO);
    assert_null(ratings);
    partan_ratings_options options;
    partan_ratings_options_init(&options);
    options.format = (partan_ratings_format)9;
    make_file(path, "u i 1\n");
    assert_int_equal(partan_ratings_read(*state, path, &options, &ratings), PARTAN_ERROR_ARGUMENT);
    unlink(path);
}

/* ---- Arrays, splits, fingerprints ---- */

static void arrays_are_checked(void **state)
{
    partan_ratings *ratings = NULL;
    static const struct {
        int64_t row[2], column[2];
        double value[2];
        partan_status status;
    } cases[] = {
        {{0, 1}, {0, 2}, {1, 2}, PARTAN_OK},
        {{0, 2}, {0, 2}, {1, 2}, PARTAN_ERROR_ARGUMENT},
        {{0, 1}, {0, 3}, {1, 2}, PARTAN_ERROR_ARGUMENT},
        {{-1, 1}, {0, 2}, {1, 2}, PARTAN_ERROR_ARGUMENT},
        {{0, 1}, {0, 2}, {1, (double)NAN}, PARTAN_ERROR_DATA},
        {{0, 1}, {0, 2}, {1, (double)INFINITY}, PARTAN_ERROR_DATA},
        {{1, 1}, {2, 2}, {1, 2}, PARTAN_ERROR_DATA},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        partan_status status =
            partan_ratings_from_triplets(*state, 2, 3, cases[i].row, cases[i].column, cases[i].value, 2, &ratings);
        assert_int_equal(status, cases[i].status);
        assert_true(!status == (ratings != NULL));
        partan_ratings_free(ratings);
    }
    assert_int_equal(partan_ratings_from_triplets(*state, 2, 3, NULL, NULL, NULL, 0, &ratings), PARTAN_ERROR_DATA);
}

static void the_order_of_lines_makes_no_difference(void **state)
{
    static const char *const texts[] = {"a x 1\nb y 2\nb x 3\n", "b x 3\na x 1\nb y 2\n", "b x 3\na x 1\nb y 2.5\n",
                                        "1 1 1\n2 2 2\n2 1 3\n",
                                        "%%MatrixMarket matrix coordinate real general\n2 2 3\n2 1 3\n1 1 1\n2 2 2\n"};
    uint64_t prints[COUNT(texts)];
    for (size_t i = 0; i < COUNT(texts); i++) {
        partan_ratings *ratings;
        assert_int_equal(pt_ratings_parse(*state, "it", texts[i], strlen(texts[i]), NULL, 100, &ratings), PARTAN_OK);
        prints[i] = partan_ratings_fingerprint(ratings);
        partan_ratings_free(ratings);
    }
    assert_true(prints[0] == prints[1] && prints[1] != prints[2] && prints[0] != prints[3] && prints[3] == prints[4]);
}

static void a_split_has_every_entry_once(void **state)
{
    enum { SIZE = 50 };
    int64_t row[SIZE], column[SIZE];
    double value[SIZE];
    for (int64_t k = 0; k < SIZE; k++) {
        row[k] = k * 7 % 10;
        column[k] = k / 10;
        value[k] = (double)k;
    }
    partan_ratings *all = NULL, *first = NULL, *second = NULL, *again[2] = {NULL, NULL};
    assert_int_equal(partan_ratings_from_triplets(*state, 10, 5, row, column, value, SIZE, &all), PARTAN_OK);
    assert_int_equal(partan_ratings_split(*state, all, 0.3, 1, &first, &second), PARTAN_OK);
    assert_int_equal(partan_ratings_count(first), 35);
    assert_int_equal(partan_ratings_count(second), 15);
    assert_int_equal(partan_ratings_rows(second), 10);
    int seen[SIZE] = {0};
    for (int part = 0; part < 2; part++)
        for (size_t k = 0; k < partan_ratings_count(part ? second : first); k++) {
            size_t i, j;
            double x;
            partan_ratings_entry(part ? second : first, k, &i, &j, &x);
            assert_true((int64_t)i == row[(size_t)x] && (int64_t)j == column[(size_t)x]);
            seen[(size_t)x]++;
        }
    for (size_t k = 0; k < SIZE; k++)
        assert_int_equal(seen[k], 1);
    assert_int_equal(partan_ratings_split(*state, all, 0.3, 1, &again[0], &again[1]), PARTAN_OK);
    assert_true(partan_ratings_fingerprint(again[1]) == partan_ratings_fingerprint(second));
    partan_ratings_free(again[0]);
    partan_ratings_free(again[1]);
    assert_int_equal(partan_ratings_split(*state, all, 0.3, 2, &again[0], &again[1]), PARTAN_OK);
    assert_true(partan_ratings_fingerprint(again[1]) != partan_ratings_fingerprint(second));
    partan_ratings *none[2];
    assert_int_equal(partan_ratings_split(*state, all, 0, 1, &none[0], &none[1]), PARTAN_ERROR_ARGUMENT);
    assert_int_equal(partan_ratings_split(*state, all, 1e-9, 1, &none[0], &none[1]), PARTAN_ERROR_DATA);
    partan_ratings *list[] = {all, first, second, again[0], again[1]};
    for (size_t i = 0; i < COUNT(list); i++)
        partan_ratings_free(list[i]);
    size_t i, j;
    double x;
    assert_int_equal(partan_ratings_from_triplets(*state, 10, 5, row, column, value, SIZE, &all), PARTAN_OK);
    assert_int_equal(partan_ratings_entry(all, SIZE, &i, &j, &x), PARTAN_ERROR_ARGUMENT);
    partan_ratings_free(all);
}

/* A library that was built without ARPACK says so; all others fit. */
static void a_build_without_arpack_says_so(void **state)
{
#ifdef PARTAN_HAVE_ARPACK
    partan_status expected = PARTAN_OK;
#else
    partan_status expected = PARTAN_ERROR_BUILD;
#endif
    static const int64_t place[] = {0, 1};
    static const double value[] = {1, 2};
    partan_ratings *ratings = NULL;
    partan_matrix *matrix = NULL;
    partan_matrix_settings m;
    partan_matrix_settings_init(&m);
    m.radius = 1;
    assert_int_equal(partan_ratings_from_triplets(*state, 2, 2, place, place, value, 2, &ratings), PARTAN_OK);
    assert_int_equal(partan_matrix_fit(*state, ratings, NULL, &m, NULL, &matrix), expected);
    assert_true(!expected == (matrix != NULL) && (!expected || strstr(partan_error(*state), "PARTAN_MATRIX")));
    partan_matrix_free(matrix);
    partan_ratings_free(ratings);
}

/* ---- Memory ---- */

static partan_status read_and_split(partan_context *context)
{
    static const char text[] = "\"a\"\"b\",x,1\nb,y,2\n\nc,x,3\n";
    partan_ratings *ratings = NULL, *first = NULL, *second = NULL;
    partan_status status = pt_ratings_parse(context, "it", text, strlen(text), NULL, 8, &ratings);
    if (!status)
        status = partan_ratings_split(context, ratings, 0.3, 1, &first, &second);
    partan_ratings_free(ratings);
    partan_ratings_free(first);
    partan_ratings_free(second);
    return status;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_every_allocation(read_and_split);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SERIAL_TEST(lists_of_entries_are_read),
        SERIAL_TEST(lists_with_errors_are_refused),
        SERIAL_TEST(entries_to_predict_may_lack_values),
        SERIAL_TEST(matrix_market_is_read),
        SERIAL_TEST(matrix_market_with_errors_is_refused),
        SERIAL_TEST(tables_are_read),
        SERIAL_TEST(files_are_read),
        SERIAL_TEST(arrays_are_checked),
        SERIAL_TEST(the_order_of_lines_makes_no_difference),
        SERIAL_TEST(a_split_has_every_entry_once),
        SERIAL_TEST(a_build_without_arpack_says_so),
        SERIAL_TEST(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
