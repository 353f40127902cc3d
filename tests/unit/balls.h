/* What the tests of problems over norm balls share: one run of a variant, what must hold of every answer, and the
 * projection onto the l1 ball, for an independent solver. */
#ifndef BALLS_H
#define BALLS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/random.h"
#include "fw/solve.h"
#include "testing.h"

/* Runs a variant from vertex 0 to a relative gap. */
static inline void ball_solve(pt_problem *problem, int solver, double tol, pt_fw *fw, pt_solution *solution)
{
    partan_settings s;
    partan_settings_init(&s);
    s.solver = (partan_solver)solver;
    s.tol = tol;
    s.max_iter = 200000;
    int64_t first = 0;
    double one = 1;
    assert_int_equal(pt_solve(problem, &s, (pt_start){.ids = &first, .weights = &one, .count = 1}, fw, solution),
                     PARTAN_OK);
    if (solution->status != PARTAN_OK)
        fail_msg("%s: %s after %lld iterations, relative gap %g", partan_solver_name(s.solver),
                 partan_status_name(solution->status), (long long)fw->iteration, solution->relative_gap);
    double sum = 0;
    for (size_t i = 0; i < fw->iterate.count; i++) {
        assert_true(fw->iterate.now[i] >= 0);
        sum += fw->iterate.now[i];
    }
    assert_true(fabs(sum - 1) <= 1e-12);
    assert_true(solution->converged && solution->relative_gap <= tol);
}

/* The certificate against what the definitions give: objective and gap of the answer, and the minimum. */
static inline void ball_check(const pt_problem *problem, const pt_solution *solution, double objective, double gap,
                              double minimum)
{
    const pt_certificate *c = &solution->certificate;
    double f = c->objective + problem->constant, rounding = 1e-10 * problem->constant;
    assert_true(fabs(f - objective) <= rounding);
    assert_true(c->gap >= gap - rounding && objective - minimum <= c->gap + rounding);
    assert_true(objective >= minimum - rounding);
    assert_true(fabs(solution->relative_gap - c->gap / problem->constant) <= 1e-15);
}

static int descending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x < y) - (x > y);
}

/* The nearest point of the l1 ball, in place: all magnitudes less by the same amount, those below it 0. */
static inline void project_l1(double *x, size_t n, double radius)
{
    double *sorted = malloc(n * sizeof *sorted), sum = 0, less = 0;
    for (size_t i = 0; i < n; i++)
        sorted[i] = fabs(x[i]);
    qsort(sorted, n, sizeof *sorted, descending);
    for (size_t i = 0; i < n && (sum + sorted[i] - radius) / (double)(i + 1) < sorted[i]; i++) {
        sum += sorted[i];
        less = (sum - radius) / (double)(i + 1);
    }
    for (size_t i = 0; i < n && less > 0; i++)
        x[i] = copysign(fmax(fabs(x[i]) - less, 0), x[i]);
    free(sorted);
}

#endif
