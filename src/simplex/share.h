/* Rows that live in several processes. Each has a share of them, one after the other, and guests: copies of other
 * processes' rows, which a solver has named. Vertices are the process's own numbers: its rows from 0 on, then its
 * guests; what they are called everywhere is their number, that of their row in the whole data.
 *
 * Solvers keep scores of guests as they do of their own rows, by the same arithmetic, so that every process knows all
 * about every vertex that ever had weight. So all of them take the same steps, and what they must tell each other is
 * only which vertex has the least score of all, and its row if it is new. */
#ifndef PT_SHARE_H
#define PT_SHARE_H

#include "core/comm.h"
#include "data/storage/matrix.h"
#include "kernel/kernel.h"

/* A kind of request to stop: the greatest of all counts. */
enum { PT_GO_ON, PT_STOP_TIME, PT_STOP_ASKED };

typedef struct pt_share {
    partan_context *context;
    pt_comm *comm;
    int64_t *firsts; /* of each process, the number of its first row; at the end how many rows there are */
    const pt_matrix *rows;
    float *signs;         /* of own rows and guests, */
    double *cost_weights; /* and C_u / C of them; NULL: 1 each */
    int64_t *origins;     /* and what they are called in the data, where these are merged rows; NULL: their numbers */
    size_t capacity;      /* of these three */
    double deadline;      /* on the clock; 0: none */
    int stopped;          /* why, once all were asked to */

    pt_matrix guests;
    size_t guest_capacity, nonzero_capacity; /* of the matrix */
    int64_t *numbers;                        /* of the guests */
    uint32_t *index;                         /* an open hash table by number: guest + 1, 0: none */
    size_t index_size;                       /* a power of two, twice the guests or more */
    unsigned char *travelled;                /* own rows that are guests elsewhere */
} pt_share;

/* `rows` are those of this process; signs are copied, and so are cost weights and origins unless NULL, each of which
 * must be NULL everywhere or nowhere. To be freed also on failure. */
partan_status pt_share_init(pt_share *share, partan_context *context, pt_comm *comm, const pt_matrix *rows,
                            const float *signs, const double *cost_weights, const int64_t *origins);
void pt_share_free(pt_share *share);

static inline size_t pt_share_own(const pt_share *share)
{
    return share->rows->rows;
}

static inline size_t pt_share_all(const pt_share *share)
{
    return (size_t)share->firsts[share->comm->size];
}

static inline int64_t pt_share_first(const pt_share *share)
{
    return share->firsts[share->comm->rank];
}

/* The number of a vertex of this process. */
static inline int64_t pt_share_number(const pt_share *share, int64_t vertex)
{
    int64_t own = (int64_t)pt_share_own(share);
    return vertex < own ? pt_share_first(share) + vertex : share->numbers[vertex - own];
}

/* What the row of a vertex is called in the data. */
static inline int64_t pt_share_origin(const pt_share *share, int64_t vertex)
{
    return share->origins ? share->origins[vertex] : pt_share_number(share, vertex);
}

/* The vertex of a number: an own row or a guest; -1: neither. */
int64_t pt_share_find(const pt_share *share, int64_t number);

/* The same, and if it is new to anybody its row goes from its owner to all, and with it `extra`, so many numbers of the
 * owner's. All processes call it for the same number. *news: the owner has sent them. */
partan_status pt_share_meet(pt_share *share, int64_t number, double *extra, size_t extra_count, int64_t *vertex,
                            bool *news);

/* The same for many at once, in one broadcast of each owner that has new ones. `vertices` may be `numbers`. */
partan_status pt_share_meet_all(pt_share *share, const int64_t *numbers, size_t count, int64_t *vertices);

/* pt_kernel_near_one of all rows: it is asked of the same ones as in one process, which travel. */
partan_status pt_share_near_one(pt_share *share, const pt_kernel *kernel, bool *near);

/* Parts of these: what comes with a row, before its nonzeros; a guest; and who has a row. */
typedef struct pt_traveller {
    uint64_t nonzeros;
    double sign, cost_weight;
    int64_t origin;
    double extra[2];
} pt_traveller;

/* What comes with an own row. */
pt_traveller pt_share_traveller(const pt_share *share, size_t own);

partan_status pt_share_add(pt_share *share, int64_t number, const pt_traveller *traveller, const int32_t *indices,
                           const float *values);
int pt_share_owner(const pt_share *share, int64_t number);

/* Vertices among own rows (a) and guests (b): which matrix, and which of its rows. */
static inline const pt_matrix *pt_share_matrix(const pt_share *share, int64_t vertex, size_t *row)
{
    size_t own = pt_share_own(share), at = (size_t)vertex;
    *row = at < own ? at : at - own;
    return at < own ? share->rows : &share->guests;
}

/* Whether anybody asks to stop: what this process has to say of it; and what all have said together, after which work
 * is interrupted in all of them. Before that no process stops by itself: interruptions are deferred. */
int pt_share_stop(const pt_share *share);
void pt_share_heed(pt_share *share, int stop);

/* Asks all of them, for solvers that look at `stopped` themselves: true when it is time to. */
bool pt_share_ask(pt_share *share);

#endif
