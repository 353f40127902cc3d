/* Arguments that must not be NULL: the first thing that every public call looks at. */
#ifndef PT_REQUIRE_H
#define PT_REQUIRE_H

#include "core/context.h"

/* The status of a call that lacks an argument, with a sentence where there is a context to keep it. */
partan_status pt_null_argument(partan_context *context, const char *function);

/* For calls with a context, which must not be NULL either; and, with NULL for it, for those without. */
#define PT_REQUIRE(context, arguments)                                                                                 \
    do {                                                                                                               \
        if (!(arguments))                                                                                              \
            return pt_null_argument(context, __func__);                                                                \
    } while (0)

#endif
