#include "core/thread_tuning.h"

#include "core/clock.h"

/* Pieces between trials: of one thread, while a team is used; of a team that has lost, first and at most. A team that
 * was disturbed for a moment comes back soon; one that loses again and again is tried ever more rarely. */
enum {
    TEAM_INTERVAL = 512,
    SHORTEST_INTERVAL = 32,
    LONGEST_INTERVAL = 1 << 16,
};

#define FRESH    0.2 /* weight of a new time in the running mean */
#define OUTLIER  2.0 /* a time counts as at most this many means: one alone says little */
#define HOPELESS 4.0 /* a trial piece this many times slower is; two of them end the trial */

void pt_pace_init(pt_pace *pace, int threads)
{
    /* One thread is measured first: it is the yardstick. */
    *pace = (pt_pace){.threads = threads, .interval = SHORTEST_INTERVAL, .trial = true};
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
    pace->tried = pace->hopeless = 0;
    pace->left = team ? TEAM_INTERVAL : pace->interval;
}

static void choose(pt_pace *pace, bool team)
{
    use(pace, team, false);
    if (team)
        pace->interval = SHORTEST_INTERVAL;
    else if (pace->interval < LONGEST_INTERVAL)
        pace->interval *= 2;
}

/* The first piece of a trial may have to wake threads, and any may be disturbed. */
static double median(double *times)
{
    for (int i = 1; i < PT_PACE_TRIAL; i++)
        for (int k = i; k > 0 && times[k] < times[k - 1]; k--) {
            double swap = times[k];
            times[k] = times[k - 1];
            times[k - 1] = swap;
        }
    return times[PT_PACE_TRIAL / 2];
}

/* The trial is over: the faster is used. */
static void judge(pt_pace *pace, bool hopeless)
{
    double *mine = &pace->seconds[pace->team], other = pace->seconds[!pace->team];
    if (hopeless) {
        choose(pace, !pace->team);
        return;
    }
    *mine = median(pace->times);
    if (other == 0)
        use(pace, !pace->team, true);
    else
        choose(pace, *mine < other ? pace->team : !pace->team);
}

static void end_trial_piece(pt_pace *pace, double time)
{
    double other = pace->seconds[!pace->team];
    pace->times[pace->tried++] = time;
    pace->hopeless += other > 0 && time > HOPELESS * other;
    if (pace->hopeless == 2 || pace->tried == PT_PACE_TRIAL)
        judge(pace, pace->hopeless == 2);
}

void pt_pace_end(pt_pace *pace, double work)
{
    if (pace->threads == 1)
        return;
    double time = (pt_clock() - pace->start) / work;
    if (pace->trial) {
        end_trial_piece(pace, time);
        return;
    }
    double *mean = &pace->seconds[pace->team], other = pace->seconds[!pace->team];
    time = time < OUTLIER * *mean ? time : OUTLIER * *mean;
    *mean += FRESH * (time - *mean);
    if (*mean > other) /* what has become slower than the other was hands over at once */
        choose(pace, !pace->team);
    else if (--pace->left == 0)
        use(pace, !pace->team, true);
}
