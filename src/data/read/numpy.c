/* The .npy format: a magic word, a version, the length of a header, the header (a Python dictionary of three entries),
 * and the elements. Versions 1 to 3 differ in the size of the length and the encoding of the header. */
#include "data/read/numpy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MAGIC = 6, MOST_SIZE = 4096 /* bytes of a text element */ };

bool pt_is_npy(const void *head, size_t size)
{
    return size >= MAGIC && memcmp(head, "\x93NUMPY", MAGIC) == 0;
}

/* ---- The header ---- */

/* Where the value of a key begins; NULL: there is none. The keys are those that NumPy writes. */
static const char *find_value(const char *header, const char *key)
{
    char quoted[32];
    snprintf(quoted, sizeof quoted, "'%s':", key);
    const char *found = strstr(header, quoted);
    if (!found)
        return NULL;
    found += strlen(quoted);
    while (*found == ' ')
        found++;
    return found;
}

static bool is_big_endian(void)
{
    const uint16_t one = 1;
    unsigned char first;
    memcpy(&first, &one, 1);
    return first == 0;
}

static bool is_known(char kind, size_t size)
{
    switch (kind) {
    case 'f':
        return size == 2 || size == 4 || size == 8;
    case 'i':
    case 'u':
        return size == 1 || size == 2 || size == 4 || size == 8;
    case 'b':
        return size == 1;
    case 'U':
    case 'S':
        return size > 0 && size <= MOST_SIZE;
    default:
        return false;
    }
}

/* '<f8': order of bytes, kind, size (of U in characters of four bytes). */
static bool parse_type(const char *value, pt_array *array)
{
    unsigned size;
    char order, kind;
    if (!value || sscanf(value, "'%c%c%u'", &order, &kind, &size) != 3 || size > MOST_SIZE || !strchr("<>|=", order))
        return false;
    array->kind = kind;
    array->size = kind == 'U' ? 4 * (size_t)size : size;
    array->swapped = order == (is_big_endian() ? '<' : '>');
    return is_known(kind, array->size);
}

/* (), (3,), (3, 4): up to two numbers. */
static bool parse_shape(const char *value, pt_array *array)
{
    array->shape[0] = array->shape[1] = 1;
    if (!value || *value++ != '(')
        return false;
    while (*value && *value != ')') {
        unsigned long long number;
        int used = 0;
        if (array->dimensions == 2 || sscanf(value, " %llu%n", &number, &used) != 1 || number > SIZE_MAX / 2)
            return false;
        array->shape[array->dimensions++] = (size_t)number;
        value += used;
        value += strspn(value, ", ");
    }
    return *value == ')';
}

/* Where the elements begin; 0: that is no header. */
static size_t header_end(const unsigned char *text, size_t size)
{
    if (!pt_is_npy(text, size) || size < 12 || text[6] < 1 || text[6] > 3)
        return 0;
    size_t start = text[6] == 1 ? 10 : 12, length = 0;
    for (size_t i = start; i-- > 8;)
        length = length << 8 | text[i];
    return length > 0 && length <= size - start ? start + length : 0;
}

static partan_status parse_header(partan_context *context, const char *name, pt_array *array, size_t end)
{
    size_t start = array->text[6] == 1 ? 10 : 12;
    char *header = pt_alloc_zero(context, end - start + 1, 1);
    if (!header)
        return pt_out_of_memory(context, "the header of an array");
    memcpy(header, array->text + start, end - start);
    const char *type = find_value(header, "descr"), *order = find_value(header, "fortran_order");
    partan_status status = PARTAN_OK;
    if (!parse_type(type, array))
        status =
            pt_fail(context, PARTAN_ERROR_FORMAT,
                    "%s: found an array of type %.*s, expected numbers (floating point, whole or boolean) or texts",
                    name, type ? (int)strcspn(type, ",}") : 7, type ? type : "unknown");
    else if (!parse_shape(find_value(header, "shape"), array))
        status = pt_fail(context, PARTAN_ERROR_FORMAT,
                         "%s: found an array of more than two dimensions, or none, expected "
                         "rows and columns",
                         name);
    array->by_columns = order && strncmp(order, "True", 4) == 0;
    pt_free(context, header);
    return status;
}

partan_status pt_array_parse(partan_context *context, const char *name, unsigned char *text, size_t size,
                             pt_array *array)
{
    *array = (pt_array){.text = text};
    size_t end = header_end(text, size);
    if (!end)
        return pt_fail(context, PARTAN_ERROR_FORMAT, "%s: found no header of an array, expected a file of numpy.save",
                       name);
    partan_status status = parse_header(context, name, array, end);
    if (status)
        return status;
    size_t room = (size - end) / array->size, columns = array->shape[1];
    if (columns > 0 && (array->shape[0] > room / columns || array->shape[0] * columns > room))
        return pt_fail(context, PARTAN_ERROR_FORMAT, "%s: found %zu bytes of elements, expected %zu x %zu of %zu bytes",
                       name, size - end, array->shape[0], columns, array->size);
    array->elements = text + end;
    return PARTAN_OK;
}

void pt_array_free(partan_context *context, pt_array *array)
{
    pt_free(context, array->name);
    pt_free(context, array->text);
    *array = (pt_array){0};
}

/* ---- Elements ---- */

bool pt_array_is_text(const pt_array *array)
{
    return array->kind == 'U' || array->kind == 'S';
}

static const unsigned char *element(const pt_array *array, size_t row, size_t column)
{
    size_t index = array->by_columns ? column * array->shape[0] + row : row * array->shape[1] + column;
    return array->elements + index * array->size;
}

/* The bytes of a number as a whole number, in this machine's order. */
static uint64_t bits_of(const unsigned char *bytes, size_t size, bool swapped)
{
    uint64_t bits = 0;
    bool reverse = is_big_endian() ? swapped : !swapped; /* the last byte is the highest */
    for (size_t i = 0; i < size; i++)
        bits = bits << 8 | bytes[reverse ? size - 1 - i : i];
    return bits;
}

/* IEEE 754 binary16. */
static double half(uint64_t bits)
{
    int exponent = (int)(bits >> 10 & 31);
    double fraction = (double)(bits & 1023), value;
    if (exponent == 31)
        value = fraction > 0 ? (double)NAN : (double)INFINITY;
    else
        value = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

static double real(uint64_t bits, size_t size)
{
    float single;
    double number;
    uint32_t low = (uint32_t)bits;
    if (size == 2)
        return half(bits);
    if (size == 4) {
        memcpy(&single, &low, sizeof single);
        return (double)single;
    }
    memcpy(&number, &bits, sizeof number);
    return number;
}

double pt_array_number(const pt_array *array, size_t row, size_t column)
{
    if (pt_array_is_text(array))
        return 0;
    uint64_t bits = bits_of(element(array, row, column), array->size, array->swapped);
    if (array->kind == 'f')
        return real(bits, array->size);
    if (array->kind != 'i')
        return (double)bits;
    unsigned shift = (unsigned)(64 - 8 * array->size);
    uint64_t sign = UINT64_C(1) << (8 * array->size - 1);
    return bits & sign ? -(double)((~bits << shift >> shift) + 1) : (double)bits;
}

static size_t put_utf8(uint32_t c, char *out)
{
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    size_t length = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = length; i-- > 1; c >>= 6)
        out[i] = (char)(0x80 | (c & 63));
    out[0] = (char)((0xf00 >> length & 0xff) | c);
    return length;
}

size_t pt_array_text(const pt_array *array, size_t row, char *buffer, size_t size)
{
    const unsigned char *bytes = element(array, row, 0);
    size_t width = array->kind == 'U' ? 4 : 1, length = 0;
    for (size_t i = 0; i + width <= array->size && length + 5 < size; i += width) {
        uint32_t c = (uint32_t)bits_of(bytes + i, width, array->swapped);
        if (c == 0)
            break;
        if (width == 1)
            buffer[length++] = (char)c;
        else
            length += put_utf8(c < 0x110000 ? c : 0xfffd, buffer + length);
    }
    buffer[length] = '\0';
    return length;
}
