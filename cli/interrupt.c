#include "interrupt.h"

#include <errno.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

/* Signal handlers know no argument but the signal, so these two are global. */
static _Atomic(partan_context *) target;
static volatile sig_atomic_t seen;

static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
enum { STOPPING = sizeof stopping / sizeof stopping[0] };

static void set_handler(int number, void (*handler)(int))
{
    struct sigaction action;
    memset(&action, 0, sizeof action);
    action.sa_handler = handler;
    sigemptyset(&action.sa_mask);
    sigaction(number, &action, NULL); /* without SA_RESTART, so that a call that waits ends too */
}

/* As if there were no handler, but for what outputs have written aside. */
static void end(int number)
{
    partan_context *context = atomic_load(&target);
    if (context)
        partan_outputs_drop(context);
    set_handler(number, SIG_DFL);
    raise(number);
}

/* Work under way may take a moment to end: say that it was heard. write() is safe in a handler. */
static void acknowledge(void)
{
    static const char text[] = "\npartan: stopping; interrupt again to quit immediately\n";
    if (isatty(STDERR_FILENO) && write(STDERR_FILENO, text, sizeof text - 1) < 0)
        return; /* nobody to tell */
}

static void handle(int number)
{
    int error = errno;
    partan_context *context = atomic_load(&target);
    if (seen || !context) {
        end(number);
        return;
    }
    if (number == SIGINT)
        acknowledge();
    seen = 1;
    partan_interrupt(context);
    errno = error;
}

/* A signal that was ignored when the program was started (nohup, a job in the background) stays ignored. */
static void catch_signal(int number, void (*handler)(int))
{
    struct sigaction action;
    if (sigaction(number, NULL, &action) != 0 || action.sa_handler != SIG_IGN)
        set_handler(number, handler);
}

void interrupt_install(partan_context *context)
{
    atomic_store(&target, context);
    for (size_t i = 0; i < STOPPING; i++)
        catch_signal(stopping[i], handle);
    catch_signal(SIGQUIT, end);
    signal(SIGXFSZ, SIG_IGN); /* the write fails instead, and says why */
}

void interrupt_remove(void)
{
    for (size_t i = 0; i < STOPPING; i++)
        catch_signal(stopping[i], SIG_DFL);
    catch_signal(SIGQUIT, SIG_DFL);
    atomic_store(&target, NULL);
}

bool interrupt_seen(void)
{
    return seen != 0;
}
