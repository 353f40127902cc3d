#include "core/available.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 256 };

static FILE *open_under(const char *root, const char *name)
{
    char path[PATH_SIZE];
    int length = snprintf(path, sizeof path, "%s%s", root, name);
    return length > 0 && length < PATH_SIZE ? fopen(path, "r") : NULL;
}

/* What could be given without taking anything from anybody, by the system's own estimate, and the swap. */
static uint64_t of_the_system(const char *root)
{
    char line[LINE_SIZE];
    uint64_t kilobytes, sum = 0;
    bool known = false;
    FILE *file = open_under(root, "/proc/meminfo");
    while (file && fgets(line, sizeof line, file)) {
        bool memory = sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1;
        if (memory || sscanf(line, "SwapFree: %" SCNu64, &kilobytes) == 1)
            sum += kilobytes * 1024;
        known = known || memory;
    }
    if (file)
        fclose(file);
    return known ? sum : UINT64_MAX;
}

static uint64_t number_in(const char *root, const char *name)
{
    uint64_t value;
    FILE *file = open_under(root, name);
    bool found = file && fscanf(file, "%" SCNu64, &value) == 1; /* "max" is no number */
    if (file)
        fclose(file);
    return found ? value : UINT64_MAX;
}

/* A container sees its own group at the top, by version 2 or 1 of control groups. */
static uint64_t of_the_group(const char *root)
{
    uint64_t limit = number_in(root, "/sys/fs/cgroup/memory.max");
    uint64_t used = number_in(root, "/sys/fs/cgroup/memory.current");
    if (limit == UINT64_MAX) {
        limit = number_in(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes");
        used = number_in(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes");
    }
    if (limit == UINT64_MAX || used == UINT64_MAX)
        return UINT64_MAX;
    return used < limit ? limit - used : 0;
}

uint64_t pt_memory_available(const char *root)
{
    uint64_t system = of_the_system(root), group = of_the_group(root);
    return system < group ? system : group;
}

partan_status pt_memory_check(partan_context *context, const char *name, uint64_t bytes, uint64_t available)
{
    if (bytes <= available)
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_MEMORY, "%s: its contents need more than the %.3g GB of available memory",
                   name, 1e-9 * (double)available);
}
