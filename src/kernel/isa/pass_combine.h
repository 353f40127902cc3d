/* The pass of the variants of Frank-Wolfe, part of the template of vector code: the new gradient and its minimum. */

INLINE double combine_one(const pt_combination *m, size_t begin, size_t i)
{
    double sum = 0;
    for (int t = 0; t < m->terms; t++)
        sum += m->factor[t] * ((double)m->column[t][i - begin] + m->bias);
    double next = m->now_factor * m->now[i] + (double)m->signs[i] * sum;
    return m->previous ? next + m->previous_factor * m->previous[i] : next;
}

INLINE double combine_run(const bool with_previous, const int terms, const pt_combination *m, size_t begin, size_t end)
{
    const double bias = m->bias;
    vd least = INFINITY - (vd){0};
    size_t i = begin;
    for (; i + DOUBLES <= end; i += DOUBLES) {
        vd next = m->now_factor * load_double(m->now + i);
        if (with_previous)
            next += m->previous_factor * load_double(m->previous + i);
        if (terms > 0) {
            vd sum = m->factor[0] * (load_widened(m->column[0] + (i - begin)) + bias);
            if (terms > 1)
                sum += m->factor[1] * (load_widened(m->column[1] + (i - begin)) + bias);
            next += load_widened(m->signs + i) * sum;
        }
        store_double(m->next + i, next);
        least = vector_min_double(least, next);
    }
    double result = INFINITY;
    for (int lane = 0; lane < DOUBLES; lane++)
        result = least[lane] < result ? least[lane] : result;
    for (; i < end; i++) {
        m->next[i] = combine_one(m, begin, i);
        result = m->next[i] < result ? m->next[i] : result;
    }
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
