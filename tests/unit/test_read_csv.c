/* CSV and TSV: what is accepted and how it is understood, what is refused and in which words. */
#include "reading.h"

static partan_read_options csv(void)
{
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = PARTAN_FORMAT_CSV;
    return options;
}

static void good_lines_are_understood(void **state)
{
    static const sample samples[] = {
        {"1,2,3\n", "1 0:2 1:3;", 0},
        {"1,2,3", "1 0:2 1:3;", 0},
        {"1,2,3\r\n-1,0,.5\r\n", "1 0:2 1:3;-1 1:0.5;", 0},
        {"\xef\xbb\xbf"
         "1,2,3\n",
         "1 0:2 1:3;", 0},
        {" 1 , 2\t,\t3 \n", "1 0:2 1:3;", 0},
        {"# c\n\n1,2,3\n  \n#,,,\n-1,4,5\n\n", "1 0:2 1:3;-1 0:4 1:5;", 0},
        {"\"1\",\"2\",\" 3.5 \"\n", "1 0:2 1:3.5;", 0},
        {"y,a,b\n1,2,3\n", "1 0:2 1:3;", 0}, /* a header */
        {"\"y\",\"a,b\",\"b\"\"c\"\n1,2,3\n", "1 0:2 1:3;", 0},
        {"y,a,\n1,2,3\n", "1 0:2 1:3;", 0},  /* one without all names */
        {"1,a,b\n1,2,3\n", "1 0:2 1:3;", 0}, /* and one whose label has a number for a name */
        {"1;2;3\n-1;.5;4\n", "1 0:2 1:3;-1 0:0.5 1:4;", 0},
        {"y;\"a,b\";c\n1;2;3\n", "1 0:2 1:3;", 0}, /* commas between quotes do not count */
        {"spam,2,3\nham,4,5\nspam,0,0\n", "spam 0:2 1:3;ham 0:4 1:5;spam;",
         0}, /* no header: only the label is a word */
        {"\"a \"\"b\"\"\",2\n\"c,d\",3\n  e f  ,4\n", "a \"b\" 0:2;c,d 0:3;e f 0:4;", 0},
        {"+1,2\n1.0,3\n1e0,4\n", "1 0:2;1 0:3;1 0:4;", 0},             /* all numbers: equal ones are one label */
        {"+1,2\n1.0,3\n1,4\nx,5\n", "+1 0:2;1.0 0:3;1 0:4;x 0:5;", 0}, /* a word: all are text as given */
        {"gr\xc3\xbcn,2\n", "gr\xc3\xbcn 0:2;", 0},
        {"5\n7\n", "5;7;", 0},
        {"1,1e-50,1e5\n", "1 1:100000;", 0},
    };
    partan_read_options options = csv();
    assert_accepted(*state, samples, COUNT(samples), &options);
}

#define NUMBER "expected a finite number"
#define FLOAT  "expected a value of at most 3.4e38, the range of float32"
#define ROWS   " found no rows, expected at least one line of data"
#define LABEL  "expected a finite number or a word as label"
#define FIRST  " as in the first line"

static void bad_lines_are_refused(void **state)
{
    static const sample samples[] = {
        {"", ROWS, 0},
        {"# c\n\n", ROWS, 0},
        {"y,a,b\n", ROWS, 0}, /* a header alone */
        {"1,2,3\n1,2\n", "2:4: found 2 fields, expected 3" FIRST, 0},
        {"1,2,3\n1\n", "2:2: found 1 field, expected 3" FIRST, 0},
        {"1,2,3\n\n1,2,3,4\n", "3:7: found more than 3 fields, expected 3" FIRST, 0},
        {"1,2,3\n1,2,3,\n", "2:7: found more than 3 fields, expected 3" FIRST, 0},
        {"1,2,3\n1,,3\n", "2:3: found an empty field, " NUMBER, 0},
        {"1,2,3\n1,  ,3\n", "2:5: found an empty field, " NUMBER, 0},
        {"1,2,3\n1,2,\n", "2:5: found an empty field, " NUMBER, 0},
        {"1,,3\n", "1:3: found an empty field, " NUMBER, 0}, /* not a header */
        {"1,2,3\n,2,3\n", "2:1: found an empty field, expected a label", 0},
        {"1,2,3\n\"\",2,3\n", "2:1: found an empty field, expected a label", 0},
        {"1,2,3\n1,tcp,3\n", "2:3: found 'tcp', " NUMBER, 0},
        {"1,2,3\n1, \"tcp\" ,3\n", "2:4: found 'tcp', " NUMBER, 0},
        {"1,2,3\n1,2 3,3\n", "2:3: found '2 3', " NUMBER, 0},
        {"1,nan,3\n", "1:3: found 'nan', " NUMBER, 0}, /* not a header */
        {"1,2,3\n1,-Inf,3\n", "2:3: found '-Inf', " NUMBER, 0},
        {"1,?,3\n", "1:3: found '?', " NUMBER, 0},
        {"1,1e39,3\n", "1:3: found '1e39', " FLOAT, 0},
        {"1,2,\"-1e99\"\n", "1:5: found '-1e99', " FLOAT, 0},
        {"nan,2,3\n", "1:1: found 'nan', " LABEL, 0},
        {"-inf,2,3\n", "1:1: found '-inf', " LABEL, 0},
        {"1e999,2,3\n", "1:1: found '1e999', " LABEL, 0},
        {"1,2,3\n1,\"2,3\n", "2:3: found an opening quote, expected a closing '\"' on the same line", 0},
        {"1,2,3\n\"a\nb\",2,3\n", "2:1: found an opening quote, expected a closing '\"' on the same line", 0},
        {"1,2,3\n1,\"2\"x,3\n", "2:6: found 'x' after a closing quote, expected the end of the field", 0},
        {"1,2,3\n1,2\0,3\n", "2:3: found '2\\x00', " NUMBER, 13},
        {"a\0b,2\n", "1:1: found 'a\\x00b', expected printable text as label", 6},
        {"1,a,3\n1,2,3\n",
         "1: found words and numbers in the first line, expected column names or a row of numbers; "
         "specify --header or --no-header",
         0},
        {"1,2\r3,4\n", "1:3: found '2\\x0d3', " NUMBER, 0},
        {"1;2;3\n-1;3;4\n\001\n", "3:1: found '\\x01', expected printable text as label", 0},
    };
    partan_read_options options = csv();
    options.header = -1;
    assert_refused(*state, samples, COUNT(samples) - 2, &options);
    options.header = 0;
    assert_refused(*state, samples + COUNT(samples) - 2, 2, &options);
}

static void headers_can_be_forced(void **state)
{
    static const sample with[] = {{"1,2,3\n4,5,6\n", "4 0:5 1:6;", 0}, {"a,b\n1,2\n", "1 0:2;", 0}};
    static const sample without[] = {{"1,2,3\n4,5,6\n", "1 0:2 1:3;4 0:5 1:6;", 0}};
    static const sample refused[] = {{"y,a\n1,2\n", "1:3: found 'a', " NUMBER, 0}};
    partan_read_options options = csv();
    options.header = 1;
    assert_accepted(*state, with, COUNT(with), &options);
    options.header = 0;
    assert_accepted(*state, without, COUNT(without), &options);
    assert_refused(*state, refused, COUNT(refused), &options);
}

static void the_label_column_can_be_chosen(void **state)
{
    static const struct {
        int64_t column;
        const char *name;
        sample sample;
    } good[] = {
        {1, NULL, {"1,2,3\n", "1 0:2 1:3;", 0}},
        {2, NULL, {"1,2,3\n", "2 0:1 1:3;", 0}},
        {3, NULL, {"1,2,x\n", "x 0:1 1:2;", 0}},
        {-1, NULL, {"1,2,x\n3,4,y\n", "x 0:1 1:2;y 0:3 1:4;", 0}},
        {-3, NULL, {"1,2,3\n", "1 0:2 1:3;", 0}},
        {0, NULL, {"1,2,3\n", "? 0:1 1:2 2:3;", 0}},
        {0, NULL, {"a,b,c\n1,2,3\n", "? 0:1 1:2 2:3;", 0}},
        {1, "y", {"x,y,z\n1,2,3\n", "2 0:1 1:3;", 0}},
        {1, "1", {"0,1,2\n5,6,7\n", "6 0:5 1:7;", 0}}, /* a name makes the first line a header */
        {1, "a \"b\"", {"x,\"a \"\"b\"\"\"\n1,2\n", "2 0:1;", 0}},
    };
    static const struct {
        int64_t column;
        const char *name;
        sample sample;
    } bad[] = {
        {4, NULL, {"1,2,3\n", "1: found 3 columns, but the label column is 4", 0}},
        {-4, NULL, {"\n1,2,3\n", "2: found 3 columns, but the label column is -4", 0}},
        {INT64_MIN, NULL, {"1,2,3\n", "1: found 3 columns, but the label column is -9223372036854775808", 0}},
        {1, "t", {"x,y,z\n1,2,3\n", "1: found no column named 't' in the header, expected one", 0}},
        {1, "y", {"x,y\0\0\0\n1,2\n", "1: found no column named 'y' in the header, expected one", 11}},
        {1, "x", {"x,x,z\n1,2,3\n", "1: found more than one column named 'x' in the header, expected one", 0}},
        {-1, NULL, {"1,2,nan\n", "1:5: found 'nan', " LABEL, 0}},
    };
    partan_read_options options = csv();
    for (size_t i = 0; i < COUNT(good); i++) {
        options.label_column = good[i].column;
        options.label_name = good[i].name;
        assert_accepted(*state, &good[i].sample, 1, &options);
    }
    for (size_t i = 0; i < COUNT(bad); i++) {
        options.label_column = bad[i].column;
        options.label_name = bad[i].name;
        assert_refused(*state, &bad[i].sample, 1, &options);
    }
    static const sample contradiction[] = {{"y\n", " the label column is given by name, 'y', which needs a header", 0}};
    options.label_name = "y";
    options.header = 0;
    assert_refused(*state, contradiction, 1, &options);
}

static void tabs_separate_too(void **state)
{
    static const sample good[] = {
        {"1\t2\t3\n", "1 0:2 1:3;", 0}, {"a b\t 2 \t3\n", "a b 0:2 1:3;", 0}, {"a,b\t\"2\"\t3\r\n", "a,b 0:2 1:3;", 0}};
    static const sample bad[] = {{"1\t2\t3\n\t2\t3\n", "2:1: found an empty field, expected a label", 0},
                                 {"1\t2\t3\n1\t2\t\n", "2:5: found an empty field, " NUMBER, 0},
                                 {"1\t2\t3\n1\t2,5\t3\n", "2:3: found '2,5', " NUMBER, 0}};
    partan_read_options options = csv();
    options.format = PARTAN_FORMAT_TSV;
    assert_accepted(*state, good, COUNT(good), &options);
    assert_refused(*state, bad, COUNT(bad), &options);
}

static void labels_may_be_missing_when_asked(void **state)
{
    static const sample good[] = {{"1,2\n,3\n", "1 0:2;? 0:3;", 0}, {"x,2\n,3\ny,4\n", "x 0:2;? 0:3;y 0:4;", 0}};
    partan_read_options options = csv();
    options.unlabelled = 1;
    assert_accepted(*state, good, COUNT(good), &options);
}

static void rows_of_precomputed_kernels_are_numbered(void **state)
{
    static const sample good[] = {{"1,2,3\n\n-1,4,5\n", "1 @0 0:2 1:3;-1 @1 0:4 1:5;", 0}};
    partan_read_options options = csv();
    options.precomputed = 1;
    assert_accepted(*state, good, COUNT(good), &options);
}

static void words_make_classes(void **state)
{
    partan_context *context = *state;
    const char *text = "spam,1\nham,2\nspam,3\n";
    partan_read_options options = csv();
    partan_data *data;
    assert_int_equal(pt_data_parse(context, "it", text, strlen(text), &options, &data), PARTAN_OK);
    assert_int_equal(data->word_count, 2);
    assert_string_equal(data->words[0], "spam");
    pt_classes classes;
    float *signs;
    assert_int_equal(pt_data_classes(data, &classes, &signs), PARTAN_OK);
    assert_true(classes.words && signs[0] == 1 && signs[1] == -1 && signs[2] == 1);
    assert_string_equal(classes.text[0], "ham");
    assert_string_equal(classes.text[1], "spam");
    char small[3];
    assert_string_equal(partan_data_label_text(data, 0, small, sizeof small), "spam");
    pt_classes_free(context, &classes);
    pt_free(context, signs);
    partan_data_free(data);
}

/* The fingerprint speaks of content, not of the file's format. */
static void formats_agree(void **state)
{
    const char *texts[] = {"1,2,0,3\n-1,0,0,4\n", "1\t2\t0\t3\n-1\t0\t0\t4\n", "+1 1:2 3:3\n-1 3:4\n"};
    uint64_t fingerprint[3];
    for (int i = 0; i < 3; i++) {
        partan_data *data;
        assert_int_equal(pt_data_parse(*state, "it", texts[i], strlen(texts[i]), NULL, &data), PARTAN_OK);
        fingerprint[i] = partan_data_fingerprint(data);
        partan_data_free(data);
    }
    assert_true(fingerprint[0] == fingerprint[1] && fingerprint[1] == fingerprint[2]);
}

static void formats_are_detected(void **state)
{
    static const struct {
        const char *name, *text, *result;
    } cases[] = {
        {"x.csv", "1,2\n", "1 0:2;"},
        {"x.CSV.gz", "5\n", "5;"},
        {"x.tsv.zst", "a,b\t2\n", "a,b 0:2;"},
        {"x", "1 1:2\n", "1 0:2;"},
        {"x", "# a,b,c\n\n1\t1:2\n", "1 0:2;"},
        {"x", "7\n", "7;"},
        {"x", "7\t\n", "7;"},
        {"x", "1,2\n", "1 0:2;"},
        {"x", "1\t2,5\n3\t4\n", "3 0:4;"},
        {"x", "a 12:30,2\n", "?"},
        {"x.csv", "a 12:30,2\n", "a 12:30 0:2;"},
        {"x", "y,z # 1:2\n3,4\n", "3 0:4;"},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        partan_data *data;
        char found[256] = "?";
        pt_data_parse(*state, cases[i].name, cases[i].text, strlen(cases[i].text), NULL, &data);
        if (data)
            render(data, found, sizeof found);
        assert_string_equal(found, cases[i].result);
        partan_data_free(data);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(good_lines_are_understood),
        CONTEXT_TEST(bad_lines_are_refused),
        CONTEXT_TEST(headers_can_be_forced),
        CONTEXT_TEST(the_label_column_can_be_chosen),
        CONTEXT_TEST(tabs_separate_too),
        CONTEXT_TEST(labels_may_be_missing_when_asked),
        CONTEXT_TEST(rows_of_precomputed_kernels_are_numbered),
        CONTEXT_TEST(words_make_classes),
        CONTEXT_TEST(formats_agree),
        CONTEXT_TEST(formats_are_detected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
