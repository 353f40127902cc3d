/* The L2-SVM as a quadratic on the unit simplex:
 *
 *     min 1/2 a'Ka + c'a,  K_ij = y_i y_j (k(x_i, x_j) + bias) + [i=j] / C_i,  a >= 0, sum a = 1
 *
 * (simplex/dual.h has what K is) in two ways: with the gradient g = Ka + c kept for all vertices (full.c), and with
 * nothing of the size of the data, the gradient being computed where a random sample looks (sampled.c). What both
 * share: rows.c, all that is asked of the rows; simplex.c, entries of K and sums; support.c, gradients by sums over a
 * support; certificate.c, objective and gap from scratch. */
#ifndef PT_SIMPLEX_H
#define PT_SIMPLEX_H

#include "fw/problem.h"
#include "kernel/block.h"
#include "lowrank/lowrank.h"
#include "simplex/dual.h"
#include "simplex/share.h"

typedef struct pt_counters {
    uint64_t kernel_columns;
    uint64_t kernel_values; /* the unit of work */
    uint64_t cache_hits;
} pt_counters;

typedef struct pt_simplex {
    pt_problem problem; /* first: the variants see this */
    pt_kernel kernel;
    pt_points points; /* the rows */
    pt_dual dual;     /* what K is */
    pt_share *share;  /* where rows live in several processes, as do those above then; NULL: all are here */
    pt_block block;
    pt_lowrank *lowrank; /* low-rank factors of the kernel, by which sums may be made; NULL: none */
    pt_counters counters;
    double largest;  /* k(x, x), or what bounds values; 0: not known */
    double *selves;  /* k(x, x) of each row, where it is not 1; NULL: computed when asked for */
    double rounding; /* the largest error of a score by float32 kernel values that a certificate has found so far */
    unsigned char *refined; /* the vertices whose scores were last computed in double, and have changed since then by
                             * steps alone, whose errors are less; NULL: not known of any */
} pt_simplex;

/* For kernel values that make an objective or a gradient infinite or no number. */
#define PT_SIMPLEX_NOT_FINITE                                                                                          \
    "kernel values leave the range of float32; scale the data or choose other kernel parameters"

/* What is added to k itself, whereas dual.bias is added to what the kernel's values are, which may be k - 1. */
static inline double pt_simplex_bias(const pt_simplex *simplex)
{
    return simplex->dual.bias - (simplex->kernel.less_one ? 1 : 0);
}

/* The matrix that has a row, own or a guest's, and where; the same of a vertex's row. */
static inline const pt_matrix *pt_simplex_row_matrix(const pt_simplex *simplex, int64_t row, size_t *at)
{
    if (simplex->share)
        return pt_share_matrix(simplex->share, row, at);
    *at = (size_t)row;
    return simplex->points.matrix;
}

static inline const pt_matrix *pt_simplex_matrix(const pt_simplex *simplex, int64_t id, size_t *row)
{
    return pt_simplex_row_matrix(simplex, pt_dual_row(&simplex->dual, id), row);
}

/* Rows and vertices that there are in all processes; and the vertices that count as this one's, which come first. */
static inline size_t pt_simplex_all(const pt_simplex *simplex)
{
    return simplex->share ? pt_share_all_vertices(simplex->share) : simplex->dual.vertices;
}

static inline size_t pt_simplex_own(const pt_simplex *simplex)
{
    return simplex->share ? pt_share_own_vertices(simplex->share) : simplex->dual.vertices;
}

static inline size_t pt_simplex_rows(const pt_simplex *simplex)
{
    return simplex->share ? pt_share_all(simplex->share) : simplex->points.matrix->rows;
}

/* What a vertex is called in all of them. */
static inline int64_t pt_simplex_number(const pt_simplex *simplex, int64_t id)
{
    return simplex->share ? pt_share_number(simplex->share, id) : id;
}

/* The vertex of a number, if it counts as this process's; else -1. */
static inline int64_t pt_simplex_find_own(const pt_simplex *simplex, int64_t number)
{
    return simplex->share ? pt_share_find_own(simplex->share, number) : number;
}

/* pt_share_meet of the simplex's share, after which the vertex is one of the dual. */
partan_status pt_simplex_meet(pt_simplex *simplex, int64_t number, double (*extra)[2], int64_t *vertex, bool *news);

/* The same for many, by pt_share_meet_all. */
partan_status pt_simplex_meet_all(pt_simplex *simplex, const int64_t *numbers, size_t count, int64_t *vertices);

/* Sums over all vertices in the order of their numbers, whose bits thus do not depend on who has which: `add` is called
 * for ranges of vertices that are here. */
typedef void pt_range_adder(void *user, size_t begin, size_t end, double *values);
void pt_simplex_add_up(const pt_simplex *simplex, pt_range_adder *add, void *user, double *values, size_t count);

/* Whether it is time to stop work between looks of the active-set solver; several processes ask each other. */
bool pt_simplex_interrupted(const pt_simplex *simplex);

double pt_simplex_self(const pt_simplex *simplex, int64_t id);     /* k(x_i, x_i) */
partan_status pt_simplex_keep_selves(pt_simplex *simplex);         /* all of them, until the caller frees `selves` */
double pt_simplex_diagonal(const pt_simplex *simplex, int64_t id); /* K_ii */

double pt_simplex_largest(pt_simplex *simplex); /* no |k(x, z)| is larger; it may take a look at every row */
double pt_largest_value(partan_context *context, const pt_kernel *kernel, pt_points points); /* the same of any rows */

/* The least that a score without linear term could be, where w squared, and k(x, x) with the bias at most, are these.
 */
double pt_least_score(const pt_kernel *kernel, double squared, double self);

/* The gap as far as it is known without more kernel values (bound.c): for the certificate's objective and its gap, if
 * that was found over all vertices, but for rounding in float32; INFINITY: not over all. */
void pt_simplex_bound(pt_problem *simplex, const pt_iterate *iterate, pt_certificate *certificate);

/* The rows, own and guests, as low-rank factors name them. */
pt_lowrank_points pt_simplex_points(const pt_simplex *simplex);

/* Low-rank factors of the problem's kernel, as pt_lowrank_make. */
partan_status pt_simplex_factors(pt_simplex *simplex, double residual, size_t most, pt_lowrank *lowrank);
/* Those of some vertices alone. */
partan_status pt_simplex_factors_among(pt_simplex *simplex, double residual, const int64_t *ids, size_t count,
                                       size_t most, pt_lowrank *lowrank);

/* sums[i] = sum_j weights[j] k(rows_i, vertex ids[j]), for gathered rows or, where `rows` are the problem's own, for
 * the row of each vertex. */
partan_status pt_simplex_sums(pt_simplex *simplex, const pt_matrix *rows, const int64_t *ids, const double *weights,
                              size_t count, double *sums);

/* Whether sums over so many vertices are made by low-rank factors of the kernel. */
bool pt_simplex_by_lowrank(const pt_simplex *simplex, size_t count);

/* g = Ka + c over all vertices from the current weights alone, with kernel values in float32. */
partan_status pt_simplex_gradient(pt_simplex *simplex, const pt_iterate *iterate, double *gradient);

/* Objective and gap from a gradient over all vertices that belongs to the current weights. Where float32 kernel values
 * would leave in doubt whether the gap is at most `target`, the entries that decide it are computed again in double
 * precision, and left in the gradient. Unless the result is to be `final`, a few of them may show that the gap is
 * larger: then it is what these few give, and the gradient is left as it is. */
partan_status pt_simplex_check(pt_simplex *simplex, const pt_iterate *iterate, double target, bool final,
                               double *gradient, pt_certificate *certificate);

/* Both: objective and gap of the current weights from scratch, leaving g over all vertices in `gradient`. */
partan_status pt_simplex_certify(pt_simplex *simplex, const pt_iterate *iterate, double target, bool final,
                                 double *gradient, pt_certificate *certificate);

/* Bytes that a setting of cache_bytes (-1: automatic) allows beside the data. */
size_t pt_simplex_budget(int64_t cache_bytes);

/* Makers; pt_problem_free frees either kind. `share` is NULL where all rows are here. */
partan_status pt_simplex_full(partan_context *context, const pt_kernel *kernel, pt_points points, const pt_dual *dual,
                              pt_share *share, int64_t cache_bytes, pt_problem **problem);
partan_status pt_simplex_sampled(partan_context *context, const pt_kernel *kernel, pt_points points,
                                 const pt_dual *dual, pt_share *share, size_t sample, uint64_t seed,
                                 pt_problem **problem);

/* What both kinds share. */
partan_status pt_simplex_init(pt_simplex *simplex, partan_context *context, const pt_kernel *kernel, pt_points points,
                              const pt_dual *dual);
double pt_simplex_scale(const pt_problem *problem, double objective);
uint64_t pt_simplex_work(const pt_problem *problem);
void pt_simplex_trace(const pt_problem *problem, partan_trace_row *row);

#endif
