/* Plain LIBSVM lines with 64-bit arithmetic only. */
#include "data/read/scan.h"

#define PLAIN_LINES pt_plain_lines_portable
enum { PLAIN_DECIMALS = 15 };

struct digits {
    uint32_t index;
    uint64_t fraction;
};

static inline bool read_digits(const char *index_end, size_t index_digits, const char *value_end, size_t decimals,
                               struct digits *found)
{
    size_t low = decimals < 8 ? decimals : 8;
    uint64_t index = pt_digits_before(index_end, index_digits), lower = pt_digits_before(value_end, low);
    uint64_t upper = pt_digits_before(value_end - 8, decimals - low);
    found->index = pt_eight_digits(index);
    found->fraction = (uint64_t)100000000 * pt_eight_digits(upper) + pt_eight_digits(lower);
    return !(pt_other_than_digits(index) | pt_other_than_digits(lower) | pt_other_than_digits(upper));
}

#include "data/read/libsvm_plain.h"
