/* Names of statuses and of the public enums. */
#include <string.h>

#include "partan/partan.h"

static const struct {
    partan_status status;
    const char *name;
} names[] = {
    {PARTAN_OK, "OK"},
    {PARTAN_ITERATION_LIMIT, "ITERATION_LIMIT"},
    {PARTAN_TIME_LIMIT, "TIME_LIMIT"},
    {PARTAN_INTERRUPTED, "INTERRUPTED"},
    {PARTAN_STALLED, "STALLED"},
    {PARTAN_UNCONFIRMED, "UNCONFIRMED"},
    {PARTAN_ERROR_MEMORY, "ERROR_MEMORY"},
    {PARTAN_ERROR_ARGUMENT, "ERROR_ARGUMENT"},
    {PARTAN_ERROR_IO, "ERROR_IO"},
    {PARTAN_ERROR_FORMAT, "ERROR_FORMAT"},
    {PARTAN_ERROR_DATA, "ERROR_DATA"},
    {PARTAN_ERROR_NUMERIC, "ERROR_NUMERIC"},
};
enum { NAME_COUNT = sizeof names / sizeof names[0] };

const char *partan_status_name(partan_status status)
{
    for (int i = 0; i < NAME_COUNT; i++)
        if (names[i].status == status)
            return names[i].name;
    return NULL;
}

int partan_status_from_name(const char *name, partan_status *status)
{
    for (int i = 0; i < NAME_COUNT; i++)
        if (strcmp(names[i].name, name) == 0) {
            *status = names[i].status;
            return 1;
        }
    return 0;
}

/* Name `index` of a list, NULL when there is none. */
#define NAME_OF(list, index) ((size_t)(index) < sizeof(list) / sizeof((list)[0]) ? (list)[(size_t)(index)] : NULL)

const char *partan_kernel_name(partan_kernel kernel)
{
    static const char *const list[] = {"linear", "polynomial", "rbf", "sigmoid", "precomputed", "laplacian"};
    return NAME_OF(list, kernel);
}

const char *partan_storage_name(partan_storage storage)
{
    static const char *const list[] = {"auto", "dense", "sparse", "bits", "bytes"};
    return NAME_OF(list, storage);
}

const char *partan_step_type_name(partan_step_type type)
{
    static const char *const list[] = {"start", "toward", "away", "swap", "partan"};
    return NAME_OF(list, type);
}
