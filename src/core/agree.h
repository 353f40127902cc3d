/* Processes that work together go on together: a failure of one is that of all. */
#ifndef PT_AGREE_H
#define PT_AGREE_H

#include "core/comm.h"
#include "core/context.h"

/* The status of the first process that failed, with its sentence in all contexts; PARTAN_OK when none did. */
partan_status pt_agree(partan_context *context, pt_comm *comm, partan_status status);

#endif
