/* Rows that live in several processes. Each has a share of them, one after the other, and guests: copies of other
 * processes' rows, which a solver has named. Rows and vertices are counted in each process by itself: its rows from 0
 * on and their vertices, then the guests and theirs (simplex/dual.h). What they are called everywhere is their number,
 * that of the row or vertex in the whole data.
 *
 * Solvers keep scores of guests as they do of their own rows, by the same arithmetic, so that every process knows all
 * about every vertex that ever had weight. So all of them take the same steps, and what they must tell each other is
 * only which vertex has the least score of all, and its row if it is new. */
#ifndef PT_SHARE_H
#define PT_SHARE_H

#include "core/comm.h"
#include "data/storage/matrix.h"
#include "kernel/kernel.h"
#include "simplex/dual.h"

/* A kind of request to stop: the greatest of all counts. */
enum { PT_GO_ON, PT_STOP_TIME, PT_STOP_ASKED };

enum { PT_MOST_LAYERS = 2 };

typedef struct pt_share {
    partan_context *context;
    pt_comm *comm;
    int64_t *firsts; /* of each process, the number of its first row; at the end how many rows there are */
    const pt_matrix *rows;
    double deadline; /* on the clock; 0: none */
    int stopped;     /* why, once all were asked to */
    bool relaying;   /* this process works for its neighbours, who sleep */
    bool near_one;   /* solvers compute the kernel less 1 */

    /* What own vertices, the slack and guests' vertices have, once a problem is posed: as in a pt_dual. */
    size_t layers;
    bool slack;
    int64_t slack_row;
    float *signs;
    double *cost_weights; /* NULL: 1 each; those of a row are the same */
    double *linear;       /* NULL: 0 each */
    size_t capacity;      /* of these three */
    int64_t *origins; /* what own rows and guests are called in the data, where these are merged; NULL: their numbers */
    size_t origin_capacity;

    pt_matrix guests;
    size_t guest_capacity, nonzero_capacity; /* of the matrix */
    int64_t *numbers;                        /* of the guests */
    uint32_t *index;                         /* an open hash table by number: guest + 1, 0: none */
    size_t index_size;                       /* a power of two, twice the guests or more */
    unsigned char *travelled;                /* own rows that are guests elsewhere */
} pt_share;

/* `rows` are those of this process, which may be the only one (comm NULL). Until a problem is posed, rows are their own
 * vertices, and have nothing. To be freed also on failure, which is that of all. */
partan_status pt_share_open(pt_share *share, partan_context *context, pt_comm *comm, const pt_matrix *rows);
void pt_share_free(pt_share *share);

/* What the vertices of these rows have, which is copied, and what the rows are called; before any of them travels. Cost
 * weights, linear terms and origins must be NULL everywhere or nowhere. */
partan_status pt_share_pose(pt_share *share, const pt_dual *dual, const int64_t *origins);
/* The dual of all vertices that are here now. */
void pt_share_take(const pt_share *share, pt_dual *dual);

/* Rows that are here, and of all processes. */
static inline size_t pt_share_own(const pt_share *share)
{
    return share->rows->rows;
}

static inline size_t pt_share_all(const pt_share *share)
{
    return (size_t)share->firsts[share->comm ? share->comm->size : 1];
}

/* The number of the first one that is here. */
static inline int64_t pt_share_first(const pt_share *share)
{
    return share->firsts[share->comm ? share->comm->rank : 0];
}

/* Vertices of all processes: their numbers are below it, and the slack's is the last one. */
static inline size_t pt_share_all_vertices(const pt_share *share)
{
    return share->layers * pt_share_all(share) + share->slack;
}

static inline bool pt_share_is_slack(const pt_share *share, int64_t number)
{
    return share->slack && number == (int64_t)(pt_share_all_vertices(share) - 1);
}

/* The vertices that are here; those that count as this process's, the first of them. Of a slack all know, and the first
 * process counts it. */
static inline size_t pt_share_vertices(const pt_share *share)
{
    return share->layers * (pt_share_own(share) + share->guests.rows) + share->slack;
}

static inline size_t pt_share_own_vertices(const pt_share *share)
{
    return share->layers * pt_share_own(share) + (share->slack && share->comm->rank == 0);
}

/* The number of a row of this process, or of its guests. */
static inline int64_t pt_share_row_number(const pt_share *share, int64_t row)
{
    int64_t own = (int64_t)pt_share_own(share);
    return row < own ? pt_share_first(share) + row : share->numbers[row - own];
}

/* What it is called in the data. */
static inline int64_t pt_share_origin(const pt_share *share, int64_t row)
{
    return share->origins ? share->origins[row] : pt_share_row_number(share, row);
}

/* The own row or guest of a number; -1: neither. */
int64_t pt_share_find_row(const pt_share *share, int64_t number);

/* The same of vertices. */
int64_t pt_share_number(const pt_share *share, int64_t vertex);
int64_t pt_share_find(const pt_share *share, int64_t number);

/* The vertex of a number, if it counts as this process's; else -1. */
int64_t pt_share_find_own(const pt_share *share, int64_t number);

/* The vertex of a number, and if its row is new to anybody this goes from its owner to all, and with it `extra`, two
 * numbers of each of its vertices (NULL: none). All processes call it for the same number. *news: the owner has sent
 * it. */
partan_status pt_share_meet(pt_share *share, int64_t number, double (*extra)[2], int64_t *vertex, bool *news);

/* The same for many at once, in one broadcast of each owner that has new ones. `vertices` may be `numbers`. A failure
 * of one is that of all, here and below. */
partan_status pt_share_meet_all(pt_share *share, const int64_t *numbers, size_t count, int64_t *vertices);

/* Rows of any processes, by their numbers, as a matrix that each has. */
partan_status pt_share_gather(pt_share *share, const int64_t *numbers, size_t count, pt_matrix *rows);

/* Finds pt_kernel_near_one of the rows of all processes: it is asked of the same ones as in one process, which travel.
 */
partan_status pt_share_near_one(pt_share *share, const pt_kernel *kernel);

/* Parts of these: what comes with a row, before its nonzeros; a guest; and who has a row. */
typedef struct pt_traveller {
    uint64_t nonzeros;
    int64_t origin;
    double cost_weight;
    struct {
        double sign, linear, extra[2];
    } vertices[PT_MOST_LAYERS];
} pt_traveller;

/* How much of it travels. */
size_t pt_share_traveller_size(const pt_share *share);

/* What comes with an own row. */
pt_traveller pt_share_traveller(const pt_share *share, size_t own);

partan_status pt_share_add(pt_share *share, int64_t number, const pt_traveller *traveller, const int32_t *indices,
                           const float *values);
int pt_share_owner(const pt_share *share, int64_t number);

/* Rows among own ones (a) and guests (b): which matrix, and which of its rows. */
static inline const pt_matrix *pt_share_matrix(const pt_share *share, int64_t row, size_t *at)
{
    size_t own = pt_share_own(share), place = (size_t)row;
    *at = place < own ? place : place - own;
    return place < own ? share->rows : &share->guests;
}

/* Whether anybody asks to stop: what this process has to say of it; and what all have said together, after which work
 * is interrupted in all of them. Before that no process stops by itself: interruptions are deferred. */
int pt_share_stop(const pt_share *share);
void pt_share_heed(pt_share *share, int stop);

/* Asks all of them, for solvers that look at `stopped` themselves: true when it is time to. */
bool pt_share_ask(pt_share *share);

#endif
