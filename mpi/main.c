/* partan-mpi: the command line on several processes. All run the same command; the first one speaks and writes. */
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "partan_mpi.h" /* before cli, whose type names it would shadow */

#include "comm.h"
#include "command.h"
#include "help.h"
#include "human.h"
#include "message.h"
#include "options.h"
#include "queue.h"
#include "runtime.h"

static int least(int value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return value;
}

/* What ails another process the first one says for it. */
static int agree(invocation *run, int code)
{
    char text[sizeof run->together->unsaid];
    int all = -least(-code);
    if (all == EXIT_DONE)
        return all;
    int failed = least(code == EXIT_DONE ? run->together->processes : run->together->process);
    memcpy(text, run->together->unsaid, sizeof text);
    MPI_Bcast(text, (int)sizeof text, MPI_CHAR, failed, MPI_COMM_WORLD);
    if (failed > 0)
        failure(run, "process %d of %d: %s", failed + 1, run->together->processes, text);
    return all;
}

static partan_status read_part(invocation *run, const char *path, const partan_read_options *options,
                               const partan_model *model, partan_data **data)
{
    return model ? partan_mpi_read_for(run->context, MPI_COMM_WORLD, model, path, options, data)
                 : partan_mpi_read(run->context, MPI_COMM_WORLD, path, options, data);
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

static void send(int to, const void *bytes, size_t size)
{
    MPI_Send(bytes, (int)size, MPI_BYTE, to, 0, MPI_COMM_WORLD);
}

static void receive(int from, void *bytes, size_t size)
{
    MPI_Recv(bytes, (int)size, MPI_BYTE, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* What several processes can do. */
typedef struct shared_command {
    const char *name;
    bool joined; /* its calls with the context are made by all processes together (partan_mpi_join) */
} shared_command;

static const shared_command shared[] = {{"train", true}, {"predict", true}, {"verify", true},
                                        {"tune", false}, {"cv", false},     {NULL, false}};

static int run_joined(invocation *run, bool joined)
{
    partan_status status = joined ? partan_mpi_join(run->context, MPI_COMM_WORLD) : PARTAN_OK;
    int code = status == PARTAN_OK ? run->command->run(run) : library_failure(run, status);
    partan_mpi_leave(run->context);
    return code;
}

static int run_command(invocation *run, bool joined, int count, char **words)
{
    int code = EXIT_DONE;
    bool begun = options_parse(run, count, words, &code) && runtime_begin(run, &code);
    code = agree(run, code);
    if (begun && code == EXIT_DONE)
        code = run_joined(run, joined);
    if (begun)
        runtime_end(run);
    options_free(run);
    return code;
}

static int unknown(invocation *run, const char *name)
{
    char list[256] = "";
    size_t length = 0;
    for (size_t i = 0; shared[i].name && length < sizeof list; i++)
        length += (size_t)snprintf(list + length, sizeof list - length, "%s'%s'", i ? ", " : "", shared[i].name);
    return usage_error(run,
                       "found '%s', expected one of the commands that several processes share: %s; the other ones are "
                       "partan's",
                       name, list);
}

static int dispatch(invocation *run, int count, char **words)
{
    const char *name = count > 1 ? words[1] : "";
    for (size_t i = 0; shared[i].name; i++)
        if (strcmp(name, shared[i].name) == 0) {
            if (!shared[i].joined)
                mpi_queue_offer(run->together);
            run->command = find_command(name);
            return run_command(run, shared[i].joined, count - 2, words + 2);
        }
    return unknown(run, name);
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
                    .send = send,
                    .receive = receive,
                    .processes = size,
                    .process = rank,
                    .threads = mpi_part_of_processors(MPI_COMM_WORLD),
                    .solver = PARTAN_SOLVER_AUTO};
    invocation run = {.start = seconds_now(), .together = &all};
    signal(SIGPIPE, SIG_IGN);
    int code = dispatch(&run, count, words);
    if (fflush(stdout) != 0 && code == EXIT_DONE)
        code = failure(&run, "standard output: cannot be written");
    MPI_Finalize();
    return code;
}
