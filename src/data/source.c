#include "data/source.h"

#include <string.h>

static partan_status copy_name(partan_context *context, const char *name, char **copy)
{
    *copy = name ? pt_copy(context, name, strlen(name) + 1, 1) : NULL;
    return *copy || !name ? PARTAN_OK : pt_out_of_memory(context, "the name of a column");
}

partan_status pt_source_copy(partan_context *context, const pt_source *source, pt_source *copy)
{
    *copy = *source;
    copy->label_name = copy->weight_name = NULL;
    partan_status status = pt_feature_names_copy(context, &source->names, &copy->names);
    if (!status)
        status = copy_name(context, source->label_name, &copy->label_name);
    if (!status)
        status = copy_name(context, source->weight_name, &copy->weight_name);
    return status;
}

void pt_source_free(partan_context *context, pt_source *source)
{
    pt_free(context, source->label_name);
    pt_free(context, source->weight_name);
    pt_feature_names_free(context, &source->names);
    *source = (pt_source){0};
}
