/* The pass of the variants of Frank-Wolfe, part of the template of vector code: the new gradient and its minimum. An
 * entry has the same bits wherever it stands: rows may be cut into passes in any way. */

INLINE vd combine_some(const bool with_previous, const int terms, const pt_combination *m, const double *now,
                       const double *previous, const float *signs, const float *const *column)
{
    vd next = m->now_factor * load_double(now);
    if (with_previous)
        next += m->previous_factor * load_double(previous);
    if (terms > 0) {
        vd sum = m->factor[0] * (load_widened(column[0]) + m->bias);
        if (terms > 1)
            sum += m->factor[1] * (load_widened(column[1]) + m->bias);
        next += load_widened(signs) * sum;
    }
    return next;
}

/* The last entries, fewer than a register holds, by way of copies. */
INLINE double combine_rest(const bool with_previous, const int terms, const pt_combination *m, size_t begin, size_t i,
                           size_t count)
{
    double now[DOUBLES] = {0}, previous[DOUBLES] = {0}, next[DOUBLES];
    float signs[DOUBLES] = {0}, values[2][DOUBLES] = {{0}};
    double least = INFINITY;
    memcpy(now, m->now + i, count * sizeof *now);
    memcpy(signs, m->signs + i, count * sizeof *signs);
    if (with_previous)
        memcpy(previous, m->previous + i, count * sizeof *previous);
    for (int t = 0; t < terms; t++)
        memcpy(values[t], m->column[t] + (i - begin), count * sizeof *values[t]);
    store_double(next, combine_some(with_previous, terms, m, now, previous, signs,
                                    (const float *const[]){values[0], values[1]}));
    for (size_t k = 0; k < count; k++)
        least = next[k] < least ? next[k] : least;
    memcpy(m->next + i, next, count * sizeof *next);
    return least;
}

INLINE double combine_run(const bool with_previous, const int terms, const pt_combination *m, size_t begin, size_t end)
{
    vd least = INFINITY - (vd){0};
    size_t i = begin;
    for (; i + DOUBLES <= end; i += DOUBLES) {
        const float *const column[2] = {terms > 0 ? m->column[0] + (i - begin) : NULL,
                                        terms > 1 ? m->column[1] + (i - begin) : NULL};
        vd next = combine_some(with_previous, terms, m, m->now + i, with_previous ? m->previous + i : NULL,
                               m->signs + i, column);
        store_double(m->next + i, next);
        least = vector_min_double(least, next);
    }
    double result = i < end ? combine_rest(with_previous, terms, m, begin, i, end - i) : INFINITY;
    for (int lane = 0; lane < DOUBLES; lane++)
        result = least[lane] < result ? least[lane] : result;
    return result;
}

static double combine(const pt_combination *m, size_t begin, size_t end)
{
    if (m->previous)
        return m->terms == 1   ? combine_run(true, 1, m, begin, end)
               : m->terms == 2 ? combine_run(true, 2, m, begin, end)
                               : combine_run(true, 0, m, begin, end);
    return m->terms == 1   ? combine_run(false, 1, m, begin, end)
           : m->terms == 2 ? combine_run(false, 2, m, begin, end)
                           : combine_run(false, 0, m, begin, end);
}
