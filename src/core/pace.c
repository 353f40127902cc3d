#include "core/pace.h"

#include "core/clock.h"

enum {
    TRIAL = 4, /* pieces */
    SHORTEST_INTERVAL = 256,
    LONGEST_INTERVAL = 1 << 16,
};

#define FRESH        0.2 /* weight of a new time in the running mean */
#define HOPELESS     4.0 /* a trial piece this many times slower ends the trial */
#define NOT_MEASURED 0

void pt_pace_init(pt_pace *pace, int threads)
{
    /* One thread is measured first: it is the yardstick. */
    *pace = (pt_pace){.threads = threads, .left = TRIAL, .interval = SHORTEST_INTERVAL, .trial = true};
}

int pt_pace_begin(pt_pace *pace)
{
    if (pace->threads == 1)
        return 1;
    pace->start = pt_clock();
    return pace->team ? pace->threads : 1;
}

static void use(pt_pace *pace, bool team, bool trial)
{
    pace->team = team;
    pace->trial = trial;
    pace->left = trial ? TRIAL : pace->interval;
}

/* The trial is over: stay with what won; a loser is tried again later than last time. */
static void judge(pt_pace *pace)
{
    bool other = !pace->team;
    if (pace->seconds[other] == NOT_MEASURED) {
        use(pace, other, true);
        return;
    }
    bool won = pace->seconds[pace->team] < pace->seconds[other];
    pace->interval = won ? SHORTEST_INTERVAL : pace->interval * 2;
    if (pace->interval > LONGEST_INTERVAL)
        pace->interval = LONGEST_INTERVAL;
    use(pace, won ? pace->team : other, false);
}

void pt_pace_end(pt_pace *pace)
{
    if (pace->threads == 1)
        return;
    double elapsed = pt_clock() - pace->start;
    double *mean = &pace->seconds[pace->team], other = pace->seconds[!pace->team];
    bool first = *mean == NOT_MEASURED || (pace->trial && pace->left == TRIAL);
    *mean = first ? elapsed : *mean + FRESH * (elapsed - *mean);
    bool hopeless = other != NOT_MEASURED && elapsed > HOPELESS * other;
    if (--pace->left > 0 && !(pace->trial && hopeless)) {
        /* Outside trials, what has become slower than the other was hands over at once. */
        if (!pace->trial && other != NOT_MEASURED && *mean > other)
            use(pace, !pace->team, false);
        return;
    }
    if (pace->trial)
        judge(pace);
    else
        use(pace, !pace->team, true);
}
