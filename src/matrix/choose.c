/* Choice of the radius: fits at growing radii, each from the one before, judged by entries that were held out. */
#include <math.h>

#include "core/clock.h"
#include "core/require.h"
#include "core/sized.h"
#include "matrix/fit.h"
#include "matrix/settings.h"
#include "matrix/spectral.h"

enum { WORSE = 2 }; /* radii in a row with a growing error, after which there is nothing to look for */

#define RATIO  1.25  /* of successive radii */
#define WORST  1.003 /* of the least error: one radius that is so much worse is enough */
#define INSIDE 0.99  /* of the radius */
#define FIRST  0.5   /* of the radius at which one pair has its best weight */

typedef struct choice {
    pt_fit fit;
    partan_ratings *kept, *held;
    partan_matrix_callback point;
    void *user;
    double deadline;
    double last; /* error of the last point */
    int worse;
    bool inside; /* the last solution's norm is below its radius */
    partan_matrix_point best;
} choice;

/* With the leading pair u, v of b: the t at which t u v' fits b best, <b, A(uv')> / |A(uv')|^2. */
static partan_status first_radius(pt_fit *fit, double *radius)
{
    pt_spectral spectral;
    size_t count = fit->measurement.map.count;
    double *image = pt_alloc(fit->context, count, sizeof *image);
    partan_status status = pt_spectral_make(&spectral, &fit->measurement, fit->recovery.settings.seed);
    if (!status && !image)
        status = pt_out_of_memory(fit->context, "measurements");
    if (!status) {
        pt_measurement_prepare(&fit->measurement, fit->b);
        status = pt_spectral_pairs(&spectral, fit->b, 1, 0.01);
    }
    if (!status)
        status = pt_measurement_apply_pair(&fit->measurement, spectral.pairs.left, spectral.pairs.right, image);
    if (!status) {
        double along = pt_dot(fit->context, fit->b, image, count), square = pt_dot(fit->context, image, image, count);
        *radius = along > 0 && square > 0 ? FIRST * along / square : 1;
    }
    pt_spectral_free(&spectral);
    pt_free(fit->context, image);
    return status;
}

/* Errors at the entries held out, which have the rows and columns of the fit's. */
static void judge(const choice *c, partan_matrix_point *point)
{
    const partan_ratings *held = c->held;
    const pt_factors *x = &c->fit.recovery.x;
    const pt_offsets *offsets = &c->fit.offsets;
    double squares = 0, sum = 0;
    for (size_t i = 0; i < held->rows.count; i++)
        for (int64_t k = held->starts[i]; k < held->starts[i + 1]; k++) {
            size_t j = (size_t)held->column[k];
            double error = offsets->mean + offsets->row[i] + offsets->column[j] - held->value[k];
            for (size_t r = 0; r < x->rank; r++)
                error += x->left[i * x->stride + r] * x->right[j * x->stride + r];
            squares += error * error;
            sum += fabs(error);
        }
    point->held = held->count;
    point->held_rmse = sqrt(squares / (double)held->count);
    point->held_mae = sum / (double)held->count;
}

/* One radius. A positive status says that it is the last. */
static partan_status try(choice *c, double radius)
{
    pt_recovery *r = &c->fit.recovery;
    c->fit.start = pt_clock();
    pt_progress_begin(c->fit.context, "train");
    if (c->deadline > 0)
        r->settings.time_limit = fmax(c->deadline - pt_clock(), 1e-9);
    partan_status status = pt_fit_solve(&c->fit, radius);
    if (status)
        return status;
    partan_matrix_point point;
    partan_matrix_point_init(&point);
    point.radius = radius;
    pt_fit_result(&c->fit, &point.result);
    judge(c, &point);
    status = point.result.status == PARTAN_TIME_LIMIT || point.result.status == PARTAN_INTERRUPTED ? point.result.status
                                                                                                   : PARTAN_OK;
    if (!(point.held_rmse >= c->best.held_rmse))
        c->best = point;
    c->worse = point.held_rmse > c->last ? c->worse + 1 : 0;
    c->last = point.held_rmse;
    c->inside = point.result.nuclear_norm < INSIDE * radius;
    if (c->point && c->point(c->user, &point) && !status)
        status = PARTAN_INTERRUPTED;
    return status;
}

/* Whether larger radii are worth trying. A solution inside the ball is that of every larger radius too. */
static bool is_promising(const choice *c)
{
    return !c->inside && c->worse < WORSE && !(c->last > WORST * c->best.held_rmse);
}

static partan_status run(choice *c, int64_t points)
{
    double radius = 0;
    partan_status status = first_radius(&c->fit, &radius);
    for (int64_t i = 0; i < points && !status && is_promising(c); i++, radius *= RATIO)
        status = try(c, radius);
    return status;
}

PT_STRUCT_INIT(partan_matrix_point, .radius = 0)

partan_status partan_matrix_choose(partan_context *context, const partan_ratings *ratings,
                                   const partan_settings *settings, const partan_matrix_settings *matrix_settings,
                                   partan_matrix_callback point, void *user, partan_matrix_point *best)
{
    PT_REQUIRE(context, context && ratings && matrix_settings && best);
    PT_TAKE(context, partan_settings, settings);
    PT_TAKE(context, partan_matrix_settings, matrix_settings);
    PT_CHECK_OUTPUT(context, partan_matrix_point, best);
    choice c = {.point = point, .user = user, .last = NAN, .best.held_rmse = NAN};
    partan_settings checked;
    partan_status status = pt_matrix_solver_settings(context, settings, matrix_settings, &checked);
    c.deadline = checked.time_limit > 0 ? pt_clock() + checked.time_limit : 0;
    if (!status)
        status = partan_ratings_split(context, ratings, matrix_settings->held_out, checked.seed, &c.kept, &c.held);
    if (!status) {
        status = pt_fit_open(&c.fit, context, c.kept, settings, matrix_settings);
        if (!status)
            status = run(&c, matrix_settings->points);
        pt_fit_close(&c.fit);
    }
    if (status >= 0 && !isnan(c.best.held_rmse))
        pt_struct_give(best, &c.best, sizeof c.best);
    partan_ratings_free(c.kept);
    partan_ratings_free(c.held);
    return status;
}
