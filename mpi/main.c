/* partan-mpi: the command line on several processes. All run the same command; the first one speaks and writes. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "partan_mpi.h" /* before cli, whose type names it would shadow */

#include "command.h"
#include "help.h"
#include "human.h"
#include "message.h"
#include "options.h"
#include "queue.h"
#include "runtime.h"

static int agree(invocation *run, int code)
{
    int all = code;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (all != EXIT_DONE && code == EXIT_DONE)
        failure(run, "another process failed");
    return all;
}

static partan_status read_part(invocation *run, const char *path, const partan_read_options *options,
                               const partan_model *model, partan_data **data)
{
    (void)model;
    return partan_mpi_read(run->context, MPI_COMM_WORLD, path, options, data);
}

static partan_status train_all(invocation *run, const partan_data *data, const partan_settings *settings,
                               const partan_train_options *options, partan_model **model)
{
    partan_mpi_traffic traffic;
    partan_mpi_traffic_init(&traffic);
    partan_status status = partan_mpi_train(run->context, MPI_COMM_WORLD, data, settings, options, &traffic, model);
    run->together->calls = traffic.calls;
    run->together->bytes = traffic.bytes;
    return status;
}

static void sum(uint64_t *values, size_t count)
{
    MPI_Allreduce(MPI_IN_PLACE, values, (int)count, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
}

static int run_command(invocation *run, int count, char **words)
{
    int code;
    if (options_parse(run, count, words, &code) && runtime_begin(run, &code)) {
        code = run->together->read == read_part && option_given(run, "weights")
                   ? usage_error(run, "--weights cannot be read by several processes; put weights into the data")
                   : run->command->run(run);
        runtime_end(run);
    }
    options_free(run);
    return code;
}

static int dispatch(invocation *run, int count, char **words)
{
    const char *name = count > 1 ? words[1] : "";
    bool whole = strcmp(name, "tune") == 0 || strcmp(name, "cv") == 0;
    if (strcmp(name, "train") != 0 && !whole)
        return usage_error(run,
                           "found '%s', expected 'train', 'tune' or 'cv', which is what several processes can do; the "
                           "other commands are partan's",
                           name);
    if (whole)
        mpi_queue_offer(run->together);
    run->command = find_command(name);
    return run_command(run, count - 2, words + 2);
}

int main(int count, char **words)
{
    int provided, rank, size;
    MPI_Init_thread(&count, &words, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    together all = {.silent = rank != 0,
                    .agree = agree,
                    .read = read_part,
                    .train = train_all,
                    .sum = sum,
                    .processes = size,
                    .solver = PARTAN_SOLVER_AUTO};
    invocation run = {.start = seconds_now(), .together = &all};
    signal(SIGPIPE, SIG_IGN);
    int code = dispatch(&run, count, words);
    if (fflush(stdout) != 0 && code == EXIT_DONE)
        code = failure(&run, "standard output: cannot be written");
    MPI_Finalize();
    return code;
}
