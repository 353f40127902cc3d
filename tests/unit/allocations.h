/* What the works of test_allocations share. A work goes on with NEXT as long as all is well, and frees all it made. */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include "failing.h"
#include "public_calls.h"

#define NEXT(expression)                                                                                               \
    do {                                                                                                               \
        if (!status)                                                                                                   \
            status = (expression);                                                                                     \
    } while (0)

/* Files that works read and write; `name` tells them apart. */
static inline const char *work_path(const char *name)
{
    static char paths[8][128];
    static size_t turn;
    turn = (turn + 1) % 8;
    return temporary_path(paths[turn], sizeof paths[turn], name);
}

static inline partan_status some_rows(partan_context *context, uint64_t rows, partan_data **data)
{
    partan_generator_options make;
    CALL(partan_generator_options_init)(&make);
    make.kind = "twonorm";
    make.rows = rows;
    make.features = 3;
    return CALL(partan_generate)(context, &make, PARTAN_STORAGE_DENSE, data);
}

static inline void make_table(void)
{
    make_file(work_path(".csv"), "y,a,b\nno,1,2\nyes,2.5,1\nno,0,3\nyes,3,0.5\nno,1,2.5\nyes,4,0\nno,0.5,2\nyes,3,1\n");
}

#endif
