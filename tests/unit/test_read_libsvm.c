/* LIBSVM text: what is accepted and how it is understood, what is refused and in which words. */
#include "reading.h"

#include <math.h>

static partan_read_options libsvm(void)
{
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = PARTAN_FORMAT_LIBSVM;
    return options;
}

static void good_lines_are_understood(void **state)
{
    static const sample samples[] = {
        {"1 1:2\n", "1 0:2;", 0},
        {"1 1:2", "1 0:2;", 0}, /* no line end at the end */
        {"+1 1:2\n-1 1:3\n", "1 0:2;-1 0:3;", 0},
        {"1.50 1:2\n", "1.5 0:2;", 0},
        {"1e3 1:2\n", "1000 0:2;", 0},
        {"-0.25 1:2\n", "-0.25 0:2;", 0},
        {"1 1:2 2:3 10:-4.5\n", "1 0:2 1:3 9:-4.5;", 0},
        {"1 1:+2 2:.5 3:5. 4:1e-3 5:1E2\n", "1 0:2 1:0.5 2:5 3:0.001 4:100;", 0},
        {"  1   1:2 \t 2:3   \n", "1 0:2 1:3;", 0},
        {"1\t1:2\t2:3\n", "1 0:2 1:3;", 0},
        {"1 1:2\r\n-1 1:3\r\n", "1 0:2;-1 0:3;", 0},
        {"1 1:2\r\n-1 1:3\r", "1 0:2;-1 0:3;", 0}, /* cut short within the line end */
        {"\xef\xbb\xbf"
         "1 1:2\n",
         "1 0:2;", 0},
        {"1\n-1\n", "1;-1;", 0},
        {"1 \n", "1;", 0},
        {"\n\n1 1:2\n\n \t\n\r\n-1 1:3\n\n", "1 0:2;-1 0:3;", 0},
        {"# first\n1 1:2 # rest\n  # more\n-1#x\n2 2:3#y\n", "1 0:2;-1;2 1:3;", 0},
        {"1 1:0 2:3 3:-0\n", "1 1:3;", 0},
        {"1 01:2 0002:3\n", "1 0:2 1:3;", 0},
        {"1 1:1e-50\n", "1;", 0}, /* smaller than any float32 */
        {"1 1:3.4028235e38 2:-3.4028235e38\n", "1 0:3.4028235e+38 1:-3.4028235e+38;", 0},
        {"1 1:0.1000000000000000055511151231257827 2:123456789012345678901234567890\n", "1 0:0.1 1:1.2345679e+29;", 0},
        {"1 1:0.33333334\n", "1 0:0.33333334;", 0},
    };
    partan_read_options options = libsvm();
    assert_accepted(*state, samples, COUNT(samples), &options);
}

static void the_largest_index_is_possible(void **state)
{
    partan_data *data;
    const char *text = "1 2147483647:5\n-1 1:2\n";
    partan_read_options options = libsvm();
    assert_int_equal(pt_data_parse(*state, "it", text, strlen(text), &options, &data), PARTAN_OK);
    assert_int_equal(partan_data_features(data), 2147483647);
    assert_int_equal(partan_data_storage(data), PARTAN_STORAGE_SPARSE);
    assert_int_equal(data->matrix.indices[0], 2147483646);
    partan_data_free(data);
}

#define PAIR   "expected a pair index:value"
#define INDEX  "expected an index from 1 to 2147483647"
#define LABEL  "expected a finite number as label"
#define VALUE  "expected a finite number as value"
#define FLOAT  "expected a value of at most 3.4e38, the range of float32"
#define ROWS   " found no rows, expected at least one line of data"
#define ASCEND "expected ascending indices"

static void bad_lines_are_refused(void **state)
{
    static const sample samples[] = {
        {"", ROWS, 0},
        {"\n\n", ROWS, 0},
        {"# nothing\n  \n", ROWS, 0},
        {"\xef\xbb\xbf", ROWS, 0},
        {"1:2 2:3\n", "1:1: found '1:2', expected a label before the first pair", 0},
        {"1 1:2\n 3:4\n", "2:2: found '3:4', expected a label before the first pair", 0},
        {"nan 1:2\n", "1:1: found 'nan', " LABEL, 0},
        {"-inf 1:2\n", "1:1: found '-inf', " LABEL, 0},
        {"1e999 1:2\n", "1:1: found '1e999', " LABEL, 0},
        {"spam 1:2\n", "1:1: found 'spam', " LABEL, 0},
        {"1x 1:2\n", "1:1: found '1x', " LABEL, 0},
        {"1,2 1:2\n", "1:1: found '1,2', expected a single number as label (lists of labels are not supported)", 0},
        {"1 1:nan\n", "1:5: found 'nan', " VALUE, 0},
        {"1 1:2 2:Inf\n", "1:9: found 'Inf', " VALUE, 0},
        {"1 1:-infinity\n", "1:5: found '-infinity', " VALUE, 0},
        {"1 1:1e39\n", "1:5: found '1e39', " FLOAT, 0},
        {"1 1:-1e400\n", "1:5: found '-1e400', " FLOAT, 0},
        {"1 1:3.5e38\n", "1:5: found '3.5e38', " FLOAT, 0},
        {"1 1:\n", "1:5: found the end of the line, expected a value after the colon", 0},
        {"1 1: 2\n", "1:5: found a blank, expected a value after the colon", 0},
        {"1 1:#2\n", "1:5: found a comment, expected a value after the colon", 0},
        {"1 1:2x\n", "1:5: found '2x', " VALUE, 0},
        {"1 1:2:3\n", "1:5: found '2:3', " VALUE, 0},
        {"1 1:0x10\n", "1:5: found '0x10', " VALUE, 0},
        {"1 1:1,5\n", "1:5: found '1,5', " VALUE, 0},
        {"1 1:--2\n", "1:5: found '--2', " VALUE, 0},
        {"1 1:1e\n", "1:5: found '1e', " VALUE, 0},
        {"1 0:2\n", "1:3: found '0', " INDEX, 0},
        {"1 -3:2\n", "1:3: found '-3:2', " INDEX, 0},
        {"1 2147483648:2\n", "1:3: found '2147483648', " INDEX, 0},
        {"1 99999999999999999999999:2\n", "1:3: found '99999999999999999999999', " INDEX, 0},
        {"1 18446744073709551617:2\n", "1:3: found '18446744073709551617', " INDEX, 0},
        {"1 2:1 2:1\n", "1:7: found index '2' twice, " ASCEND, 0},
        {"1 3:1 2:1\n", "1:7: found index '2' after 3, " ASCEND, 0},
        {"1 :2\n", "1:3: found ':2', " PAIR, 0},
        {"1 a:2\n", "1:3: found 'a:2', " PAIR, 0},
        {"1 1.5:2\n", "1:3: found '1.5:2', " PAIR, 0},
        {"1 +1:2\n", "1:3: found '+1:2', " PAIR, 0},
        {"1 2\n", "1:3: found '2', " PAIR, 0},
        {"1 1:2 garbage\n", "1:7: found 'garbage', " PAIR, 0},
        {"1 qid:3 1:2\n", "1:3: found 'qid:3', " PAIR, 0},
        {"1 1:2\n\n# c\n1 1:2\n-1 1:y\n", "5:6: found 'y', " VALUE, 0},
        {"1 1:2\r-1 1:3\n", "1:5: found '2\\x0d-1', " VALUE, 0},
        {"1 1:2\0003\n", "1:5: found '2\\x003', " VALUE, 8},
        {"\0\0\0\0\n", "1:1: found '\\x00\\x00\\x00\\x00', " LABEL, 5},
        {"1 1:\x80\x81\n", "1:5: found '\\x80\\x81', " VALUE, 0},
        {"gr\xc3\xbcn 1:1\n", "1:1: found 'gr\xc3\xbcn', " LABEL, 0},
        {"1 1:abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz\n",
         "1:5: found 'abcdefghijklmnopqrstuvwxyzabcdefghijklmn...', " VALUE, 0},
    };
    partan_read_options options = libsvm();
    assert_refused(*state, samples, COUNT(samples), &options);
}

static void labels_may_be_missing_when_asked(void **state)
{
    static const sample good[] = {
        {"1:2 2:3\n", "? 0:2 1:3;", 0},
        {"1 1:2\n2:3\n\n-1\n", "1 0:2;? 1:3;-1;", 0},
    };
    static const sample bad[] = {
        {"x 1:2\n", "1:1: found 'x', " LABEL, 0},
        {"nan 1:2\n", "1:1: found 'nan', " LABEL, 0},
        {"0:2\n", "1:1: found '0', " INDEX, 0},
        {"1 1:2 3\n", "1:7: found '3', " PAIR, 0},
    };
    partan_read_options options = libsvm();
    options.unlabelled = 1;
    assert_accepted(*state, good, COUNT(good), &options);
    assert_refused(*state, bad, COUNT(bad), &options);
}

#define SERIAL "expected 0:serial, the number (from 1) of the row of a precomputed kernel"

static void precomputed_kernels_have_serials(void **state)
{
    static const sample good[] = {
        {"1 0:1 1:2 2:3\n-1 0:2 1:3 2:5\n", "1 @0 0:2 1:3;-1 @1 0:3 1:5;", 0},
        {"1 0:17 1:2\n", "1 @16 0:2;", 0},
        {"1 0:2\n", "1 @1;", 0},
    };
    static const sample bad[] = {
        {"1 1:2\n", "1:3: found '1:2', " SERIAL, 0},
        {"1\n", "1:2: found the end of the line, " SERIAL, 0},
        {"1 0:0 1:2\n", "1:3: found '0:0', " SERIAL, 0},
        {"1 0:1.5 1:2\n", "1:3: found '0:1.5', " SERIAL, 0},
        {"1 0:x 1:2\n", "1:3: found '0:x', " SERIAL, 0},
        {"1 0:\n", "1:3: found '0:', " SERIAL, 0},
        {"1 0:3000000000 1:2\n", "1:3: found '0:3000000000', " SERIAL, 0},
        {"1 0:1 0:1 1:2\n", "1:7: found '0', " INDEX, 0},
    };
    partan_read_options options = libsvm();
    options.precomputed = 1;
    assert_accepted(*state, good, COUNT(good), &options);
    assert_refused(*state, bad, COUNT(bad), &options);
}

static void features_can_be_padded(void **state)
{
    partan_read_options options = libsvm();
    options.min_features = 10;
    partan_data *data;
    assert_int_equal(pt_data_parse(*state, "it", "1 3:4\n", 6, &options, &data), PARTAN_OK);
    assert_int_equal(partan_data_features(data), 10);
    partan_data_free(data);
    options.min_features = 2;
    assert_int_equal(pt_data_parse(*state, "it", "1 3:4\n", 6, &options, &data), PARTAN_OK);
    assert_int_equal(partan_data_features(data), 3);
    partan_data_free(data);
    options.min_features = (uint64_t)1 << 31;
    assert_int_equal(pt_data_parse(*state, "it", "1 3:4\n", 6, &options, &data), PARTAN_ERROR_ARGUMENT);
}

static void storages_can_be_asked_for(void **state)
{
    partan_read_options options = libsvm();
    partan_data *data;
    const char *binary = "1 1:1 3:1\n-1 2:1\n", *real = "1 1:1 3:2\n";
    uint64_t fingerprint = 0;
    for (int storage = PARTAN_STORAGE_AUTO; storage <= STORAGES; storage++) {
        options.storage = (partan_storage)storage;
        assert_int_equal(pt_data_parse(*state, "it", binary, strlen(binary), &options, &data), PARTAN_OK);
        assert_int_equal(partan_data_storage(data), storage ? storage : PARTAN_STORAGE_BITS);
        assert_true(fingerprint == 0 || fingerprint == partan_data_fingerprint(data));
        fingerprint = partan_data_fingerprint(data);
        partan_data_free(data);
    }
    options.storage = PARTAN_STORAGE_BITS;
    assert_int_equal(pt_data_parse(*state, "it", real, strlen(real), &options, &data), PARTAN_ERROR_DATA);
    assert_string_equal(partan_error(*state), "it: packed bits hold only the values 0 and 1, and the data has others");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_TEST(good_lines_are_understood),
        CONTEXT_TEST(the_largest_index_is_possible),
        CONTEXT_TEST(bad_lines_are_refused),
        CONTEXT_TEST(labels_may_be_missing_when_asked),
        CONTEXT_TEST(precomputed_kernels_have_serials),
        CONTEXT_TEST(features_can_be_padded),
        CONTEXT_TEST(storages_can_be_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
