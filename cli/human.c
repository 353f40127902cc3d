#include "human.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

char *human_count(char *buffer, uint64_t number)
{
    char digits[HUMAN_SIZE];
    int length = snprintf(digits, sizeof digits, "%" PRIu64, number);
    char *out = buffer;
    for (int i = 0; i < length; i++) {
        if (i > 0 && (length - i) % 3 == 0)
            *out++ = ',';
        *out++ = digits[i];
    }
    *out = '\0';
    return buffer;
}

char *human_seconds(char *buffer, double seconds)
{
    if (seconds < 9.995)
        snprintf(buffer, HUMAN_SIZE, "%.2f s", seconds);
    else if (seconds < 59.95)
        snprintf(buffer, HUMAN_SIZE, "%.1f s", seconds);
    else if (seconds < 3599.5)
        snprintf(buffer, HUMAN_SIZE, "%d min %02d s", (int)(seconds + 0.5) / 60, (int)(seconds + 0.5) % 60);
    else if (seconds < 1e8)
        snprintf(buffer, HUMAN_SIZE, "%d h %02d min", (int)(seconds / 60 + 0.5) / 60, (int)(seconds / 60 + 0.5) % 60);
    else
        snprintf(buffer, HUMAN_SIZE, "years");
    return buffer;
}

char *human_bytes(char *buffer, uint64_t bytes)
{
    static const char *const units[] = {"B", "kB", "MB", "GB", "TB"};
    double number = (double)bytes;
    size_t unit = 0;
    while (number >= 999.5 && unit + 1 < sizeof units / sizeof units[0]) {
        number /= 1000;
        unit++;
    }
    snprintf(buffer, HUMAN_SIZE, number < 10 && unit ? "%.1f %s" : "%.0f %s", number, units[unit]);
    return buffer;
}

char *shortest_real(char *buffer, double value)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(buffer, HUMAN_SIZE, "%.*g", digits, value);
        if (strtod(buffer, NULL) == value)
            break;
    }
    return buffer;
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Linux: the high-water mark of this program alone. ru_maxrss may be that of the shell that started it. */
static uint64_t high_water_mark(void)
{
    FILE *file = fopen("/proc/self/status", "r");
    if (!file)
        return 0;
    char line[256];
    uint64_t kilobytes = 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "VmHWM: %" SCNu64, &kilobytes) == 1)
            break;
    fclose(file);
    return kilobytes * 1024;
}

uint64_t peak_memory_bytes(void)
{
    uint64_t bytes = high_water_mark();
    struct rusage usage;
    if (bytes || getrusage(RUSAGE_SELF, &usage) != 0)
        return bytes;
#if defined(__APPLE__)
    return (uint64_t)usage.ru_maxrss;
#else
    return (uint64_t)usage.ru_maxrss * 1024;
#endif
}
