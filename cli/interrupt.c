#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

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

/* Work under way may take a moment to end: say that it was heard. write() is safe in a handler. */
static void acknowledge(void)
{
    static const char text[] = "\npartan: stopping; once more to quit at once\n";
    if (isatty(STDERR_FILENO) && write(STDERR_FILENO, text, sizeof text - 1) < 0)
        return; /* nobody to tell */
}

static void handle(int number)
{
    int error = errno;
    if (number == SIGINT)
        acknowledge();
    seen = 1;
    partan_context *context = atomic_load(&target);
    if (context)
        partan_interrupt(context);
    use_default(SIGINT);
    use_default(SIGTERM);
    errno = error;
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
