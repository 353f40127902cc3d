#include "data/names.h"

partan_status pt_feature_names_add(partan_context *context, pt_feature_names *n, const char *text, size_t size,
                                   bool quoted)
{
    if (pt_reserve(context, (void **)&n->start, &n->capacity, n->count, n->count + 1, sizeof *n->start)
        || pt_reserve(context, (void **)&n->text, &n->room, n->size, n->size + size + 1, 1))
        return pt_out_of_memory(context, "the names of features");
    n->start[n->count++] = n->size;
    for (size_t i = 0; i < size; i++) {
        n->text[n->size++] = text[i];
        i += quoted && text[i] == '"';
    }
    n->text[n->size++] = 0;
    return PARTAN_OK;
}

const char *pt_feature_name(const pt_feature_names *n, size_t feature)
{
    return feature < n->count ? n->text + n->start[feature] : NULL;
}

partan_status pt_feature_names_copy(partan_context *context, const pt_feature_names *source, pt_feature_names *copy)
{
    *copy = (pt_feature_names){0};
    if (source->count == 0)
        return PARTAN_OK;
    copy->start = pt_copy(context, source->start, source->count, sizeof *source->start);
    copy->text = pt_copy(context, source->text, source->size, 1);
    if (!copy->start || !copy->text) {
        pt_feature_names_free(context, copy);
        return pt_out_of_memory(context, "the names of features");
    }
    copy->count = copy->capacity = source->count;
    copy->size = copy->room = source->size;
    return PARTAN_OK;
}

void pt_feature_names_free(partan_context *context, pt_feature_names *n)
{
    pt_free(context, n->start);
    pt_free(context, n->text);
    *n = (pt_feature_names){0};
}
