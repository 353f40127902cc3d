/* The file of a checkpoint:
 *
 *     partan-checkpoint 1, the header: what the training is about
 *     seconds S                    spent so far
 *     machine 1, its header        for each machine that was begun
 *     VERTEX WEIGHT                for each vertex with weight, counted from 1
 *     end
 *
 * A header that differs from the one that this training would write belongs to another training. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/number.h"
#include "model/file.h"
#include "model/memory.h"
#include "settings/settings.h"
#include "svm/checkpoint/checkpoint.h"

#define ABOUT(member) offsetof(pt_checkpoint_about, member)
#define SETTING       PT_KEY_SETTING, ABOUT(settings), .of = &pt_settings
#define SAVED(member) offsetof(pt_saved, member)

static const char *const yes_no_names[] = {"no", "yes", NULL};

/* Not here: what says when to stop and how to work (tol, eps, limits, cache), which a resumed run may change. */
static const pt_key about_keys[] = {
    {"version", PT_KEY_VERSION, ABOUT(version), PT_KEY_ANY},
    {"fingerprint", PT_KEY_FINGERPRINT, ABOUT(fingerprint), PT_KEY_ANY},
    {"rows", PT_KEY_UNSIGNED, ABOUT(rows), PT_KEY_COUNT},
    {"features", PT_KEY_UNSIGNED, ABOUT(features), PT_KEY_COUNT},
    {"class_weights", PT_KEY_FINGERPRINT, ABOUT(class_weights), PT_KEY_ANY},
    {"problem", SETTING},
    {"multiclass", SETTING},
    {"scale", SETTING},
    {"kernel", SETTING},
    {"gamma", PT_KEY_REAL, ABOUT(settings.gamma), PT_KEY_ANY},
    {"degree", SETTING},
    {"coef0", SETTING},
    {"cost", SETTING},
    {"epsilon", SETTING},
    {"outliers", SETTING},
    {"solver", SETTING},
    {"step", SETTING},
    {"sample", SETTING},
    {"stop", SETTING},
    {"seed", SETTING},
    {"machines", PT_KEY_UNSIGNED, ABOUT(machines), PT_KEY_COUNT},
};

static const pt_key saved_keys[] = {
    {"number", PT_KEY_UNSIGNED, SAVED(number), PT_KEY_RANGE(1, (double)INT64_MAX)},
    {"done", PT_KEY_CHOICE, SAVED(done), PT_KEY_ANY, .names = yes_no_names},
    {"iterations", PT_KEY_INTEGER, SAVED(iterations), PT_KEY_COUNT},
    {"seconds", PT_KEY_REAL, SAVED(seconds), PT_KEY_COUNT},
    {"inverse_cost", PT_KEY_REAL, SAVED(inverse_cost), PT_KEY_COUNT},
    {"objective", PT_KEY_REAL, SAVED(objective), PT_KEY_ANY},
    {"linear", PT_KEY_REAL, SAVED(linear), PT_KEY_ANY},
    {"gap", PT_KEY_REAL, SAVED(gap), PT_KEY_ANY},
    {"relative_gap", PT_KEY_REAL, SAVED(relative_gap), PT_KEY_ANY},
    {"kernel_columns", PT_KEY_UNSIGNED, SAVED(counters.kernel_columns), PT_KEY_COUNT},
    {"kernel_values", PT_KEY_UNSIGNED, SAVED(counters.kernel_values), PT_KEY_COUNT},
    {"cache_hits", PT_KEY_UNSIGNED, SAVED(counters.cache_hits), PT_KEY_COUNT},
    {"vertices", PT_KEY_UNSIGNED, SAVED(count), PT_KEY_RANGE(1, (double)INT64_MAX)},
};

static const pt_model_kind checkpoint_kind = {"partan-checkpoint", "1", NULL, "a checkpoint"};
static const pt_model_kind machine_kind = {"machine", "1", NULL, "a machine"};
static const pt_header about_header = {
    .kind = &checkpoint_kind, .keys = about_keys, .count = sizeof about_keys / sizeof about_keys[0]};
static const pt_header saved_header = {
    .kind = &machine_kind, .keys = saved_keys, .count = sizeof saved_keys / sizeof saved_keys[0]};

/* ---- Writing ---- */

typedef struct writing {
    const pt_checkpoint *checkpoint;
    partan_context *context;
} writing;

static partan_status write_saved(partan_context *context, const pt_saved *saved, FILE *file)
{
    partan_status status = pt_header_write(context, &saved_header, saved, file);
    for (size_t i = 0; i < saved->count && !status; i++) {
        char weight[PT_NUMBER_SIZE];
        pt_format_real(weight, saved->weights[i]);
        fprintf(file, "%" PRId64 " %s\n", saved->ids[i] + 1, weight);
    }
    return status;
}

static partan_status write_all(const void *user, FILE *file)
{
    const writing *w = user;
    const pt_checkpoint *c = w->checkpoint;
    char seconds[PT_NUMBER_SIZE];
    pt_format_real(seconds, c->seconds + pt_clock() - c->start);
    partan_status status = pt_header_write(w->context, &about_header, &c->about, file);
    fprintf(file, "seconds %s\n", seconds);
    for (size_t i = 0; i < c->about.machines && !status; i++)
        if (c->machines[i].number > 0)
            status = write_saved(w->context, &c->machines[i], file);
    pt_end_write(file);
    return status;
}

partan_status pt_checkpoint_write(const pt_checkpoint *checkpoint, partan_context *context)
{
    writing w = {checkpoint, context};
    return pt_model_to_path(context, context, write_all, &w, checkpoint->path);
}

/* ---- Reading ---- */

static partan_status write_about(const void *user, FILE *file)
{
    const pt_checkpoint *c = user;
    return pt_header_write(c->context, &about_header, &c->about, file);
}

static bool begins_with(const pt_scan *scan, const char *word)
{
    size_t length = strlen(word);
    return (size_t)(scan->line_end - scan->cursor) > length && memcmp(scan->cursor, word, length) == 0
           && scan->cursor[length] == ' ';
}

/* Both are at the beginning of a line. */
static bool is_same_line(const pt_scan *a, const pt_scan *b)
{
    size_t length = (size_t)(a->line_end - a->cursor);
    return (size_t)(b->line_end - b->cursor) == length && memcmp(a->cursor, b->cursor, length) == 0;
}

static partan_status refuse(const pt_scan *found, const pt_scan *expected)
{
    bool of_data =
        begins_with(expected, "fingerprint") || begins_with(expected, "rows") || begins_with(expected, "features");
    const char *what = of_data                                  ? "on other data"
                       : begins_with(expected, "class_weights") ? "with other weights of classes"
                                                                : "with other settings";
    return pt_fail(found->context, PARTAN_ERROR_DATA,
                   "%s:%llu: found '%.*s', expected '%.*s': the checkpoint is that of a training %s", found->name,
                   (unsigned long long)found->line, (int)(found->line_end - found->cursor), found->cursor,
                   (int)(expected->line_end - expected->cursor), expected->cursor, what);
}

/* Compares the header with the one that this training would write. Releases may differ. */
static partan_status read_about(pt_scan *scan, const pt_checkpoint *c)
{
    char *text;
    size_t size;
    pt_scan own;
    partan_status status = pt_model_to_memory(c->context, c->context, write_about, c, &text, &size);
    if (!status)
        pt_scan_init(&own, c->context, "", text, size);
    while (!status && pt_scan_line(&own)) {
        if (own.line == 1)
            status = pt_kind_first_line(scan, &checkpoint_kind);
        else if (!pt_scan_line(scan))
            status = pt_scan_fail_end(scan, "the header of a checkpoint");
        else if (!is_same_line(scan, &own) && !(begins_with(scan, "version") && begins_with(&own, "version")))
            status = refuse(scan, &own);
    }
    pt_free(c->context, text);
    return status;
}

static partan_status read_seconds(pt_scan *scan, double *seconds)
{
    if (!pt_scan_line(scan))
        return pt_scan_fail_end(scan, "the key 'seconds'");
    pt_word key = pt_scan_word(scan), word = pt_scan_word(scan);
    if (!pt_word_is(key, "seconds"))
        return pt_scan_fail(scan, key, "the key 'seconds'");
    return pt_word_real(word, seconds) && *seconds >= 0
               ? pt_scan_line_done(scan)
               : pt_scan_fail(scan, word, "the seconds spent so far, a number not below 0");
}

static partan_status read_vertex(pt_scan *scan, const pt_checkpoint_about *about, int64_t *id, double *weight)
{
    if (!pt_scan_line(scan))
        return pt_scan_fail_end(scan, "another vertex with its weight");
    pt_word number = pt_scan_word(scan), value = pt_scan_word(scan);
    /* A row has two vertices at most, and one more may stand for weight that is not used. */
    if (!pt_word_integer(number, id) || *id < 1 || (uint64_t)*id > 2 * about->rows + 1)
        return pt_scan_fail(scan, number, "the number of a vertex");
    if (!pt_word_real(value, weight) || !(*weight > 0))
        return pt_scan_fail(scan, value, "the weight of a vertex, a number above 0");
    (*id)--;
    return pt_scan_line_done(scan);
}

/* Every vertex takes a line of at least four bytes. */
static partan_status read_saved(pt_scan *scan, pt_checkpoint *c)
{
    enum { LEAST_LINE = 4 };
    pt_saved saved = {0};
    partan_status status = pt_header_read(scan, &saved_header, &saved);
    if (status)
        return status;
    if (saved.number > c->about.machines || c->machines[saved.number - 1].number > 0
        || saved.count > pt_scan_left(scan) / LEAST_LINE)
        return pt_fail(scan->context, PARTAN_ERROR_FORMAT,
                       "%s:%llu: found machine %llu with %llu vertices, which the file cannot have", scan->name,
                       (unsigned long long)scan->line, (unsigned long long)saved.number,
                       (unsigned long long)saved.count);
    saved.ids = pt_alloc(c->context, saved.count, sizeof *saved.ids);
    saved.weights = pt_alloc(c->context, saved.count, sizeof *saved.weights);
    c->machines[saved.number - 1] = saved; /* whose owner it is from here on */
    if (!saved.ids || !saved.weights)
        return pt_out_of_memory(c->context, "a checkpoint");
    for (size_t i = 0; i < saved.count && !status; i++)
        status = read_vertex(scan, &c->about, &saved.ids[i], &saved.weights[i]);
    return status;
}

static bool is_machine_next(pt_scan scan)
{
    return pt_scan_line(&scan) && pt_word_is(pt_scan_word(&scan), machine_kind.magic);
}

partan_status pt_checkpoint_parse(pt_checkpoint *c, const char *name, const char *text, size_t size)
{
    pt_scan scan;
    pt_scan_init(&scan, c->context, name, text, size);
    partan_status status = read_about(&scan, c);
    if (!status)
        status = read_seconds(&scan, &c->seconds);
    while (!status && is_machine_next(scan))
        status = read_saved(&scan, c);
    if (!status)
        status = pt_end_read(&scan, "vertex");
    return status;
}

partan_status pt_checkpoint_read(pt_checkpoint *c, const char *path)
{
    partan_model_file *file;
    partan_status status = partan_model_file_read(c->context, path, &file);
    if (!status)
        status = pt_checkpoint_parse(c, file->name, file->text, file->size);
    partan_model_file_free(file);
    return status;
}
