#include "hints.h"

#include <sys/stat.h>

#include "message.h"

bool is_regular_file(const char *path)
{
    struct stat found;
    return stat(path, &found) == 0 && S_ISREG(found.st_mode);
}

/* The columns of a table: whether words are in the last one only, and nothing else is there. */
typedef struct columns_seen {
    uint64_t words_before; /* fields that are words or missing, in columns other than the label's and the last */
    partan_column last;
} columns_seen;

static void see_column(void *user, const partan_column *column)
{
    columns_seen *seen = user;
    if (!seen->last.is_label)
        seen->words_before += seen->last.words + seen->last.missing;
    seen->last = *column;
}

void hint_refused_data(invocation *run, const char *path, const partan_read_options *options)
{
    if (looks_like_model(run, path)) {
        note(run, "%s looks like a model, not data", path);
        return;
    }
    columns_seen seen = {.last = {.is_label = 1}};
    partan_file_survey found;
    partan_file_survey_init(&found);
    if (options->label_name || options->label_column != 1 || !is_regular_file(path))
        return;
    if (partan_data_survey(run->context, path, options, see_column, &seen, &found) != PARTAN_OK)
        return;
    bool words = seen.last.words > 0 && seen.last.numbers == 0 && !seen.last.is_label;
    if (found.columns > 1 && words && seen.words_before == 0)
        note(run,
             "the last column contains words, the others numbers: if these are the labels, use --label-column last");
}

bool looks_like_model(const invocation *run, const char *path)
{
    int is_model = 0;
    partan_model_recognise(run->context, path, &is_model);
    return is_model != 0;
}

bool looks_swapped(const invocation *run, const char *model, const char *data)
{
    return looks_like_model(run, data) && is_regular_file(model) && !looks_like_model(run, model);
}
