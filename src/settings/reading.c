/* The options of reading data, for command lines and bindings; partan_read_options has the fields. */
#include "partan/partan.h"
#include "settings/names.h"

/* clang-format off */
static const partan_option table[] = {
    {"format", 0, PARTAN_OPTION_CHOICE, "NAME", PT_CHOICES(PT_FORMAT_NAMES), "auto", 0, 0,
     "Format of the data; auto detects it from the file extension, or else from the first line."},
    {"storage", 0, PARTAN_OPTION_CHOICE, "NAME", PT_CHOICES(PT_STORAGE_NAMES), "auto", 0, 0,
     "How features are stored in memory; auto chooses by values and density. Results are the same up to rounding."},
    {"label-column", 0, PARTAN_OPTION_INTEGER, "N", "last|none", "1", 1, 2147483647,
     "CSV and TSV: the label column, counted from 1, or last, or none."},
    {"label-name", 0, PARTAN_OPTION_TEXT, "NAME", NULL, NULL, 0, 0,
     "CSV and TSV with a header: the name of the label column."},
    {"weight-column", 0, PARTAN_OPTION_INTEGER, "N", "last", NULL, 1, 2147483647,
     "CSV and TSV: the column with the weights of the rows, counted from 1, or last; it is not a feature."},
    {"weight-name", 0, PARTAN_OPTION_TEXT, "NAME", NULL, NULL, 0, 0,
     "CSV and TSV with a header: the name of the weight column."},
    {"header", 0, PARTAN_OPTION_FLAG, NULL, "no", NULL, 0, 0,
     "CSV and TSV: the first line is, or is not, a header. By default it is one if it contains only names."},
    {"features", 0, PARTAN_OPTION_INTEGER, "N", NULL, NULL, 1, 2147483647,
     "Minimum number of features, for LIBSVM files in which the last features do not occur."},
};
/* clang-format on */

const partan_option *partan_read_option(size_t i)
{
    return i < sizeof table / sizeof table[0] ? &table[i] : NULL;
}
