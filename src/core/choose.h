/* Which of many items are wanted, found by all threads, in order. */
#ifndef PT_CHOOSE_H
#define PT_CHOOSE_H

#include <stdint.h>

#include "core/context.h"

/* Puts those wanted among begin .. end-1 into `out`, in order, unless that is NULL, and returns how many there are. Is
 * called twice for each part. */
typedef size_t pt_choose_part(const void *user, size_t begin, size_t end, int64_t *out);

/* The wanted ones among `total`, an array of the caller's. */
partan_status pt_choose(partan_context *context, size_t total, pt_choose_part *part, const void *user, int64_t **chosen,
                        size_t *count);

#endif
