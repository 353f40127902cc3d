#include "data/source.h"

#include <string.h>

partan_status pt_source_copy(partan_context *context, const pt_source *source, pt_source *copy)
{
    *copy = *source;
    copy->label_name = NULL;
    partan_status status = pt_feature_names_copy(context, &source->names, &copy->names);
    if (!status && source->label_name) {
        copy->label_name = pt_copy(context, source->label_name, strlen(source->label_name) + 1, 1);
        if (!copy->label_name)
            status = pt_out_of_memory(context, "the name of the label");
    }
    return status;
}

void pt_source_free(partan_context *context, pt_source *source)
{
    pt_free(context, source->label_name);
    pt_feature_names_free(context, &source->names);
    *source = (pt_source){0};
}
