/* The active-set method's state, for its own files: solver.c, opening and closing; rounds.c, the loop; limits.c, what
 * ends it; result.c, what it gives back; start.c, where it begins; members.c, the working set; views.c, the rows
 * outside; scores.c, their scores and the gap; continuation.c, a smaller C at the start; lowrank.c, kernels of low
 * rank; gradients.c, systems of the support; fallback.c, what a run that is stopped falls back on; shared.c, rows that
 * live in several processes; neighbours.c, several processes on one machine.
 *
 * Where they do, all processes have the same working set in the same order, and do the same with it; each prices its
 * own rows. Whatever decides over the course of the run is a number that all have: `total` of a view, `all` vertices,
 * what shared.c adds up. */
#ifndef PT_ACTIVE_SET_STATE_H
#define PT_ACTIVE_SET_STATE_H

#include <math.h>

#include "active/extrapolation.h"
#include "active/pricing.h"
#include "active/solver.h"
#include "active/support_gradients.h"
#include "core/crew.h"
#include "core/random.h"
#include "core/stall.h"
#include "fw/trace.h"
#include "lowrank/newton.h"
#include "simplex/tally.h"

#define PT_CONTINUATION_GAP 0.2 /* to which the problem is solved at each smaller C */

/* The relative gap to which the working set is solved at least; chosen by measurement, see docs/notebook.md. */
#define PT_INNER_MOST 0.3

/* The working set's members: members.c. */
typedef struct pt_members {
    unsigned char *inside; /* which vertices are members */
    pt_member *list;       /* those of the working set to come */
    size_t count, capacity;
    size_t added;     /* new ones in this round */
    bool all;         /* all vertices are members, and stay */
    pt_member *found; /* violators that may join */
    size_t found_capacity;
} pt_members;

/* The rows outside: views.c. */
typedef struct pt_outside {
    pt_view near, far;
    double share;   /* of all rows that have been looked at: below 1, a random sample */
    bool grown;     /* the sample has, in this round */
    pt_random lots; /* which draw the sample */
} pt_outside;

/* Continuation in C: continuation.c. */
typedef struct pt_cost {
    double inverse;    /* 1 / C as asked for; the simplex problem's is larger during continuation */
    bool may_continue; /* no continuation yet: once is enough, */
    bool hard;         /* unless nearly all rows of a small part had weight, and the rest shows to be like it */
    bool begun;        /* the start is the solution for a C that continuation would not begin below */
} pt_cost;

/* Low-rank factors of the kernel, where it has them: lowrank.c. */
typedef struct pt_lowrank_use {
    pt_lowrank factors;
    double members; /* from which on they are looked for */
    double error;   /* of the weights: that of pt_newton_members */
    bool scored;    /* scores were made by them since they were last made by kernel values */
    bool hard;      /* pair steps made no progress */
    bool own;       /* the factors are the members' alone: of no use for the rows outside */
    bool refuted;   /* a gap by them was refuted by kernel values: of no use there either */
    bool precise;   /* the working set's scores are of kernel values in double: for the next solution */
} pt_lowrank_use;

/* Newton's method on the support: newton.c. */
typedef struct pt_newton_use {
    double spent; /* on pair steps, nanoseconds of a thread */
    bool due;     /* that is as much as it would cost */
    bool failed;  /* it found no solution, and is not tried again */
} pt_newton_use;

/* Systems of the support by conjugate gradients: gradients.c. */
typedef struct pt_gradients_use {
    pt_gradient_pivots pivots;
    double spent; /* on pair steps since the last try, nanoseconds of a thread */
    double worth; /* what pair steps would cost, as far as is known */
    int tries;    /* in the present solve */
    bool due;     /* at the next round */
    bool used;    /* at the first round of the next solve */
} pt_gradients_use;

/* Newton's method for primal problems: primal_newton.c. */
typedef struct pt_primal_use {
    pt_lowrank pivots; /* of its preconditioner, */
    double rows;       /* how many these were chosen for, */
    double root;       /* and how many by their root: as products have turned out to need them */
    bool stalled;      /* at the last working set: pair steps go on there */
} pt_primal_use;

/* The last solution of a sample: fallback.c. */
typedef struct pt_fallback {
    pt_iterate iterate;
    pt_certificate certificate; /* with its gap over all rows, or INFINITY */
    bool better;                /* than the present weights */
} pt_fallback;

/* What ends a solve: limits.c. */
typedef struct pt_limits {
    double opened, deadline; /* on the clock; a deadline of 0: none */
    double until;            /* when the present round is interrupted for it, */
    double pace;             /* seconds of pricing for each kernel value; 0: not known */
    uint64_t first_step;     /* of the present solve, */
    uint64_t rounds;         /* and its rounds so far */
    int refined;             /* times that the gap was not confirmed, */
    pt_stall refusals;       /* and the gaps that were found instead */
    pt_stall stall;          /* by full pricings */
} pt_limits;

/* Seconds that the rounds of a solve have taken so far. */
typedef struct pt_phases {
    double working, pricing;
} pt_phases;

/* What copies of rows may take: of all processes together. */
typedef struct pt_copies {
    double bytes;  /* of all rows as they are */
    double budget; /* for copies */
} pt_copies;

struct pt_active_set {
    partan_context *context;
    pt_simplex *simplex;
    const partan_settings *settings;
    size_t budget; /* bytes beside the data, in each process */
    pt_copies copies;
    pt_iterate *iterate; /* the present solve's result */

    pt_working working;
    pt_crew crew; /* of several processes on the machine, for the first one */
    pt_members members;
    pt_outside outside;
    pt_cost cost;
    pt_lowrank_use lowrank;
    pt_newton_use newton;
    pt_gradients_use gradients;
    pt_primal_use primal;
    pt_limits limits;
    pt_phases phases;
    pt_fallback fallback;
    pt_trace trace;

    size_t room;                /* of these two, `inside` and the simplex's `refined` */
    double *scores;             /* of all vertices, as of their last pricing */
    double *scratch;            /* a number for each vertex, zero between uses */
    pt_certificate certificate; /* of the rows priced so far */
    size_t support;
    double largest;   /* diagonal of a vertex that ever had weight */
    double inner_gap; /* the relative gap to which the working set is solved next */

    bool solved;                    /* once: the next solve starts by extrapolation */
    pt_extrapolation extrapolation; /* the solutions before */
    double error;                   /* of the scores, as in pt_path_point */
};

typedef struct pt_active_set method;

static inline size_t vertices(const method *m)
{
    return m->simplex->dual.vertices;
}

/* Those of all processes; and those that count as this one's, which come first, but for a slack. */
static inline size_t all_vertices(const method *m)
{
    return pt_simplex_all(m->simplex);
}

static inline size_t own_vertices(const method *m)
{
    return pt_simplex_own(m->simplex);
}

static inline double unit(const method *m)
{
    return pt_dual_unit(&m->simplex->dual, m->certificate.objective);
}

/* What differences of scores are measured by: the unit, or the root mean square of a primal problem's losses. */
static inline double score_unit(const method *m)
{
    const pt_dual *dual = &m->simplex->dual;
    return dual->primal ? sqrt(2 * unit(m) * dual->inverse_cost / dual->losses) : unit(m);
}

/* The score at which a vertex neither gains nor loses, a'g, and one this share of their unit above it. */
static inline double level(const method *m, double share)
{
    return pt_inner_product(m->certificate.objective, m->certificate.linear) + share * score_unit(m);
}

static inline double relative_gap(const method *m)
{
    return m->certificate.gap / unit(m);
}

static inline uint64_t pt_active_set_steps(const method *m) /* of the present solve */
{
    return m->working.steps - m->limits.first_step;
}

static inline double pt_active_set_work(const method *m) /* kernel values computed so far */
{
    return (double)m->working.values + (double)m->simplex->counters.kernel_values;
}

static inline bool pt_active_set_in_continuation(const method *m)
{
    return m->simplex->dual.inverse_cost > m->cost.inverse;
}

/* The relative gap that the settings ask for, and that of the problem as it is. */
static inline double wanted(const method *m)
{
    double relative = m->settings->eps / unit(m);
    return relative > m->settings->tol ? relative : m->settings->tol;
}

static inline double target(const method *m)
{
    double final = wanted(m);
    return pt_active_set_in_continuation(m) && final < PT_CONTINUATION_GAP ? PT_CONTINUATION_GAP : final;
}

/* start.c: the first working set and views, and those for another cost once there is a solution. */
partan_status pt_active_set_begin(method *m, pt_start start);
partan_status pt_active_set_resume(method *m, double inverse_cost);

/* shared.c: the vertices of some numbers, which become known here (where all rows are here, they are the same);
 * vertices that joined. Then what all processes have together: a sum, the least score (and whether to stop), the
 * greatest number; where all rows are here, these are what they are. */
partan_status pt_active_set_meet(method *m, const int64_t *numbers, size_t count, int64_t *ids);
partan_status pt_active_set_make_room(method *m);
uint64_t pt_active_set_sum(const method *m, uint64_t here);
double pt_active_set_least(const method *m, double here);
double pt_active_set_greatest(const method *m, double here);
/* The signs of the vertices of some numbers. */
void pt_active_set_signs(const method *m, const int64_t *numbers, size_t count, double *signs);
/* The worst violators of all processes, `most` at most, which become known here: *joining, which the caller frees, and
 * *count. Before it, `found` has this process's, the first `near` of them from the near rows. */
partan_status pt_active_set_exchange(method *m, pt_member *found, size_t *count, size_t near, size_t most,
                                     pt_member **joining);
/* Kernel values of a pass over a view, counted as one process would. */
void pt_active_set_count_values(method *m, const pt_view *view, uint64_t before);
void pt_active_set_agree_budget(method *m);
/* Guests that are no members have no scores here, which count for nothing. */
void pt_active_set_hide_guests(method *m);

/* views.c */
bool pt_active_set_affordable(const method *m, size_t count); /* copies of so many rows of all processes */
double pt_active_set_near(const method *m);                   /* the score below which rows are near */
/* Splits the rows outside the working set by their scores. `weights`: those that these belong to. */
partan_status pt_active_set_split(method *m, double near, const pt_weights *weights);
/* Near: this share of all rows, drawn at random, each draw a part of a larger one's. */
partan_status pt_active_set_sample(method *m, double share);
partan_status pt_active_set_view_all(method *m); /* near: all rows */
partan_status pt_active_set_renew(method *m);    /* new views, after a full pricing */
partan_status pt_active_set_shrink(method *m);   /* views without the new members, where these are many */

/* continuation.c: begins continuation in C where the problem has turned out hard in a round of so many steps, or larger
 * than what was solved when all rows have been priced; or takes the next larger C when the present one is solved or the
 * round made no progress; true when C has changed. */
bool pt_active_set_change_cost(method *m, uint64_t steps, bool stuck, bool complete);
void pt_active_set_end_continuation(method *m); /* C as asked for */
/* Takes C as asked for, and that of the solution before, if there is one. */
void pt_active_set_ask_cost(method *m, double inverse_cost);
/* Before the first working set: goes on with the smaller C of an earlier run, where it had one. */
void pt_active_set_take_cost(method *m, double inverse_cost);

/* lowrank.c: solves the working set by low-rank factors of the kernel, as pt_working_solve would, if there are any and
 * they are of use. */
partan_status pt_active_set_solve_by_lowrank(method *m, double eps, uint64_t most, bool *solved);
uint64_t pt_active_set_patience(const method *m); /* the pair steps of a round, after which it is better to */
void pt_active_set_try_lowrank(method *m);        /* look for low-rank factors */
/* The error that they leave in the scores that decide the gap. */
partan_status pt_active_set_lowrank_error(method *m, double *error);

/* newton.c: solves the working set by Newton's method, if that is due; the pair steps after which it is; and those that
 * have been done. */
partan_status pt_active_set_solve_by_newton(method *m, double eps, uint64_t most, bool *solved);
uint64_t pt_active_set_newton_patience(const method *m);
void pt_active_set_spend(method *m, uint64_t steps);
void pt_active_set_try_newton(method *m);
/* Whether the gap after it may be due to rounding, so that it is to be certified. */
bool pt_active_set_in_doubt(method *m);

/* primal_newton.c: the same for primal problems. */
partan_status pt_active_set_solve_primal(method *m, double eps, uint64_t most, bool *solved);

/* members.c */
partan_status pt_active_set_pair(method *m);                  /* primal problems: both vertices of a row join */
partan_status pt_active_set_add(method *m, pt_member member); /* to the members to come */
partan_status pt_active_set_extend(method *m, bool far);      /* the worst violators join, and the set is made */
/* The same after choosing the members that stay; without any change when asked to stop. */
partan_status pt_active_set_regroup(method *m, bool far, bool drop, bool *changed);
size_t pt_active_set_useless(const method *m); /* members that would leave */
/* Whether nearly all rows will have weight, so that each kernel value is wanted at least once, and memory has room for
 * all of them. Then they are computed once, all rows are members, and none are left to be priced. */
bool pt_active_set_wants_all(const method *m);
partan_status pt_active_set_take_all(method *m);   /* PARTAN_INTERRUPTED: the members are those that there were */
partan_status pt_active_set_retake_all(method *m); /* all stay members, whatever has weight now */

/* scores.c */
void pt_active_set_measure(method *m, bool far); /* objective, support and gap, with the far rows or without */
partan_status pt_active_set_score(method *m);    /* the working set's scores by a pass over its rows */
void pt_active_set_coarsen(method *m);           /* no score is refined any more */
/* Prices the near rows and, when it is their turn or `all` asks for them, the far ones: *complete. `due`: nothing is
 * left to do on the near ones. */
partan_status pt_active_set_price(method *m, bool all, bool due, bool *complete);

/* fallback.c: keeps the present solution, of a sample, which is better than those to come until the present one of a
 * larger sample shows to be; makes it the result, with its gap or, where there is no time, a bound of it; forgets it.
 */
partan_status pt_active_set_keep(method *m);
void pt_active_set_compare(method *m);
partan_status pt_active_set_fall_back(method *m);
void pt_active_set_forget(method *m);

/* result.c: the iterate, from the working set or the fallback, with its certificate; unless `stop` is that of a run
 * that ends, steps may go on instead of a certificate that they do not meet. Where a run that ends has no time for it,
 * the gap is a bound. `complete`: all scores are known, but for rounding. */
partan_status pt_active_set_take_weights(const method *m, pt_iterate *iterate); /* of the working set */
partan_status pt_active_set_publish(method *m, partan_status stop, bool complete, bool *met);

/* gradients.c: steps of pairs after which systems of the support by conjugate gradients would have cost no more; that
 * so many have been done; and a solution by them, where pair steps go on from, if that is due. */
uint64_t pt_active_set_gradients_patience(const method *m);
void pt_active_set_gradients_spend(method *m, uint64_t steps);
partan_status pt_active_set_solve_by_gradients(method *m, uint64_t most);
void pt_active_set_try_gradients(method *m); /* in the next round, whatever pair steps have cost */

/* neighbours.c: pair steps on the working set, which the first of several processes on a machine does for all of them;
 * and the end of the threads that it had for it. */
partan_status pt_active_set_solve_pairs(method *m, double eps, uint64_t most);
void pt_active_set_dismiss(method *m);

/* limits.c: when the present round is to end; a limit that ends the run, or PARTAN_OK, with a report of progress; and
 * what has interrupted the work. */
void pt_active_set_set_deadline(method *m);
partan_status pt_active_set_limit(method *m);
partan_status pt_active_set_interruption(method *m);
/* Between these, interruptions wait as long as who waits for the end of the run should; and whether that suffices to
 * price all rows. */
void pt_active_set_hurry_begin(method *m, partan_status stop);
void pt_active_set_hurry_end(method *m, partan_status stop);
bool pt_active_set_has_time(const method *m, partan_status stop);

/* rounds.c */
void pt_active_set_aim(method *m); /* how far the working set is solved next */
partan_status pt_active_set_run(method *m, pt_solution *solution);

#endif
