/* partan version */
#include <math.h>

#include "json.h"
#include "runtime.h"
#include "thread_limits.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

/* Limits that are not there are null. */
static void json_limits(json *out)
{
    partan_limits found;
    partan_limits_init(&found);
    partan_limits_find(&found);
    const struct {
        const char *name;
        int value;
    } list[] = {{"processors", found.processors},
                {"affinity", found.affinity},
                {"control_group", found.quota},
                {"OMP_NUM_THREADS", found.omp_num_threads},
                {"OMP_THREAD_LIMIT", found.omp_thread_limit}};
    json_open(out, "limits");
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++)
        json_real(out, list[i].name, list[i].value > 0 ? (double)list[i].value : (double)NAN);
    json_close(out);
}

static void print_limits(void)
{
    char text[LIMITS_SIZE];
    partan_limits found;
    partan_limits_init(&found);
    partan_limits_find(&found);
    printf("processors       %s\n", describe_limits(text, &found));
}

static int version(invocation *run)
{
    if (run->json) {
        json out;
        json_begin(&out, stdout);
        json_text(&out, "version", partan_version());
        json_text(&out, "isa", partan_isa(run->context));
        json_integer(&out, "threads", partan_threads(run->context));
        json_limits(&out);
        json_text(&out, "compiler", COMPILER);
        json_end(&out);
        return EXIT_DONE;
    }
    printf("partan %s\n", partan_version());
    printf("instruction set  %s\n", partan_isa(run->context));
    printf("threads          %d\n", partan_threads(run->context));
    print_limits();
    printf("compiler         %s\n", COMPILER);
    return EXIT_DONE;
}

static const partan_option list[] = {OPTION_JSON, OPTION_END};
static const option_set own = {.title = "Output", .list = list};
static const option_set *const sets[] = {&own, &help_set, NULL};

const command version_command = {
    .name = "version",
    .arguments = "",
    .summary = "Print version and system information.",
    .details = "Prints the version, the instruction set that is used on this machine, the number of threads and the "
               "limits it results from, and the "
               "compiler.",
    .examples = "$ partan version",
    .sets = sets,
    .run = version,
};
