#include "core/ranked.h"

#include "core/agree.h"

enum { PIECE = 4096 }; /* things that travel at a time */

/* A process's things, of which a piece is at hand. */
typedef struct stream {
    char *things;
    size_t at, end; /* of the piece */
    uint64_t left;  /* things after it */
} stream;

typedef struct merging {
    pt_comm *comm;
    pt_ranked *mine;
    stream *streams;
    int *heap; /* of streams at hand, the one whose thing is first on top */
    int count;
} merging;

static size_t piece_of(uint64_t left)
{
    return left < PIECE ? (size_t)left : PIECE;
}

static void sort(pt_ranked *mine, size_t wanted)
{
    if (mine->sort)
        mine->sort(mine, wanted);
}

static void *thing(const pt_ranked *mine, size_t at)
{
    return (char *)mine->things + at * mine->size;
}

/* ---- The first process ---- */

static const void *first_of(const merging *m, int place)
{
    const stream *s = &m->streams[m->heap[place]];
    return s->things + s->at * m->mine->size;
}

static bool is_before(const merging *m, int a, int b)
{
    return m->mine->compare(first_of(m, a), first_of(m, b)) < 0;
}

static void swap(merging *m, int a, int b)
{
    int other = m->heap[a];
    m->heap[a] = m->heap[b];
    m->heap[b] = other;
}

static void sink(merging *m, int place)
{
    for (;;) {
        int next = 2 * place + 1;
        if (next + 1 < m->count && is_before(m, next + 1, next))
            next++;
        if (next >= m->count || !is_before(m, next, place))
            return;
        swap(m, place, next);
        place = next;
    }
}

static void ask(pt_comm *comm, int64_t rank)
{
    comm->broadcast(comm, 0, &rank, sizeof rank);
}

/* The next piece of a process. The first one's own things are all there, to be sorted. */
static void refill(const merging *m, int rank)
{
    stream *s = &m->streams[rank];
    size_t some = piece_of(s->left);
    if (s->at < s->end || some == 0)
        return;
    s->left -= some;
    if (rank == 0) {
        s->end += some;
        sort(m->mine, s->end);
        return;
    }
    s->at = 0;
    s->end = some;
    ask(m->comm, rank);
    m->comm->pass(m->comm, rank, 0, s->things, some * m->mine->size);
}

static void merge(merging *m, bool (*show)(void *user, const void *thing), void *user)
{
    for (int rank = 0; rank < m->comm->size; rank++) {
        refill(m, rank);
        if (m->streams[rank].at < m->streams[rank].end)
            m->heap[m->count++] = rank;
    }
    for (int place = m->count / 2 - 1; place >= 0; place--)
        sink(m, place);
    while (m->count > 0 && show(user, first_of(m, 0))) {
        stream *s = &m->streams[m->heap[0]];
        s->at++;
        refill(m, m->heap[0]);
        if (s->at == s->end)
            swap(m, 0, --m->count);
        sink(m, 0);
    }
    ask(m->comm, -1);
}

static partan_status open_streams(partan_context *context, merging *m, const uint64_t *counts)
{
    size_t processes = (size_t)m->comm->size;
    bool there = true;
    m->streams = pt_alloc_zero(context, processes, sizeof *m->streams);
    m->heap = pt_alloc(context, processes, sizeof *m->heap);
    for (size_t rank = 0; rank < processes && m->streams; rank++) {
        stream *s = &m->streams[rank];
        *s = (stream){.left = counts[rank]};
        s->things = rank == 0 ? m->mine->things : pt_alloc(context, piece_of(counts[rank]), m->mine->size);
        there &= rank == 0 || s->things;
    }
    return there && m->streams && m->heap ? PARTAN_OK : pt_out_of_memory(context, "what processes have sorted");
}

static void close_streams(partan_context *context, merging *m)
{
    for (int rank = 1; rank < m->comm->size && m->streams; rank++)
        pt_free(context, m->streams[rank].things);
    pt_free(context, m->streams);
    pt_free(context, m->heap);
}

/* ---- The others ---- */

/* A piece each time that this process is asked. */
static void serve(pt_comm *comm, pt_ranked *mine)
{
    for (size_t at = 0;;) {
        int64_t rank = -1;
        comm->broadcast(comm, 0, &rank, sizeof rank);
        if (rank < 0)
            return;
        if (rank != comm->rank)
            continue;
        size_t some = piece_of(mine->count - at);
        sort(mine, at + some);
        comm->pass(comm, comm->rank, 0, thing(mine, at), some * mine->size);
        at += some;
    }
}

/* ---- All ---- */

static partan_status show_all(partan_context *context, pt_comm *comm, pt_ranked *mine,
                              bool (*show)(void *user, const void *thing), void *user)
{
    merging m = {.comm = comm, .mine = mine};
    uint64_t *counts = pt_alloc_zero(context, (size_t)comm->size, sizeof *counts);
    partan_status status = counts ? PARTAN_OK : pt_out_of_memory(context, "what processes have sorted");
    status = pt_agree(context, comm, status);
    if (!status) {
        counts[comm->rank] = mine->count;
        pt_add_up(comm, counts, (size_t)comm->size);
        if (comm->rank == 0)
            status = open_streams(context, &m, counts);
        status = pt_agree(context, comm, status);
    }
    if (!status && comm->rank == 0)
        merge(&m, show, user);
    else if (!status)
        serve(comm, mine);
    close_streams(context, &m);
    pt_free(context, counts);
    return status;
}

partan_status pt_ranked_show(partan_context *context, pt_comm *comm, pt_ranked *mine,
                             bool (*show)(void *user, const void *thing), void *user)
{
    if (comm)
        return show_all(context, comm, mine, show, user);
    for (size_t i = 0; i < mine->count; i++) {
        if (i % PIECE == 0)
            sort(mine, i + piece_of(mine->count - i));
        if (!show(user, thing(mine, i)))
            break;
    }
    return PARTAN_OK;
}
