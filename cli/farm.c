#include "farm.h"

#include "human.h"
#include "interrupt.h"

static int settle(const farm *work)
{
    return work->settle ? work->settle(work->user) : EXIT_DONE;
}

/* Progress is that of all pieces. */
static void begin_piece(progress_line *line, size_t piece, size_t pieces)
{
    if (line->pieces == 0) {
        line->first = piece;
        line->begun = seconds_now();
    }
    line->piece = piece;
    line->pieces = pieces;
}

int farm_run(invocation *run, farm *work)
{
    if (run->together)
        return run->together->farm(run, work);
    int code = EXIT_DONE;
    run->line.pieces = 0;
    for (size_t piece = 0; piece < work->count && code == EXIT_DONE && !work->stop; piece++) {
        if (work->skip && work->skip(work->user, piece))
            continue;
        begin_piece(&run->line, piece, work->count);
        code = work->work(work->user, piece);
        if (code == EXIT_DONE)
            code = settle(work);
    }
    run->line.pieces = 0;
    work->interrupted = interrupt_seen();
    return code;
}

void farm_hand_in(invocation *run, const farm *work, const void *bytes, size_t size)
{
    if (is_silent(run))
        run->together->hand_in(run, bytes, size);
    else
        work->take(work->user, bytes, size);
}

partan_status farm_status(const farm *work, const partan_status *of_pieces)
{
    partan_status first = PARTAN_OK;
    if (work->interrupted)
        return PARTAN_INTERRUPTED;
    for (size_t i = 0; i < work->count; i++) {
        if (of_pieces[i] == PARTAN_TIME_LIMIT)
            return PARTAN_TIME_LIMIT;
        first = first ? first : of_pieces[i];
    }
    return first;
}
