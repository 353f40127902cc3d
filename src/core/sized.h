/* Structs that callers allocate and the library reads or fills. They begin with `size_t struct_size`, which their init
 * functions set to the size that the caller was compiled with, so that later versions can append fields: an older
 * program hands over a shorter struct, and the fields that it does not have keep their defaults.
 *
 * A new field goes to the end of its struct, at a multiple of eight bytes: not into what was padding at the end. */
#ifndef PT_SIZED_H
#define PT_SIZED_H

#include "core/context.h"

/* `name` is the struct's, for messages, and `known` the size that this library has for it. Without a context there is
 * no sentence. */

/* Sets the first `size` bytes of a caller's struct to those of `initial`, with struct_size; what a newer program has
 * beyond them becomes zero. */
void pt_struct_init(void *given, size_t size, const void *initial, size_t known);

/* Whether the size of a caller's struct can be understood: one that an init function has set, of this version, an older
 * or a newer one. */
partan_status pt_struct_check(partan_context *context, const char *name, const void *given, size_t known);

/* Copies a caller's struct over `own`, which holds the defaults. Fields that only a newer library has must be zero. */
partan_status pt_struct_take(partan_context *context, const char *name, const void *given, void *own, size_t known);

/* Copies as much of `own` to the caller's struct, which was checked, as that has room for. */
void pt_struct_give(void *given, const void *own, size_t known);

/* The public init function of a struct with these defaults. */
#define PT_STRUCT_INIT(type, ...)                                                                                      \
    void type##_init_sized(type *given, size_t size)                                                                   \
    {                                                                                                                  \
        pt_struct_init(given, size, &(const type){__VA_ARGS__}, sizeof(type));                                         \
    }

/* At the beginning of a public call: an argument, unless it is NULL, becomes a whole struct of this version. */
#define PT_TAKE(context, type, argument)                                                                               \
    type argument##_taken;                                                                                             \
    type##_init(&argument##_taken);                                                                                    \
    if (argument) {                                                                                                    \
        partan_status taking = pt_struct_take(context, #type, argument, &argument##_taken, sizeof argument##_taken);   \
        if (taking)                                                                                                    \
            return taking;                                                                                             \
        argument = &argument##_taken;                                                                                  \
    }

/* At the beginning of a public call that fills a struct, before the work. */
#define PT_CHECK_OUTPUT(context, type, argument)                                                                       \
    do {                                                                                                               \
        partan_status checking = pt_struct_check(context, #type, argument, sizeof(type));                              \
        if (checking)                                                                                                  \
            return checking;                                                                                           \
    } while (0)

#endif
