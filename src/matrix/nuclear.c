#include "matrix/nuclear.h"

#include <math.h>
#include <string.h>

#define SHARE_OF_GAP 0.1   /* that the oracle may be wrong by */
#define LEAST_GAP    1e-12 /* of the scores' size, where no tolerance helps */
#define PRECISION    0.01  /* of a gap that is far from the target */
#define BOUND_SHARE  0.05  /* of the target, that the bound of the spectral norm may be away from it */

/* ---- Atoms ---- */

static size_t find(const pt_nuclear *ball, int64_t id)
{
    size_t low = 0, high = ball->count;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (ball->atoms[middle].id <= id)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const pt_atom *pt_nuclear_atom(const pt_nuclear *ball, int64_t id)
{
    return &ball->atoms[find(ball, id)];
}

partan_status pt_nuclear_mint(pt_nuclear *ball, const double *u, const double *v, double sign, int64_t *id)
{
    partan_context *context = ball->problem.context;
    size_t rows = ball->measurement->map.rows, columns = ball->measurement->map.columns;
    if (pt_reserve(context, (void **)&ball->atoms, &ball->capacity, ball->count, ball->count + 1, sizeof *ball->atoms))
        return pt_out_of_memory(context, "vertices");
    pt_atom atom = {.id = ball->minted, .u = pt_copy(context, u, rows, sizeof *u)};
    atom.v = pt_copy(context, v, columns, sizeof *v);
    if (!atom.u || !atom.v) {
        pt_free(context, atom.u);
        pt_free(context, atom.v);
        return pt_out_of_memory(context, "vertices");
    }
    for (size_t i = 0; i < rows && sign < 0; i++)
        atom.u[i] = -atom.u[i];
    ball->atoms[ball->count++] = atom;
    *id = ball->minted++;
    return PARTAN_OK;
}

static void forget(pt_problem *problem, int64_t id)
{
    pt_nuclear *ball = (pt_nuclear *)problem;
    size_t at = find(ball, id);
    pt_free(problem->context, ball->atoms[at].u);
    pt_free(problem->context, ball->atoms[at].v);
    memmove(ball->atoms + at, ball->atoms + at + 1, (--ball->count - at) * sizeof *ball->atoms);
}

/* A(vertex). Of those asked for last it is still there. */
static partan_status image_of(pt_nuclear *ball, int64_t id, const double **image)
{
    int slot = 0;
    while (slot < PT_NUCLEAR_IMAGES && ball->image_id[slot] != id)
        slot++;
    if (slot == PT_NUCLEAR_IMAGES) {
        slot = ball->oldest;
        const pt_atom *atom = pt_nuclear_atom(ball, id);
        ball->image_id[slot] = -1;
        partan_status status = pt_measurement_apply_pair(ball->measurement, atom->u, atom->v, ball->image[slot]);
        if (status)
            return status;
        for (size_t k = 0; k < ball->measurement->map.count; k++)
            ball->image[slot][k] *= ball->radius;
        ball->image_id[slot] = id;
    }
    ball->oldest = (slot + 1) % PT_NUCLEAR_IMAGES;
    *image = ball->image[slot];
    return PARTAN_OK;
}

/* ---- State ---- */

static double dot(const pt_nuclear *ball, const double *x, const double *y)
{
    return pt_dot(ball->problem.context, x, y, ball->measurement->map.count);
}

static void measure(pt_problem *problem, const pt_iterate *iterate, pt_measure *measure)
{
    const pt_nuclear *ball = (const pt_nuclear *)problem;
    (void)iterate;
    *measure = (pt_measure){.linear = -dot(ball, ball->b, ball->now)};
    measure->objective = dot(ball, ball->now, ball->now) / 2 + measure->linear;
    if (!problem->keeps_previous)
        return;
    measure->cross = dot(ball, ball->now, ball->previous);
    measure->previous_linear = -dot(ball, ball->b, ball->previous);
    measure->previous_objective = dot(ball, ball->previous, ball->previous) / 2 + measure->previous_linear;
}

typedef struct combination {
    size_t count;
    double a, c;
    const double *x, *y;
    double *next;
    bool add;
} combination;

static void combine_chunk(void *user, size_t chunk, size_t thread)
{
    const combination *m = user;
    pt_span span = pt_span_of(m->count, PT_CHUNK_ENTRIES, chunk);
    (void)thread;
    for (size_t k = span.begin; k < span.end; k++)
        m->next[k] = m->a * m->x[k] + m->c * m->y[k] + (m->add ? m->next[k] : 0);
}

/* next = a x + c y + next if `add`. */
static void combine(const pt_nuclear *ball, double a, const double *x, double c, const double *y, double *next,
                    bool add)
{
    partan_context *context = ball->problem.context;
    size_t count = ball->measurement->map.count;
    combination m = {count, a, c, x, y, next, add};
    pt_team_run(context, pt_matrix_threads(context, count), pt_span_count(count, PT_CHUNK_ENTRIES), combine_chunk, &m);
}

static partan_status start(pt_problem *problem, const pt_iterate *iterate, pt_measure *at)
{
    pt_nuclear *ball = (pt_nuclear *)problem;
    size_t bytes = ball->measurement->map.count * sizeof *ball->now;
    memset(ball->now, 0, bytes);
    memset(ball->previous, 0, bytes);
    for (size_t i = 0; i < iterate->count; i++) {
        const double *image = NULL;
        partan_status status = image_of(ball, iterate->id[i], &image);
        if (status)
            return status;
        combine(ball, iterate->now[i], image, 0, image, ball->now, true);
    }
    measure(problem, iterate, at);
    return PARTAN_OK;
}

static partan_status move(pt_problem *problem, const pt_iterate *iterate, const pt_move *move)
{
    pt_nuclear *ball = (pt_nuclear *)problem;
    (void)iterate;
    combine(ball, move->now_factor, ball->now, move->previous_factor, ball->previous, ball->next, false);
    for (int t = 0; t < move->terms; t++) {
        const double *image = NULL;
        partan_status status = image_of(ball, move->term[t].id, &image);
        if (status)
            return status;
        combine(ball, move->term[t].factor, image, 0, image, ball->next, true);
    }
    double *oldest = ball->previous;
    ball->previous = ball->now;
    ball->now = ball->next;
    ball->next = oldest;
    return PARTAN_OK;
}

/* ---- Vertices ---- */

/* G and what is needed for products with it; returns <G, X>. */
static double look(pt_nuclear *ball)
{
    combine(ball, 1, ball->now, -1, ball->b, ball->gradient, false);
    pt_measurement_prepare(ball->measurement, ball->gradient);
    return dot(ball, ball->gradient, ball->now);
}

/* The leading pair, to within a share of the gap that it shows. The last gap is what the first attempt goes by. */
static partan_status toward(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    pt_nuclear *ball = (pt_nuclear *)problem;
    (void)iterate;
    pt_pairs *pairs = &ball->spectral.pairs;
    double inner = look(ball), tolerance = 0.1, gap, slack;
    if (pairs->count > 0 && ball->last_gap < INFINITY)
        tolerance = fmin(0.1, SHARE_OF_GAP * ball->last_gap / (ball->radius * pairs->value[0]));
    for (;; tolerance /= 10) {
        tolerance = fmax(tolerance, LEAST_GAP);
        partan_status status = pt_spectral_pairs(&ball->spectral, ball->gradient, 1, tolerance);
        if (status)
            return status;
        gap = inner + ball->radius * pairs->value[0];
        slack = ball->radius * pairs->error;
        if (slack <= SHARE_OF_GAP * gap || tolerance <= LEAST_GAP)
            break;
    }
    ball->last_gap = fmax(gap, LEAST_GAP * fabs(inner));
    *vertex = (pt_vertex){.score = -ball->radius * pairs->value[0], .slack = slack};
    return pt_nuclear_mint(ball, pairs->left, pairs->right, -1, &vertex->id);
}

static partan_status away(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    pt_nuclear *ball = (pt_nuclear *)problem;
    size_t rows = ball->measurement->map.rows;
    double *product = pt_alloc(problem->context, rows, sizeof *product);
    partan_status status = product ? PARTAN_OK : pt_out_of_memory(problem->context, "the scores of vertices");
    *vertex = (pt_vertex){.id = -1, .score = -INFINITY};
    for (size_t i = 0; i < iterate->count && !status; i++) {
        if (!(iterate->now[i] > 0))
            continue;
        const pt_atom *atom = pt_nuclear_atom(ball, iterate->id[i]);
        status = pt_measurement_times(ball->measurement, ball->gradient, atom->v, product);
        double score = ball->radius * pt_dot(problem->context, atom->u, product, rows);
        if (score > vertex->score)
            *vertex = (pt_vertex){.id = iterate->id[i], .score = score};
    }
    pt_free(problem->context, product);
    return status;
}

static partan_status inspect(pt_problem *problem, const pt_iterate *iterate, pt_vertex *vertex)
{
    pt_nuclear *ball = (pt_nuclear *)problem;
    (void)iterate;
    const double *image = NULL;
    partan_status status = image_of(ball, vertex->id, &image);
    if (status)
        return status;
    vertex->linear = -dot(ball, ball->b, image);
    vertex->diagonal = dot(ball, image, image);
    if (problem->keeps_previous)
        vertex->previous_score = dot(ball, ball->previous, image) + vertex->linear;
    return PARTAN_OK;
}

static partan_status product(pt_problem *problem, const pt_vertex *u, const pt_vertex *v, double *product)
{
    pt_nuclear *ball = (pt_nuclear *)problem;
    const double *first = NULL, *second = NULL;
    partan_status status = image_of(ball, u->id, &first);
    if (!status)
        status = image_of(ball, v->id, &second);
    if (!status)
        *product = dot(ball, first, second);
    return status;
}

/* ---- The whole ---- */

static partan_status certify(pt_problem *problem, const pt_iterate *iterate, double target, pt_certificate *certificate)
{
    pt_nuclear *ball = (pt_nuclear *)problem;
    pt_measure at;
    double lower, upper;
    partan_status status = start(problem, iterate, &at);
    if (status)
        return status;
    look(ball);
    double near = fmax(BOUND_SHARE * target, ball->last_gap < INFINITY ? PRECISION * ball->last_gap : 0);
    status = pt_spectral_bound(&ball->spectral, ball->gradient, near / ball->radius, &lower, &upper);
    *certificate = pt_certificate_of(pt_inner_product(at.objective, at.linear), at.linear, -ball->radius * upper);
    return status;
}

static double scale(const pt_problem *problem, double objective)
{
    (void)objective;
    return problem->constant;
}

static uint64_t work(const pt_problem *problem)
{
    return ((const pt_nuclear *)problem)->measurement->products;
}

static const pt_problem_ops ops = {.start = start,
                                   .toward = toward,
                                   .away = away,
                                   .inspect = inspect,
                                   .product = product,
                                   .move = move,
                                   .measure = measure,
                                   .certify = certify,
                                   .forget = forget,
                                   .scale = scale,
                                   .work = work,
                                   .not_finite = "the objective is not finite: values are too large to be squared"};

partan_status pt_nuclear_make(pt_nuclear *ball, pt_measurement *measurement, const double *b, double radius,
                              uint64_t seed)
{
    partan_context *context = measurement->context;
    size_t count = measurement->map.count;
    *ball = (pt_nuclear){.problem = {.ops = &ops, .context = context},
                         .measurement = measurement,
                         .b = b,
                         .radius = radius,
                         .last_gap = INFINITY,
                         .image_id = {-1, -1}};
    ball->problem.constant = pt_dot(context, b, b, count) / 2;
    double **arrays[] = {&ball->now, &ball->previous, &ball->next, &ball->gradient, &ball->image[0], &ball->image[1]};
    bool done = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        done &= (*arrays[i] = pt_alloc_zero(context, count, sizeof(double))) != NULL;
    if (!done)
        return pt_out_of_memory(context, "measurements");
    return pt_spectral_make(&ball->spectral, measurement, seed);
}

void pt_nuclear_free(pt_nuclear *ball)
{
    partan_context *context = ball->problem.context;
    if (!context)
        return;
    while (ball->count > 0)
        forget(&ball->problem, ball->atoms[ball->count - 1].id);
    void *arrays[] = {ball->now,      ball->previous, ball->next, ball->gradient,
                      ball->image[0], ball->image[1], ball->atoms};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pt_free(context, arrays[i]);
    pt_spectral_free(&ball->spectral);
    *ball = (pt_nuclear){0};
}
