/* The way back into the simplex: negative weights become 0.
 *
 * What a vertex is below 0 is taken from the nearest vertex of its class, its donor. So the classes keep their sums and
 * every region its own, on both of which all scores depend: without that, cutting off a thousandth of the weight can
 * double f. */
#include "active/extrapolation.h"
#include "core/team.h"
#include "simplex/rows.h"

enum { CHUNK_TILES = 32 };

/* A change of some weights, and the donors it can be taken from: vertices of positive weight, gathered. */
typedef struct change {
    partan_context *context;
    int64_t *ids;
    double *weights;
    size_t count;

    int64_t *donors;
    size_t donor_count;
    pt_matrix matrix;
    pt_block block;
    pt_panel panel;
    float *values; /* PT_PANEL columns over the donors */
} change;

static void change_free(change *c)
{
    pt_free(c->context, c->ids);
    pt_free(c->context, c->weights);
    pt_free(c->context, c->donors);
    pt_free(c->context, c->values);
    pt_panel_free(&c->panel);
    pt_matrix_free(&c->matrix);
}

static void change_add(change *c, int64_t id, double weight)
{
    c->ids[c->count] = id;
    c->weights[c->count++] = weight;
}

static partan_status change_make(change *c, const pt_extrapolation *e, const pt_path_point *point, size_t negative)
{
    pt_simplex *simplex = e->simplex;
    *c = (change){.context = simplex->problem.context, .block = simplex->block};
    c->ids = pt_alloc(c->context, 2 * negative, sizeof *c->ids);
    c->weights = pt_alloc(c->context, 2 * negative, sizeof *c->weights);
    c->donors = pt_alloc(c->context, point->count, sizeof *c->donors);
    if (!c->ids || !c->weights || !c->donors)
        return pt_out_of_memory(c->context, "the path over C");
    for (size_t i = 0; i < point->count; i++)
        if (point->weights[i] > 0)
            c->donors[c->donor_count++] = point->ids[i];
    partan_status status = pt_simplex_gather(simplex, c->donors, c->donor_count, &c->matrix);
    c->block.rows = &c->matrix;
    if (!status)
        status = pt_panel_init(&c->panel, &c->block, simplex->points.matrix, PT_PANEL);
    c->values = pt_alloc(c->context, c->matrix.tiles * PT_TILE * PT_PANEL, sizeof *c->values);
    if (!status && !c->values)
        status = pt_out_of_memory(c->context, "the path over C");
    return status;
}

/* The donor with the greatest kernel value among those of the class that have the whole amount; -1: none has. */
static int64_t nearest(const change *c, const pt_extrapolation *e, const float *values, float sign, double amount)
{
    int64_t found = -1;
    float greatest = 0;
    for (size_t i = 0; i < c->donor_count; i++) {
        int64_t id = c->donors[i];
        if ((found < 0 || values[i] > greatest) && e->simplex->dual.signs[id] == sign && e->scratch[id] > amount) {
            found = id;
            greatest = values[i];
        }
    }
    return found;
}

static void compute_values(void *user, size_t chunk, size_t thread)
{
    const change *c = user;
    size_t tiles = c->matrix.tiles;
    pt_span span = pt_span_of(tiles, CHUNK_TILES, chunk);
    (void)thread;
    pt_block_values(&c->block, &c->panel, span.begin, span.end - span.begin, c->values + span.begin * PT_TILE,
                    tiles * PT_TILE);
}

typedef struct search {
    const change *change;
    const pt_extrapolation *extrapolation;
    const int64_t *ids;
    int64_t *found;
} search;

static void find_donor(void *user, size_t i, size_t thread)
{
    const search *s = user;
    const pt_extrapolation *e = s->extrapolation;
    int64_t id = s->ids[i];
    (void)thread;
    s->found[i] = nearest(s->change, e, s->change->values + i * s->change->matrix.tiles * PT_TILE,
                          e->simplex->dual.signs[id], -e->scratch[id]);
}

/* The nearest donor of each of some vertices, as things stand. */
static void find_donors(change *c, const pt_extrapolation *e, const int64_t *ids, size_t count, int64_t *found)
{
    search s = {c, e, ids, found};
    pt_team_run(c->context, c->context->threads, pt_span_count(c->matrix.tiles, CHUNK_TILES), compute_values, c);
    pt_team_run(c->context, pt_team_for(c->context, (double)(count * c->donor_count)), count, find_donor, &s);
}

/* Up to PT_PANEL vertices of negative weight; the scratch has all weights. */
static partan_status donate(change *c, const pt_extrapolation *e, const int64_t *ids, size_t count)
{
    int64_t donors[PT_PANEL];
    size_t stride = c->matrix.tiles * PT_TILE;
    partan_status status = pt_simplex_pack(e->simplex, ids, count, &c->panel);
    if (status)
        return status;
    find_donors(c, e, ids, count, donors);
    for (size_t i = 0; i < count; i++) {
        double amount = -e->scratch[ids[i]];
        if (donors[i] >= 0 && !(e->scratch[donors[i]] > amount)) /* it has given to another one */
            donors[i] = nearest(c, e, c->values + i * stride, e->simplex->dual.signs[ids[i]], amount);
        e->scratch[ids[i]] = 0;
        change_add(c, ids[i], amount);
        if (donors[i] >= 0) {
            e->scratch[donors[i]] -= amount;
            change_add(c, donors[i], -amount);
        }
    }
    return PARTAN_OK;
}

static partan_status donate_all(change *c, const pt_extrapolation *e, pt_path_point *point)
{
    int64_t panel[PT_PANEL];
    size_t filled = 0, kept = 0;
    partan_status status = PARTAN_OK;
    for (size_t i = 0; i < point->count; i++)
        e->scratch[point->ids[i]] = point->weights[i];
    for (size_t i = 0; i < point->count && !status; i++) {
        if (point->weights[i] < 0)
            panel[filled++] = point->ids[i];
        if (filled == PT_PANEL || (filled > 0 && i + 1 == point->count)) {
            status = donate(c, e, panel, filled);
            filled = 0;
        }
    }
    for (size_t i = 0; i < point->count; i++) {
        int64_t id = point->ids[i];
        if (e->scratch[id] > 0) {
            point->ids[kept] = id;
            point->weights[kept++] = e->scratch[id];
        }
        e->scratch[id] = 0;
    }
    point->count = kept;
    return status;
}

/* products += Q times the weights of some vertices. */
static partan_status add_products(const pt_extrapolation *e, const int64_t *ids, const double *weights, size_t count,
                                  double *products)
{
    pt_simplex *simplex = e->simplex;
    partan_context *context = simplex->problem.context;
    size_t vertices = simplex->dual.vertices;
    double *factors = pt_alloc(context, count, sizeof *factors);
    double *sums = pt_alloc(context, vertices, sizeof *sums);
    double total = 0;
    partan_status status = factors && sums ? PARTAN_OK : pt_out_of_memory(context, "the path over C");
    for (size_t i = 0; i < count && !status; i++) {
        factors[i] = weights[i] * pt_dual_sign(&simplex->dual, ids[i]);
        total += factors[i];
    }
    if (!status)
        status = pt_simplex_sums(simplex, simplex->points.matrix, ids, factors, count, sums);
    for (size_t i = 0; i < vertices && !status; i++)
        products[i] += pt_dual_product(&simplex->dual, (int64_t)i, sums[i], total);
    pt_free(context, factors);
    pt_free(context, sums);
    return status;
}

static void normalise(pt_path_point *point, size_t vertices)
{
    double sum = 0;
    for (size_t i = 0; i < point->count; i++)
        sum += point->weights[i];
    for (size_t i = 0; i < point->count; i++)
        point->weights[i] /= sum;
    for (size_t i = 0; i < vertices; i++)
        point->products[i] /= sum;
}

partan_status pt_extrapolation_clip(const pt_extrapolation *e, pt_path_point *point)
{
    size_t negative = 0;
    for (size_t i = 0; i < point->count; i++)
        negative += point->weights[i] < 0;
    if (negative > 0) {
        change c;
        partan_status status = change_make(&c, e, point, negative);
        if (!status)
            status = donate_all(&c, e, point);
        if (!status)
            status = add_products(e, c.ids, c.weights, c.count, point->products);
        change_free(&c);
        if (status)
            return status;
    }
    normalise(point, e->simplex->dual.vertices);
    return PARTAN_OK;
}

partan_status pt_extrapolation_renew(const pt_extrapolation *e, pt_path_point *point)
{
    for (size_t i = 0; i < e->simplex->dual.vertices; i++)
        point->products[i] = 0;
    point->error = 1;
    return add_products(e, point->ids, point->weights, point->count, point->products);
}
