/* partan - kernel machines on large data by Frank-Wolfe methods, with a certificate.
 *
 * This header includes all others. Programs can also include only what they need; most start with the first five.
 *
 *   partan/status.h     status codes and version
 *   partan/context.h    contexts: errors, threads, memory, progress, interruption
 *   partan/data.h       data sets from files
 *   partan/arrays.h     data sets and predictions from arrays
 *   partan/settings.h   settings of a training
 *   partan/svm.h        train, path over C, cross-validation, tuning, predict, verify
 *   partan/model.h      models: files and accessors
 *   partan/probability.h  probabilities of classes
 *   partan/lasso.h      the Lasso: fit, path, cross-validation, predict, verify
 *   partan/ratings.h    known entries of a matrix
 *   partan/matrix.h     matrix completion and recovery
 *   partan/generate.h   generated data
 *   partan/scaling.h    scaling of features
 *   partan/options.h    tables of options, for command lines and bindings
 *   partan/output.h     files written atomically
 *
 * Conventions. Functions return a partan_status: zero is success, positive values are successes with a reservation (the
 * result is valid, but a limit stopped the work), negative values are failures, which leave output arguments NULL or
 * unchanged. Passing NULL where it is not allowed is PARTAN_ERROR_ARGUMENT; only functions that do not return a status
 * do not check. Handles are opaque and belong to the caller, who frees them; freeing NULL is allowed. Handles must be
 * freed before the context that they were made with.
 *
 * Threads. There is no global state: calls on different contexts may run at the same time. A context is for one thread
 * at a time, and may move between threads; only partan_interrupt may be called from any thread. Threads with contexts
 * of their own may predict with one model at the same time, and call its accessors. Any other use of a handle is a use
 * of the context that made it.
 *
 * Callbacks run on the thread that made the call (partan/context.h).
 *
 * fork(). The child may use contexts and handles in which no call was running at the time; their threads start again.
 *
 * Signals. The library installs no handlers, and its threads block all signals. Handlers may call partan_interrupt and
 * partan_outputs_drop.
 *
 * docs/c-api.md says more, and names the tests of these rules. */
#ifndef PARTAN_H
#define PARTAN_H

#include "partan/arrays.h"
#include "partan/context.h"
#include "partan/data.h"
#include "partan/generate.h"
#include "partan/lasso.h"
#include "partan/matrix.h"
#include "partan/model.h"
#include "partan/options.h"
#include "partan/output.h"
#include "partan/probability.h"
#include "partan/ratings.h"
#include "partan/scaling.h"
#include "partan/settings.h"
#include "partan/status.h"
#include "partan/svm.h"

#endif
