/* Reading ratings, for the commands that take them. */
#ifndef CLI_RATINGS_H
#define CLI_RATINGS_H

#include "command.h"

extern const option_set ratings_set; /* --ratings --first-column --missing */

/* `unvalued`: entries may lack their values. Returns an exit code as read_data does; the caller frees the ratings in
 * every case. */
int read_ratings(invocation *run, const char *path, bool unvalued, partan_ratings **ratings, double *seconds);

#endif
