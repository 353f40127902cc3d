/* Memory for as many numbers as the rows of a file have. */
#ifndef PARTAN_CLI_LARGE_H
#define PARTAN_CLI_LARGE_H

#include <stddef.h>
#include <stdint.h>

/* For `count` items of `size` bytes, not cleared; NULL when there is none. For free(). */
void *large_memory(uint64_t count, size_t size);

#endif
