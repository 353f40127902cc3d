#include "interrupt.h"

#include <signal.h>
#include <stdatomic.h>
#include <string.h>

/* Signal handlers know no argument but the signal, so these two are global. */
static _Atomic(partan_context *) target;
static volatile sig_atomic_t seen;

static void use_default(int number)
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = SIG_DFL;
    sigaction(number, &action, NULL);
}

static void handle(int number)
{
    (void)number;
    seen = 1;
    partan_context *context = atomic_load(&target);
    if (context)
        partan_interrupt(context);
    use_default(SIGINT);
    use_default(SIGTERM);
}

/* Without SA_RESTART, so that a read that waits for input ends too. A signal that was ignored when the program was
 * started (nohup, a job in the background) stays ignored. */
static void catch_signal(int number)
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        return;
    memset(&action, 0, sizeof action);
    action.sa_handler = handle;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL);
}

void interrupt_install(partan_context *context)
{
    atomic_store(&target, context);
    catch_signal(SIGINT);
    catch_signal(SIGTERM);
}

void interrupt_remove(void)
{
    use_default(SIGINT);
    use_default(SIGTERM);
    atomic_store(&target, NULL);
}

bool interrupt_seen(void)
{
    return seen != 0;
}
