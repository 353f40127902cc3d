/* The state of the default solver (corrective.c), and its parts: pairs of the oracle (corrective_pairs.c), corrections
 * of the factors (corrective_steps.c), and the certificate (corrective_proof.c). */
#ifndef PT_CORRECTIVE_H
#define PT_CORRECTIVE_H

#include "core/stall.h"
#include "fw/trace.h"
#include "matrix/als.h"
#include "matrix/narrow.h"
#include "matrix/recovery.h"
#include "matrix/spectral.h"

#define PT_LEAST_SINGULAR 1e-7 /* of the largest: the precision of balancing */

typedef struct pt_corrective {
    pt_recovery *recovery;
    partan_context *context;
    pt_measurement *measurement;
    pt_spectral spectral;
    pt_deflation deflation;
    pt_als als;       /* where the measurements are entries, */
    pt_narrow narrow; /* and this instead where they are many of a narrow matrix */
    bool is_narrow;
    pt_factors *x;
    pt_factors kept; /* X before a sweep */
    double *values, *gradient, *image;
    double scale;     /* 1/2 |b|^2 */
    double objective; /* at X, as are values and gradient */
    double inner;     /* <G, X> */
    double lambda;
    double gap;       /* by the oracle's last answer */
    double least_gap; /* what the gap is at least */
    double attempt;   /* the least gap at which a certificate is worth computing */
    double step;      /* of the last move toward pairs */
    double core_curvature;
    double best; /* smallest relative gap seen, for progress */
    size_t used; /* pairs added the last time */
    int slow;    /* rounds that hardly lowered the objective */
    pt_stall stall;
    pt_trace trace;
    double start;
} pt_corrective;

double pt_corrective_target(const pt_corrective *c); /* the gap to reach */
double pt_corrective_dot(const pt_corrective *c, const double *x, const double *y);

/* values = A(X), and all that follows from the values: gradient, objective, <G, X>. */
partan_status pt_corrective_evaluate(pt_corrective *c);
void pt_corrective_settle(pt_corrective *c);

/* Progress; PARTAN_INTERRUPTED when asked to stop, PARTAN_TIME_LIMIT when time has run out. */
partan_status pt_corrective_report(pt_corrective *c);

/* ---- corrective_pairs.c ---- */

/* Leading pairs outside of X's own vectors, and the gap by them. They are precise to about that gap, which is enough to
 * go by: the certificate does not rest on them. */
partan_status pt_corrective_ask(pt_corrective *c);
/* Moves toward the pairs that beat X. */
partan_status pt_corrective_add_pairs(pt_corrective *c);

/* ---- corrective_steps.c ---- */

partan_status pt_corrective_correct(pt_corrective *c);
partan_status pt_corrective_undo(pt_corrective *c); /* back to the factors that were kept */

/* ---- corrective_proof.c ---- */

/* Tidies X up and computes the gap that is proven, into the recovery's solution. */
partan_status pt_corrective_certify(pt_corrective *c);

#endif
