#include "matrix/narrow.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "kernel/algebra.h"

enum {
    MOST_WIDTH = 256,  /* beyond which the eigenvectors cost too much, */
    LEAST_LENGTH = 16, /* times the width, below which they do too */
    BLOCK = 64,        /* lines that are made together, in the cache */
    PARTS = 16         /* of the lines, that threads take */
};

#define LEAST_SHARE 0.1   /* of all entries that are known: with fewer, steps of curvature 1 are too short */
#define ROUNDING    1e-14 /* of the objective: near the minimum the gap still falls when the objective does not */
#define PRECISION   1e-7  /* of singular values by a Gram matrix, of the largest */

bool pt_narrow_suits(const pt_sampling *s)
{
    size_t width = s->rows < s->columns ? s->rows : s->columns, length = s->rows < s->columns ? s->columns : s->rows;
    return width <= MOST_WIDTH && length >= LEAST_LENGTH * width
           && (double)s->count >= LEAST_SHARE * (double)width * (double)length;
}

partan_status pt_narrow_make(pt_narrow *n, const pt_sampling *sampling, const double *b, double radius, size_t max_rank)
{
    partan_context *context = sampling->context;
    *n = (pt_narrow){.context = context, .sampling = sampling, .b = b, .radius = radius, .max_rank = max_rank};
    n->by_rows = sampling->columns <= sampling->rows;
    n->lines = n->by_rows ? sampling->rows : sampling->columns;
    n->width = n->by_rows ? sampling->columns : sampling->rows;
    n->stride = (n->width + PT_GRAM_UNIT - 1) / PT_GRAM_UNIT * PT_GRAM_UNIT;
    n->parts = pt_alloc(context, PARTS * n->stride * n->stride, sizeof(double));
    n->gram = pt_alloc(context, n->width * n->width, sizeof(double));
    n->eigenvectors = pt_alloc(context, n->width * n->width, sizeof(double));
    n->eigenvalues = pt_alloc(context, n->width, sizeof(double));
    n->before_values = pt_alloc_zero(context, sampling->count, sizeof(double));
    n->next_values = pt_alloc_zero(context, sampling->count, sizeof(double));
    pt_factors_init(&n->before, context, sampling->rows, sampling->columns);
    pt_factors_init(&n->next, context, sampling->rows, sampling->columns);
    n->momentum = 1;
    bool made = n->parts && n->gram && n->eigenvectors && n->eigenvalues && n->before_values && n->next_values;
    return made ? PARTAN_OK : pt_out_of_memory(context, "a narrow matrix");
}

void pt_narrow_free(pt_narrow *n)
{
    if (!n->context)
        return;
    void *arrays[] = {n->parts, n->gram, n->eigenvectors, n->eigenvalues, n->before_values, n->next_values};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        pt_free(n->context, arrays[i]);
    pt_factors_free(&n->before);
    pt_factors_free(&n->next);
}

/* ---- Factors by lines ---- */

static double *long_factor(const pt_narrow *n, const pt_factors *x)
{
    return n->by_rows ? x->left : x->right;
}

static double *short_factor(const pt_narrow *n, const pt_factors *x)
{
    return n->by_rows ? x->right : x->left;
}

/* scale times the short factor, transposed: rank x stride. */
static void transpose(const pt_narrow *n, const pt_factors *x, double scale, double *out)
{
    const double *factor = short_factor(n, x);
    memset(out, 0, x->rank * n->stride * sizeof *out);
    for (size_t j = 0; j < n->width; j++)
        for (size_t k = 0; k < x->rank; k++)
            out[k * n->stride + j] = scale * factor[j * x->stride + k];
}

/* ---- Passes over blocks of lines ---- */

typedef struct pass {
    pt_narrow *n;
    const pt_algebra_ops *ops;
    const double *values;        /* of the sparse part, which is subtracted */
    const double *values_before; /* NULL, or those of the X before */
    double beyond;
    const pt_factors *x[2];   /* the low-rank part: (1 + beyond) x[0] - beyond x[1]; NULL: there is none */
    double *basis[2];         /* their short factors, transposed */
    const double *turn;       /* width x next.stride: from lines to the next long factor; NULL: only Gram matrices */
    const double *next_basis; /* rank x stride: from there to the lines of the next X */
} pass;

/* Where the entry that is k-th by lines is among all values. */
static size_t place_of(const pt_narrow *n, int64_t k)
{
    return (size_t)(n->by_rows ? k : n->sampling->place[k]);
}

static void make_lines(const pass *p, size_t begin, size_t end, double *out)
{
    const pt_narrow *n = p->n;
    const int64_t *starts = n->by_rows ? n->sampling->row_starts : n->sampling->column_starts;
    const int32_t *index = n->by_rows ? n->sampling->column : n->sampling->row;
    memset(out, 0, (end - begin) * n->stride * sizeof *out);
    for (int i = 0; i < 2; i++)
        if (p->x[i] && p->x[i]->rank > 0)
            p->ops->multiply(long_factor(n, p->x[i]) + begin * p->x[i]->stride, p->x[i]->stride, end - begin,
                             p->basis[i], p->x[i]->rank, n->stride, out);
    for (size_t i = begin; i < end; i++)
        for (int64_t k = starts[i]; k < starts[i + 1]; k++) {
            size_t place = place_of(n, k);
            double value = p->values[place];
            if (p->values_before)
                value += p->beyond * (value - p->values_before[place]) - n->b[place];
            out[(i - begin) * n->stride + (size_t)index[k]] -= value;
        }
}

static void add_products(const pass *p, const double *block, size_t count, double *out)
{
    int64_t which[BLOCK];
    double ones[BLOCK];
    for (size_t i = 0; i < BLOCK; i++) {
        which[i] = (int64_t)i;
        ones[i] = 1;
    }
    pt_gram gram = {.rows = block, .stride = p->n->stride, .which = which, .weights = ones, .count = count};
    p->ops->gram(&gram, 0, (p->n->width + 3) / 4 * 4, out);
}

/* The next long factor, and the values at the known entries of these lines. */
static void turn_lines(const pass *p, size_t begin, size_t end, double *block)
{
    pt_narrow *n = p->n;
    const int64_t *starts = n->by_rows ? n->sampling->row_starts : n->sampling->column_starts;
    const int32_t *index = n->by_rows ? n->sampling->column : n->sampling->row;
    double *factor = long_factor(n, &n->next) + begin * n->next.stride;
    memset(factor, 0, (end - begin) * n->next.stride * sizeof *factor);
    p->ops->multiply(block, n->stride, end - begin, p->turn, n->width, n->next.stride, factor);
    memset(block, 0, (end - begin) * n->stride * sizeof *block);
    p->ops->multiply(factor, n->next.stride, end - begin, p->next_basis, n->next.rank, n->stride, block);
    for (size_t i = begin; i < end; i++)
        for (int64_t k = starts[i]; k < starts[i + 1]; k++)
            n->next_values[place_of(n, k)] = block[(i - begin) * n->stride + (size_t)index[k]];
}

static bool run_part(const pass *p, size_t part, double *block)
{
    pt_narrow *n = p->n;
    size_t first = n->lines * part / PARTS, last = n->lines * (part + 1) / PARTS;
    double *gram = n->parts + part * n->stride * n->stride;
    if (!p->turn)
        memset(gram, 0, n->stride * n->stride * sizeof *gram);
    for (size_t begin = first; begin < last; begin += BLOCK) {
        size_t end = last - begin < BLOCK ? last : begin + BLOCK;
        if (pt_interrupted(n->context))
            return false;
        make_lines(p, begin, end, block);
        if (p->turn)
            turn_lines(p, begin, end, block);
        else
            add_products(p, block, end - begin, gram);
    }
    return true;
}

/* A pass, and a block of lines for each thread. */
typedef struct shared_pass {
    const pass *pass;
    double *blocks;
    atomic_bool stopped;
} shared_pass;

static void run_part_of(void *user, size_t part, size_t thread)
{
    shared_pass *s = user;
    if (!atomic_load(&s->stopped) && !run_part(s->pass, part, s->blocks + thread * BLOCK * s->pass->n->stride))
        atomic_store(&s->stopped, true);
}

static partan_status run(const pass *p)
{
    pt_narrow *n = p->n;
    int threads = pt_matrix_threads(n->context, n->lines * n->width * n->width);
    shared_pass s = {.pass = p, .blocks = pt_alloc(n->context, (size_t)threads * BLOCK * n->stride, sizeof *s.blocks)};
    if (!s.blocks)
        return pt_out_of_memory(n->context, "a narrow matrix");
    atomic_init(&s.stopped, false);
    pt_team_run(n->context, threads, PARTS, run_part_of, &s);
    pt_free(n->context, s.blocks);
    return atomic_load(&s.stopped) ? PARTAN_INTERRUPTED : PARTAN_OK;
}

/* Eigenvalues and -vectors of the lines' Gram matrix; its trace. */
static partan_status decompose(const pass *p, double *trace)
{
    pt_narrow *n = p->n;
    partan_status status = run(p);
    *trace = 0;
    if (status)
        return status;
    for (size_t k = 0; k < n->width; k++)
        for (size_t l = 0; l <= k; l++) {
            double sum = 0;
            for (size_t part = 0; part < PARTS; part++)
                sum += n->parts[(part * n->stride + k) * n->stride + l];
            n->gram[k * n->width + l] = n->gram[l * n->width + k] = sum;
            *trace += k == l ? sum : 0;
        }
    pt_eigen(n->width, n->gram, n->eigenvalues, n->eigenvectors);
    return PARTAN_OK;
}

partan_status pt_narrow_norm(pt_narrow *n, const double *values, double *norm, double *upper)
{
    pass p = {.n = n, .ops = pt_algebra_ops_for(n->context->isa), .values = values};
    double trace;
    partan_status status = decompose(&p, &trace);
    *norm = sqrt(fmax(n->eigenvalues[0], 0));
    /* Sums of as many products as there are lines; and rotations, whose rounding is of the order of the width. */
    *upper = sqrt(*norm * *norm + (double)(n->lines + 64 * n->width) * DBL_EPSILON * trace);
    return status;
}

/* ---- Steps ---- */

/* The rank of the projection; its singular values go to `singular`. */
static size_t project(const pt_narrow *n, double *singular)
{
    size_t rank = 0, most = n->max_rank > 0 && n->max_rank < n->width ? n->max_rank : n->width;
    for (size_t k = 0; k < most; k++)
        singular[k] = sqrt(fmax(n->eigenvalues[k], 0));
    while (rank < most && singular[rank] > PRECISION * singular[0])
        rank++;
    pt_project_simplex(singular, rank, n->radius);
    while (rank > 0 && !(singular[rank - 1] > PRECISION * singular[0]))
        rank--;
    return rank;
}

/* The short factor of the next X, and what turns lines into the long one. */
static partan_status set_next(pt_narrow *n, double *turn)
{
    pt_factors *next = &n->next;
    partan_status status = pt_factors_reserve(next, n->width);
    if (status)
        return status;
    double *factor = short_factor(n, next);
    next->rank = project(n, next->singular);
    memset(factor, 0, n->width * next->stride * sizeof *factor);
    memset(turn, 0, n->width * next->stride * sizeof *turn);
    for (size_t k = 0; k < next->rank; k++) {
        double root = sqrt(next->singular[k]), length = sqrt(n->eigenvalues[k]);
        for (size_t j = 0; j < n->width; j++) {
            double v = n->eigenvectors[j * n->width + k];
            factor[j * next->stride + k] = root * v;
            turn[j * next->stride + k] = root / length * v;
        }
    }
    return PARTAN_OK;
}

/* The next X from this one and the one before. room: 4 * stride * stride. */
static partan_status take_step(pt_narrow *n, const pt_factors *x, const double *values, double beyond, double *room)
{
    size_t square = n->stride * n->stride;
    pass p = {.n = n,
              .ops = pt_algebra_ops_for(n->context->isa),
              .values = values,
              .values_before = n->before_values,
              .beyond = beyond,
              .x = {x, beyond > 0 ? &n->before : NULL},
              .basis = {room, room + square}};
    double trace;
    transpose(n, x, 1 + beyond, p.basis[0]);
    if (beyond > 0)
        transpose(n, &n->before, -beyond, p.basis[1]);
    partan_status status = decompose(&p, &trace);
    if (!status)
        status = set_next(n, room + 2 * square);
    if (status)
        return status;
    transpose(n, &n->next, 1, room + 3 * square);
    p.turn = room + 2 * square;
    p.next_basis = room + 3 * square;
    return run(&p);
}

static double objective_at(const pt_narrow *n, const double *values)
{
    double sum = 0;
    for (size_t k = 0; k < n->sampling->count; k++)
        sum += (values[k] - n->b[k]) * (values[k] - n->b[k]);
    return sum / 2;
}

/* x becomes the one before, and the next one x. */
static void advance(pt_narrow *n, pt_factors *x, double *values)
{
    size_t size = n->sampling->count * sizeof *values;
    pt_factors before = n->before;
    n->before = *x;
    *x = n->next;
    n->next = before;
    memcpy(n->before_values, values, size);
    memcpy(values, n->next_values, size);
}

partan_status pt_narrow_descend(pt_narrow *n, pt_factors *x, double *values, int steps, double enough)
{
    double *room = pt_alloc(n->context, 4 * n->stride * n->stride, sizeof *room);
    double objective = objective_at(n, values), gain = INFINITY;
    partan_status status = room ? PARTAN_OK : pt_out_of_memory(n->context, "a narrow matrix");
    if (!status && x->rank > n->width)
        status = pt_factors_balance(x, 0, n->width);
    for (int i = 0; i < steps && gain >= enough && !status; i++) {
        double momentum = (1 + sqrt(1 + 4 * n->momentum * n->momentum)) / 2;
        double beyond = n->momentum > 1 ? (n->momentum - 1) / momentum : 0;
        status = take_step(n, x, values, beyond, room);
        if (status)
            break;
        gain = objective - objective_at(n, n->next_values);
        n->momentum = gain > 0 ? momentum : 1;
        if (gain > -ROUNDING * objective) {
            objective -= gain;
            advance(n, x, values);
        } else if (beyond > 0) {
            gain = INFINITY; /* once more, without going beyond */
        }
    }
    pt_free(n->context, room);
    return status;
}
