/* The table of kinds of models, and which of them a file is. */
#include "model/kinds.h"

#include <stdio.h>
#include <string.h>

#include "core/require.h"
#include "data/read/input.h"
#include "model/file.h"

const pt_model_kind pt_model_kinds[] = {
    [PARTAN_KIND_SVM] = {"partan-model", "1", "svm_type", "an SVM model"},
    [PARTAN_KIND_LASSO] = {"partan-lasso", "1", NULL, "a Lasso model"},
    [PARTAN_KIND_MATRIX] = {"partan-matrix", "1", NULL, "a completed matrix"},
};
enum { COUNT = sizeof pt_model_kinds / sizeof pt_model_kinds[0] };

static const pt_model_kind *find(pt_word word)
{
    for (size_t i = 0; i < COUNT; i++) {
        const pt_model_kind *kind = &pt_model_kinds[i];
        if (pt_word_is(word, kind->magic) || (kind->foreign && pt_word_is(word, kind->foreign)))
            return kind;
    }
    return NULL;
}

/* "'partan-model 1', the first line of a model", with all the lines there are for several kinds. */
static const char *describe(const pt_model_kind *kinds, size_t count, char text[256])
{
    size_t length = 0;
    for (size_t i = 0; i < count && length < 256; i++)
        length += (size_t)snprintf(text + length, 256 - length, "%s'%s %s'",
                                   i == 0           ? ""
                                   : i + 1 == count ? " or "
                                                    : ", ",
                                   kinds[i].magic, kinds[i].version);
    if (length < 256)
        snprintf(text + length, 256 - length, ", the first line of a model");
    return text;
}

partan_status pt_kind_first_line(pt_scan *scan, const pt_model_kind *kind)
{
    char expected[256];
    if (!pt_scan_line(scan))
        return pt_scan_fail_end(scan, describe(kind, 1, expected));
    pt_word magic = pt_scan_word(scan);
    const pt_model_kind *found = find(magic);
    if (found && strcmp(found->magic, kind->magic) != 0)
        return pt_fail(scan->context, PARTAN_ERROR_FORMAT, "%s: found %s, expected %s", scan->name, found->title,
                       kind->title);
    if (!pt_word_is(magic, kind->magic))
        return pt_scan_fail(scan, magic, describe(kind, 1, expected));
    pt_word version = pt_scan_word(scan);
    snprintf(expected, sizeof expected, "format %s, the one that this version of partan reads", kind->version);
    return pt_word_is(version, kind->version) ? pt_scan_line_done(scan) : pt_scan_fail(scan, version, expected);
}

static partan_status kind_of_text(partan_context *context, const char *name, const char *text, size_t size,
                                  partan_kind *kind)
{
    char expected[256];
    pt_scan scan;
    pt_scan_init(&scan, context, name, text, size);
    describe(pt_model_kinds, COUNT, expected);
    if (!pt_scan_line(&scan))
        return pt_scan_fail_end(&scan, expected);
    pt_word word = pt_scan_word(&scan);
    const pt_model_kind *found = find(word);
    if (!found)
        return pt_scan_fail(&scan, word, expected);
    *kind = (partan_kind)(found - pt_model_kinds);
    return PARTAN_OK;
}

partan_status partan_model_file_kind(partan_context *context, const partan_model_file *file, partan_kind *kind)
{
    PT_REQUIRE(context, context && file && kind);
    return kind_of_text(context, file->name, file->text, file->size, kind);
}

partan_status partan_model_kind_of(partan_context *context, const char *path, partan_kind *kind)
{
    PT_REQUIRE(context, context && path && kind);
    char text[64]; /* more than any first word */
    size_t got;
    pt_input input;
    partan_status status = pt_input_open(context, path, path, &input);
    if (status)
        return status;
    status = pt_input_read(&input, text, sizeof text, &got);
    pt_input_close(&input);
    return status ? status : kind_of_text(context, path, text, got, kind);
}
