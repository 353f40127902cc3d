#include "columns.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "message.h"

enum { MOST_COLUMNS = 16 };

bool first_line(const char *path, char *line, size_t size)
{
    bool found = false;
    FILE *file = fopen(path, "r");
    while (file && !found && fgets(line, (int)size, file)) {
        line[strcspn(line, "\r\n")] = '\0';
        found = line[0] != '#' && line[0] != '\0';
    }
    if (file)
        fclose(file);
    return found;
}

/* Which field of the header has this name; -1: none. */
static int find_field(const char *header, const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; header; i++) {
        size_t width = strcspn(header, ",\r\n");
        if (width == length && memcmp(header, name, length) == 0)
            return i;
        header = header[width] == ',' ? header + width + 1 : NULL;
    }
    return -1;
}

bool columns_have(const char *path, const char *name)
{
    char line[512];
    return first_line(path, line, sizeof line) && find_field(line, name) >= 0;
}

static double field(const char *line, int number)
{
    char *end;
    for (; number > 0 && line; number--) {
        line = strchr(line, ',');
        line = line ? line + 1 : NULL;
    }
    double value = line ? strtod(line, &end) : 0;
    return line && end > line ? value : (double)NAN;
}

static bool add_row(columns *found, const char *line, const int *places)
{
    if ((found->rows & (found->rows - 1)) == 0) { /* room doubles at powers of two */
        size_t room = found->rows ? 2 * found->rows : 1;
        double *more = realloc(found->values, room * found->count * sizeof *more);
        if (!more)
            return false;
        found->values = more;
    }
    for (size_t i = 0; i < found->count; i++)
        found->values[found->rows * found->count + i] = field(line, places[i]);
    found->rows++;
    return true;
}

static int read_lines(invocation *run, const char *path, const char *const *names, FILE *file, columns *found)
{
    char *line = NULL;
    size_t room = 0;
    int places[MOST_COLUMNS] = {-1}, code = EXIT_DONE;
    bool header = true;
    while (code == EXIT_DONE && getline(&line, &room, file) >= 0) {
        if (line[0] == '#' || line[0] == '\n')
            continue;
        for (size_t i = 0; header && i < found->count && code == EXIT_DONE; i++)
            if ((places[i] = find_field(line, names[i])) < 0)
                code = failure(run, "%s: there is no column '%s'", path, names[i]);
        if (!header && !add_row(found, line, places))
            code = failure(run, "out of memory");
        header = false;
    }
    free(line);
    return code;
}

int columns_read(invocation *run, const char *path, const char *const *names, size_t count, columns *found)
{
    *found = (columns){.count = count};
    FILE *file = fopen(path, "r");
    if (!file)
        return failure(run, "%s: cannot be read: %s", path, strerror(errno));
    int code = read_lines(run, path, names, file, found);
    fclose(file);
    return code;
}

void columns_free(columns *found)
{
    free(found->values);
    *found = (columns){0};
}
