#include "data/parts.h"

#include <math.h>

#include "core/agree.h"
#include "data/storage/layout.h"

/* Whether all values are 0 or 1. */
static bool is_binary(const pt_matrix *matrix)
{
    const pt_layout *layout = pt_layout_of(matrix->storage);
    for (size_t row = 0; row < matrix->rows && matrix->storage != PARTAN_STORAGE_BITS; row++)
        for (pt_cursor at = {.matrix = matrix, .row = row}; layout->next(&at);)
            if (at.value != 1)
                return false;
    return true;
}

/* What the parts are together. */
typedef struct whole {
    uint64_t rows, features;
    pt_content content;
} whole;

/* The steps that all parts' bytes are of: parts of zeros and ones alone are of any unit that divides 1. */
static pt_byte_steps common_steps(pt_comm *comm, const pt_matrix *matrix, bool binary)
{
    bool bytes = matrix->storage == PARTAN_STORAGE_BYTES;
    double none = matrix->nonzeros > 0 && !bytes && !binary;
    double greatest[4] = {none, bytes ? -matrix->steps.unit : -INFINITY, bytes ? matrix->steps.unit : -INFINITY,
                          bytes ? matrix->steps.digits : 0};
    comm->greatest(comm, greatest, 4);
    if (greatest[0] > 0 || !isfinite(greatest[2]))
        return (pt_byte_steps){0};
    return pt_byte_steps_of(-greatest[1], (int)greatest[3]);
}

static whole look(pt_comm *comm, const pt_matrix *matrix)
{
    bool binary = is_binary(matrix);
    uint64_t counts[2] = {matrix->rows, matrix->nonzeros};
    double greatest[2] = {(double)matrix->features, !binary};
    comm->sum_integers(comm, counts, 2);
    comm->greatest(comm, greatest, 2);
    whole all = {.rows = counts[0], .features = (uint64_t)greatest[0]};
    all.content = (pt_content){.nonzeros = counts[1], .binary = greatest[1] == 0};
    all.content.steps = all.content.binary ? pt_byte_steps_of(1, 0) : common_steps(comm, matrix, binary);
    return all;
}

static bool fits(const pt_matrix *matrix, partan_storage storage, const whole *all)
{
    return matrix->storage == storage && matrix->features == all->features
           && (storage != PARTAN_STORAGE_BYTES || pt_byte_steps_same(&matrix->steps, &all->content.steps));
}

static partan_status convert(partan_data *part, partan_storage storage, const whole *all)
{
    pt_matrix *matrix = &part->matrix, out = {0};
    if (fits(matrix, storage, all))
        return PARTAN_OK;
    partan_status status = storage == PARTAN_STORAGE_BYTES
                               ? pt_matrix_to_bytes(matrix, &all->content.steps, all->features, &out)
                               : pt_matrix_convert(matrix, storage, all->features, &out);
    if (status)
        return status;
    pt_matrix_free(matrix);
    *matrix = out;
    return PARTAN_OK;
}

partan_status pt_data_unify(partan_context *context, pt_comm *comm, partan_storage wanted, partan_data *part)
{
    whole all = look(comm, &part->matrix);
    partan_storage storage =
        wanted != PARTAN_STORAGE_AUTO ? wanted : pt_storage_choose(all.rows, all.features, &all.content);
    partan_status status = convert(part, storage, &all);
    /* Parts that are multiples of different numbers: no bytes. */
    double refused = status == PARTAN_ERROR_DATA && storage == PARTAN_STORAGE_BYTES && wanted == PARTAN_STORAGE_AUTO;
    comm->greatest(comm, &refused, 1);
    if (refused > 0) {
        all.content.steps = (pt_byte_steps){0};
        status = convert(part, pt_storage_choose(all.rows, all.features, &all.content), &all);
    }
    status = pt_agree(context, comm, status);
    if (status)
        return status;
    double room = (double)pt_matrix_row_room(&part->matrix);
    comm->greatest(comm, &room, 1);
    if (part->matrix.storage == PARTAN_STORAGE_SPARSE)
        part->matrix.row_room = (size_t)room;
    return PARTAN_OK;
}

uint64_t pt_data_fingerprint_of_all(pt_comm *comm, const partan_data *part, uint64_t first, uint64_t rows)
{
    uint64_t hash = pt_data_hash(part, first);
    pt_add_up(comm, &hash, 1);
    return pt_fingerprint_of(hash, rows);
}
