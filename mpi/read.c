/* Reading a data set in parts: each process the lines of its range of bytes. */
#include <stdio.h>
#include <string.h>

#include "comm.h"
#include "core/agree.h"
#include "core/require.h"
#include "core/sized.h"
#include "data/codec/codec.h"
#include "data/parts.h"
#include "data/read/binary.h"
#include "data/read/input.h"
#include "data/read/read.h"
#include "data/read/reader.h"
#include "files.h"
#include "partan_mpi.h"
#include "svm/model/model.h"

/* Whether a file is text that can be cut. */
static partan_status check_text(partan_context *context, const char *path)
{
    const char *foreign;
    pt_input input;
    if (pt_binary_recognise(path, &foreign) != PT_BINARY_NONE)
        return pt_fail(context, PARTAN_ERROR_FORMAT, "%s: several processes read text only, LIBSVM, CSV or TSV", path);
    partan_status status = pt_input_open(context, path, path, &input);
    if (status)
        return status;
    bool compressed = input.codec != NULL;
    pt_input_close(&input);
    if (compressed)
        return pt_fail(context, PARTAN_ERROR_FORMAT,
                       "%s: a compressed file cannot be read in parts by several processes; decompress it first", path);
    return PARTAN_OK;
}

static partan_status empty(partan_context *context, const char *name, partan_data **data)
{
    partan_status status = pt_data_create(context, name, data);
    pt_content content = {.binary = true};
    return status ? status : pt_matrix_begin(context, PARTAN_STORAGE_DENSE, 0, 0, &content, &(*data)->matrix);
}

/* How the data begins: up to its first line, and what format that is of. */
typedef struct beginning {
    char *lines;
    size_t size;
    partan_format format;
} beginning;

static partan_status look(const mpi_files *files, const partan_read_options *options, beginning *b)
{
    pt_reader reader = {.context = files->context, .options = *options};
    size_t first;
    *b = (beginning){.format = PARTAN_FORMAT_LIBSVM};
    partan_status status = mpi_files_first_line(files, &b->lines, &b->size, &first);
    if (status)
        return status;
    pt_reader_choose(&reader, files->paths[0], b->lines + first, b->lines + b->size - 1);
    if (reader.grammar != &pt_grammar_libsvm)
        b->format = reader.table.separator == '\t' ? PARTAN_FORMAT_TSV : PARTAN_FORMAT_CSV;
    return PARTAN_OK;
}

/* The text of a later process's part of a table, with the first lines before it, by which its columns are known. */
static partan_status put_before(partan_context *context, const beginning *b, char **text, size_t *size)
{
    char *both = pt_alloc(context, b->size + *size, 1);
    if (!both)
        return pt_out_of_memory(context, "a part of the data");
    memcpy(both, b->lines, b->size);
    if (*size > 0)
        memcpy(both + b->size, *text, *size);
    pt_free(context, *text);
    *text = both;
    *size += b->size;
    return PARTAN_OK;
}

static partan_status drop_first_row(partan_data **data)
{
    size_t rows = (*data)->matrix.rows;
    partan_data *rest = NULL;
    int64_t *others = pt_alloc((*data)->context, rows, sizeof *others);
    if (!others)
        return pt_out_of_memory((*data)->context, "a part of the data");
    for (size_t i = 1; i < rows; i++)
        others[i - 1] = (int64_t)i;
    partan_status status = pt_data_gather(*data, others, rows - 1, &rest);
    pt_free((*data)->context, others);
    if (status)
        return status;
    rest->source = (*data)->source;
    (*data)->source = (pt_source){0};
    partan_data_free(*data);
    *data = rest;
    return PARTAN_OK;
}

static bool is_blank(const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++)
        if (text[i] != '\n' && text[i] != '\r' && text[i] != ' ' && text[i] != '\t')
            return false;
    return true;
}

/* What is read, and how. */
typedef struct request {
    const char *path;
    partan_read_options options;
    const pt_source *like; /* of the data that a model was trained on; NULL: none */
    uint64_t features;     /* of that */
} request;

static partan_status read_part(const mpi_files *files, const pt_comm *comm, const request *what, partan_data **data)
{
    partan_context *context = files->context;
    uint64_t ranks = (uint64_t)comm->size, rank = (uint64_t)comm->rank;
    /* Products of sizes and ranks have room in 64 bits for files of 10^14 bytes. */
    uint64_t begin = files->size * rank / ranks, end = files->size * (rank + 1) / ranks;
    char *text = NULL, name[512];
    size_t size = 0;
    beginning b = {0};
    partan_read_options how = what->options;
    partan_status status = look(files, &how, &b);
    bool table = b.format != PARTAN_FORMAT_LIBSVM, later = table && rank > 0;
    how.format = b.format;
    if (table && end < b.size) /* which the first process has, and the others know of */
        end = b.size;
    if (later && begin < b.size)
        begin = b.size;
    snprintf(name, sizeof name, begin > 0 ? "%s, from byte %llu on" : "%s", what->path, (unsigned long long)begin);
    if (!status && table && files->count > 1)
        status = pt_fail(context, PARTAN_ERROR_FORMAT, "%s: of several files only LIBSVM text is read, not tables",
                         what->path);
    if (!status)
        status = mpi_files_read(files, begin, end, &text, &size);
    bool none = !status && is_blank(text, size);
    if (!status && !none && later)
        status = put_before(context, &b, &text, &size);
    if (!status)
        status = none ? empty(context, what->path, data)
                      : pt_data_parse_part(context, name, text, size, &how, what->like, what->features, data);
    if (!status && !none && later && (*data)->source.names.count == 0) /* no header: the line was a row */
        status = drop_first_row(data);
    pt_free(context, text);
    pt_free(context, b.lines);
    return status;
}

static partan_status read_parts(partan_context *context, pt_comm *comm, const request *what, partan_data **data)
{
    mpi_files files;
    partan_status status = mpi_files_open(&files, context, what->path);
    for (size_t i = 0; i < files.count && !status; i++)
        status = check_text(context, files.paths[i]);
    if (!status)
        status = read_part(&files, comm, what, data);
    mpi_files_close(&files);
    return status;
}

/* One row with weight is enough, wherever it is. */
static partan_status check_weights(partan_context *context, pt_comm *comm, const request *what, const partan_data *part)
{
    double found[2] = {part->weights != NULL, 0}; /* weights, weights above 0 */
    for (size_t row = 0; row < part->matrix.rows && found[1] == 0; row++)
        found[1] = pt_data_weight(part, row) > 0;
    comm->greatest(comm, found, 2);
    if (found[0] == 0 || found[1] > 0 || what->options.unlabelled)
        return PARTAN_OK;
    return pt_fail(context, PARTAN_ERROR_DATA, "%s: all rows have weight 0, expected one above 0", what->path);
}

static partan_status read_together(partan_context *context, MPI_Comm mpi, const request *what, partan_data **data)
{
    mpi_comm comm;
    *data = NULL;
    mpi_comm_open(&comm, mpi);
    partan_status status =
        comm.comm.size == 1 && !strpbrk(what->path, "*?[")
            ? pt_data_read_like(context, what->path, &what->options, what->like, what->features, data)
            : read_parts(context, &comm.comm, what, data);
    status = pt_agree(context, &comm.comm, status);
    if (!status)
        status = pt_data_unify(context, &comm.comm, what->options.storage, *data);
    if (!status)
        status = check_weights(context, &comm.comm, what, *data);
    mpi_comm_close(&comm);
    if (status) {
        partan_data_free(*data);
        *data = NULL;
    }
    return status;
}

partan_status partan_mpi_read(partan_context *context, MPI_Comm comm, const char *path,
                              const partan_read_options *options, partan_data **data)
{
    PT_REQUIRE(context, context && path && data);
    PT_TAKE(context, partan_read_options, options);
    return read_together(context, comm, &(request){.path = path, .options = options_taken}, data);
}

partan_status partan_mpi_read_for(partan_context *context, MPI_Comm comm, const partan_model *model, const char *path,
                                  const partan_read_options *options, partan_data **data)
{
    PT_REQUIRE(context, context && model && path && data);
    PT_TAKE(context, partan_read_options, options);
    request what = {.path = path, .options = options_taken, .features = model->features};
    what.like = pt_model_read_like(model);
    return read_together(context, comm, &what, data);
}
