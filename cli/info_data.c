#include "info_data.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "hints.h"
#include "info_report.h"
#include "message.h"
#include "options.h"
#include "progress.h"
#include "runtime.h"
#include "weights.h"

/* Room for one more of something; false when memory is out. */
static bool grow(void **list, size_t count, size_t size)
{
    if (count & (count - 1)) /* room doubles at powers of two */
        return true;
    void *more = realloc(*list, (count ? 2 * count : 1) * size);
    *list = more ? more : *list;
    return more != NULL;
}

static void keep_class(void *user, double label, const char *word, uint64_t rows)
{
    data_info *at = user;
    if (at->class_count < INFO_CLASSES)
        at->classes[at->class_count++] = (class_info){label, word, rows};
    at->last_label = label;
}

static void keep_feature(void *user, const partan_feature *feature)
{
    data_info *at = user;
    double width = feature->greatest - feature->least;
    if (width > 0) {
        at->narrowest = width < at->narrowest ? width : at->narrowest;
        at->widest = width > at->widest ? width : at->widest;
    }
    if (!at->list_features || at->full || !(grow((void **)&at->features, at->feature_count, sizeof *feature))) {
        at->full = at->full || at->list_features;
        return;
    }
    at->features[at->feature_count++] = *feature;
}

static void keep_column(void *user, const partan_column *column)
{
    data_info *at = user;
    at->missing += column->missing;
    if ((column->missing == 0 && (column->is_label || column->words == 0)) || at->column_count == INFO_COLUMNS)
        return;
    column_info *kept = &at->columns[at->column_count++];
    *kept = (column_info){.counts = *column};
    snprintf(kept->name, sizeof kept->name, "%s", column->name ? column->name : "");
}

/* ---- Questions to the library ---- */

static int find_gammas(invocation *run, data_info *at)
{
    static const partan_gamma rules[] = {PARTAN_GAMMA_AUTO, PARTAN_GAMMA_SCALE};
    partan_settings settings;
    partan_settings_init(&settings);
    for (size_t i = 0; i < 2; i++) {
        settings.gamma_rule = rules[i];
        partan_status status = partan_gamma_value(run->context, &settings, at->data, &at->gammas[i]);
        if (status != PARTAN_OK)
            return library_failure(run, status);
    }
    return EXIT_DONE;
}

static int summarise(invocation *run, data_info *at)
{
    partan_data_summary_init(&at->summary);
    partan_status status = partan_data_summarise(run->context, at->data, keep_class, keep_feature, at, &at->summary);
    progress_clear(run);
    if (status != PARTAN_OK)
        return library_failure(run, status);
    return at->full ? failure(run, "out of memory") : find_gammas(run, at);
}

/* A table that cannot be read as it is may still be looked at: what is missing, and where words are. */
static int describe_unread(invocation *run, data_info *at, const partan_read_options *options)
{
    snprintf(at->error, sizeof at->error, "%s", partan_error(run->context));
    partan_file_survey_init(&at->survey);
    partan_status status = partan_data_survey(run->context, at->path, options, keep_column, at, &at->survey);
    if (status != PARTAN_OK || at->survey.columns == 0) /* not a table */
        return failure(run, "%s", at->error);
    if (run->json)
        info_unread_json(at);
    else
        info_unread_text(at);
    hint_refused_data(run, at->path, options);
    return EXIT_DONE;
}

static int describe(invocation *run, data_info *at, const partan_read_options *options)
{
    partan_file_survey_init(&at->survey);
    partan_status status = partan_data_survey(run->context, at->path, options, NULL, NULL, &at->survey);
    int code = status == PARTAN_OK ? summarise(run, at) : library_failure(run, status);
    if (code == EXIT_DONE && run->json)
        info_data_json(at);
    else if (code == EXIT_DONE)
        info_data_text(run, at);
    return code;
}

int info_data(invocation *run, const char *path)
{
    data_info at = {.path = path, .narrowest = INFINITY, .list_features = option_flag(run, "features", false)};
    partan_read_options options = reading_options(run, (reading){.unlabelled = true});
    int code = row_weights_check(run);
    if (code != EXIT_DONE)
        return code;
    partan_status status = partan_data_read(run->context, path, &options, &at.data);
    if (status == PARTAN_ERROR_FORMAT)
        code = describe_unread(run, &at, &options);
    else
        code = status == PARTAN_OK ? row_weights_apply(run, at.data) : library_failure(run, status);
    if (code == EXIT_DONE && status == PARTAN_OK)
        code = describe(run, &at, &options);
    free(at.features);
    partan_data_free(at.data);
    return code;
}
