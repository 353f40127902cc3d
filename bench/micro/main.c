/* bench_micro [--seconds S] [--teams 1,2] [--parts floor,blocks,step,predict,readers] [FILE...]
 *
 * FILEs are read by the readers. --help says the same. */
#include <stdlib.h>
#include <string.h>

#include "micro.h"

static const char usage[] =
    "Usage: bench_micro [--seconds S] [--teams 1,2] [--parts floor,blocks,step,predict,readers] [FILE...]\n"
    "Measures partan's parts; prints one JSON object a line. FILEs are for the readers.\n";

void require(partan_context *context, partan_status status)
{
    if (status >= 0 && context)
        return;
    fprintf(stderr, "bench_micro: %s\n", context ? partan_error(context) : "out of memory");
    exit(1);
}

partan_context *make_context(pt_isa isa, int threads)
{
    partan_context_options options;
    partan_context_options_init(&options);
    options.isa = pt_isa_name(isa);
    options.threads = threads;
    partan_context *context = partan_create(&options);
    require(context, PARTAN_OK);
    return context;
}

static bool asked(const char *parts, const char *part)
{
    size_t length = strlen(part);
    for (const char *at = parts; (at = strstr(at, part)); at += length)
        if ((at == parts || at[-1] == ',') && (at[length] == '\0' || at[length] == ','))
            return true;
    return *parts == '\0';
}

static void read_teams(micro *m, const char *text)
{
    m->teams = 0;
    while (*text && m->teams < MOST_TEAMS) {
        char *end;
        long threads = strtol(text, &end, 10);
        if (end == text || threads < 1 || threads > 1024) {
            fprintf(stderr, "bench_micro: --teams takes numbers of threads, as in 1,2\n");
            exit(2);
        }
        m->team[m->teams++] = (int)threads;
        text = *end == ',' ? end + 1 : end;
    }
}

int main(int argc, char **argv)
{
    micro m = {.seconds = 0.2, .team = {1, 2}, .teams = 2};
    const char *parts = "";
    int i = 1;
    for (; i + 1 < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        if (strcmp(argv[i], "--seconds") == 0)
            m.seconds = strtod(argv[i + 1], NULL);
        else if (strcmp(argv[i], "--teams") == 0)
            read_teams(&m, argv[i + 1]);
        else if (strcmp(argv[i], "--parts") == 0)
            parts = argv[i + 1];
        else
            break;
    }
    if (i < argc && strncmp(argv[i], "--", 2) == 0) {
        bool help = strcmp(argv[i], "--help") == 0;
        fputs(usage, help ? stdout : stderr);
        return help ? 0 : 2;
    }
    if (asked(parts, "floor"))
        run_floor(&m);
    if (asked(parts, "blocks"))
        run_blocks(&m);
    if (asked(parts, "step"))
        run_step(&m);
    if (asked(parts, "predict"))
        run_predict(&m);
    if (asked(parts, "readers"))
        run_readers(&m, argv + i, argc - i);
    return 0;
}
