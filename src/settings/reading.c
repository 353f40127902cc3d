/* The options of reading data, for command lines and bindings; partan_read_options has the fields. */
#include "partan/partan.h"
#include "settings/names.h"

/* clang-format off */
static const partan_option table[] = {
    {"format", 0, PARTAN_OPTION_CHOICE, "NAME", PT_CHOICES(PT_FORMAT_NAMES), "auto", 0, 0,
     "Format of the data; auto goes by the file's ending, else by its first line."},
    {"storage", 0, PARTAN_OPTION_CHOICE, "NAME", PT_CHOICES(PT_STORAGE_NAMES), "auto", 0, 0,
     "How features are held in memory; auto goes by content and density, and the result is the same to rounding."},
    {"label-column", 0, PARTAN_OPTION_INTEGER, "N", "last|none", "1", 1, 2147483647,
     "CSV and TSV: the column that holds the label, counted from 1, or the last one, or none."},
    {"label-name", 0, PARTAN_OPTION_TEXT, "NAME", NULL, NULL, 0, 0,
     "CSV and TSV with a header: the column that holds the label, by its name."},
    {"header", 0, PARTAN_OPTION_FLAG, NULL, "no", NULL, 0, 0,
     "CSV and TSV: the first line is, or is not, a header; by default it is one if it has names only."},
    {"features", 0, PARTAN_OPTION_INTEGER, "N", NULL, NULL, 1, 2147483647,
     "At least so many features: for LIBSVM files whose greatest index does not show how many there are."},
};
/* clang-format on */

const partan_option *partan_read_option(size_t i)
{
    return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}
