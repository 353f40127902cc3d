/* Whether a file is a model, by its first word. */
#include <string.h>
#include <sys/stat.h>

#include "data/read/input.h"
#include "model/kinds.h"

enum { HEAD = 64 }; /* bytes: more than the longest first word */

static bool is_regular(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

static bool begins_like_a_model(partan_context *context, const char *text, size_t size)
{
    pt_scan scan;
    pt_scan_init(&scan, context, "", text, size);
    if (!pt_scan_line(&scan))
        return false;
    pt_word word = pt_scan_word(&scan);
    for (int kind = 0; kind <= PARTAN_KIND_MATRIX; kind++) {
        const pt_model_kind *one = &pt_model_kinds[kind];
        if (pt_word_is(word, one->magic) || (one->foreign && pt_word_is(word, one->foreign)))
            return true;
    }
    return false;
}

partan_status partan_model_recognise(partan_context *context, const char *path, int *is_model)
{
    char head[HEAD + 1] = {0};
    size_t got = 0;
    pt_input input;
    *is_model = 0;
    if (!is_regular(path) || pt_input_open(context, path, path, &input) != PARTAN_OK)
        return PARTAN_OK;
    if (pt_input_read(&input, head, HEAD, &got) == PARTAN_OK)
        *is_model = begins_like_a_model(context, head, got);
    pt_input_close(&input);
    return PARTAN_OK;
}
