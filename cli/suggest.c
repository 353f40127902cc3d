#include "suggest.h"

#include <string.h>

enum { LONGEST = 32 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, substitutions and swaps of neighbours that turn one word into the other (optimal string
 * alignment). */
static size_t edit_distance(const char *a, size_t rows, const char *b, size_t columns)
{
    size_t cost[LONGEST + 1][LONGEST + 1];
    for (size_t i = 0; i <= rows; i++)
        cost[i][0] = i;
    for (size_t j = 0; j <= columns; j++)
        cost[0][j] = j;
    for (size_t i = 1; i <= rows; i++)
        for (size_t j = 1; j <= columns; j++) {
            size_t replaced = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            cost[i][j] = least(replaced, least(cost[i - 1][j], cost[i][j - 1]) + 1);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                cost[i][j] = least(cost[i][j], cost[i - 2][j - 2] + 1);
        }
    return cost[rows][columns];
}

void suggest_begin(suggestion *search, const char *wanted)
{
    *search = (suggestion){.wanted = wanted, .distance = LONGEST};
}

/* Near enough is a third of the letters, or a beginning of at least two. */
void suggest_offer(suggestion *search, const char *candidate)
{
    size_t length = strlen(search->wanted), other = strlen(candidate);
    if (length > LONGEST || other > LONGEST)
        return;
    size_t distance = edit_distance(search->wanted, length, candidate, other);
    size_t limit = (length > other ? length : other) / 3;
    if (length >= 2 && strncmp(search->wanted, candidate, length) == 0)
        distance = least(distance, 1);
    if (distance <= (limit ? limit : 1) && distance < search->distance) {
        search->distance = distance;
        search->best = candidate;
    }
}
