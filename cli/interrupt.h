/* SIGINT, SIGTERM and SIGHUP: the first asks the library to stop, the second ends the process as if there were no
 * handler; so does SIGQUIT at once. No output is left half-written. SIGXFSZ is ignored: writing fails instead. */
#ifndef CLI_INTERRUPT_H
#define CLI_INTERRUPT_H

#include <stdbool.h>

#include "partan/partan.h"

void interrupt_install(partan_context *context);
void interrupt_remove(void); /* before the context is destroyed */
bool interrupt_seen(void);

#endif
