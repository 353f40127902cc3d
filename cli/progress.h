/* The progress line on standard error. */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include "command.h"

void progress_setup(invocation *run); /* from the options, the terminal and the environment */
int progress_callback(void *user, const partan_progress *progress);
void progress_clear(invocation *run); /* before anything else is printed */

#endif
