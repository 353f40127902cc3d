/* Names of statuses. */
#include <string.h>

#include "core/names.h"
#include "partan/partan.h"

const char *const pt_success_names[] = {
    "OK", "ITERATION_LIMIT", "TIME_LIMIT", "INTERRUPTED", "STALLED", "UNCONFIRMED", "RANK_LIMIT", NULL,
};
/* Of the statuses from -1 down. */
static const char *const failure_names[] = {
    "ERROR_MEMORY", "ERROR_ARGUMENT", "ERROR_IO", "ERROR_FORMAT", "ERROR_DATA", "ERROR_NUMERIC", "ERROR_BUILD", NULL,
};

const char *pt_name(const char *const *names, int value)
{
    int i = 0;
    while (i < value && names[i])
        i++;
    return value < 0 ? NULL : names[i];
}

const char *partan_status_name(partan_status status)
{
    int value = (int)status;
    return value < 0 ? pt_name(failure_names, -(value + 1)) : pt_name(pt_success_names, value);
}

static int find(const char *const *names, const char *name)
{
    for (int i = 0; names[i]; i++)
        if (strcmp(names[i], name) == 0)
            return i;
    return -1;
}

int partan_status_from_name(const char *name, partan_status *status)
{
    int success = find(pt_success_names, name), failure = find(failure_names, name);
    if (success >= 0)
        *status = (partan_status)success;
    else if (failure >= 0)
        *status = (partan_status)(-failure - 1);
    return success >= 0 || failure >= 0;
}
