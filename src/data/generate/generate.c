/* Generators: the table of kinds, their options, and the loops that stream rows to a file or gather them in memory. */
#include "data/generate/generate.h"

#include <stdio.h>
#include <string.h>

#include "core/number.h"
#include "core/require.h"
#include "core/sized.h"
#include "data/data.h"
#include "data/write.h"

static const pt_generator_kind *const kinds[] = {
    &pt_generate_checkerboard, &pt_generate_spirals, &pt_generate_ringnorm, &pt_generate_twonorm,
    &pt_generate_waveform,     &pt_generate_onehot,  &pt_generate_text,     &pt_generate_friedman,
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

enum { REPORT_ROWS = 1024 }; /* rows between two looks at the progress */

PT_STRUCT_INIT(partan_generator_options, .rows = 1000, .noise = -1, .seed = 1)

const char *partan_generator(size_t i, const char **description)
{
    if (i >= KIND_COUNT)
        return NULL;
    if (description)
        *description = kinds[i]->description;
    return kinds[i]->name;
}

bool pt_random_flip(pt_random *random, double probability)
{
    return pt_random_uniform(random) < probability;
}

float pt_random_unit(pt_random *random)
{
    return (float)(pt_random_next(random) >> 40) * 0x1p-24f;
}

/* ---- Options ---- */

static partan_status unknown_kind(partan_context *context, const char *name)
{
    char list[256] = "";
    size_t used = 0;
    for (size_t i = 0; i < KIND_COUNT; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", kinds[i]->name);
    return pt_fail(context, PARTAN_ERROR_ARGUMENT, "unknown generator \"%s\"; expected one of %s", name ? name : "",
                   list);
}

static partan_status find_kind(partan_context *context, const char *name, const pt_generator_kind **kind)
{
    for (size_t i = 0; name && i < KIND_COUNT; i++)
        if (strcmp(kinds[i]->name, name) == 0) {
            *kind = kinds[i];
            return PARTAN_OK;
        }
    return unknown_kind(context, name);
}

static partan_status check(partan_context *context, const partan_generator_options *options,
                           const pt_generator_kind *kind)
{
    if (options->rows == 0)
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: found 0 rows, expected at least 1", kind->name);
    if (options->features && (options->features < kind->least || options->features > kind->most))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: found %llu features, expected %zu to %zu", kind->name,
                       (unsigned long long)options->features, kind->least, kind->most);
    /* Written so that NaN is refused. */
    if (!(options->noise < 0) && !(options->noise <= kind->most_noise))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "%s: noise is %g; expected %s from 0 to %g", kind->name,
                       options->noise, kind->noise_means, kind->most_noise);
    return PARTAN_OK;
}

/* ---- One row at a time ---- */

static partan_status make_row(pt_generator *generator)
{
    const pt_generator_kind *kind = generator->kind;
    size_t room = kind->room ? kind->room(generator) : generator->features;
    generator->values = pt_alloc(generator->context, room, sizeof *generator->values);
    if (kind->room)
        generator->indices = pt_alloc(generator->context, room, sizeof *generator->indices);
    if (!generator->values || (kind->room && !generator->indices))
        return pt_out_of_memory(generator->context, "a generated row");
    generator->count = kind->room ? 0 : room;
    return PARTAN_OK;
}

partan_status pt_generator_open(partan_context *context, const partan_generator_options *options,
                                pt_generator *generator)
{
    *generator = (pt_generator){0};
    const pt_generator_kind *kind = NULL;
    partan_status status = find_kind(context, options->kind, &kind);
    if (!status)
        status = check(context, options, kind);
    if (status)
        return status;
    *generator = (pt_generator){
        .context = context,
        .kind = kind,
        .features = options->features ? (size_t)options->features : kind->features,
        .noise = options->noise < 0 ? kind->noise : options->noise,
        .seed = options->seed,
    };
    pt_random random;
    pt_random_seed(&random, options->seed);
    generator->key = pt_random_next(&random);
    status = kind->prepare ? kind->prepare(generator) : PARTAN_OK;
    if (!status)
        status = make_row(generator);
    if (status)
        pt_generator_close(generator);
    return status;
}

void pt_generator_row(pt_generator *generator, uint64_t row)
{
    pt_random random;
    pt_random_seed(&random, generator->key + row);
    generator->kind->row(generator, &random);
}

void pt_generator_close(pt_generator *generator)
{
    if (!generator->context)
        return;
    if (generator->state)
        generator->kind->finish(generator);
    pt_free(generator->context, generator->values);
    pt_free(generator->context, generator->indices);
    *generator = (pt_generator){0};
}

/* ---- All rows ---- */

typedef partan_status (*row_sink)(void *user, const pt_generator *generator);

static partan_status each_row(pt_generator *generator, uint64_t rows, const char *phase, row_sink sink, void *user)
{
    partan_context *context = generator->context;
    pt_progress_begin(context, phase);
    partan_status status = PARTAN_OK;
    for (uint64_t row = 0; row < rows && !status; row++) {
        if (row % REPORT_ROWS == 0)
            status = pt_progress_share(context, (double)row / (double)rows);
        if (status)
            break;
        pt_generator_row(generator, row);
        status = sink(user, generator);
    }
    if (status == PARTAN_INTERRUPTED) {
        pt_interrupt_clear(context);
        pt_fail(context, status, "%s: interrupted before all %llu rows were made", generator->kind->name,
                (unsigned long long)rows);
    }
    return status;
}

static partan_status write_row(void *user, const pt_generator *generator)
{
    char number[PT_NUMBER_SIZE];
    if (generator->kind->numbers)
        pt_format_real(number, generator->number);
    pt_row row = {.label = generator->kind->numbers ? number
                           : generator->positive    ? "1"
                                                    : "-1",
                  .serial = -1,
                  .indices = generator->indices,
                  .values = generator->values,
                  .count = generator->count};
    return pt_writer_row(user, &row);
}

partan_status partan_generate_file(partan_context *context, const partan_generator_options *options, const char *path,
                                   partan_format format)
{
    PT_REQUIRE(context, context && options && path);
    PT_TAKE(context, partan_generator_options, options);
    pt_generator generator;
    partan_status status = pt_generator_open(context, options, &generator);
    if (status)
        return status;
    pt_writer writer;
    status = pt_writer_open(context, path, format, generator.features, &writer);
    if (!status) {
        status = each_row(&generator, options->rows, "write", write_row, &writer);
        if (status)
            pt_writer_abandon(&writer);
        else
            status = pt_writer_commit(&writer);
    }
    pt_generator_close(&generator);
    return status;
}

typedef struct gathering {
    pt_segment segment;
    double *labels;
} gathering;

static partan_status gather_row(void *user, const pt_generator *generator)
{
    gathering *all = user;
    all->labels[all->segment.rows] = generator->kind->numbers ? generator->number : generator->positive ? 1 : -1;
    if (pt_segment_add(&all->segment, generator->indices, generator->values, generator->count))
        return pt_out_of_memory(generator->context, "generated rows"); /* a segment has no sentence of its own */
    return PARTAN_OK;
}

static partan_status gather(pt_generator *generator, const partan_generator_options *options, partan_storage storage,
                            partan_data *data)
{
    partan_context *context = generator->context;
    if (options->rows > SIZE_MAX)
        return pt_out_of_memory(context, "labels");
    data->labels = pt_alloc(context, (size_t)options->rows, sizeof *data->labels);
    if (!data->labels)
        return pt_out_of_memory(context, "labels");
    gathering all = {.labels = data->labels};
    pt_segment_init(&all.segment, context);
    partan_status status = each_row(generator, options->rows, "generate", gather_row, &all);
    if (!status)
        status = pt_matrix_build(context, &all.segment, 1, storage, generator->features, &data->matrix);
    pt_segment_free(&all.segment);
    return status;
}

partan_status partan_generate(partan_context *context, const partan_generator_options *options, partan_storage storage,
                              partan_data **data)
{
    PT_REQUIRE(context, context && options && data);
    PT_TAKE(context, partan_generator_options, options);
    *data = NULL;
    pt_generator generator;
    partan_status status = pt_generator_open(context, options, &generator);
    if (status)
        return status;
    partan_data *made = NULL;
    status = pt_data_create(context, generator.kind->name, &made);
    if (!status)
        status = gather(&generator, options, storage, made);
    if (!status)
        *data = made;
    else
        partan_data_free(made);
    pt_generator_close(&generator);
    return status;
}
