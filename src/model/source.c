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

static partan_status read_column(pt_scan *scan, pt_source *source)
{
    pt_word word = pt_scan_word(scan);
    if (pt_word_integer(word, &source->label_column) && source->label_column >= 0 && source->label_column <= INT32_MAX)
        return PARTAN_OK;
    return pt_scan_fail(scan, word, "the column of the label, a whole number of at least 0");
}

static partan_status read_label_name(pt_scan *scan, pt_source *source)
{
    pt_free(scan->context, source->label_name); /* if it was there before */
    return pt_label_read(scan, pt_scan_word(scan), &source->label_name);
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
} keys[] = {{"info.format", read_format},
            {"info.label_column", read_column},
            {"info.label_name", read_label_name},
            {"info.feature", read_feature}};

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

void pt_source_write(FILE *file, const pt_source *source)
{
    if (source->format == PARTAN_FORMAT_AUTO)
        return;
    fprintf(file, "info.format %s\n", pt_name(pt_format_names, (int)source->format));
    if (source->format != PARTAN_FORMAT_LIBSVM)
        fprintf(file, "info.label_column %" PRId64 "\n", source->label_column);
    if (source->label_name) {
        fputs("info.label_name ", file);
        pt_label_write(file, source->label_name);
        fputc('\n', file);
    }
    for (size_t i = 0; i < source->names.count; i++) {
        fputs("info.feature ", file);
        pt_label_write(file, pt_feature_name(&source->names, i));
        fputc('\n', file);
    }
}
