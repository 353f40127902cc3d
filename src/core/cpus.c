#if defined(__linux__)
#define _GNU_SOURCE /* sched_getaffinity */
#endif
#include "core/cpus.h"
#include "core/require.h"
#include "core/sized.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if defined(__linux__)
#include <sched.h>
#endif

enum { PATH_SIZE = 4096, LINE_SIZE = 4096 };

/* ---- Control groups ---- */

static int processors(double quota, double period)
{
    if (!(quota > 0 && period > 0) || quota / period >= INT_MAX)
        return 0;
    int whole = (int)(quota / period);
    return whole + (whole * period < quota);
}

static bool read_line(const char *path, char line[LINE_SIZE])
{
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bool found = fgets(line, LINE_SIZE, file) != NULL;
    fclose(file);
    return found;
}

/* Version 2: "quota period", or "max period". */
static int limit_of_v2(const char *folder)
{
    char path[PATH_SIZE], line[LINE_SIZE];
    double quota, period;
    int length = snprintf(path, sizeof path, "%s/cpu.max", folder);
    if (length < 0 || length >= PATH_SIZE || !read_line(path, line) || sscanf(line, "%lf %lf", &quota, &period) != 2)
        return 0;
    return processors(quota, period);
}

static double number_in(const char *folder, const char *name)
{
    char path[PATH_SIZE], line[LINE_SIZE];
    double value;
    int length = snprintf(path, sizeof path, "%s/%s", folder, name);
    bool found = length > 0 && length < PATH_SIZE && read_line(path, line) && sscanf(line, "%lf", &value) == 1;
    return found ? value : -1;
}

/* Version 1; a quota of -1 is none. */
static int limit_of_v1(const char *folder)
{
    return processors(number_in(folder, "cpu.cfs_quota_us"), number_in(folder, "cpu.cfs_period_us"));
}

/* The least of the group and those above it. In a container the path may be that of the host, which is not there, while
 * the container's own group is at the top. */
static int limit_along(const char *top, const char *group, int (*limit_of)(const char *folder))
{
    char folder[PATH_SIZE];
    int least = 0, length = snprintf(folder, sizeof folder, "%s%s", top, group);
    if (length < 0 || length >= PATH_SIZE)
        return 0;
    for (;;) {
        int limit = limit_of(folder);
        least = limit > 0 && (least == 0 || limit < least) ? limit : least;
        char *slash = strrchr(folder, '/');
        if (strlen(folder) <= strlen(top) || !slash)
            return least;
        *slash = 0;
    }
}

/* Whether a list of names, separated by commas, has this one. */
static bool lists(const char *names, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = names; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == 0))
            return true;
    return false;
}

/* A line of /proc/self/cgroup is "number:controllers:path"; version 2 has no controllers there. */
static int limit_by_line(const char *root, char *line)
{
    char top[PATH_SIZE];
    line[strcspn(line, "\n")] = 0;
    char *controllers = strchr(line, ':'), *path = controllers ? strchr(controllers + 1, ':') : NULL;
    if (!path)
        return 0;
    *path++ = 0;
    controllers++;
    if (*controllers && !lists(controllers, "cpu"))
        return 0;
    int length = snprintf(top, sizeof top, "%s/sys/fs/cgroup%s", root, *controllers ? "/cpu" : "");
    if (length < 0 || length >= PATH_SIZE)
        return 0;
    return limit_along(top, path, *controllers ? limit_of_v1 : limit_of_v2);
}

int pt_cpus_quota(const char *root)
{
    char path[PATH_SIZE], line[LINE_SIZE];
    int least = 0, length = snprintf(path, sizeof path, "%s/proc/self/cgroup", root);
    FILE *file = length > 0 && length < PATH_SIZE ? fopen(path, "r") : NULL;
    if (!file)
        return 0;
    while (fgets(line, sizeof line, file)) {
        int limit = limit_by_line(root, line);
        least = limit > 0 && (least == 0 || limit < least) ? limit : least;
    }
    fclose(file);
    return least;
}

/* ---- Environment ---- */

int pt_cpus_variable(const char *text)
{
    char *end;
    long number = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || number < 1 || number > INT_MAX)
        return 0;
    end += strspn(end, " ");
    return *end == 0 || *end == ',' ? (int)number : 0;
}

/* ---- Processors ---- */

static int online(void)
{
    long found = sysconf(_SC_NPROCESSORS_ONLN);
    return found > 0 && found < INT_MAX ? (int)found : 1;
}

static int allowed(void)
{
#if defined(__linux__)
    cpu_set_t sets[8]; /* of 1,024 each */
    if (sched_getaffinity(0, sizeof sets, sets) == 0)
        return CPU_COUNT_S(sizeof sets, sets);
#endif
    return online();
}

/* A limit of 0 is none. */
static int limited(int threads, int limit)
{
    return limit > 0 && limit < threads ? limit : threads;
}

PT_STRUCT_INIT(partan_limits, .threads = 0)

static partan_limits find_limits(void)
{
    partan_limits found = {
        .processors = online(),
        .affinity = allowed(),
        .quota = pt_cpus_quota(""),
        .omp_num_threads = pt_cpus_variable(getenv("OMP_NUM_THREADS")),
        .omp_thread_limit = pt_cpus_variable(getenv("OMP_THREAD_LIMIT")),
    };
    int threads = limited(found.affinity, found.quota);
    threads = limited(limited(threads, found.omp_num_threads), found.omp_thread_limit);
    found.threads = threads > 1 ? threads : 1;
    return found;
}

partan_status partan_limits_find(partan_limits *limits)
{
    PT_REQUIRE(NULL, limits);
    PT_CHECK_OUTPUT(NULL, partan_limits, limits);
    partan_limits found = find_limits();
    pt_struct_give(limits, &found, sizeof found);
    return PARTAN_OK;
}

int pt_cpus(void)
{
    return find_limits().threads;
}
