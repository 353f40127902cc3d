/* Along a step, where a convex function is least: the slope, which grows, has almost become 0 there. */
#ifndef PT_LINE_SEARCH_H
#define PT_LINE_SEARCH_H

#include <math.h>

enum { PT_LINE_SECTIONS = 40 };
#define PT_LINE_SLOPE 0.1 /* the search ends at this share of the first slope */

/* A point from 0 to 1. `slope` is that of the function at a point. */
static inline double pt_slope_search(double (*slope)(const void *user, double at), const void *user)
{
    double low = 0, high = 1, first = slope(user, 0), at_low = first, at_high = slope(user, 1);
    if (at_high <= 0 || !(first < 0))
        return 1;
    for (int i = 0; i < PT_LINE_SECTIONS; i++) {
        double t = i % 3 == 2 ? (low + high) / 2 : low + (high - low) * at_low / (at_low - at_high);
        double s = slope(user, t);
        if (fabs(s) <= PT_LINE_SLOPE * -first)
            return t;
        if (s < 0) {
            low = t;
            at_low = s;
        } else {
            high = t;
            at_high = s;
        }
    }
    return low > 0 ? low : high;
}

#endif
