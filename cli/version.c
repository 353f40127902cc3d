/* partan version */
#include "json.h"
#include "runtime.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

static int version(invocation *run)
{
    if (run->json) {
        json out;
        json_begin(&out, stdout);
        json_text(&out, "version", partan_version());
        json_text(&out, "isa", partan_isa(run->context));
        json_integer(&out, "threads", partan_threads(run->context));
        json_text(&out, "compiler", COMPILER);
        json_end(&out);
        return EXIT_DONE;
    }
    printf("partan %s\n", partan_version());
    printf("instruction set  %s\n", partan_isa(run->context));
    printf("threads          %d\n", partan_threads(run->context));
    printf("compiler         %s\n", COMPILER);
    return EXIT_DONE;
}

static const partan_option list[] = {OPTION_JSON, OPTION_END};
static const option_set own = {.title = "Output", .list = list};
static const option_set *const sets[] = {&own, &help_set, NULL};

const command version_command = {
    .name = "version",
    .arguments = "",
    .summary = "Print the version, and what it runs on.",
    .details =
        "Prints the version, the instruction set the kernels use on this machine, the number of threads, and the "
        "compiler.",
    .examples = "$ partan version",
    .sets = sets,
    .run = version,
};
