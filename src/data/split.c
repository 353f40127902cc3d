/* Two parts of a data set, drawn with a seed, each with the classes in the shares that the whole has. */
#include <math.h>
#include <stdlib.h>

#include "core/random.h"
#include "core/require.h"
#include "data/data.h"

partan_status pt_data_gather(const partan_data *data, const int64_t *rows, size_t count, partan_data **out)
{
    partan_context *context = data->context;
    partan_data *part;
    partan_status status = pt_data_create(context, data->name, &part);
    *out = NULL;
    if (status)
        return status;
    status = pt_matrix_gather(&data->matrix, rows, count, &part->matrix);
    if (!status)
        status = pt_data_copy_words(data, part);
    if (!status)
        status = pt_source_copy(context, &data->source, &part->source);
    if (!status && data->labels && !(part->labels = pt_alloc(context, count, sizeof *part->labels)))
        status = pt_out_of_memory(context, "labels");
    if (!status && data->weights && !(part->weights = pt_alloc(context, count, sizeof *part->weights)))
        status = pt_out_of_memory(context, "weights");
    if (!status && data->serials && !(part->serials = pt_alloc(context, count, sizeof *part->serials)))
        status = pt_out_of_memory(context, "serial numbers");
    if (status) {
        partan_data_free(part);
        return status;
    }
    for (size_t i = 0; i < count; i++) {
        if (data->labels)
            part->labels[i] = data->labels[rows[i]];
        if (data->weights)
            part->weights[i] = data->weights[rows[i]];
        if (data->serials)
            part->serials[i] = data->serials[rows[i]];
    }
    *out = part;
    return PARTAN_OK;
}

/* ---- The draw ---- */

typedef struct ticket {
    double label;
    uint64_t draw;
    int64_t row;
} ticket;

/* By label, rows without one last; in a class by lot. */
static int compare_tickets(const void *a, const void *b)
{
    const ticket *x = a, *y = b;
    bool none_x = isnan(x->label), none_y = isnan(y->label);
    if (none_x != none_y)
        return none_x - none_y;
    if (!none_x && x->label != y->label)
        return x->label < y->label ? -1 : 1;
    if (x->draw != y->draw)
        return x->draw < y->draw ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

static bool same_class(const ticket *x, const ticket *y)
{
    return x->label == y->label || (isnan(x->label) && isnan(y->label));
}

/* Marks the rows of the second part. The numbers are rounded in the sum over the classes so far, so that the whole has
 * the nearest possible number and each class is less than one row off; where every label is another (regression), rows
 * are taken at even distances in the order of their labels. */
static size_t mark_second(const ticket *tickets, size_t count, double share, unsigned char *second)
{
    size_t taken = 0;
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start + 1; end < count && same_class(&tickets[start], &tickets[end]); end++)
            continue;
        size_t due = (size_t)floor(share * (double)end + 0.5);
        for (size_t i = start; taken < due; i++, taken++)
            second[tickets[i].row] = 1;
    }
    return taken;
}

/* The rows class by class, in each by lot; NULL when memory is out. Without strata all rows are one class. */
static ticket *draw_tickets(const partan_data *data, uint64_t seed, bool stratify)
{
    size_t count = data->matrix.rows;
    ticket *tickets = pt_alloc(data->context, count, sizeof *tickets);
    if (!tickets)
        return NULL;
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < count; i++) {
        double label = stratify ? partan_data_label(data, i) : (double)NAN;
        tickets[i] = (ticket){label, pt_random_next(&random), (int64_t)i};
    }
    qsort(tickets, count, sizeof *tickets, compare_tickets);
    return tickets;
}

partan_status pt_data_deal(const partan_data *data, size_t parts, uint64_t seed, bool stratify, int32_t *part)
{
    ticket *tickets = draw_tickets(data, seed, stratify);
    if (!tickets)
        return pt_out_of_memory(data->context, "the draw of folds");
    for (size_t i = 0; i < data->matrix.rows; i++)
        part[tickets[i].row] = (int32_t)(i % parts);
    pt_free(data->context, tickets);
    return PARTAN_OK;
}

static partan_status draw(const partan_data *data, double share, uint64_t seed, bool stratify, unsigned char *second,
                          size_t *taken)
{
    size_t count = data->matrix.rows;
    ticket *tickets = draw_tickets(data, seed, stratify);
    if (!tickets)
        return pt_out_of_memory(data->context, "the draw of a split");
    *taken = mark_second(tickets, count, share, second);
    pt_free(data->context, tickets);
    return PARTAN_OK;
}

partan_status pt_data_draw(const partan_data *data, double share, uint64_t seed, bool stratify, unsigned char *second,
                           size_t *taken)
{
    partan_context *context = data->context;
    size_t count = data->matrix.rows;
    if (!(share > 0) || !(share < 1))
        return pt_fail(context, PARTAN_ERROR_ARGUMENT, "found a share of %g, expected one above 0 and below 1", share);
    partan_status status = draw(data, share, seed, stratify, second, taken);
    if (!status && (*taken == 0 || *taken == count))
        status = pt_fail(context, PARTAN_ERROR_DATA, "%s: %zu rows are too few to split off a share of %g", data->name,
                         count, share);
    return status;
}

/* The rows of both parts, those of the first before those of the second, each in the order of the data. */
static void list_rows(const unsigned char *second, size_t count, size_t taken, int64_t *rows)
{
    size_t next[2] = {0, count - taken};
    for (size_t i = 0; i < count; i++)
        rows[next[second[i]]++] = (int64_t)i;
}

partan_status partan_data_split(partan_context *context, const partan_data *data, double share, uint64_t seed,
                                partan_data **first, partan_data **second)
{
    PT_REQUIRE(context, context && data && first && second);
    size_t count = data->matrix.rows, taken = 0;
    *first = *second = NULL;
    unsigned char *marks = pt_alloc_zero(context, count, 1);
    int64_t *rows = pt_alloc(context, count, sizeof *rows);
    partan_status status = marks && rows ? PARTAN_OK : pt_out_of_memory(context, "a split");
    if (!status)
        status = pt_data_draw(data, share, seed, true, marks, &taken);
    if (!status) {
        list_rows(marks, count, taken, rows);
        status = pt_data_gather(data, rows, count - taken, first);
    }
    if (!status)
        status = pt_data_gather(data, rows + (count - taken), taken, second);
    if (status) {
        partan_data_free(*first);
        *first = NULL;
    }
    pt_free(context, marks);
    pt_free(context, rows);
    return status;
}
