/* What reading and writing a header have in common. */
#ifndef PT_MODEL_KEYS_H
#define PT_MODEL_KEYS_H

#include "model/header.h"

#define PT_KEY_SKIP_PREFIX "info."
#define PT_END             "end"

/* The key as it is read and written: a setting's becomes one of the other types, by its table. */
pt_key pt_key_resolve(const pt_key *key);

#endif
