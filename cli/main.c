/* partan: finds the subcommand, reads its options, runs it, and sees to it that the output really arrived. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "help.h"
#include "human.h"
#include "message.h"
#include "options.h"
#include "runtime.h"
#include "suggest.h"

/* A closed standard stream would lend its number to the next file that is opened, and messages would end up in it. Take
 * the number with something that fails when used. */
static void occupy_standard_streams(void)
{
    for (int descriptor = 0; descriptor <= 2; descriptor++)
        if (fcntl(descriptor, F_GETFD) < 0 && errno == EBADF)
            (void)!open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY);
}

static int run_command(invocation *run, int count, char **words)
{
    int code;
    if (options_parse(run, count, words, &code)) {
        if (run->command->bare)
            code = run->command->run(run);
        else if (runtime_begin(run, &code)) {
            code = run->command->run(run);
            runtime_end(run);
        }
    }
    options_free(run);
    return code;
}

static int unknown_command(invocation *run, const char *name)
{
    suggestion search;
    if (name[0] == '-')
        return usage_error(run, "unknown option '%s'; the command must come first", name);
    suggest_begin(&search, name);
    for (size_t i = 0; commands[i]; i++)
        suggest_offer(&search, commands[i]->name);
    if (search.best)
        return usage_error(run, "unknown command '%s'; did you mean '%s'?", name, search.best);
    return usage_error(run, "unknown command '%s'", name);
}

static int dispatch(invocation *run, int count, char **words)
{
    if (count < 2) {
        help_summary(stderr);
        return EXIT_USAGE;
    }
    const char *name = words[1];
    if (strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
        name = "help";
    else if (strcmp(name, "--version") == 0)
        name = "version";
    const command *found = find_command(name);
    if (!found)
        return unknown_command(run, name);
    run->command = found;
    return run_command(run, count - 2, words + 2);
}

/* What is still in the buffer may meet a full disk or a closed pipe. */
static int flush_output(invocation *run, int code)
{
    bool well = fflush(stdout) == 0 && !ferror(stdout);
    if (well || code != EXIT_DONE)
        return code;
    return failure(run, "standard output: cannot be written: %s", strerror(errno));
}

int main(int count, char **words)
{
    invocation run = {.start = seconds_now()};
    occupy_standard_streams();
    signal(SIGPIPE, SIG_IGN);
    return flush_output(&run, dispatch(&run, count, words));
}
