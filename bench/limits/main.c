/* bench_limits: how soon a training on many rows ends when it is asked to, in processor seconds of its thread, so that
 * other programs on the machine do not matter: from the moment of an interruption, or the end of --time-limit, to the
 * return of partan_train, and the longest stretches in which nobody looked. */
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/clock.h"
#include "data/data.h"
#include "looks.h"

static const char usage[] =
    "Usage: bench_limits [--rows N] [--only TEXT] [--at S,S,..] [--threads N] [--places SECONDS] [--verify 1]\n"
    "Trains each of the cases whose name has TEXT in it, and stops it after S processor seconds by an interruption, "
    "and\n"
    "after S seconds by a time limit. Places of stretches without a look are named from SECONDS on.\n";

enum { MOST_MOMENTS = 32 };

typedef struct options {
    uint64_t rows;
    const char *only;
    double moments[MOST_MOMENTS];
    int moment_count, threads, verify;
    double places;
} options;

/* ---- Cases ---- */

typedef struct test_case {
    const char *name, *data;
    partan_storage storage;
    int classes;          /* 0: labels are the data's; otherwise they are made of the first feature's value */
    const char *settings; /* "NAME=VALUE NAME=VALUE" */
} test_case;

#define RING     "cost=10 tol=0.001 "
#define BOARD    "cost=10 tol=1e-5 "
#define NUMBERS  "problem=regression cost=10 tol=0.001 "
#define OUTLIERS "problem=outlier cost=1e-4 tol=0.001 "
#define AUTO     PARTAN_STORAGE_AUTO
#define SPARSE   PARTAN_STORAGE_SPARSE

static const test_case cases[] = {
    {"rbf", "ringnorm", AUTO, 0, RING},
    {"rbf scale", "ringnorm", AUTO, 0, RING "gamma=scale"},
    {"rbf standard", "ringnorm", AUTO, 0, RING "scale=standard"},
    {"rbf sparse", "ringnorm", SPARSE, 0, RING},
    {"linear", "ringnorm", AUTO, 0, RING "kernel=linear"},
    {"linear sparse", "ringnorm", SPARSE, 0, RING "kernel=linear"},
    {"polynomial", "ringnorm", AUTO, 0, RING "kernel=polynomial"},
    {"laplacian", "ringnorm", AUTO, 0, RING "kernel=laplacian"},
    {"laplacian sparse", "ringnorm", SPARSE, 0, RING "kernel=laplacian"},
    {"sigmoid", "ringnorm", AUTO, 0, RING "kernel=sigmoid gamma=0.001 cost=0.01"},
    {"text", "text", AUTO, 0, "tol=0.001"},
    {"onehot", "onehot", AUTO, 0, "tol=0.001"},
    {"low rank", "checkerboard", AUTO, 0, BOARD},
    {"low rank sparse", "checkerboard", SPARSE, 0, BOARD},
    {"fw", "ringnorm", AUTO, 0, RING "solver=fw"},
    {"mfw", "ringnorm", AUTO, 0, RING "solver=mfw"},
    {"swap", "ringnorm", AUTO, 0, RING "solver=swap"},
    {"partan", "ringnorm", AUTO, 0, RING "solver=partan"},
    {"partan sparse", "ringnorm", SPARSE, 0, RING "solver=partan"},
    {"partan linear", "ringnorm", AUTO, 0, RING "solver=partan kernel=linear"},
    {"sampled", "ringnorm", AUTO, 0, RING "sample=194"},
    {"sampled sparse", "ringnorm", SPARSE, 0, RING "sample=194"},
    {"sampled linear", "ringnorm", AUTO, 0, RING "sample=194 kernel=linear"},
    {"regression", "friedman", AUTO, 0, NUMBERS},
    {"regression sparse", "friedman", SPARSE, 0, NUMBERS},
    {"regression linear", "friedman", AUTO, 0, NUMBERS "kernel=linear"},
    {"regression partan", "friedman", AUTO, 0, NUMBERS "solver=partan"},
    {"outlier", "ringnorm", AUTO, 0, OUTLIERS "cost=1"},
    {"outlier many", "ringnorm", AUTO, 0, OUTLIERS},
    {"outlier many sparse", "ringnorm", SPARSE, 0, OUTLIERS},
    {"outlier linear", "ringnorm", AUTO, 0, OUTLIERS "kernel=linear"},
    {"ovo", "ringnorm", AUTO, 5, RING},
    {"ovo sparse", "ringnorm", SPARSE, 5, RING},
    {"ovo linear", "ringnorm", AUTO, 5, RING "kernel=linear"},
    {"ovo board", "checkerboard", AUTO, 5, BOARD},
    {"ovr", "ringnorm", AUTO, 5, RING "multiclass=ovr"},
};

static void require(partan_context *context, partan_status status)
{
    if (status >= 0)
        return;
    fprintf(stderr, "bench_limits: %s\n", context ? partan_error(context) : "out of memory");
    exit(1);
}

/* The fraction of a value tells the class. */
static void label_by_values(partan_data *data, int classes)
{
    size_t room = pt_matrix_row_room(&data->matrix);
    int32_t *indices = malloc(room * sizeof *indices);
    float *values = malloc(room * sizeof *values);
    if (!indices || !values)
        require(NULL, PARTAN_ERROR_MEMORY);
    for (size_t row = 0; row < data->matrix.rows; row++) {
        size_t count = pt_matrix_row(&data->matrix, row, indices, values);
        double value = count > 0 ? (double)values[0] : 0;
        data->labels[row] = (double)((long)(value * classes + 1000) % classes);
    }
    free(indices);
    free(values);
}

static partan_data *make_data(partan_context *context, const test_case *c, uint64_t rows)
{
    partan_data *data = NULL;
    partan_generator_options generator;
    partan_generator_options_init(&generator);
    generator.kind = c->data;
    generator.rows = rows;
    require(context, partan_generate(context, &generator, c->storage, &data));
    if (c->classes > 0)
        label_by_values(data, c->classes);
    return data;
}

static partan_settings settings_of(partan_context *context, const test_case *c)
{
    char text[256], *rest = text;
    partan_settings s;
    partan_settings_init(&s);
    snprintf(text, sizeof text, "%s", c->settings);
    for (char *word; (word = strtok_r(rest, " ", &rest));) {
        char *value = strchr(word, '=');
        *value++ = '\0';
        require(context, partan_settings_set(context, &s, word, value));
    }
    return s;
}

/* ---- Who asks to stop ---- */

typedef struct watcher {
    partan_context *context;
    clockid_t clock; /* of the thread that trains */
    double processor_start, start, moment;
    bool interrupts; /* after so much processor time; otherwise it only notes when a time limit is over */
    double processor_asked, asked;
    _Atomic bool over;
} watcher;

static double read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void *watch(void *argument)
{
    static const struct timespec pause = {.tv_nsec = 200000};
    watcher *w = argument;
    while (!atomic_load(&w->over)) {
        double processor = read_clock(w->clock), now = pt_clock();
        if (w->interrupts ? processor - w->processor_start >= w->moment : now - w->start >= w->moment) {
            w->processor_asked = processor;
            w->asked = now;
            if (w->interrupts)
                partan_interrupt(w->context);
            break;
        }
        nanosleep(&pause, NULL);
    }
    return NULL;
}

/* ---- A training ---- */

static void name_places(void *const frames[LOOK_FRAMES])
{
    char command[64 + 20 * LOOK_FRAMES] = "addr2line -s -f -p -e /proc/$PPID/exe";
    for (int i = 0; i < LOOK_FRAMES && frames[i]; i++)
        snprintf(command + strlen(command), 20, " %p", (char *)frames[i] - 1);
    fflush(stdout);
    if (system(command))
        fputs("addr2line is missing\n", stderr);
}

static void tell_stretches(const stretch *longest, size_t count, double from, double asked)
{
    for (size_t i = 0; i < count && longest[i].seconds >= from; i++) {
        printf("    %.3f s up to %.3f s (asked to stop at %.3f s), between\n", longest[i].seconds, longest[i].end,
               asked);
        name_places(longest[i].before);
        puts("      and");
        name_places(longest[i].after);
    }
}

static void run(const options *o, partan_context *context, const test_case *c, const partan_data *data, double moment,
                bool interrupts)
{
    partan_settings s = settings_of(context, c);
    partan_model *model = NULL;
    stretch longest[LONGEST];
    size_t count;
    pthread_t thread;
    watcher w = {.context = context, .moment = moment, .interrupts = interrupts};
    if (!interrupts)
        s.time_limit = moment;
    pthread_getcpuclockid(pthread_self(), &w.clock);
    w.processor_start = pt_clock_processor();
    w.start = pt_clock();
    if (pthread_create(&thread, NULL, watch, &w))
        require(NULL, PARTAN_ERROR_MEMORY);
    looks_begin();
    partan_status status = partan_train(context, data, &s, NULL, &model);
    double processor = pt_clock_processor(), end = pt_clock();
    looks_end(longest, &count);
    atomic_store(&w.over, true);
    pthread_join(thread, NULL);
    pt_interrupt_clear(context);
    require(context, status);
    const partan_result *r = partan_model_result(model);
    bool asked = w.asked > 0;
    printf("%-20s %8zu  %-9s %6.2f  %6.3f  %6.3f  %6.3f  %-12s %8llu  %s%.4g\n", c->name, data->matrix.rows,
           interrupts ? "interrupt" : "limit", moment, asked ? processor - w.processor_asked : 0,
           asked ? end - w.asked : 0, count > 0 ? longest[0].seconds : 0, partan_status_name(status),
           (unsigned long long)r->support_vectors, r->gap_is_bound ? "<= " : "", r->relative_gap);
    tell_stretches(longest, count, o->places, asked ? w.processor_asked - w.processor_start : 0);
    if (o->verify) {
        partan_verification found;
        partan_verification_init(&found);
        require(context, partan_verify(context, model, data, &found));
        printf("    %s\n", found.matches ? "verified" : found.reason);
    }
    fflush(stdout);
    partan_model_free(model);
}

static void run_case(const options *o, const test_case *c)
{
    partan_context_options of_context;
    partan_context_options_init(&of_context);
    of_context.threads = o->threads;
    partan_context *context = partan_create(&of_context);
    if (!context)
        require(NULL, PARTAN_ERROR_MEMORY);
    partan_data *data = make_data(context, c, o->rows);
    for (int i = 0; i < o->moment_count; i++)
        for (int limit = 0; limit < 2; limit++)
            run(o, context, c, data, o->moments[i], !limit);
    partan_data_free(data);
    partan_destroy(context);
}

static int read_moments(const char *text, double *moments)
{
    int count = 0;
    while (*text && count < MOST_MOMENTS) {
        char *end;
        moments[count++] = strtod(text, &end);
        if (end == text)
            return 0;
        text = *end == ',' ? end + 1 : end;
    }
    return count;
}

static bool read_option(options *o, const char *name, const char *value)
{
    if (strcmp(name, "--rows") == 0)
        o->rows = strtoull(value, NULL, 10);
    else if (strcmp(name, "--only") == 0)
        o->only = value;
    else if (strcmp(name, "--threads") == 0)
        o->threads = atoi(value);
    else if (strcmp(name, "--places") == 0)
        o->places = strtod(value, NULL);
    else if (strcmp(name, "--verify") == 0)
        o->verify = atoi(value);
    else if (strcmp(name, "--at") == 0)
        o->moment_count = read_moments(value, o->moments);
    else
        return false;
    return o->moment_count > 0 && o->rows > 0;
}

int main(int argc, char **argv)
{
    options o = {.rows = 1000000, .only = "", .moments = {0.1, 0.5, 2}, .moment_count = 3, .threads = 1, .places = 1e9};
    for (int i = 1; i < argc; i += 2)
        if (i + 1 == argc || !read_option(&o, argv[i], argv[i + 1])) {
            bool help = strcmp(argv[i], "--help") == 0;
            fputs(usage, help ? stdout : stderr);
            return help ? 0 : 2;
        }
    puts("case                     rows  how       moment    over   clock  unheard  status        vectors  relative "
         "gap");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (strstr(cases[i].name, o.only))
            run_case(&o, &cases[i]);
    return 0;
}
