/* Plain LIBSVM lines are read at speed by every instruction set; what comes out, or what is said of a mistake, is what
 * the reader that goes by the book says, bit for bit. */
#include "reading.h"

#include <stdlib.h>

#include "core/random.h"
#include "data/read/breaks.h"

/* ---- Breaks ---- */

static void breaks_are_blanks_controls_and_colons(void **state)
{
    (void)state;
    enum { BLOCKS = 40 };
    char text[64 * BLOCKS];
    uint64_t marks[BLOCKS];
    pt_random random;
    pt_random_seed(&random, 3);
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = (char)(i < 256 ? i : pt_random_below(&random, 256));
    for (int isa = PT_ISA_PORTABLE; isa < PT_ISA_COUNT; isa++) {
        if (!pt_isa_available((pt_isa)isa))
            continue;
        pt_breaks_for((pt_isa)isa)(text, BLOCKS, marks);
        for (size_t i = 0; i < sizeof text; i++) {
            bool expected = (unsigned char)text[i] <= ' ' || text[i] == ':';
            assert_int_equal(marks[i / 64] >> i % 64 & 1, expected);
        }
    }
}

static void breaks_come_in_order(void **state)
{
    (void)state;
    static const uint64_t marks[] = {(uint64_t)1 << 63 | 5, 0, 0, 1 << 7};
    static const char text[256];
    pt_breaks breaks = pt_breaks_from(text, marks, 1);
    assert_ptr_equal(pt_breaks_next(&breaks), text + 2);
    assert_ptr_equal(pt_breaks_next(&breaks), text + 63);
    assert_ptr_equal(pt_breaks_next(&breaks), text + 3 * 64 + 7);
}

/* ---- Lines ---- */

static char *put_digits(char *p, pt_random *random, uint64_t count)
{
    for (; count > 0; count--)
        *p++ = (char)('0' + pt_random_below(random, 10));
    return p;
}

/* Numbers of all sorts, long and short; few that are none. */
static char *put_number(char *p, pt_random *random)
{
    static const char *const others[] = {
        "1.",
        ".5",
        "-.5",
        "+2.5",
        "-0",
        "-0.0",
        "0007",
        "1e3",
        "2E+05",
        "1e-5",
        "",
        "3e-300",
        "1e400",
        "1e39",
        "nan",
        "x",
        "1x",
        "--1",
        "1.5e",
        "1.5e-",
        "0x10",
        "9007199254740993",
        "9.007199254740993",
        "1.2.3",
        "1.2e-1.5",
        "4e-0",
        "x.5",
        "/.25",
        /* the mantissa is more than 2^53, and its last digit decides the float */ "9.576404094696045",
        "9.809464931488037"};
    uint64_t kind = pt_random_below(random, 40);
    if (kind == 0)
        return p + sprintf(p, "%s", others[pt_random_below(random, COUNT(others))]);
    if (kind % 3 == 1)
        *p++ = '-';
    p = put_digits(p, random, kind < 30 ? 1 : 1 + pt_random_below(random, 10));
    if (kind % 4 == 0)
        return p;
    *p++ = '.';
    p = put_digits(p, random, pt_random_below(random, 19));
    if (kind % 5 == 1)
        p += sprintf(p, "%c%c%02d", kind % 2 ? 'e' : 'E', kind == 31 ? '+' : '-', (int)pt_random_below(random, 45));
    return p;
}

static char *put_line(char *p, pt_random *random)
{
    static const char *const odd[] = {"  ", "\t", " \t", ":", "\r", " # 1:2", "", " \xff", " \x01"};
    p = pt_random_below(random, 8) ? p + sprintf(p, pt_random_below(random, 2) ? "-1" : "1") : put_number(p, random);
    uint64_t index = 0;
    for (uint64_t pairs = pt_random_below(random, 12); pairs > 0; pairs--) {
        bool usual = pt_random_below(random, 60) > 0;
        p += sprintf(p, "%s", usual ? " " : odd[pt_random_below(random, COUNT(odd))]);
        uint64_t most[] = {9, 90, 900, 9000000, 200000000};
        index += pt_random_below(random, 200) ? 1 + pt_random_below(random, most[pt_random_below(random, 5)]) : 0;
        p += sprintf(p, "%llu:", (unsigned long long)index);
        p = put_number(p, random);
    }
    static const char *const ends[] = {"\n", " \n", "\r\n", " \r\n", "  \n", " #\n"};
    return p + sprintf(p, "%s", ends[pt_random_below(random, pt_random_below(random, 4) ? 2 : 6)]);
}

static void assert_same_bits(const partan_data *a, const partan_data *b)
{
    const pt_matrix *x = &a->matrix, *y = &b->matrix;
    assert_int_equal(x->rows, y->rows);
    assert_int_equal(x->features, y->features);
    assert_int_equal(x->nonzeros, y->nonzeros);
    assert_memory_equal(x->offsets, y->offsets, (x->rows + 1) * sizeof *x->offsets);
    assert_memory_equal(x->indices, y->indices, x->nonzeros * sizeof *x->indices);
    assert_memory_equal(x->values, y->values, x->nonzeros * sizeof *x->values);
    assert_memory_equal(a->labels, b->labels, x->rows * sizeof *a->labels);
}

static void compare(partan_context *book, partan_context *context, const char *text, size_t size)
{
    partan_read_options options;
    partan_read_options_init(&options);
    options.format = PARTAN_FORMAT_LIBSVM;
    options.storage = PARTAN_STORAGE_SPARSE;
    partan_data *expected, *found;
    partan_status status = pt_data_parse(book, "it", text, size, &options, &expected);
    assert_int_equal(pt_data_parse(context, "it", text, size, &options, &found), status);
    if (status)
        assert_string_equal(partan_error(context), partan_error(book));
    else
        assert_same_bits(expected, found);
    partan_data_free(expected);
    partan_data_free(found);
}

static void plain_lines_are_read_by_the_book(void **state)
{
    partan_context *context = *state;
    partan_context_options options;
    partan_context_options_init(&options);
    options.threads = 1;
    partan_context *book = partan_create(&options);
    book->isa = PT_ISA_REFERENCE;
    pt_random random;
    pt_random_seed(&random, 11);
    static char text[1 << 14];
    for (int trial = 0; trial < 8000; trial++) {
        char *p = text;
        for (uint64_t lines = 1 + pt_random_below(&random, 3); lines > 0; lines--)
            p = put_line(p, &random);
        for (int isa = PT_ISA_PORTABLE; isa < PT_ISA_COUNT; isa++) {
            context->isa = (pt_isa)isa;
            if (pt_isa_available((pt_isa)isa))
                compare(book, context, text, (size_t)(p - text));
        }
    }
    partan_destroy(book);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(breaks_are_blanks_controls_and_colons),
        cmocka_unit_test(breaks_come_in_order),
        CONTEXT_TEST(plain_lines_are_read_by_the_book),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
