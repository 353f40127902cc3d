/* What the extension module has beside the library: Ctrl-C during a call, and loops that Python would be slow at. */
#include <partan/partan.h>
#include <signal.h>
#include <stdatomic.h>

#include "helpers.h"

/* Python's own handler only sets a flag, which is not looked at before the call returns. While a call of the main
 * thread runs, this one asks it to stop. */
static _Atomic(partan_context *) running;
static atomic_int heard;
static struct sigaction before;

static void interrupt_running(int number)
{
    (void)number;
    partan_context *context = atomic_load(&running);
    atomic_fetch_add(&heard, 1);
    if (context)
        partan_interrupt(context);
}

/* Returns 1 if SIGINT now stops calls in this context; only the main thread calls it, and then partan_unlisten. */
int partan_listen(partan_context *context)
{
    struct sigaction action = {.sa_handler = interrupt_running, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    atomic_store(&heard, 0);
    atomic_store(&running, context);
    return sigaction(SIGINT, &action, &before) == 0;
}

/* Restores the handler that was there; returns how often SIGINT came. */
int partan_unlisten(void)
{
    sigaction(SIGINT, &before, NULL);
    atomic_store(&running, NULL);
    return atomic_load(&heard);
}

/* partan_model_decide for each row of decision values. */
void partan_decide_rows(const partan_model *model, const double *decision, size_t rows, int32_t *classes)
{
    size_t outputs = partan_model_outputs(model);
    for (size_t row = 0; row < rows; row++)
        classes[row] = partan_model_decide(model, decision + row * outputs);
}
