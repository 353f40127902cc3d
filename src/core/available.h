/* How much memory there is to have. */
#ifndef PT_AVAILABLE_H
#define PT_AVAILABLE_H

#include "core/context.h"

/* Bytes that the system, or the control group of a container, could still give, swap included; UINT64_MAX: not known.
 * `root` is "" but in tests: where /proc and /sys are. */
uint64_t pt_memory_available(const char *root);

/* Fails when `bytes` are more than `available`, with the name of the file whose contents take them. */
partan_status pt_memory_check(partan_context *context, const char *name, uint64_t bytes, uint64_t available);

#endif
