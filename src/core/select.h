/* Order statistics without sorting. */
#ifndef PT_SELECT_H
#define PT_SELECT_H

#include <stddef.h>

/* The value that would be at place `k` < count if the values were sorted, least first. Reorders them; none is NaN. */
double pt_select(double *values, size_t count, size_t k);

#endif
