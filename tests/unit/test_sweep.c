/* The pass of the pair method: scores, low scores and the best partner of each seeker, on every instruction set,
 * against the formulas in double precision. */
#include "testing.h"

#include <math.h>

#include "core/random.h"
#include "kernel/pass.h"

enum { TILES = 7, ROWS = TILES * PT_TILE, STRIDE = ROWS + PT_TILE, PADDING = 5 };

typedef struct fixture {
    double scores[ROWS];
    float signs[ROWS], diagonals[ROWS], kept[PT_PAIRS_MOST][STRIDE], fresh[PT_PANEL_WIDE][STRIDE];
    double before[ROWS];
    float kept_before[PT_PAIRS_MOST][STRIDE];
    pt_sweep sweep;
} fixture;

static void fill(fixture *f, size_t pairs, double deviation, uint64_t seed)
{
    pt_random random;
    pt_random_seed(&random, seed);
    for (size_t i = 0; i < ROWS; i++) {
        bool padding = i >= ROWS - PADDING;
        f->before[i] = f->scores[i] = padding ? INFINITY : 3 + deviation * pt_random_normal(&random);
        f->signs[i] = padding ? 0 : pt_random_uniform(&random) < 0.5 ? 1 : -1;
        f->diagonals[i] =
            pt_random_uniform(&random) < 0.4 || padding ? INFINITY : 2 + (float)pt_random_uniform(&random);
    }
    for (size_t c = 0; c < PT_PANEL_WIDE; c++)
        for (size_t i = 0; i < STRIDE; i++)
            f->fresh[c][i] = (float)pt_random_uniform(&random);
    for (size_t c = 0; c < PT_PAIRS_MOST; c++)
        for (size_t i = 0; i < STRIDE; i++)
            f->kept_before[c][i] = f->kept[c][i] = (float)pt_random_uniform(&random);
    f->sweep = (pt_sweep){.pairs = pairs,
                          .scores = f->scores,
                          .signs = f->signs,
                          .diagonals = f->diagonals,
                          .kept = f->kept[0],
                          .stride = STRIDE,
                          .bias = seed % 5 ? 1 : 0.25f,
                          .shift = 0.3 * deviation,
                          .origin = 3 - deviation,
                          .scale = 1 / deviation};
    for (size_t k = 0; k < pairs; k++) {
        f->sweep.kept_factor[k] = 0.1 * deviation * pt_random_normal(&random);
        f->sweep.step_factor[k] = 0.1 * deviation * pt_random_normal(&random);
        f->sweep.seeker_score[k] = k == 1 ? INFINITY : (float)pt_random_uniform(&random);
        f->sweep.seeker_sign[k] = k % 2 ? 1 : -1;
        f->sweep.seeker_diagonal[k] = 2 + (float)pt_random_uniform(&random);
    }
}

static void check_scores(const fixture *f, size_t begin, size_t end)
{
    const pt_sweep *s = &f->sweep;
    for (size_t i = 0; i < ROWS; i++) {
        double sum = s->shift;
        for (size_t c = 0; c < s->pairs; c++)
            sum += s->kept_factor[c] * (double)f->kept_before[c][i]
                   + s->step_factor[c] * (double)f->fresh[c][i >= begin ? i - begin : 0];
        bool inside = i >= begin && i < end, padding = i >= ROWS - PADDING;
        double expected = f->before[i] + (inside && !padding ? (double)f->signs[i] * sum : 0);
        assert_true(f->scores[i] == expected || fabs(f->scores[i] - expected) <= 1e-14 * (1 + 1 / s->scale));
        for (size_t k = 0; k < PT_PAIRS_MOST; k++)
            assert_true(f->kept[k][i]
                        == (inside && k < s->pairs ? f->fresh[s->pairs + k][i - begin] : f->kept_before[k][i]));
    }
}

/* All low scores are true, one of them is the least, and no row is named twice. */
static void check_least(const fixture *f, size_t begin, size_t end, const pt_swept *found)
{
    double least = INFINITY;
    float lowest = INFINITY;
    for (size_t i = begin; i < end; i++)
        least = fmin(least, (f->scores[i] - f->sweep.origin) * f->sweep.scale);
    for (size_t lane = 0; lane < PT_TILE; lane++) {
        if (found->least[lane] == INFINITY)
            continue;
        size_t i = begin + (size_t)found->least_row[lane];
        double score = (f->scores[i] - f->sweep.origin) * f->sweep.scale;
        assert_true(i < end && fabs((double)found->least[lane] - score) <= 1e-6 * (1 + fabs(score)));
        lowest = found->least[lane] < lowest ? found->least[lane] : lowest;
        for (size_t other = 0; other < lane; other++)
            assert_true(found->least[other] == INFINITY || found->least_row[other] != found->least_row[lane]);
    }
    assert_true(fabs((double)lowest - least) <= 1e-6 * (1 + fabs(least)));
}

static double gain(const fixture *f, size_t k, size_t i, size_t begin)
{
    const pt_sweep *s = &f->sweep;
    double d = (f->scores[i] - s->origin) * s->scale - (double)s->seeker_score[k];
    double column = (double)f->fresh[s->pairs + k][i - begin];
    double eta = (double)s->seeker_diagonal[k] + (double)f->diagonals[i]
                 - 2 * (double)(s->seeker_sign[k] * f->signs[i]) * (column + (double)s->bias);
    return d > 0 && isfinite(f->diagonals[i]) ? d * d / fmax(eta, (double)PT_LEAST_CURVATURE) : 0;
}

static void check_gains(const fixture *f, size_t begin, size_t end, const pt_swept *found)
{
    for (size_t k = 0; k < f->sweep.pairs; k++) {
        double best = 0;
        for (size_t i = begin; i < end; i++)
            best = fmax(best, gain(f, k, i, begin));
        size_t i = begin + (size_t)found->gain_row[k];
        assert_true(i < end);
        assert_true(fabs((double)found->gain[k] - best) <= 1e-4 * best);
        assert_true(best == 0 || fabs(gain(f, k, i, begin) - best) <= 1e-4 * best);
    }
}

static void sweeps_agree(void **state)
{
    (void)state;
    static fixture f;
    static const size_t ranges[][2] = {{0, ROWS}, {0, PT_TILE}, {PT_TILE, 4 * PT_TILE}, {6 * PT_TILE, ROWS}};
    for (int isa = 0; isa < PT_ISA_COUNT; isa++)
        for (uint64_t seed = 1; seed <= 24 && pt_isa_available((pt_isa)isa); seed++) {
            const size_t *range = ranges[seed % 4];
            pt_swept found;
            fill(&f, seed % 3 ? PT_PANEL / 2 : PT_PAIRS_MOST, seed % 2 ? 1 : 1e-9, seed);
            pt_pass_ops_for((pt_isa)isa)->sweep(&f.sweep, f.fresh[0], STRIDE, range[0], range[1], &found);
            check_scores(&f, range[0], range[1]);
            check_least(&f, range[0], range[1], &found);
            check_gains(&f, range[0], range[1], &found);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(sweeps_agree)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
