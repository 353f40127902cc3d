#include "model/source.h"

#include <inttypes.h>
#include <string.h>

#include "core/names.h"
#include "model/header.h"
#include "settings/names.h"

static partan_status read_format(pt_scan *scan, pt_source *source)
{
    pt_word word = pt_scan_word(scan);
    for (int format = PARTAN_FORMAT_LIBSVM; format <= PARTAN_FORMAT_TSV; format++)
        if (pt_word_is(word, pt_name(pt_format_names, format))) {
            source->format = (partan_format)format;
            return PARTAN_OK;
        }
    return pt_scan_fail(scan, word, "the format of the training data, libsvm, csv or tsv");
}

static partan_status read_column(pt_scan *scan, const char *expected, int64_t *column)
{
    pt_word word = pt_scan_word(scan);
    if (pt_word_integer(word, column) && *column >= 0 && *column <= INT32_MAX)
        return PARTAN_OK;
    return pt_scan_fail(scan, word, expected);
}

static partan_status read_label_column(pt_scan *scan, pt_source *source)
{
    return read_column(scan, "the column of the label, a whole number of at least 0", &source->label_column);
}

static partan_status read_weight_column(pt_scan *scan, pt_source *source)
{
    return read_column(scan, "the column of the weights, a whole number of at least 0", &source->weight_column);
}

static partan_status read_name(pt_scan *scan, char **name)
{
    pt_free(scan->context, *name); /* if it was there before */
    return pt_label_read(scan, pt_scan_word(scan), name);
}

static partan_status read_label_name(pt_scan *scan, pt_source *source)
{
    return read_name(scan, &source->label_name);
}

static partan_status read_weight_name(pt_scan *scan, pt_source *source)
{
    return read_name(scan, &source->weight_name);
}

static partan_status read_feature(pt_scan *scan, pt_source *source)
{
    char *name = NULL;
    pt_word word = pt_scan_word(scan);
    if (pt_word_empty(word)) /* headers may leave names out */
        return pt_feature_names_add(scan->context, &source->names, "", 0, false);
    partan_status status = pt_label_read(scan, word, &name);
    if (!status)
        status = pt_feature_names_add(scan->context, &source->names, name, strlen(name), false);
    pt_free(scan->context, name);
    return status;
}

static const struct {
    const char *key;
    partan_status (*read)(pt_scan *scan, pt_source *source);
} keys[] = {{"info.format", read_format},           {"info.label_column", read_label_column},
            {"info.label_name", read_label_name},   {"info.weight_column", read_weight_column},
            {"info.weight_name", read_weight_name}, {"info.feature", read_feature}};

partan_status pt_source_read(pt_scan *scan, pt_word key, pt_source *source, bool *taken)
{
    *taken = false;
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (pt_word_is(key, keys[i].key)) {
            *taken = true;
            partan_status status = keys[i].read(scan, source);
            return status ? status : pt_scan_line_done(scan);
        }
    return PARTAN_OK;
}

partan_status pt_source_check(const pt_scan *scan, const pt_source *source, uint64_t features)
{
    if (source->names.count == 0 || source->names.count == features)
        return PARTAN_OK;
    return pt_fail(scan->context, PARTAN_ERROR_FORMAT,
                   "%s: found names of %zu features, expected those of all %" PRIu64, scan->name, source->names.count,
                   features);
}

static void write_name(FILE *file, const char *key, const char *name)
{
    if (!name)
        return;
    fprintf(file, "%s ", key);
    pt_label_write(file, name);
    fputc('\n', file);
}

void pt_source_write(FILE *file, const pt_source *source)
{
    bool from_file = source->format != PARTAN_FORMAT_AUTO; /* rows from memory may have names, too */
    if (from_file)
        fprintf(file, "info.format %s\n", pt_name(pt_format_names, (int)source->format));
    if (from_file && source->format != PARTAN_FORMAT_LIBSVM)
        fprintf(file, "info.label_column %" PRId64 "\n", source->label_column);
    write_name(file, "info.label_name", source->label_name);
    if (source->weight_column > 0)
        fprintf(file, "info.weight_column %" PRId64 "\n", source->weight_column);
    write_name(file, "info.weight_name", source->weight_name);
    for (size_t i = 0; i < source->names.count; i++)
        write_name(file, "info.feature", pt_feature_name(&source->names, i));
}
