/* The pass of the pair method, part of the template of vector code.
 *
 * The best gain is kept lane by lane as a fraction d^2 / eta: fractions are compared by products, and divided once.
 * Rows are numbered in float32, so that numbers and scores are chosen by the same instructions; chunks are short. */
INLINE vf iota(void)
{
    vf v;
    for (int lane = 0; lane < LANES; lane++)
        v[lane] = (float)lane;
    return v;
}

/* The new scores of as many rows as a register holds floats, as the search sees them. */
INLINE vf sweep_step(const size_t pairs, const pt_sweep *s, float *const *kept, const float *fresh, size_t stride,
                     size_t row)
{
    vd low[2];
    UNROLL for (int h = 0; h < 2; h++)
    {
        size_t at = row + (size_t)h * DOUBLES;
        vd sum = s->shift - (vd){0};
        UNROLL for (size_t c = 0; c < pairs; c++)
        {
            sum += s->kept_factor[c] * load_widened(kept[c] + at);
            sum += s->step_factor[c] * load_widened(fresh + c * stride + at);
        }
        vd score = load_double(s->scores + at) + load_widened(s->signs + at) * sum;
        store_double(s->scores + at, score);
        low[h] = (score - s->origin) * s->scale;
    }
    return vector_narrow(low[0], low[1]);
}

INLINE void sweep_found(const size_t pairs, vf least, vf least_row, const vf *top, const vf *bottom, const vf *row,
                        pt_swept *found)
{
    found->lowest = INFINITY;
    for (int lane = 0; lane < PT_TILE; lane++) {
        found->least[lane] = lane < LANES ? least[lane % LANES] : INFINITY;
        found->least_row[lane] = lane < LANES ? (int32_t)least_row[lane % LANES] : 0;
        found->lowest = found->least[lane] < found->lowest ? found->least[lane] : found->lowest;
    }
    for (size_t k = 0; k < pairs; k++) {
        vf gain = top[k] / bottom[k];
        found->gain[k] = 0;
        found->gain_row[k] = 0;
        for (int lane = 0; lane < LANES; lane++)
            if (gain[lane] > found->gain[k]) {
                found->gain[k] = gain[lane];
                found->gain_row[k] = (int32_t)row[k][lane];
            }
    }
}

INLINE void sweep_run(const size_t pairs, const pt_sweep *sweep, const float *fresh, size_t stride, size_t begin,
                      size_t end, pt_swept *found)
{
    pt_sweep s = *sweep; /* its own, so that what is stored cannot change it */
    float *kept[PT_PAIRS_MOST];
    s.scores += begin;
    s.signs += begin;
    s.diagonals += begin;
    vf least = INFINITY - (vf){0}, least_row = {0}, number = iota();
    vf top[PT_PAIRS_MOST], bottom[PT_PAIRS_MOST], best_row[PT_PAIRS_MOST];
    UNROLL for (size_t k = 0; k < pairs; k++)
    {
        kept[k] = s.kept + k * s.stride + begin;
        top[k] = best_row[k] = (vf){0};
        bottom[k] = (vf){0} + 1;
    }
    for (size_t row = 0; row < end - begin; row += LANES, number += (float)LANES) {
        vf score = sweep_step(pairs, &s, kept, fresh, stride, row);
        least_row = vector_greater(least, score, number, least_row);
        least = vector_greater(least, score, score, least);
        vf sign = 2 * load(s.signs + row), diagonal = load(s.diagonals + row);
        UNROLL for (size_t k = 0; k < pairs; k++)
        {
            vf column = load(fresh + (pairs + k) * stride + row);
            store(kept[k] + row, column);
            vf d = vector_max(score - s.seeker_score[k], (vf){0});
            vf eta = (s.seeker_diagonal[k] + diagonal) - s.seeker_sign[k] * sign * (column + s.bias);
            eta = vector_max(eta, (vf){0} + PT_LEAST_CURVATURE);
            vf gain = d * d, mine = gain * bottom[k], best = top[k] * eta;
            top[k] = vector_greater(mine, best, gain, top[k]);
            bottom[k] = vector_greater(mine, best, eta, bottom[k]);
            best_row[k] = vector_greater(mine, best, number, best_row[k]);
        }
    }
    sweep_found(pairs, least, least_row, top, bottom, best_row, found);
}

static void sweep(const pt_sweep *s, const float *fresh, size_t stride, size_t begin, size_t end, pt_swept *found)
{
    if (s->pairs == PT_PANEL / 2)
        sweep_run(PT_PANEL / 2, s, fresh, stride, begin, end, found);
    else
        sweep_run(PT_PAIRS_MOST, s, fresh, stride, begin, end, found);
}
